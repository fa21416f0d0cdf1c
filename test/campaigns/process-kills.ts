/**
 * Kills real processes: `node test/campaigns/process-kills.ts --kills 1000 --rows 300 --seed 1`. Drill after drill, each
 * with a sheet and a seed of its own, and at a service that treats repeated orders in another way than the one before, until the
 * kills are used up. Prints the sums, and ends with 1 at any violation.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { duplicateModes } from '../../src/sandbox/scenario.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { paybatchCommand } from '../support/desk/program.ts';

/** Kills of one drill; a sheet is mostly finished after fewer. */
const KILLS_PER_DRILL = 60;
/** As the drill has it by itself, but for repeated orders. */
const SCENARIO = 'flaky,slow=15,settle-min=100,settle-max=900';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const [wanted, rows] = [Number(values.kills), Number(values.rows)];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Drilled {
  readonly payouts: number;
  readonly once: number;
  readonly twice: number;
  readonly lost: number;
  readonly falsePaid: number;
  readonly falseUnpaid: number;
  readonly openAtEnd: number;
  readonly needWord: number;
  readonly sentAgain: number;
  readonly processes: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly repeats: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-kills-'));
const sums = new Map<string, number>();
const violations: string[] = [];
let [killed, drills] = [0, 0];
/** A drill that cannot even begin would be begun for ever. */
let broken = false;

const addTo = (name: string, count: number): void => void sums.set(name, (sums.get(name) ?? 0) + count);

async function drillOnce(seed: string, duplicates: string): Promise<void> {
  const sheet = path.join(folder, `${seed}.csv`);
  await writeFile(sheet, csvOf(people(rows)));
  const [program = '', ...argv] = [
    ...paybatchCommand,
    'drill',
    sheet,
    '--kills',
    String(KILLS_PER_DRILL),
    '--seed',
    seed,
    '--json',
  ];
  argv.push('--scenario', `${SCENARIO},duplicates=${duplicates}`);
  const child = spawn(program, argv, {
    env: { PAYBATCH_HOME: path.join(folder, `home-${seed}`) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.resume();
  await once(child, 'close');
  const told = stdout.split('\n').find((line) => line.includes('"type":"drill"'));
  if (!told) {
    broken = true;
    violations.push(`seed ${seed}: the drill told nothing (${stdout.slice(-300)})`);
    return;
  }
  const drilled = JSON.parse(told) as Drilled;
  for (const [moment, count] of Object.entries(drilled.kills)) {
    killed += count;
    addTo(`killed ${moment}`, count);
  }
  for (const [fault, count] of Object.entries(drilled.faults)) addTo(`fault ${fault}`, count);
  for (const [answer, count] of Object.entries(drilled.repeats)) addTo(`repeat ${answer}`, count);
  for (const name of [
    'payouts',
    'once',
    'twice',
    'lost',
    'falsePaid',
    'falseUnpaid',
    'openAtEnd',
    'needWord',
  ] as const) {
    addTo(name, drilled[name]);
  }
  addTo('processes', drilled.processes);
  addTo('orders sent more than once', drilled.sentAgain);
  violations.push(...drilled.violations.map((violation) => `seed ${seed}: ${violation}`));
  // A row that was lost as often as it may be submitted is in doubt until a person says what became of it.
  const open = drilled.openAtEnd - drilled.needWord;
  if (open > 0) violations.push(`seed ${seed}: ${open} rows are open at the end`);
}

const started = performance.now();
async function work(): Promise<void> {
  while (killed < wanted && !broken) {
    drills += 1;
    await drillOnce(`${values.seed}-${drills}`, duplicateModes[drills % duplicateModes.length] ?? 'execute');
    say(`${killed} of ${wanted} kills, ${drills} drills, ${violations.length} violations`);
  }
}
try {
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
} finally {
  await rm(folder, { recursive: true, force: true });
}
say(`${killed} kills in ${drills} drills of ${rows} rows, ${((performance.now() - started) / 1000).toFixed(0)} s`);
for (const [name, count] of [...sums].toSorted()) say(`${String(count).padStart(8)}  ${name}`);
for (const violation of violations.slice(0, 50)) say(`VIOLATION ${violation}`);
say(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
process.exitCode = violations.length > 0 ? 1 : 0;
