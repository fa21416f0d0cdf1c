/**
 * May another order be claimed now? One pure function over how the run stands, and the only place that pauses sending or
 * stops it for what the service, the wallet or the rows show. An alarm, the operator and a failure stop it without asking.
 *
 *     claim ──(answers nobody understands, in a row)──→ wait ──(pause over, all answers in)──→ probe: one order, alone
 *       ↑                                                ↑ longer each time                      │
 *       └──────────────(understood)──────────────────────┼───────────────────────────────────────┤
 *                                                        └──(not understood)─────────────────────┘──(too often)──→ stop
 */
import type { AnswerTag } from '../domain/fact.ts';
import type { Money } from '../domain/money.ts';

/** Answers in a row that nobody can read before sending pauses: one or two are a hiccup of somebody between. */
const UNREAD_MAX = 3;
/** Rounds in a row that were throttled, or never left, before sending pauses; they leave little or no doubt. */
const ROUNDS_MAX = 5;
/** Orders that probe a service whose answers nobody can read: each may be left in doubt. */
const UNREAD_PROBES_MAX = 6;
/** Documented refusals in a row that are no longer about the rows: a route is gone, an account is blocked. */
const REFUSED_MAX = 10;
/** Rounds of refused credentials in a row, each after a fresh token. */
const UNAUTHORISED_MAX = 3;
/** Rows that ended, none of them paid, after which nobody would go on; where the operator has set no number. */
const UNPAID_MAX = 20;

/** Submissions in a row without an answer that was understood. */
export interface Trouble {
  /** When the first and the latest of them ended, monotonic milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** What the latest came to, and in which words. */
  readonly tag: Extract<AnswerTag, 'ambiguous' | 'throttled' | 'not-sent'>;
  readonly reason: string;
  /** Answers that nobody can read. */
  readonly unread: number;
  /** Rounds of submissions that were throttled, or never left: those in flight together meet the same trouble together. */
  readonly throttled: number;
  readonly unreached: number;
  /** Orders that were sent alone since sending paused, and those of them whose answer nobody can read. */
  readonly probes: number;
  readonly unreadProbes: number;
}

/** What the answers to submissions show of the service. */
export interface ServiceState {
  /** Rounds of refused credentials in a row. */
  readonly unauthorised: number;
  /** The latest of them refused a permission and not the credentials. */
  readonly forbidden?: boolean;
  /** Documented refusals in a row, and the latest in words. */
  readonly refused: number;
  readonly refusedReason: string;
  readonly trouble?: Trouble;
  /** Submissions that may be in flight now. */
  readonly concurrency: number;
  /** Sending has paused, and not enough was taken since to rely on the service again. */
  readonly wary: boolean;
}

/** Rows that go ahead alone, by how they stand. */
export interface CanaryState {
  readonly rows: number;
  readonly completed: number;
  /** Sent, or about to be, without a final word. */
  readonly open: number;
  /** Ended without being paid. */
  readonly lost: number;
}

export interface RunState {
  /** Monotonic milliseconds. */
  readonly nowMs: number;
  /** What waits to be sent: rows, or orders that somebody wants to claim. */
  readonly toSend: number;
  /** Orders that are claimed and whose answers are not known yet. */
  readonly inHand: number;
  /** Nothing that was sent will be looked at any more in this run. */
  readonly idle: boolean;
  readonly service: ServiceState;
  /** Missing: nothing goes ahead alone. */
  readonly canary?: CanaryState;
  /** Rows that were completed, and rows that ended without being paid, in this run. */
  readonly completed: number;
  readonly lost: number;
  /** What the wallet held when it was last read and what was not sent needed then, where it does not suffice. */
  readonly short?: { readonly balance: Money; readonly needed: Money };
  /** Fees charged in this run above what was quoted, where that is more than is tolerated. */
  readonly overcharge?: Money;
}

