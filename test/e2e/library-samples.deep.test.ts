/** Every sample of the library as a stranger runs it: the built package, by its name, against a service of its own. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/desk/command-line.ts';
import { inheritedEnv } from '../support/desk/program.ts';
import { needs } from '../support/needs.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const BUILD = path.join(ROOT, 'test', 'support', 'programs', 'build.ts');
const BUILD_MS = 120_000;
const SAMPLE_MS = 40_000;
const run = promisify(execFile);

/** What each sample prints, line by line. */
const printed: Readonly<Record<string, readonly RegExp[]>> = {
  'orders.ts': [/^order 1: Completed, receipt [0-9A-Z]{10}, fee 9$/, /^order 2: Rejected$/],
  'checkout.ts': [/^checkout: 000, the payer pays at http/, /^total: 1300.5$/],
  'airtime.ts': [/^airtime: .*accepted/i, /^found: true$/],
  'bills.ts': [
    /^service: Electricity prepaid, 50 to 70000$/,
    /^saved for: \S/,
    /^saved number: accepted$/,
    /^owes: \d+ by \d{4}-\d\d-\d\d$/,
    /^can be paid: accepted$/,
    /^bill: Completed, receipt [0-9A-Z]{10}$/,
  ],
  'kyc.ts': [/^person: Success, Amina Wanjiru Otieno$/],
  'account-validation.ts': [/^account: Completed, 254712000777 - \S.*$/],
  'payment-links.ts': [/^link: Invoice 9, 2500$/, /^changed: accepted$/, /^link: Invoice 9, corrected, 2600$/],
  'deposits.ts': [/^deposit: Completed, receipt [0-9A-Z]{10}$/],
  'platform.ts': [/^health: Healthy$/, /^routes: \d+$/, /^charges: .*KES/, /^charges: .*KES/, /^wallet: \d+(\.\d+)?$/],
  'run-sheet.ts': [
    /^checked: exit 0, rows 2$/,
    /^paid: exit 0, completed 2, pending 0, unsent 0$/,
    /^again: exit 8$/,
    /^followed: exit 0, completed 2, pending 0, unsent 0$/,
    /^results: salaries\.SANDBOX-salaries-2026-11\.results\.csv$/,
  ],
  'validate-sheet.ts': [
    /^checked: exit 3, 2 problems$/,
    /^C3: Phone number "07220007" is incomplete/,
    /^C3: Namba ya simu "07220007" haijakamilika/,
    /^D4: The amount "1\.500" can be read in two ways\./,
    /^D4: Kiasi "1\.500" kinaweza kusomwa/,
    /^checked: salaries\.checked\.csv$/,
  ],
  'follow-batch.ts': [
    /^stopped: exit 130, unsent 2$/,
    /^resumed: exit 7, completed 0, pending 2, unsent 0$/,
    /^followed: exit 0, completed 2, pending 0, unsent 0$/,
    /^results: salaries\.SANDBOX-salaries-2026-11\.results\.xlsx$/,
  ],
};

/** What samples of whole sheets share; it does nothing by itself. */
const SHARED = 'practice.ts';

