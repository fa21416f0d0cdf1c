/** Many seeds on many threads. The tally is the same however many there are, but for the order of what it lists. */
import { Worker } from 'node:worker_threads';
import type { SeedJob } from './seed-worker.ts';
import { addTally, emptyTally, type SeedTally } from './tally.ts';

/** Seeds that a thread takes at a time: enough to make up for its start, few enough for all threads to end together. */
const JOB_SEEDS = 200;

export interface CampaignJob extends SeedJob {
  readonly workers: number;
  /** Is told of what is counted so far, each time that a thread has done its job. */
  readonly tell?: (soFar: SeedTally) => void;
}

export async function tallyInWorkers({ workers, tell, ...whole }: CampaignJob): Promise<SeedTally> {
  const sum = emptyTally();
  const end = whole.from + whole.seeds;
  let next = whole.from;
  const takeJobs = async (): Promise<void> => {
    while (next < end && !(whole.stopAtFirst && sum.broken.length > 0)) {
      const job: SeedJob = { ...whole, from: next, seeds: Math.min(JOB_SEEDS, end - next) };
      next += job.seeds;
      addTally(sum, await inThread(job));
      tell?.(sum);
    }
  };
  await Promise.all(Array.from({ length: workers }, takeJobs));
  return sum;
}

function inThread(job: SeedJob): Promise<SeedTally> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./seed-worker.ts', import.meta.url), {
      workerData: job,
      execArgv: ['--no-warnings'],
    });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`A thread ended with ${code} and no tally`)));
  });
}
