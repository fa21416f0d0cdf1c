/** Many seeds on many threads. The tally is the same however many there are, but for the order of what it lists. */
import { Worker } from 'node:worker_threads';
import type { SeedJob } from './seed-worker.ts';
import { addTally, emptyTally, type SeedTally } from './tally.ts';

/** Seeds that a thread takes at a time: so few that all threads end together. */
const JOB_SEEDS = 20;

export interface CampaignJob extends SeedJob {
  readonly workers: number;
  /** Is told of what is counted so far, each time that a thread has done its job. */
  readonly emit?: (soFar: SeedTally) => void;
}

export async function tallyInWorkers({ workers, emit, ...whole }: CampaignJob): Promise<SeedTally> {
  const sum = emptyTally();
  const end = whole.from + whole.seeds;
  let next = whole.from;
  const takeJobs = async (): Promise<void> => {
    const thread = new Worker(new URL('./seed-worker.ts', import.meta.url), { execArgv: ['--no-warnings'] });
    try {
      while (next < end) {
        const job: SeedJob = { ...whole, from: next, seeds: Math.min(JOB_SEEDS, end - next) };
        next += job.seeds;
        addTally(sum, await done(thread, job));
        emit?.(sum);
      }
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, takeJobs));
  return sum;
}

/** One job by a thread. Rejects with what ends the thread meanwhile. */
function done(thread: Worker, job: SeedJob): Promise<SeedTally> {
  return new Promise((resolve, reject) => {
    const left = (code: number): void => reject(new Error(`A thread ended with ${code} and no tally`));
    thread.removeAllListeners();
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', left);
    thread.postMessage(job);
  });
}
