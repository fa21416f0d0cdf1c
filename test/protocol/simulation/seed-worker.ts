/** Runs ranges of seeds in a thread of its own: one job in, one tally out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FaultKind } from './fault-kinds.ts';
import { type BrokenRule, type SeedRange, tallySeeds } from './tally.ts';

export interface SeedJob extends SeedRange {
  readonly without: ReadonlySet<FaultKind>;
  /** Ends with the first broken rule that is not known. */
  readonly stopAtFirst: boolean;
  /** Broken rules that are known, as `seed rule`. */
  readonly known: ReadonlySet<string>;
}

const job = workerData as SeedJob; // what `tally-in-workers.ts` gave
const isNews = ({ seed, rule }: BrokenRule): boolean => !job.known.has(`${seed} ${rule}`);
const tally = await tallySeeds(job, job, ({ broken }) => job.stopAtFirst && broken.some(isNews));
if (job.stopAtFirst) tally.broken.splice(0, tally.broken.length, ...tally.broken.filter(isNews).slice(0, 1));
parentPort?.postMessage(tally);
