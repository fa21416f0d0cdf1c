/** Runs ranges of seeds in a thread of its own: one job in, one tally out, and the next one. */
import { parentPort } from 'node:worker_threads';
import type { FaultKind } from './fault-kinds.ts';
import { type SeedRange, tallySeeds } from './tally.ts';

export interface SeedJob extends SeedRange {
  readonly without: ReadonlySet<FaultKind>;
}

parentPort?.on('message', async (job: SeedJob) => parentPort?.postMessage(await tallySeeds(job, job)));
