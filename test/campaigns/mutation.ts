/**
 * Would a test notice? Stryker changes one place after the other in the sources where a mistake costs money, and runs the
 * tests that mirror them: `node test/campaigns/mutation.ts --concurrency 2`. Tells the score of each file, and every change
 * that no test noticed, with the reason why it may stay (`kept-mutants.ts`). Ends with 1 when one has no reason, or when
 * the goal is missed.
 *
 * Types are not checked: a change that would not compile has to be noticed by a test as well. Stryker is installed into a
 * temporary folder, in an exact version and with its packages as of one day, so that nobody else waits for them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type KeptMutant, keptMutants } from './kept-mutants.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const VERSION = '10.1.1';
const AS_OF = '2026-11-21';
const GOAL_PERCENT = 95;
/** Tests of a busy machine are slow; one that a change sends round for ever is ended by Stryker's own count of hits. */
const PATIENCE_MS = 60_000;

/** What is changed, and the tests that have to notice: those that mirror it, not a whole run that might. */
interface Group {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const mirrored = (source: string, tests = source): Group => ({
  sources: [`src/${source}.ts`],
  tests: [`test/${tests}.test.ts`],
});
const groups: readonly Group[] = [
  mirrored('client/verdict'),
  mirrored('client/answer-json'),
  mirrored('dispatch/decision', 'dispatch/decision*'),
  mirrored('dispatch/claim-rule'),
  {
    sources: ['order', 'order-line', 'line-status', 'result-code'].map((name) => `src/domain/${name}.ts`),
    tests: [
      'order',
      'order-lines',
      'line-table',
      'line-status',
      'result-code',
      'resolved-order',
      'retried-order',
      'published-codes',
    ].map((name) => `test/domain/${name}.test.ts`),
  },
  mirrored('domain/submission'),
  mirrored('domain/currency', 'domain/money'),
  mirrored('domain/money'),
  mirrored('domain/ids', 'domain/*ids'),
  mirrored('batch/row-identity'),
];

const { values } = parseArgs({
  options: {
    concurrency: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string', default: '' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The parts of Stryker's report that are read here (its schema: mutation-testing-report-schema). */
interface Mutant {
  /** Any other status was no change to be noticed. */
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'other';
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}
interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

/** Installs Stryker into a folder, beside this project's own vitest. */
async function install(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await mkdir(path.join(folder, 'sandbox'));
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--before', AS_OF, ...flags, ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  await symlink(path.join(ROOT, 'node_modules/vitest'), path.join(folder, 'node_modules/vitest'), 'junction');
}

/** Changes copies of the sources of a group; the tree itself stays as it is. */
async function mutate(folder: string, { sources, tests }: Group): Promise<Readonly<Record<string, MutatedFile>>> {
  const inFolder = (name: string): string => path.join(folder, name);
  // Stryker has an option for this, with which it never applies the changes to what runs while a file is loaded.
  const vitestOptions = { test: { include: tests, testTimeout: PATIENCE_MS } };
  await writeFile(inFolder('vitest.mjs'), `export default ${JSON.stringify(vitestOptions)}`);
  const options = {
    mutate: sources,
    testRunner: 'vitest',
    plugins: [inFolder('node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: inFolder('vitest.mjs'), related: false },
    concurrency: Number(values.concurrency),
    timeoutMS: PATIENCE_MS,
    tempDirName: inFolder('sandbox'),
    // Stryker rewrites the paths of a tsconfig by means that TypeScript 7 does not have; ours needs no rewriting.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: inFolder('report.json') },
    warnings: { slow: false },
  };
  await writeFile(inFolder('stryker.json'), JSON.stringify(options));
  const program = inFolder('node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [program, 'run', inFolder('stryker.json')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status}`);
  const report = await readFile(inFolder('report.json'), 'utf8');
  return (JSON.parse(report) as { files: Record<string, MutatedFile> }).files; // its documented shape
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(0, end.line);
  const last = lines.pop() ?? '';
  const text = [...lines, last.slice(0, end.column - 1)].slice(start.line - 1).join('\n');
  return oneLine(text.slice(start.column - 1));
}

/** A change that runs for ever is noticed, too. */
const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const isUnnoticed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-mutation-'));
const began = process.hrtime.bigint();
const used = new Set<KeptMutant>();
let all = 0;
let noticed = 0;
let unexplained = 0;

function tell(file: string, { source, mutants }: MutatedFile): void {
  const found = mutants.filter(isNoticed).length;
  const left = mutants.filter(isUnnoticed);
  const tried = found + left.length;
  all += tried;
  noticed += found;
  const endless = mutants.filter(({ status }) => status === 'Timeout').length;
  const percent = ((100 * found) / tried).toFixed(1).padStart(6);
  say(`${percent} %  ${file}: ${found} of ${tried}, ${endless} of them because they ran for ever`);
  for (const { location, replacement } of left) {
    const [was, is] = [textAt(source, location), oneLine(replacement)];
    const isMeant = (one: KeptMutant): boolean => one.file === file && one.was === was && one.is === is;
    const kept = keptMutants.find((one) => isMeant(one) && !used.has(one));
    if (kept) used.add(kept);
    else unexplained += 1;
    say(`          line ${location.start.line}: ${was} → ${is}`);
    say(`            ${kept?.because ?? 'NO TEST NOTICES, AND NOBODY SAYS WHY IT MAY STAY'}`);
  }
}

try {
  await install(folder);
  const chosen = groups
    .map((group) => ({ ...group, sources: group.sources.filter((file) => file.includes(values.only)) }))
    .filter(({ sources }) => sources.length > 0);
  for (const group of chosen) {
    for (const [file, mutated] of Object.entries(await mutate(folder, group))) tell(file, mutated);
  }
  const files = chosen.flatMap(({ sources }) => sources);
  const stale = keptMutants.filter((kept) => files.includes(kept.file) && !used.has(kept));
  for (const { file, was } of stale) say(`out of date, a test notices: ${file}: ${was}`);
  const percent = (100 * noticed) / all;
  const minutes = Number(process.hrtime.bigint() - began) / 60e9;
  say(`${percent.toFixed(2)} % of ${all} changes are noticed, ${unexplained} of the others have no reason;`);
  say(`${minutes.toFixed(1)} minutes, ${values.concurrency} at a time`);
  process.exitCode = unexplained === 0 && stale.length === 0 && percent >= GOAL_PERCENT ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
