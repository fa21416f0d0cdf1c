/**
 * What the published package is made of, as CycloneDX on stdout: `npm run sbom`. It ends with 1 when a component is missing, or
 * has a licence that nobody has read. npm makes the list. With `--omit dev` it leaves out what a development dependency needs as
 * well (zod): so it is shown the lockfile without these.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

/** Licences under which the parts of a program may be handed on with it, if their notices are: they are in each folder. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  // Asks for the source of its own files alone; these are unchanged, and the package says where they are.
  'MPL-2.0',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  '(MIT AND Zlib)',
  // Of two, the first is ours.
  '(MIT OR GPL-3.0-or-later)',
]);

/** What has a licence that npm does not know the name of. */
const READ_BY_HAND: ReadonlySet<string> = new Set(['nub@0.0.0' /* MIT/X11 */, 'htmx-ext-sse@2.2.4' /* 0BSD */]);

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devDependencies?: unknown;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}

const read = (name: string) => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'));

const { devDependencies: _dev, ...manifest } = read('package.json');
const lock = read('package-lock.json') as { packages: Record<string, Locked> };
const locked = Object.entries(lock.packages).flatMap(([at, { version, dev }]) =>
  at === '' || dev ? [] : [`${at.replace(/^.*node_modules\//, '')}@${version}`],
);
const packages = Object.entries(lock.packages).flatMap(([at, locked]) => {
  const { devDependencies: _dev, ...one } = locked;
  return one.dev ? [] : [[at, one] as const];
});

const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-sbom-'));
try {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
  );
  const flags = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const text = execFileSync('npm', flags, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const { components } = JSON.parse(text) as { readonly components: readonly Component[] };
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const problems = [
    ...locked.filter((one) => !named.has(one)).map((one) => `${one} is not in the list`),
    ...components.flatMap(unread),
  ];
  process.stdout.write(text);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 || components.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

function unread({ name, version, licenses = [] }: Component): readonly string[] {
  if (READ_BY_HAND.has(`${name}@${version}`)) return [];
  const terms = licenses.map(({ license, expression }) => license?.id ?? expression ?? '');
  const isFine = terms.length > 0 && terms.every((one) => ALLOWED.has(one));
  return isFine ? [] : [`${name}@${version} has the licence ${terms.join(', ') || '(none)'}`];
}
