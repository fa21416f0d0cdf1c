/**
 * Where orders are admitted: it keeps how the run stands (`run-state.ts`), asks the rule (`admit.ts`), and chooses which orders
 * may be claimed. What it chooses counts as under way at once, because two loops ask it.
 */
import type { Clock } from '../domain/clock.ts';
import type { OrderId } from '../domain/ids.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { type AdmitPolicy, type AdmitResult, admit } from './admit.ts';
import { advanceRun, type Happening, type RunState, unsentRowsOf } from './run-state.ts';
import { type Stop, stopOf } from './stop-reasons.ts';
import type { DispatchSettings } from './task.ts';

export interface AdmissionDeps {
  readonly clock: Clock;
  /** Is told, as often as it is found, that nothing more may be sent in this run. */
  readonly stop: (stop: Stop) => void;
}

/** A claimed order leaves within this time or goes back, in milliseconds; a block is sent in a fraction of it. */
export const CLAIM_FRESH_MS = 30_000;
/** Orders claimed in one transaction, as a multiple of the submissions in flight. */
const CLAIM_FACTOR = 4;
/** Part of that time in which a block leaves where so many requests a second may: look-ups take their turns between. */
const CLAIM_SECONDS = CLAIM_FRESH_MS / 3 / 1000;

export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #policy: AdmitPolicy;
  readonly #ratePerSecond: number;
  #state: RunState;
  #news = new AbortController();

  constructor(state: RunState, { sending, polling, canary, overchargeMost }: DispatchSettings, deps: AdmissionDeps) {
    this.#state = state;
    this.#deps = deps;
    this.#ratePerSecond = sending.ratePerSecond || Number.POSITIVE_INFINITY;
    this.#policy = {
      outageMs: polling.deadlineMs,
      // A service in trouble is asked as seldom as one that takes its time.
      pauseMsFirst: polling.firstMs,
      pauseMsMax: polling.maxMs,
      stopAfterFailures: sending.stopAfterFailures,
      canary,
      overchargeMost,
    };
  }

  /** How the run stands. */
  get state(): RunState {
    return this.#state;
  }

  happened(happening: Happening): void {
    this.#state = advanceRun(this.#state, happening);
  }

  /** So many orders are claimed at once at most: what is claimed has to leave soon. */
  get claimMost(): number {
    const most = Math.floor((this.#ratePerSecond / this.#state.senders) * CLAIM_SECONDS);
    return Math.max(1, Math.min(this.#state.service.concurrency * CLAIM_FACTOR, most));
  }

  /**
   * How long these planned orders have to wait at least, in milliseconds; undefined: the first of them may go now. Stops
   * sending when the time for that has come.
   */
  waitMsOf(planned: readonly StoredOrder[]): number | undefined {
    const turn = this.review(planned.length);
    if (turn.do === 'wait') return turn.ms;
    return turn.do === 'stop' || turn.rows === 0 || turn.orders === 0 ? 0 : undefined;
  }

  /** Sleeps until something is learnt, for no longer than so many milliseconds, or until the signal is aborted. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#news = new AbortController();
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, this.#news.signal]));
  }

  /** Something was learnt that may let orders go: whoever rests wakes up. */
  wake(): void {
    // Null is a reason: without one each would make an error, with its stack.
    this.#news.abort(null);
  }

  /** What the rule says now; `wanting`: orders that somebody wants to claim. Stops sending when it says so. */
  review(wanting = 0): AdmitResult {
    const turn = admit(this.#state, this.#policy, this.#deps.clock.monotonicMs(), wanting);
    if (turn.do === 'stop') this.#deps.stop(stopOf(turn.why, this.#state, this.#policy));
    return turn;
  }

  /** Those of the orders that may be claimed now, from the first on. They are in hand until they are put down. */
  choose(orders: readonly StoredOrder[]): readonly StoredOrder[] {
    const turn = this.review(orders.length);
    if (turn.do === 'wait' || turn.do === 'stop') return [];
    const chosen = within(orders, turn.rows).slice(0, turn.orders);
    this.happened({ type: 'chosen', orders: chosen.map(({ state }) => state), isProbe: turn.do === 'probe' });
    return chosen;
  }

  /** What became of an order that was in hand is on record. */
  putDown(order: OrderId): void {
    this.happened({ type: 'put-down', order });
    this.wake();
  }
}

/** The first orders until so many rows are covered, and those that add none. */
function within(orders: readonly StoredOrder[], rows: number): readonly StoredOrder[] {
  let left = rows;
  return orders.filter(({ state }) => {
    const own = unsentRowsOf(state);
    const fits = own === 0 || left > 0;
    left -= own;
    return fits;
  });
}
