/** Sees the processes that a test starts, and theirs, for as long as they live: what was typed for them, and their environment. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { needs } from '../needs.ts';
import type { Kept } from './canary.ts';

/** For `beforeEach`, or the first line of a test. */
export const needsProcessFolder = needs(process.platform === 'linux', 'Linux, which has a folder for each process');

export interface ProcessWatch {
  /** All that was seen so far. */
  seen(): Promise<readonly Kept[]>;
  end(): Promise<unknown>;
}

/** Begins to look, in a thread of its own: this one is held up by children that it waits for. */
export async function watchProcesses(): Promise<ProcessWatch> {
  const worker = new Worker(new URL('./process-watch-worker.ts', import.meta.url), { workerData: process.pid });
  await once(worker, 'message');
  return {
    async seen() {
      worker.postMessage('seen');
      const [texts] = (await once(worker, 'message')) as [readonly (readonly [name: string, text: Uint8Array])[]];
      return texts.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) }));
    },
    end: () => worker.terminate(),
  };
}
