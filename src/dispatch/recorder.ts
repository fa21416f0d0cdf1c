/**
 * Writes what was learnt in groups: one durable transaction for many orders. Answers that are lost before they are
 * written do no harm, because a claimed order is looked up before anything else is decided.
 */
import type { Clock } from '../domain/clock.ts';
import type { OrderStep, StoredOrder } from '../ledger/orders.ts';
import type { DueRest } from './due-rest.ts';

/** Orders written together at most. */
const GROUP_MAX = 256;
/** How long a first answer waits for others to be written with it, in milliseconds: nothing that is sent waits for it. */
const GROUP_WAIT_MS = 25;

interface Waiting {
  readonly step: OrderStep;
  readonly resolve: (order: StoredOrder) => void;
  readonly reject: (reason: unknown) => void;
}

export class Recorder {
  readonly #record: (group: readonly OrderStep[]) => Promise<readonly StoredOrder[]>;
  readonly #clock: Clock;
  readonly #due: Pick<DueRest, 'note'>;
  #waiting: Waiting[] = [];
  #writing = false;

  /** `due` is told when what was written falls due. */
  constructor(
    record: (group: readonly OrderStep[]) => Promise<readonly StoredOrder[]>,
    clock: Clock,
    due: Pick<DueRest, 'note'>,
  ) {
    this.#record = record;
    this.#clock = clock;
    this.#due = due;
  }

  /** Resolves with the order as it stands once the facts are durable. */
  add(step: OrderStep): Promise<StoredOrder> {
    const written = new Promise<StoredOrder>((resolve, reject) => {
      this.#waiting.push({ step, resolve, reject });
    });
    if (!this.#writing) void this.#write();
    return written;
  }

  /** Writes until nothing waits. It never rejects: an error goes to those whose facts were in the group. */
  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < GROUP_MAX) await this.#clock.sleep(GROUP_WAIT_MS);
      const group = this.#waiting.splice(0, GROUP_MAX);
      try {
        const orders = await this.#record(group.map(({ step }) => step));
        for (const [index, { resolve, step }] of group.entries()) {
          this.#due.note(step.dueAt);
          resolve(orders[index] ?? step.order);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // In the same turn as the last look at what waits: one that comes a moment later starts a writing of its own.
    this.#writing = false;
  }
}
