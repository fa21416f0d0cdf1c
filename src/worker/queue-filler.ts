/** Which batches the queue is asked for, by what the ledger says of them; and those that are not asked for any more. */
import type { BatchId } from '../domain/ids.ts';
import { batchEnd, batchEnds, isUnfinished } from '../ledger/unfinished.ts';
import type { Queue } from './queue.ts';

export interface Filling {
  /** Whether this worker is at work on the batch. */
  readonly isAtWork: (batch: BatchId) => boolean;
  /** With `once`: whether a batch was tried, which it is once, whatever it waits for. Missing: each is asked for until it is through. */
  readonly wasTried?: (batch: BatchId) => boolean;
}

export class QueueFiller {
  readonly #filling: Filling;
  /** Batches that wait for a person, with the last fact of each: another one shows that somebody has acted. */
  readonly #left = new Map<BatchId, number | undefined>();
  /** Batches of which nothing was open, in the same way. */
  readonly #through = new Map<BatchId, number>();

  constructor(filling: Filling) {
    this.#filling = filling;
  }

  /** Batches that wait for a person. */
  get left(): number {
    return this.#left.size;
  }

  /** From now on it waits for a person. */
  async leave(batch: BatchId, queue: Queue): Promise<void> {
    this.#left.set(batch, (await batchEnd(queue, batch))?.lastFact);
  }

  async isLeft(batch: BatchId, queue: Queue): Promise<boolean> {
    return this.#left.has(batch) && this.#left.get(batch) === (await batchEnd(queue, batch))?.lastFact;
  }

  /** Asks for each batch in which something may be open, but for those of which it is known what they wait for. Gives how many jobs that is. */
  async fill(queue: Queue): Promise<number> {
    const { isAtWork, wasTried } = this.#filling;
    // Who ends when nothing is left counts what others have taken, too.
    const asked: ReadonlySet<string> = wasTried ? new Set() : await queue.asked();
    let rung = 0;
    for (const { batch, lastFact } of await batchEnds(queue)) {
      const isKnown = this.#through.get(batch) === lastFact || this.#left.get(batch) === lastFact;
      if (isKnown) continue;
      if (isAtWork(batch)) continue;
      this.#left.delete(batch);
      if (asked.has(batch)) continue;
      if (!(await isUnfinished(queue, batch))) {
        this.#through.set(batch, lastFact);
        continue;
      }
      if (wasTried?.(batch)) continue;
      await queue.fill(batch);
      rung += 1;
    }
    return rung;
  }
}
