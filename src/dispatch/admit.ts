/**
 * May another order leave now, when is it asked again, and why not? One pure function over how the run stands (`run-state.ts`),
 * and the only place that pauses sending or stops it for what the service, the wallet or the rows show. An alarm, the operator
 * and a failure stop it without asking.
 */
import type { CanaryRecord } from '../domain/fact.ts';
import type { Money } from '../domain/money.ts';
import { type CanaryState, canaryState } from './canary.ts';
import { circuitOf, type Trouble } from './circuit-breaker.ts';
import { endedInRun, lostIn, type RunState } from './run-state.ts';

/** Orders that probe a service whose answers nobody can read: each may be left in doubt. */
const UNREAD_PROBES_MAX = 6;
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
  | { readonly do: 'probe'; readonly rows: number; readonly orders: 1 }
  /** Not now; the time is not up for so long at least. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop'; readonly why: StopWhy };

/** `wanting`: orders that somebody wants to claim; `nowMs`: monotonic. */
export function admit(state: RunState, policy: AdmitPolicy, nowMs: number, wanting = 0): AdmitResult {
  const { service, inHand } = state;
  // What nobody waits for cannot be stopped.
  if (Math.max(wanting, toSendIn(state)) === 0) return { do: 'claim', rows: 0, orders: 0 };
  const why = reasonToStop(state, policy);
  if (why) return { do: 'stop', why };
  const canary = canaryIn(state, policy);
  const rows = canary === undefined ? Number.POSITIVE_INFINITY : Math.max(roomOf(canary), 0);
  const { trouble, wary, concurrency } = service;
  if (!trouble || circuitOf(service) === 'closed') {
    // Claimed orders that have to go back when sending pauses were claimed in vain: a wary run has none that wait.
    return { do: 'claim', rows, orders: wary ? Math.max(concurrency - inHand.size, 0) : Number.POSITIVE_INFINITY };
  }
  const waitMs = trouble.lastMs + pauseMsOf(trouble, policy) - nowMs;
  if (waitMs > 0) return { do: 'wait', ms: waitMs };
  // Only an answer to the probe tells whether the trouble is over.
  return inHand.size > 0 ? { do: 'wait', ms: 0 } : { do: 'probe', rows, orders: 1 };
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

const pauseMsOf = ({ probes }: Trouble, { pauseMsFirst, pauseMsMax }: AdmitPolicy): number =>
  Math.min(pauseMsFirst * 2 ** Math.min(probes, 30), pauseMsMax);

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
  if (trouble && trouble.unreadProbes >= UNREAD_PROBES_MAX) return 'unreadable';
  // It says by itself that the trouble will last.
  if (trouble?.askedMs !== undefined && trouble.askedMs > policy.outageMs) return troubleNames[trouble.tag];
  // Time alone tells nothing: it takes a probe to know that the trouble has lasted.
  if (trouble && trouble.probes > 0 && trouble.lastMs - trouble.sinceMs >= policy.outageMs) {
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
