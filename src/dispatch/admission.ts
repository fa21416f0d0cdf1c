/**
 * The admission that orders pass before they are claimed: it gathers how the run stands, asks the rule (`admit.ts`), and
 * chooses which orders may go. What it chooses counts as under way at once, because two loops ask it.
 */
import type { Clock } from '../domain/clock.ts';
import type { OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { type AdmitResult, admit, type ClaimLimits, type RunState } from './admit.ts';
import { canaryState } from './canary.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { FeeGuard } from './fee-guard.ts';
import { lostIn, type RunCounts } from './run-counts.ts';
import { type Stop, stopOf } from './stop-reasons.ts';
import type { DispatchSettings } from './task.ts';
import type { WalletWatch } from './wallet-watch.ts';

export interface AdmissionDeps {
  readonly clock: Clock;
  readonly runCounts: RunCounts;
  readonly wallet: WalletWatch | undefined;
  readonly fees: FeeGuard | undefined;
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
  readonly breaker: CircuitBreaker;
  readonly #ratePerSecond: number;
  readonly #deps: AdmissionDeps;
  readonly #canary: DispatchSettings['canary'];
  readonly #limits: ClaimLimits;
  /**
   * Orders that are claimed and have no recorded answer yet. One may wait long for its turn, and nobody but its
   * submission decides about it; should the run die, the next one makes it due at once (`reopen`).
   */
  readonly #inHand = new Set<OrderId>();
  /** Rows whose claim is being written, and which the counts do not show yet. */
  #claimingRows = 0;
  /** Nothing that was sent will be looked at any more in this run, as far as is known. */
  #idle = false;
  #news = new AbortController();

  constructor({ sending, polling, canary }: DispatchSettings, deps: AdmissionDeps) {
    this.#deps = deps;
    this.#canary = canary;
    this.breaker = new CircuitBreaker(deps.clock, sending.concurrency);
    this.#ratePerSecond = sending.ratePerSecond || Number.POSITIVE_INFINITY;
    this.#limits = {
      outageMs: polling.deadlineMs,
      // A service in trouble is asked as seldom as one that takes its time.
      pauseMsFirst: polling.firstMs,
      pauseMsMax: polling.maxMs,
      stopAfterFailures: sending.stopAfterFailures,
    };
  }

  /** So many orders are claimed at once at most: what is claimed has to leave soon. */
  get claimMost(): number {
    const most = Math.floor(this.#ratePerSecond * CLAIM_SECONDS);
    return Math.max(1, Math.min(this.breaker.concurrency * CLAIM_FACTOR, most));
  }

  /** Whether an order waits for its submission or for the answer to it. */
  hasInHand(order: OrderId): boolean {
    return this.#inHand.has(order);
  }

  /** Whether nothing is on its way. */
  get isEmpty(): boolean {
    return this.#inHand.size === 0;
  }

  /** Whether anything of what was sent will still be looked at in this run. */
  set idle(idle: boolean) {
    this.#idle = idle;
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
    const state = this.#stateNow(wanting);
    const turn = admit(state, this.#limits);
    if (turn.do === 'stop') this.#deps.stop(stopOf(turn.why, state));
    return turn;
  }

  #stateNow(wanting: number): RunState {
    const { clock, runCounts, wallet, fees } = this.#deps;
    const { counts, atStart } = runCounts;
    const short = wallet?.short;
    const overcharge = fees?.overcharge;
    return {
      nowMs: clock.monotonicMs(),
      toSend: Math.max(wanting, runCounts.toSend),
      inHand: this.#inHand.size,
      idle: this.#idle,
      service: this.breaker.state,
      ...(this.#canary && { canary: canaryState(this.#canary, counts, this.#claimingRows) }),
      completed: counts.completed - atStart.completed,
      lost: lostIn(counts) - lostIn(atStart),
      ...(short && { short }),
      ...(overcharge && { overcharge }),
    };
  }

  /** Those of the orders that may be claimed now, from the first on. They are in hand until `isBack`. */
  choose(orders: readonly StoredOrder[]): readonly StoredOrder[] {
    const turn = this.review(orders.length);
    if (turn.do === 'wait' || turn.do === 'stop') return [];
    const chosen = within(orders, turn.rows).slice(0, turn.orders);
    for (const { state } of chosen) {
      this.#inHand.add(state.id);
      if (turn.do === 'probe') this.breaker.sendAhead(state.id);
    }
    this.#claimingRows += unsentRowsIn(chosen);
    this.#idle = false;
    return chosen;
  }

  /** The claim of what was chosen is on disk: the counts show it. */
  isClaimed(chosen: readonly StoredOrder[], claimed: readonly StoredOrder[]): void {
    this.#claimingRows -= unsentRowsIn(chosen);
    for (const [index, order] of claimed.entries()) {
      const before = chosen[index];
      if (before) this.#deps.runCounts.move(before.state, order.state);
    }
  }

  /** What became of an order that was in hand is recorded. */
  isBack(order: OrderId): void {
    this.#inHand.delete(order);
    this.wake();
  }
}

/** Rows of an order that count as not sent: to send any other again risks nothing new. */
const unsentRowsOf = (state: OrderState): number =>
  state.phase === 'planned' || neverTransmitted(state) ? state.lines.length : 0;

const unsentRowsIn = (orders: readonly StoredOrder[]): number =>
  orders.reduce((sum, { state }) => sum + unsentRowsOf(state), 0);

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
