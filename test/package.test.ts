/** What is published: the files that are listed, the packages that were tested, and nothing that asks its reader. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inTemporaryFolder } from './support/temporary-folder.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (name: string) => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'));
const { bundleDependencies, files, scripts, dependencies, optionalDependencies, devDependencies } =
  read('package.json');

describe('the published package', () => {
  test('has every sample and the holidays of every country, each by its name, and the compiled code', () => {
    const listing = execFileSync('git', ['ls-files', 'samples', 'templates/holidays'], { cwd: ROOT, encoding: 'utf8' });
    const kept = listing.trim().split('\n');
    expect(kept.length).toBeGreaterThan(10);
    expect(files.toSorted()).toEqual(['CHANGELOG.md', 'dist', ...kept].toSorted());
  });

  test('runs no script on the machine of who installs it', () => {
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
    // A checkout and a tarball are built all the same.
    expect(scripts.prepublish).toBe('npm run build');
    expect(scripts.prepack).toMatch(/^npm run build && /);
  });

  test('brings the very packages of the lockfile, overridden ones too', () => {
    expect(scripts.prepack).toContain('npm pkg set bundleDependencies=true');
    // Left in place it would have npm run the scripts of bundled packages, whatever `allowScripts` says.
    expect(scripts.postpack).toBe('npm pkg delete bundleDependencies');
    expect(bundleDependencies).toBeUndefined();
    const locked = Object.entries<{ dev?: true; inBundle?: true; integrity?: string }>(
      read('package-lock.json').packages,
    ).filter(([at, { dev }]) => at !== '' && dev !== true);
    expect(locked.length).toBeGreaterThan(Object.keys(dependencies).length);
    expect(locked.filter(([, { inBundle, integrity }]) => inBundle || !integrity)).toEqual([]);
    const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
    expect(Object.values(all).filter((one) => !/^\d/.test(String(one)))).toEqual([]);
  });

  test('leaves sources in C, and builds for browsers, out of its bundle: nothing loads them', () => {
    expect(scripts.prepack).toContain('node test/support/programs/trim-dependencies.ts');
    const trimmed = readFileSync(path.join(ROOT, 'test/support/programs/trim-dependencies.ts'), 'utf8');
    for (const folder of ['better-sqlite3/deps', 'better-sqlite3/src', 'exceljs/dist']) {
      expect(trimmed).toContain(`'${folder}'`);
    }
    // It is compiled for every system that it names, so nobody who installs it needs its sources.
    const { main } = read('node_modules/exceljs/package.json');
    expect(main).toBe('./excel.js');
    const builds = readdirSync(path.join(ROOT, 'node_modules/better-sqlite3/prebuilds'));
    expect(builds).toEqual(expect.arrayContaining(['darwin-arm64.node', 'linux-x64.node', 'win32-x64.node']));
  });

  test('leaves out of its bundle only what is compiled for each system, and names it as optional', () => {
    // npm bundles `dependencies`; what stands in both lists would be bundled for the system of who packs.
    expect(Object.keys(optionalDependencies)).toEqual(['@napi-rs/keyring', '@resvg/resvg-js']);
    expect(Object.keys(dependencies).filter((name) => name in optionalDependencies)).toEqual([]);
  });
});

test('a release leaves a folder alone that holds anything else, and says what to do', async () => {
  await inTemporaryFolder(async (folder) => {
    const kept = path.join(folder, 'payroll.xlsx');
    await writeFile(kept, 'salaries');
    const program = path.join(ROOT, scripts.release.replace(/^node /, ''));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--out', folder], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${folder} holds payroll.xlsx`);
    expect(stderr).toContain('Name an empty folder with --out.\nNothing was published');
    expect(readFileSync(kept, 'utf8')).toBe('salaries');
  });
});

test('the code uses nothing that the oldest Node.js of "engines" lacks', () => {
  const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(sources.length).toBeGreaterThan(300);
  // TypeScript knows these words, and Node.js 22 does not.
  const later = /\bnew (?:Async)?DisposableStack\b|\bRegExp\.escape\b|\bError\.isError\b|\bPromise\.try\b/;
  expect(sources.filter((file) => later.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')))).toEqual([]);
  // All that reaches beyond the sources is tried with real ones: npm run campaign:install.
  expect(scripts['campaign:install']).toMatch(/ --node 22\.[\d.]+,24\.[\d.]+,26\.[\d.]+$/);
});

test('the hashes of the Node.js that a checkout brings are those of its version', () => {
  const hashes = readFileSync(path.join(ROOT, '.ci/interpreter.sha256'), 'utf8');
  expect(hashes).toContain(`node-PLATFORM@${devDependencies.node},`);
  expect(hashes.match(/^[0-9a-f]{64} {2}linux-(?:x64|arm64)$/gm)).toHaveLength(2);
  expect(existsSync(path.join(ROOT, '.ci/run'))).toBe(true);
});

test('a checkout takes packages of the registry alone, and lets one of them run a script', () => {
  const { allowScripts } = read('package.json');
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node']);
  const settings = readFileSync(path.join(ROOT, '.npmrc'), 'utf8').split('\n');
  expect(settings).toEqual(
    expect.arrayContaining(['allow-git=none', 'allow-remote=none', 'strict-allow-scripts=true']),
  );
});
