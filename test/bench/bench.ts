/**
 * What paybatch costs beside what it is held against, in one run: `npm run bench`. Both sides take turns, each in a process of
 * its own, and the medians are compared: absolute figures drift from machine to machine, ratios hold. A table for people, and
 * `--json FILE` for programs. It never fails for being slow.
 *
 * `--quick`: one run of a tenth of the rows · `--only NAME` (several times; some works are measured only so) · `--runs N` (3) ·
 * `--rows N` instead of those of each work · `--profile NAME` prints where the time of one work goes, by room.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Cost, measure, medianOf } from './measure.ts';
import { profileIn, sharesOf } from './profile-shares.ts';
import { type Work, works } from './work.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    rows: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
});
const runs = Number(values.runs ?? (values.quick ? 1 : 3));
const rowsOf = ({ rows }: Work): number => Number(values.rows ?? (values.quick ? rows / 10 : rows));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Measured {
  readonly work: string;
  readonly beside: string;
  readonly rows: number;
  readonly ours: Cost;
  readonly theirs: Cost;
  /** Ours by theirs. */
  readonly ratio: Cost;
  readonly targets: Work['targets'];
  readonly peakMbMost?: number;
  readonly secondsMost?: number;
}

async function compare(work: Work): Promise<Measured> {
  const { name, beside, targets, peakMbMost, secondsMost } = work;
  const rows = rowsOf(work);
  const both = await work.open(rows);
  const [ours, theirs]: [Cost[], Cost[]] = [[], []];
  try {
    for (let round = 0; round < runs; round++) {
      ours.push(await measure(await both.ours()));
      theirs.push(await measure(await both.theirs()));
    }
  } finally {
    await both.close();
  }
  const [our, their] = [medianOf(ours), medianOf(theirs)];
  const ratio = {
    wallSeconds: our.wallSeconds / their.wallSeconds,
    cpuSeconds: our.cpuSeconds / their.cpuSeconds,
    peakMb: our.peakMb / their.peakMb,
  };
  return {
    ...{ work: name, beside, rows, ours: our, theirs: their, ratio, targets },
    ...(peakMbMost !== undefined && { peakMbMost }),
    ...(secondsMost !== undefined && { secondsMost }),
  };
}

const costText = ({ wallSeconds, cpuSeconds, peakMb }: Cost): string =>
  `${wallSeconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s, ${peakMb.toFixed(0)} MB`;

const units = { wallSeconds: 'wall', cpuSeconds: 'CPU', peakMb: 'memory' } as const satisfies Record<
  keyof Cost,
  string
>;

/** Each ratio with what it should be at most, in words. */
function* verdicts({ ratio, targets, ours, peakMbMost, secondsMost }: Measured): Generator<string> {
  for (const key of ['wallSeconds', 'cpuSeconds', 'peakMb'] as const) {
    const most = targets[key];
    const missed = most !== undefined && ratio[key] > most ? ', missed' : '';
    const target = most === undefined ? '' : ` (at most ${most.toFixed(2)}${missed})`;
    yield `${ratio[key].toFixed(2)} × ${units[key]}${target}`;
  }
  if (secondsMost !== undefined) yield `at most ${secondsMost} s${ours.wallSeconds > secondsMost ? ', missed' : ''}`;
  if (peakMbMost !== undefined) yield `at most ${peakMbMost} MB${ours.peakMb > peakMbMost ? ', missed' : ''}`;
}

async function profile(work: Work): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-profile-'));
  const both = await work.open(rowsOf(work));
  try {
    const { argv, ...program } = await both.ours();
    await measure({ ...program, argv: ['--cpu-prof', `--cpu-prof-dir=${folder}`, ...argv] });
    const { rooms } = sharesOf(profileIn(folder));
    const total = rooms.reduce((sum, { seconds }) => sum + seconds, 0);
    for (const { name, seconds } of rooms) {
      if (seconds / total >= 0.005)
        say(`${((100 * seconds) / total).toFixed(1).padStart(5)} %  ${seconds.toFixed(2)} s  ${name}`);
    }
  } finally {
    await both.close();
    rmSync(folder, { recursive: true });
  }
}

function workCalled(name: string): Work {
  const work = works[name];
  if (!work) throw new Error(`No work is called ${name}: ${Object.keys(works).join(', ')}.`);
  return work;
}

const isOfTable = ({ isExtra }: Work): boolean => isExtra !== true;

if (values.profile !== undefined) await profile(workCalled(values.profile));
else {
  const machine = `${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}`;
  say(`${machine}; medians of ${runs}`);
  const measured: Measured[] = [];
  const chosen = values.only.length > 0 ? values.only.map(workCalled) : Object.values(works).filter(isOfTable);
  for (const work of chosen) {
    const one = await compare(work);
    measured.push(one);
    say(
      `\n${one.work}${one.rows > 0 ? `, ${one.rows.toLocaleString('en')} rows` : ''}\n  paybatch  ${costText(one.ours)}\n  beside    ${costText(one.theirs)}  (${one.beside})`,
    );
    say(`  ${[...verdicts(one)].join(' · ')}`);
  }
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ machine, runs, measured }, null, 2)}\n`);
}
