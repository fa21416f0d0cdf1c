/**
 * Would a test notice? Stryker changes one place after the other in the sources, and runs the tests that mirror them:
 * `node test/campaigns/mutation.ts --concurrency 2`; with `--part core` that part, with `--only kinds/`, as often as wanted,
 * the files with that in their path. Tells the score of each file, and every change that no test noticed; in the core, where a mistake costs money at
 * once, with the reason why it may stay (`kept-mutants.ts`). Ends with 1 when a part misses its goal, or when a reason is
 * missing or out of date.
 *
 * Types are not checked: a change that would not compile has to be noticed by a test as well. Stryker is installed into a
 * temporary folder, in an exact version and with its packages as of one day, so that nobody else waits for them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type KeptMutant, keptMutants } from './kept-mutants.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const VERSION = '10.1.1';
const AS_OF = '2026-11-21';
/** Tests of a busy machine are slow; one that a change sends round for ever is ended by Stryker's own count of hits. */
const PATIENCE_MS = 60_000;

/** What is changed, and the tests that have to notice: those that mirror it, not a whole run that might. */
interface Group {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** What is judged together: `goalPercent` of the changes in it have to be noticed. */
interface Part {
  readonly name: string;
  readonly goalPercent: number;
  /** Whether each of the others needs a reason in `kept-mutants.ts`. */
  readonly isExplained: boolean;
  readonly groups: readonly Group[];
}

const mirrored = (source: string, tests = source): Group => ({
  sources: [`src/${source}.ts`],
  tests: [`test/${tests}.test.ts`],
});

/** A part of the second rank: its goal is lower, and what no test notices is listed without a reason. */
const room = (name: string, ...groups: readonly Group[]): Part => ({
  name,
  goalPercent: 90,
  isExplained: false,
  groups,
});

/** Each of these files with the tests of its own name alone, because a change to a table at its top is tried on all of them. */
const oneByOne = (folder: string, names: readonly string[]): readonly Group[] =>
  names.map((name) => mirrored(`${folder}/${name}`, `${folder}/${name}*`));

/** Names of the files of a folder beneath `src/`, without others: those of types alone, and those with tests of another name. */
const namesIn = (folder: string, others: readonly string[] = []): readonly string[] =>
  globSync(`src/${folder}/*.ts`, { cwd: ROOT })
    .map((file) => path.basename(file, '.ts'))
    .filter((name) => !others.includes(name))
    .sort();

const core: Part = {
  name: 'core',
  goalPercent: 99,
  isExplained: true,
  groups: [
    mirrored('service/client/verdict'),
    mirrored('service/client/answer-json'),
    mirrored('dispatch/decision', 'dispatch/decision*'),
    mirrored('dispatch/admission', 'dispatch/{admit,admission*,canary,suspension}'),
    mirrored('dispatch/run-state', 'dispatch/{run-state,admit,admission*}'),
    mirrored('dispatch/circuit-breaker', 'dispatch/{circuit-breaker,admission*}'),
    mirrored('dispatch/suspension'),
    mirrored('dispatch/witnesses', 'dispatch/{witnesses,visible-probes}'),
    mirrored('dispatch/journal', 'dispatch/{journal,due-rest}'),
    {
      sources: ['order', 'order-line', 'result-code'].map((name) => `src/domain/${name}.ts`),
      tests: [
        'order',
        'order-lines',
        'line-table',
        'line-status',
        'result-code',
        'resolved-order',
        'retried-order',
        'superseded-order',
        'published-codes',
        'said-absent-order',
        'repeated-line',
      ].map((name) => `test/domain/${name}.test.ts`),
    },
    mirrored('domain/submission'),
    mirrored('domain/outcome'),
    mirrored('domain/currency', 'domain/{currency,money}'),
    mirrored('domain/money'),
    mirrored('domain/ids', 'domain/*ids'),
    mirrored('batch/order-origin', 'batch/{order-origin,row-identity,other-orders,plan-orders}'),
    mirrored('batch/other-orders'),
    mirrored('batch/plan-orders'),
  ],
};
const parts: readonly Part[] = [
  core,
  room('kinds', { sources: namesIn('kinds').map((name) => `src/kinds/${name}.ts`), tests: ['test/kinds/*.test.ts'] }),
  room(
    'preflight',
    ...oneByOne('preflight', namesIn('preflight', ['preflight'])),
    mirrored('preflight/preflight', 'preflight/{preflight,bill-services}'),
    ...oneByOne('preflight/duplicates', namesIn('preflight/duplicates', ['match-payments'])),
    mirrored('preflight/duplicates/match-payments', 'preflight/duplicates/compare-payments'),
    ...oneByOne('preflight/payees', namesIn('preflight/payees', ['ask-holder', 'payee-figures'])),
    mirrored('preflight/payees/ask-holder', 'preflight/payees/verify-payees'),
    mirrored('domain/name-match'),
    mirrored('preflight/payees/payee-figures', 'preflight/payees/payee-check'),
  ),
  room('results', ...oneByOne('results', namesIn('results', ['report', 'worksheet']))),
  room('reporters, confirmation, log', ...oneByOne('cli', ['json-reporter', 'text-reporter', 'confirm', 'log'])),
];

const { values } = parseArgs({
  options: {
    concurrency: { type: 'string', default: String(availableParallelism()) },
    part: { type: 'string' },
    only: { type: 'string', multiple: true, default: [''] },
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
  // Not isolated, as always here: zod and the numbers of all countries are loaded once for a change, and not for each file.
  const vitestOptions = { test: { include: tests, testTimeout: PATIENCE_MS, isolate: false } };
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

interface Score {
  readonly tried: number;
  readonly noticed: number;
  /** Changes that nobody noticed, where each needs a reason, and has none. */
  readonly unexplained: number;
}

const used = new Set<KeptMutant>();
function reasonFor(file: string, was: string, is: string): string | undefined {
  const kept = keptMutants.find((one) => one.file === file && one.was === was && one.is === is && !used.has(one));
  if (kept) used.add(kept);
  return kept?.because;
}

function emit(file: string, { source, mutants }: MutatedFile, isExplained: boolean): Score {
  const noticed = mutants.filter(isNoticed).length;
  const left = mutants.filter(isUnnoticed);
  const tried = noticed + left.length;
  const endless = mutants.filter(({ status }) => status === 'Timeout').length;
  const percent = tried === 0 ? '–' : ((100 * noticed) / tried).toFixed(1);
  say(`${percent.padStart(6)} %  ${file}: ${noticed} of ${tried}, ${endless} of them because they ran for ever`);
  let unexplained = 0;
  for (const { location, replacement } of left) {
    const [was, is] = [textAt(source, location), oneLine(replacement)];
    say(`          line ${location.start.line}: ${was} → ${is}`);
    if (!isExplained) continue;
    const because = reasonFor(file, was, is);
    if (because === undefined) unexplained += 1;
    say(`            ${because ?? 'NO TEST NOTICES, AND NOBODY SAYS WHY IT MAY STAY'}`);
  }
  return { tried, noticed, unexplained };
}

/** Whether the part is as it should be. */
async function judge(folder: string, { name, goalPercent, isExplained, groups }: Part): Promise<boolean> {
  const scores: Score[] = [];
  for (const group of groups) {
    for (const [file, mutated] of Object.entries(await mutate(folder, group)))
      scores.push(emit(file, mutated, isExplained));
  }
  const sum = (field: keyof Score): number => scores.reduce((total, score) => total + score[field], 0);
  const sources = groups.flatMap((group) => group.sources);
  const stale = keptMutants.filter((kept) => sources.includes(kept.file) && !used.has(kept));
  for (const { file, was } of stale) say(`out of date, a test notices: ${file}: ${was}`);
  const percent = (100 * sum('noticed')) / sum('tried');
  const unexplained = sum('unexplained');
  say(`${name}: ${percent.toFixed(2)} % of ${sum('tried')} changes are noticed, the goal is ${goalPercent} %`);
  if (isExplained) say(`${name}: ${unexplained} of the others have no reason`);
  return percent >= goalPercent && unexplained === 0 && stale.length === 0;
}

/** What was asked for of a part. */
function chosen(part: Part): Part {
  const groups = part.groups
    .map((group) => ({
      ...group,
      sources: group.sources.filter((file) => values.only.some((text) => file.includes(text))),
    }))
    .filter(({ sources }) => sources.length > 0);
  return { ...part, groups };
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-mutation-'));
const began = process.hrtime.bigint();
try {
  await install(folder);
  let areGood = true;
  const asked = parts.filter(({ name }) => values.part === undefined || name === values.part);
  for (const part of asked.map(chosen).filter(({ groups }) => groups.length > 0)) {
    if (!(await judge(folder, part))) areGood = false;
  }
  const minutes = Number(process.hrtime.bigint() - began) / 60e9;
  say(`${minutes.toFixed(1)} minutes, ${values.concurrency} at a time`);
  process.exitCode = areGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
