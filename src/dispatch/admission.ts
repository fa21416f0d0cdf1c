/**
 * Decides whether another order may leave now, when to ask again, and why not. The rule (`admit`) is one pure function over
 * the state of the run (`run-state.ts`), and the only place that pauses or stops sending because of what the service, the
 * wallet or the rows show. An alarm, the operator and a failure stop sending without asking the rule. `Admission` keeps the
 * state of the run, asks the rule, and chooses the orders that may be claimed. A chosen order counts as in flight
 * immediately, because two loops choose.
 */
import type { Clock } from '../domain/clock.ts';
import type { CanaryBase, CanaryRecord } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import type { PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { circuitOf, type Trouble } from './circuit-breaker.ts';
import { advanceRun, awaitedIn, endedInRun, type Happening, lostIn, type RunState, unsentRowsOf } from './run-state.ts';

/** Most orders sent alone to a service whose answers cannot be read: each of them may be left in doubt. */
const UNREAD_TRIALS_MAX = 6;
/** Documented refusals in a row after which the rows cannot be the cause: a route is gone, or an account is blocked. */
const REFUSED_MAX = 10;
/**
 * Documented refusals of the form of our identifiers, which every order has. As many as there are payments that go ahead of
 * the others.
 */
const REFUSED_IDS_MAX = 3;
/** Rounds of refused credentials in a row, each after a fresh token. */
const UNAUTHORISED_MAX = 3;
/** Rows that ended, none of them paid, after which sending stops if the operator has set no number. */
const UNPAID_MAX = 20;

export interface AdmitPolicy {
  /** How long trouble of one kind may last before sending stops for this run, in milliseconds. */
  readonly outageMs: number;
  /** First and longest pause while the service is in trouble, in milliseconds. */
  readonly pauseMsFirst: number;
  readonly pauseMsMax: number;
  /** Rows that ended without payment after which sending stops; 0: never; undefined: after the first 20, if none was paid. */
  readonly stopAfterFailures?: number | undefined;
  /** Rows that go ahead alone (canary); undefined: none. */
  readonly canary?: CanaryRecord | undefined;
  /** The most that the fees of the run may be above their quotes in total; undefined: fees are not compared. */
  readonly overchargeMost?: Money | undefined;
}

export type StopWhy =
  | 'credentials'
  | 'permission'
  | 'unreachable'
  | 'throttled'
  | 'unreadable'
  | 'refusals'
  | 'identifiers'
  | 'canary'
  | 'failures'
  | 'none-paid'
  | 'balance'
  | 'fees';

export type AdmitResult =
  /**
   * Claim the first orders until `rows` unsent rows are covered, at most `orders` of them. An order that was sent before and
   * did not arrive adds no rows.
   */
  | { readonly do: 'claim'; readonly rows: number; readonly orders: number }
  /** Claim one of the orders, and send it alone. */
  | { readonly do: 'trial'; readonly rows: number; readonly orders: 1 }
  /** Claim nothing now, and ask again after `ms` milliseconds at the earliest. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop'; readonly why: StopWhy };

/** The rows of a canary, counted by what became of them. */
export interface CanaryState {
  readonly rows: number;
  readonly completed: number;
  /** Rows that were sent, or are about to be, and have no final outcome. */
  readonly open: number;
  /** Rows that ended without being paid. */
  readonly lost: number;
}

/** Applies the rule. `wanting` is the number of orders that the caller wants to claim; `nowMs` is in monotonic milliseconds. */
export function admit(state: RunState, policy: AdmitPolicy, nowMs: number, wanting = 0): AdmitResult {
  const { service, inFlight } = state;
  // When there is nothing left to send, there is nothing to stop.
  if (Math.max(wanting, toSendIn(state)) === 0) return { do: 'claim', rows: 0, orders: 0 };
  const why = reasonToStop(state, policy);
  if (why) return { do: 'stop', why };
  const canary = canaryIn(state, policy);
  const rows = canary === undefined ? Number.POSITIVE_INFINITY : Math.max(roomOf(canary), 0);
  const { trouble, wary, concurrency } = service;
  if (!trouble || circuitOf(service) === 'closed') {
    // Claiming orders that have to go back when sending pauses is wasted work, so a wary run claims none that would have to wait.
    return { do: 'claim', rows, orders: wary ? Math.max(concurrency - inFlight.size, 0) : Number.POSITIVE_INFINITY };
  }
  const waitMs = trouble.lastMs + pauseMsOf(trouble, policy) - nowMs;
  if (waitMs > 0) return { do: 'wait', ms: waitMs };
  // Only the answer to the order that was sent alone shows whether the trouble is over.
  return inFlight.size > 0 ? { do: 'wait', ms: 0 } : { do: 'trial', rows, orders: 1 };
}

/** Returns the number of unsent rows that the run may send. */
const toSendIn = ({ outcomes, unsentSuperseded }: RunState): number => outcomes.unsent - unsentSuperseded;

/** Returns the number of rows of this run that ended without being paid. */
export const lostInRun = (state: RunState): number => endedInRun(state, lostIn);

/** Returns the counts of the canary; `undefined` if the run has none. */
export const canaryIn = (
  { outcomes, claimingRows }: RunState,
  { canary }: Pick<AdmitPolicy, 'canary'>,
): CanaryState | undefined => canary && canaryState(canary, outcomes, claimingRows);

/** Returns the counts of a canary. `claiming`: rows whose claim is being written, which `now` does not show yet. */
export const canaryState = (
  { rows, base }: { readonly rows: number; readonly base: CanaryBase },
  now: OutcomeCounts,
  claiming: number,
): CanaryState => ({
  rows,
  completed: now.completed - base.completed,
  open: awaitedIn(now) + claiming - base.open,
  lost: lostIn(now) - base.lost,
});

const pauseMsOf = ({ trials }: Trouble, { pauseMsFirst, pauseMsMax }: AdmitPolicy): number =>
  Math.min(pauseMsFirst * 2 ** Math.min(trials, 30), pauseMsMax);

/** Returns the number of rows that may still go ahead; infinite once as many as were asked for are paid. */
const roomOf = ({ rows, completed, open }: CanaryState): number =>
  completed >= rows ? Number.POSITIVE_INFINITY : rows - completed - open;

const troubleNames = { ambiguous: 'unreadable', throttled: 'throttled', 'not-sent': 'unreachable' } as const;

function reasonToStop(state: RunState, policy: AdmitPolicy): StopWhy | undefined {
  const { service } = state;
  const { trouble } = service;
  if (service.unauthorised >= UNAUTHORISED_MAX) return service.forbidden ? 'permission' : 'credentials';
  if (service.refusedIds >= REFUSED_IDS_MAX) return 'identifiers';
  if (service.refused >= REFUSED_MAX) return 'refusals';
  if (trouble && trouble.unreadTrials >= UNREAD_TRIALS_MAX) return 'unreadable';
  // The service itself says that the trouble will last.
  if (trouble?.askedMs !== undefined && trouble.askedMs > policy.outageMs) return troubleNames[trouble.tag];
  // Time alone proves nothing: only an order that goes alone shows that the trouble has lasted.
  if (trouble && trouble.trials > 0 && trouble.lastMs - trouble.sinceMs >= policy.outageMs) {
    return troubleNames[trouble.tag];
  }
  return reasonInRows(state, policy) ?? reasonInMoney(state, policy);
}

/** Returns the reason to stop that follows from what became of the rows, if there is one. */
function reasonInRows(state: RunState, policy: AdmitPolicy): StopWhy | undefined {
  const canary = canaryIn(state, policy);
  if (canary && canary.completed < canary.rows && (canary.lost > 0 || (state.isIdle && roomOf(canary) <= 0))) {
    return 'canary';
  }
  const { stopAfterFailures } = policy;
  const lost = lostInRun(state);
  if (stopAfterFailures !== undefined)
    return stopAfterFailures > 0 && lost >= stopAfterFailures ? 'failures' : undefined;
  const completed = endedInRun(state, (counts) => counts.completed);
  return completed === 0 && lost >= UNPAID_MAX ? 'none-paid' : undefined;
}

/** Returns the reason to stop that follows from the wallet or the fees, if there is one. */
function reasonInMoney(state: RunState, { overchargeMost }: AdmitPolicy): StopWhy | undefined {
  if (state.shortfall) return 'balance';
  const { chargedAbove } = state;
  return chargedAbove && overchargeMost && chargedAbove.minor > overchargeMost.minor ? 'fees' : undefined;
}

/** The settings of a run that decide what may leave. */
export interface AdmissionSettings extends Pick<AdmitPolicy, 'canary' | 'overchargeMost'> {
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
}

interface AdmissionDeps {
  readonly clock: Clock;
  /** Called with the reason each time the run finds that it must send nothing more. */
  readonly stop: (why: StopWhy, state: RunState, policy: AdmitPolicy) => void;
}

/** Time within which a claimed order leaves or goes back, in milliseconds. A block is sent in a fraction of it. */
export const CLAIM_FRESH_MS = 30_000;
/** Most orders claimed in one transaction, as a multiple of the submissions that may be in flight. */
const CLAIM_FACTOR = 4;
/**
 * Time in which a block should leave if requests are limited per second, in seconds: a third of `CLAIM_FRESH_MS`, because
 * look-ups take turns in between.
 */
const CLAIM_SECONDS = CLAIM_FRESH_MS / 3 / 1000;

export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #policy: AdmitPolicy;
  readonly #ratePerSecond: number;
  #state: RunState;
  #news = new AbortController();

  constructor(state: RunState, { sending, polling, canary, overchargeMost }: AdmissionSettings, deps: AdmissionDeps) {
    this.#state = state;
    this.#deps = deps;
    this.#ratePerSecond = sending.ratePerSecond || Number.POSITIVE_INFINITY;
    this.#policy = {
      outageMs: polling.deadlineMs,
      // A service in trouble is asked as rarely as one that is slow to finish payments.
      pauseMsFirst: polling.firstMs,
      pauseMsMax: polling.maxMs,
      stopAfterFailures: sending.stopAfterFailures,
      canary,
      overchargeMost,
    };
  }

  /** The state of the run. */
  get state(): RunState {
    return this.#state;
  }

  happened(happening: Happening): void {
    this.#state = advanceRun(this.#state, happening);
  }

  /** Most orders that are claimed together: a claimed order has to leave soon. */
  get claimMost(): number {
    const most = Math.floor((this.#ratePerSecond / this.#state.senders) * CLAIM_SECONDS);
    return Math.max(1, Math.min(this.#state.service.concurrency * CLAIM_FACTOR, most));
  }

  /**
   * Returns the shortest time that these planned orders have to wait, in milliseconds; `undefined` if the first of them may
   * go now. Stops sending if the rule says so.
   */
  waitMsOf(planned: readonly StoredOrder[]): number | undefined {
    const turn = this.review(planned.length);
    if (turn.do === 'wait') return turn.ms;
    return turn.do === 'stop' || turn.rows === 0 || turn.orders === 0 ? 0 : undefined;
  }

  /** Sleeps for at most `ms` milliseconds, and wakes up early if something is learnt or the signal is aborted. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#news = new AbortController();
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, this.#news.signal]));
  }

  /** Wakes a loop that rests, because something was learnt that may let orders leave. */
  wake(): void {
    // `null` is the reason: without one, each abort would create an error with its stack.
    this.#news.abort(null);
  }

  /**
   * Returns what the rule says now, and stops sending if it says so. `wanting` is the number of orders that the caller wants
   * to claim.
   */
  review(wanting = 0): AdmitResult {
    const turn = admit(this.#state, this.#policy, this.#deps.clock.monotonicMs(), wanting);
    if (turn.do === 'stop') this.#deps.stop(turn.why, this.#state, this.#policy);
    return turn;
  }

  /** Chooses the orders that may be claimed now, from the first on. They are in flight until they have landed. */
  choose(orders: readonly StoredOrder[]): readonly StoredOrder[] {
    const turn = this.review(orders.length);
    if (turn.do === 'wait' || turn.do === 'stop') return [];
    const chosen = within(orders, turn.rows).slice(0, turn.orders);
    this.happened({ type: 'chosen', orders: chosen.map(({ state }) => state), isTrial: turn.do === 'trial' });
    return chosen;
  }

  /** Notes that what became of an order in flight is on record, and wakes the loops. */
  landed(order: OrderId): void {
    this.happened({ type: 'landed', order });
    this.wake();
  }
}

/** Returns the first orders until `rows` rows are covered, and all orders that add none. */
function within(orders: readonly StoredOrder[], rows: number): readonly StoredOrder[] {
  let left = rows;
  return orders.filter(({ state }) => {
    const own = unsentRowsOf(state);
    const fits = own === 0 || left > 0;
    left -= own;
    return fits;
  });
}
