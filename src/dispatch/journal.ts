/**
 * What a run writes to its ledger: its claims, and what was learnt, in groups. Each write shows whether a person has stopped
 * the batch in the meantime. A loop that rests until an order is due wakes up when an order is recorded that is due sooner.
 */
import type { BatchStop } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { invariant } from '../domain/invariant.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderStep, StoredOrder } from '../ledger/orders.ts';
import type { RunTask } from './task.ts';

/** Most orders written together. */
const GROUP_MAX = 256;
/** How long a first answer waits for others to be written with it, in milliseconds; no request to the service waits for it. */
const GROUP_WAIT_MS = 25;

interface Waiting {
  readonly step: OrderStep;
  readonly resolve: (order: StoredOrder) => void;
  readonly reject: (reason: unknown) => void;
}

interface JournalDeps {
  readonly ledger: Pick<Ledger, 'claim' | 'record' | 'knownStop'>;
  /** The steady clock of the run. */
  readonly clock: Clock;
  /** Called after each write with the stop that a person has recorded, if there is one. */
  readonly heed: (stop: BatchStop | undefined) => void;
}

export class Journal {
  readonly #task: Pick<RunTask, 'batch' | 'epoch'>;
  readonly #deps: JournalDeps;
  readonly due: DueRest;
  #waiting: Waiting[] = [];
  #recording = false;

  constructor(task: Pick<RunTask, 'batch' | 'epoch'>, deps: JournalDeps) {
    this.#task = task;
    this.#deps = deps;
    this.due = new DueRest(deps.clock);
  }

  /** Claims orders in one durable transaction. Those that it returns, from the first on, may be sent. */
  claim(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { ledger, clock } = this.#deps;
    return this.#write(() => ledger.claim(orders, clock.now(), this.#task.epoch, null));
  }

  /**
   * Records what was learnt about an order, in one durable transaction with what is learnt about others. Losing it before it is
   * written does no harm, because a claimed order is looked up before anything else is decided. Resolves with the order as it is
   * then, due at a whole millisecond: PostgreSQL refuses any other, and waits that were drawn or computed are fractions.
   */
  record({ dueAt, ...rest }: OrderStep): Promise<StoredOrder> {
    const step = { ...rest, dueAt: dueAt === null ? null : Math.ceil(dueAt) };
    const written = new Promise<StoredOrder>((resolve, reject) => {
      this.#waiting.push({ step, resolve, reject });
    });
    if (!this.#recording) void this.#recordAll();
    return written;
  }

  /** Records until nothing waits. Never rejects: an error goes to the callers whose facts were in the group. */
  async #recordAll(): Promise<void> {
    this.#recording = true;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < GROUP_MAX) await this.#deps.clock.sleep(GROUP_WAIT_MS);
      const group = this.#waiting.splice(0, GROUP_MAX);
      try {
        const orders = await this.#write(() => this.#deps.ledger.record(group.map(({ step }) => step)));
        for (const [index, { resolve, step }] of group.entries()) {
          const order = orders[index];
          invariant(order, 'every order of a group comes back from the ledger');
          this.due.note(step.dueAt);
          resolve(order);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // In the same turn as the last check for waiting steps: a step that comes a moment later starts a new write.
    this.#recording = false;
  }

  /** Writes to the ledger, and heeds a stop that others have recorded in the meantime, which is read with each group. */
  async #write<T>(write: () => Promise<T>): Promise<T> {
    const written = await write();
    this.#deps.heed(this.#deps.ledger.knownStop(this.#task.batch));
    return written;
  }
}

/** Longest wait between two reads of what is due, in milliseconds. */
const REST_MS_MAX = 15_000;

/**
 * The pauses of the loop that looks at due orders (`follow.ts`). A pause ends when the next order is due, also if that order
 * is recorded during the pause.
 */
export class DueRest {
  readonly #clock: Clock;
  #news = new AbortController();
  #until = Number.NEGATIVE_INFINITY;
  /** Earliest due time that was recorded since the last read. */
  #soonest = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that due orders are about to be read. What is recorded from now on may be missing from that read. */
  begins(): void {
    this.#soonest = Number.POSITIVE_INFINITY;
  }

  /** Notes that an order on record is due then, in milliseconds of the run's steady clock; `null`: it is not due any more. */
  note(dueAt: number | null): void {
    if (dueAt === null) return;
    this.#soonest = Math.min(this.#soonest, dueAt);
    // `null` is the reason: without one, each abort would create an error with its stack.
    if (this.#soonest < this.#until) this.#news.abort(null);
  }

  /**
   * Waits until `nextAt`, the earliest due time that was read (undefined: none was), or until an order recorded since is due;
   * at most for `longestMs`.
   */
  async rest(nextAt: number | undefined, signal: AbortSignal, longestMs: number = REST_MS_MAX): Promise<void> {
    const now = this.#clock.now();
    this.#until = Math.min(nextAt ?? Number.POSITIVE_INFINITY, this.#soonest, now + longestMs);
    this.#news = new AbortController();
    await this.#clock.sleep(Math.max(this.#until - now, 1), AbortSignal.any([signal, this.#news.signal]));
    this.#until = Number.NEGATIVE_INFINITY;
  }
}