export interface ClaimLimits {
  /** How long trouble of one sort may last before sending stops for this run, in milliseconds. */
  readonly outageMs: number;
  /** First and longest pause of a service in trouble, in milliseconds. */
  readonly pauseMsFirst: number;
  readonly pauseMsMax: number;
  /** Rows without payment after which sending stops; 0: never; undefined: when nothing but such rows comes back. */
  readonly stopAfterFailures?: number | undefined;
}

export type StopWhy =
  | 'credentials'
  | 'permission'
  | 'unreachable'
  | 'throttled'
  | 'unreadable'
  | 'refusals'
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

export function admit(state: RunState, limits: ClaimLimits): AdmitResult {
  const { toSend, inHand, nowMs, canary } = state;
  const { trouble, wary, concurrency } = state.service;
  // What nobody waits for cannot be stopped.
  if (toSend === 0) return { do: 'claim', rows: 0, orders: 0 };
  const why = reasonToStop(state, limits);
  if (why) return { do: 'stop', why };
  const rows = canary === undefined ? Number.POSITIVE_INFINITY : Math.max(roomOf(canary), 0);
  if (!trouble || !isPaused(trouble)) {
    // Claimed orders that have to go back when sending pauses were claimed in vain: a wary run has none that wait.
    return { do: 'claim', rows, orders: wary ? Math.max(concurrency - inHand, 0) : Number.POSITIVE_INFINITY };
  }
  const waitMs = trouble.lastMs + pauseMsOf(trouble, limits) - nowMs;
  if (waitMs > 0) return { do: 'wait', ms: waitMs };
  // Only an answer to the probe tells whether the trouble is over.
  return inHand > 0 ? { do: 'wait', ms: 0 } : { do: 'probe', rows, orders: 1 };
}

/** Whether the service is in such trouble that nothing but a probe may leave. */
export const isPaused = ({ unread, throttled, unreached }: Trouble): boolean =>
  unread >= UNREAD_MAX || throttled >= ROUNDS_MAX || unreached >= ROUNDS_MAX;

const pauseMsOf = ({ probes }: Trouble, { pauseMsFirst, pauseMsMax }: ClaimLimits): number =>
  Math.min(pauseMsFirst * 2 ** Math.min(probes, 30), pauseMsMax);

/** Rows that may still go ahead; without end once as many as were asked for are paid. */
const roomOf = ({ rows, completed, open }: CanaryState): number =>
  completed >= rows ? Number.POSITIVE_INFINITY : rows - completed - open;

const troubleNames = { ambiguous: 'unreadable', throttled: 'throttled', 'not-sent': 'unreachable' } as const;

function reasonToStop(state: RunState, limits: ClaimLimits): StopWhy | undefined {
  const { service, short, overcharge } = state;
  const { trouble } = service;
  if (service.unauthorised >= UNAUTHORISED_MAX) return service.forbidden ? 'permission' : 'credentials';
  if (service.refused >= REFUSED_MAX) return 'refusals';
  if (trouble && trouble.unreadProbes >= UNREAD_PROBES_MAX) return 'unreadable';
  // Time alone tells nothing: it takes a probe to know that the trouble has lasted.
  if (trouble && trouble.probes > 0 && trouble.lastMs - trouble.sinceMs >= limits.outageMs) {
    return troubleNames[trouble.tag];
  }
  return reasonInRows(state, limits) ?? (short ? 'balance' : undefined) ?? (overcharge ? 'fees' : undefined);
}

/** What speaks against going on in what became of the rows. */
function reasonInRows(
  { canary, idle, completed, lost }: RunState,
  { stopAfterFailures }: ClaimLimits,
): StopWhy | undefined {
  if (canary && canary.completed < canary.rows && (canary.lost > 0 || (idle && roomOf(canary) <= 0))) return 'canary';
  if (stopAfterFailures === undefined) return completed === 0 && lost >= UNPAID_MAX ? 'none-paid' : undefined;
  return stopAfterFailures > 0 && lost >= stopAfterFailures ? 'failures' : undefined;
}
