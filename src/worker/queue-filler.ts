/** Which batches are put into the queue, by what the ledger says about them, and which no longer are. */
import type { BatchId } from '../domain/ids.ts';
import { batchEnd, batchEnds, isUnfinished } from '../ledger/unfinished.ts';
import type { Queue } from './queue.ts';

export interface Filling {
  /** Reports whether this worker is working on the batch. */
  readonly isAtWork: (batch: BatchId) => boolean;
  /**
   * Reports, with `once`, whether a batch was tried: each is tried once, no matter what it waits for. Absent: each is asked for
   * until none of its rows is open.
   */
  readonly wasTried?: (batch: BatchId) => boolean;
}

export class QueueFiller {
  readonly #filling: Filling;
  /** Batches that wait for a person, with the last fact of each: a newer fact shows that a person has acted. */
  readonly #left = new Map<BatchId, number | undefined>();
  /** Batches of which nothing was open, with the last fact of each. */
  readonly #through = new Map<BatchId, number>();

  constructor(filling: Filling) {
    this.#filling = filling;
  }

  /** Number of batches that wait for a person. */
  get left(): number {
    return this.#left.size;
  }

  /** Notes that the batch waits for a person from now on. */
  async leave(batch: BatchId, queue: Queue): Promise<void> {
    this.#left.set(batch, (await batchEnd(queue, batch))?.lastFact);
  }

  async isLeft(batch: BatchId, queue: Queue): Promise<boolean> {
    return this.#left.has(batch) && this.#left.get(batch) === (await batchEnd(queue, batch))?.lastFact;
  }

  /**
   * Asks for each batch in which something may be open, except for batches known to wait for something. Returns the number of
   * new jobs.
   */
  async fill(queue: Queue): Promise<number> {
    const { isAtWork, wasTried } = this.#filling;
    // A worker that ends when nothing is left also counts what others have taken.
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
