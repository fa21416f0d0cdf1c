/**
 * May another order leave now, when is it asked again, and why not? The rule (`admit`) is one pure function over how the run stands
 * (`run-state.ts`), and the only place that pauses sending or stops it for what the service, the wallet or the rows show. An alarm, the
 * operator and a failure stop it without asking. `Admission` keeps how the run stands, asks the rule, and chooses the orders that may be
 * claimed. What it chooses counts as under way at once, because two loops ask it.
 */
import type { Clock } from '../domain/clock.ts';
import type { CanaryBase, CanaryRecord } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import type { PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { circuitOf, type Trouble } from './circuit-breaker.ts';
import { advanceRun, endedInRun, type Happening, lostIn, openIn, type RunState, unsentRowsOf } from './run-state.ts';

/** Orders that go alone to a service whose answers nobody can read: each may be left in doubt. */
const UNREAD_TRIALS_MAX = 6;
/** Documented refusals in a row that are no longer about the rows: a route is gone, an account is blocked. */
const REFUSED_MAX = 10;
/** Documented refusals of the form of our identifiers: every order has that form. As many as go ahead of the others. */
const REFUSED_IDS_MAX = 3;
/** Rounds of refused credentials in a row, each after a fresh token. */
const UNAUTHORISED_MAX = 3;
/** Rows that ended, none of them paid, after which nobody would go on; where the operator has set no number. */
const UNPAID_MAX = 20;

export interface AdmitPolicy {
  /** How long trouble of one sort may last before sending stops for this run, in milliseconds. */
  readonly outageMs: number;
  /** First and longest pause of a service in trouble, in milliseconds. */
  readonly pauseMsFirst: number;
  readonly pauseMsMax: number;
  /** Rows without payment after which sending stops; 0: never; undefined: when nothing but such rows comes back. */
  readonly stopAfterFailures?: number | undefined;
  /** Rows that go ahead alone; undefined: none. */
  readonly canary?: CanaryRecord | undefined;
  /** What the fees of the run may be above their quotes in all; undefined: nobody compares them. */
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
  /** So many orders at most, of so many rows that were not sent; any other order was sent before and did not arrive. */
  | { readonly do: 'claim'; readonly rows: number; readonly orders: number }
  /** One of these, alone. */
  | { readonly do: 'trial'; readonly rows: number; readonly orders: 1 }
  /** Not now; the time is not up for so long at least. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop'; readonly why: StopWhy };

/** Rows that go ahead alone, by how they stand. */
export interface CanaryState {
  readonly rows: number;
  readonly completed: number;
  /** Sent, or about to be, without a final word. */
  readonly open: number;
  /** Ended without being paid. */
  readonly lost: number;
}

/** `wanting`: orders that somebody wants to claim; `nowMs`: monotonic. */
export function admit(state: RunState, policy: AdmitPolicy, nowMs: number, wanting = 0): AdmitResult {
  const { service, inFlight } = state;
  // What nobody waits for cannot be stopped.
  if (Math.max(wanting, toSendIn(state)) === 0) return { do: 'claim', rows: 0, orders: 0 };
  const why = reasonToStop(state, policy);
  if (why) return { do: 'stop', why };
  const canary = canaryIn(state, policy);
  const rows = canary === undefined ? Number.POSITIVE_INFINITY : Math.max(roomOf(canary), 0);
  const { trouble, wary, concurrency } = service;
  if (!trouble || circuitOf(service) === 'closed') {
    // Claimed orders that have to go back when sending pauses were claimed in vain: a wary run has none that wait.
    return { do: 'claim', rows, orders: wary ? Math.max(concurrency - inFlight.size, 0) : Number.POSITIVE_INFINITY };
  }
  const waitMs = trouble.lastMs + pauseMsOf(trouble, policy) - nowMs;
  if (waitMs > 0) return { do: 'wait', ms: waitMs };
  // Only the answer to the order that is out alone tells whether the trouble is over.
  return inFlight.size > 0 ? { do: 'wait', ms: 0 } : { do: 'trial', rows, orders: 1 };
}

/** Unsent rows that the run may send. */
const toSendIn = ({ outcomes, unsentSuperseded }: RunState): number => outcomes.unsent - unsentSuperseded;

/** Rows of this run that ended without being paid. */
export const lostInRun = (state: RunState): number => endedInRun(state, lostIn);

/** Rows that go ahead alone, by how they stand; undefined where none do. */
export const canaryIn = (
  { outcomes, claimingRows }: RunState,
  { canary }: Pick<AdmitPolicy, 'canary'>,
): CanaryState | undefined => canary && canaryState(canary, outcomes, claimingRows);

/** How the canary stands; `claiming`: rows whose claim is being written, and which the counts do not show yet. */
export const canaryState = (
  { rows, base }: { readonly rows: number; readonly base: CanaryBase },
  now: OutcomeCounts,
  claiming: number,
): CanaryState => ({
  rows,
  completed: now.completed - base.completed,
  open: openIn(now) + claiming - base.open,
  lost: lostIn(now) - base.lost,
});

const pauseMsOf = ({ trials }: Trouble, { pauseMsFirst, pauseMsMax }: AdmitPolicy): number =>
  Math.min(pauseMsFirst * 2 ** Math.min(trials, 30), pauseMsMax);

/** Rows that may still go ahead; without end once as many as were asked for are paid. */
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
  // It says by itself that the trouble will last.
  if (trouble?.askedMs !== undefined && trouble.askedMs > policy.outageMs) return troubleNames[trouble.tag];
  // Time alone tells nothing: it takes an order that goes alone to know that the trouble has lasted.
  if (trouble && trouble.trials > 0 && trouble.lastMs - trouble.sinceMs >= policy.outageMs) {
    return troubleNames[trouble.tag];
  }
  return reasonInRows(state, policy) ?? reasonInMoney(state, policy);
}

/** What speaks against going on in what became of the rows. */
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

/** What speaks against going on in the wallet and in the fees. */
function reasonInMoney(state: RunState, { overchargeMost }: AdmitPolicy): StopWhy | undefined {
  if (state.shortfall) return 'balance';
  const { chargedAbove } = state;
  return chargedAbove && overchargeMost && chargedAbove.minor > overchargeMost.minor ? 'fees' : undefined;
}

/** What of the settings of a run decides what may leave. */
interface AdmissionSettings extends Pick<AdmitPolicy, 'canary' | 'overchargeMost'> {
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
}

interface AdmissionDeps {
  readonly clock: Clock;
  /** Is told, as often as it is found, that nothing more may be sent in this run, and why. */
  readonly stop: (why: StopWhy, state: RunState, policy: AdmitPolicy) => void;
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

  constructor(state: RunState, { sending, polling, canary, overchargeMost }: AdmissionSettings, deps: AdmissionDeps) {
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
    if (turn.do === 'stop') this.#deps.stop(turn.why, this.#state, this.#policy);
    return turn;
  }

  /** Those of the orders that may be claimed now, from the first on. They are in flight until they have landed. */
  choose(orders: readonly StoredOrder[]): readonly StoredOrder[] {
    const turn = this.review(orders.length);
    if (turn.do === 'wait' || turn.do === 'stop') return [];
    const chosen = within(orders, turn.rows).slice(0, turn.orders);
    this.happened({ type: 'chosen', orders: chosen.map(({ state }) => state), isTrial: turn.do === 'trial' });
    return chosen;
  }

  /** What became of an order that was in flight is on record. */
  landed(order: OrderId): void {
    this.happened({ type: 'landed', order });
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
