/**
 * The protocol over simulated time, network, disk and service: `node test/campaigns/simulate.ts --seeds 100000 --from 1`.
 * `--seed N` tells one seed event by event; `--without clock-back,late-request` leaves kinds of faults out. Prints what was
 * covered and which rules were broken, and on stderr how far it is; ends with 1 when any was broken, and when 20,000 seeds or
 * more have not met a transition or a pair of faults that they are meant to meet.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { FaultKind } from '../protocol/simulation/fault-kinds.ts';
import { simulate } from '../protocol/simulation/simulation.ts';
import type { SeedTally } from '../protocol/simulation/tally.ts';
import { tallyInWorkers } from '../protocol/simulation/tally-in-workers.ts';
import { missingIn, tallyLines } from '../protocol/simulation/tally-text.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    without: { type: 'string', default: '' },
    /** Also worlds that are left out as long as time alone proves an order absent. */
    seed: { type: 'string' },
    /** Only themes with these places in the table of `themes.ts`, as `20,21`. */
    turns: { type: 'string' },
  },
});
/** In so many seeds everything must have been met that can be. */
const WHOLE_SEEDS = 20_000;
/** How far it is, it says each time that so much more is done. */
const STEP_PERCENT = 5;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const without = new Set(values.without.split(',').filter((kind) => kind !== '')) as ReadonlySet<FaultKind>; // as told
if (values.seed === undefined) await campaign();
else await one(Number(values.seed));

async function one(seed: number): Promise<void> {
  const result = await simulate(seed, { without });
  for (const line of result.log) say(line);
  say(
    JSON.stringify({ ...result.world, fates: result.world.fates.map((fate, index) => ({ row: index + 2, ...fate })) }),
  );
  say(`SHA-256 of the log: ${result.digest()}`);
  for (const { rule, what } of result.violations) say(`${rule}: ${what}`);
  process.exitCode = result.violations.length > 0 ? 1 : 0;
}

async function campaign(): Promise<void> {
  const [seeds, from, workers] = [Number(values.seeds), Number(values.from), Number(values.workers)];
  const started = performance.now();
  const sum = await tallyInWorkers({
    from,
    seeds,
    workers,
    without,
    emit: progressOf(seeds),
    ...(values.turns !== undefined && { turns: values.turns.split(',').map(Number) }),
  });
  const seconds = (performance.now() - started) / 1000;
  for (const line of tallyLines(sum)) say(line);
  const rate = (sum.seeds / seconds).toFixed(1);
  say(`seeds from ${from}, ${workers} threads, ${seconds.toFixed(0)} s, ${rate} seeds a second`);
  const isWhole = seeds >= WHOLE_SEEDS && values.turns === undefined && without.size === 0;
  process.exitCode = sum.brokenSeeds.length > 0 || (isWhole && missingIn(sum).length > 0) ? 1 : 0;
}

/** Says in a line on stderr how far it is, once for each step, and each broken rule as soon as it is known. */
function progressOf(seeds: number): (soFar: SeedTally) => void {
  let [told, named] = [0, 0];
  return ({ seeds: done, brokenSeeds, broken }) => {
    for (const { seed, rule, what } of broken.slice(named)) process.stderr.write(`seed ${seed}: ${rule}: ${what}\n`);
    named = broken.length;
    const steps = Math.floor((100 * done) / seeds / STEP_PERCENT);
    if (steps === told) return;
    told = steps;
    process.stderr.write(`${done} of ${seeds} seeds are done, ${brokenSeeds.length} of them break a rule\n`);
  };
}