/** The package as it is installed: what is built, beside what it depends on. */
let installed = '';
let service: ChildProcess | undefined;
/** What Node.js compiled for the sample before is there for the next one. */
let compiled: Readonly<Record<string, string>> = {};
/** The environment in which a sample finds the service. */
let env: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  installed = await mkdtemp(path.join(tmpdir(), 'paybatch-package-'));
  compiled = { ...inheritedEnv, NODE_COMPILE_CACHE: path.join(installed, 'compiled') };
  await run(process.execPath, [BUILD, '--out', path.join(installed, 'dist')]);
  await cp(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'));
  await cp(path.join(SAMPLES, 'library'), path.join(installed, 'samples'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'), 'junction');
  service = spawn(process.execPath, [path.join(installed, 'dist', 'main.js'), 'sandbox', '--json'], {
    env: { ...compiled, PAYBATCH_HOME: path.join(installed, 'home') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: service.stdout as Readable })) {
    const { url, clientId, clientSecret } = JSON.parse(line) as Readonly<
      Record<'url' | 'clientId' | 'clientSecret', string>
    >;
    const account = { PAYBATCH_BASE_URL: url, PAYBATCH_CLIENT_ID: clientId, PAYBATCH_CLIENT_SECRET: clientSecret };
    env = { ...compiled, ...account };
    return;
  }
}, BUILD_MS);

afterAll(async () => {
  if (service?.exitCode === null) {
    const ended = once(service, 'close');
    service.kill();
    await ended;
  }
  await rm(installed, { recursive: true, force: true, maxRetries: 3 });
});

test('every sample of the library is here', () => {
  expect(readdirSync(path.join(SAMPLES, 'library')).sort()).toEqual([...Object.keys(printed), SHARED].sort());
});

describe('what is built', () => {
  test('has one declaration, of the library, which imports nothing but packages that come along', async () => {
    const dist = path.join(installed, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.d.ts'))).toEqual(['index.d.ts']);
    const declaration = await readFile(path.join(dist, 'index.d.ts'), 'utf8');
    const imported = [...declaration.matchAll(/^(?:import|export) .*from ["'](.+)["'];$/gm)].map(([, name]) => name);
    const { dependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name = '') => !(name in dependencies))).toEqual([]);
    // Each name of the face, with what its file says about it.
    const exported = await import(pathToFileURL(path.join(dist, 'index.js')).href);
    for (const name of Object.keys(exported)) expect(declaration).toMatch(new RegExp(`\\b${name}\\b`));
    expect(declaration).toContain('/** Pays a sheet once. Fault');
  });

  test('has no file that nothing loads, and the font of pictures with its licence, which allows that', async () => {
    const dist = path.join(installed, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(300);
    for (const file of scripts) {
      const code = await readFile(path.join(dist, file), 'utf8');
      expect(code.replaceAll(/\/\*[\s\S]*?\*\//g, '').trim(), file).not.toBe('export {};');
    }
    const licence = await readFile(path.join(dist, 'results', 'pictures', 'DejaVuSans.LICENSE.txt'), 'utf8');
    expect(licence).toContain('free of charge');
    expect(files).toContain(path.join('results', 'pictures', 'DejaVuSans.ttf'));
    expect(files).toContain(path.join('docs', 'pay-day.md'));
  });
});

/** A Node.js that paybatch is too new for; a machine may have none. */
const OLD = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (node) => existsSync(node) && /^v(?:1\d|20)\./.test(execFileSync(node, ['--version'], { env: {}, encoding: 'utf8' })),
);

test.for([
  ['import', `import('paybatch').catch(({ message }) => console.log(message));`],
  ['require', `try { require('paybatch') } catch ({ message }) { console.log(message) }`],
])('on an old Node.js, %s says which one it needs, in one sentence', async ([, program = ''], context) => {
  needs(OLD !== undefined, 'a Node.js before 22 in /usr/bin or /usr/local/bin')(context);
  const asked = await mkdtemp(path.join(tmpdir(), 'paybatch-old-node-'));
  try {
    await mkdir(path.join(asked, 'node_modules'));
    await symlink(installed, path.join(asked, 'node_modules', 'paybatch'), 'junction');
    const { stdout } = await run(OLD ?? '', ['-e', program], { cwd: asked, env: {} });
    expect(stdout).toMatch(
      /^paybatch needs Node\.js 22\.19 or newer; this is \d+\.\d+\.\d+\. See https:\/\/nodejs\.org\n$/,
    );
  } finally {
    await rm(asked, { recursive: true });
  }
});

test(
  'they fit the declarations that are installed',
  async () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    };
    await writeFile(path.join(installed, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['samples'] }));
    const { stdout } = await run(process.execPath, [TSC, '-p', installed]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  },
  BUILD_MS,
);

describe('the sample of the library', () => {
  test.each(Object.entries(printed))('%s does what it says', { timeout: SAMPLE_MS }, async (name, lines) => {
    const { stdout } = await run(process.execPath, ['--no-warnings', path.join(installed, 'samples', name)], { env });
    const said = stdout.trim().split('\n');
    expect(said, stdout).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) expect(said[index]).toMatch(line);
  });

  test('says that it has no address when nobody gives one', async () => {
    const failure: unknown = await run(process.execPath, [path.join(installed, 'samples', 'platform.ts')], {
      env: compiled,
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('The client has no baseUrl') });
  });
});
