/**
 * An order is one submission to the service with 1..n lines. Its state is a fold over facts; `advance` is the only function
 * that changes it, in memory, in the ledger's projections and when the ledger is verified.
 *
 *     planned → claimed ──────────→ accepted → settled      (every line has a final outcome)
 *                 │  ↑ ↖                ↑
 *                 │  │  └─ claimed again: same id, same bytes, under the rule of dispatch/decision
 *                 ↓  │                  │
 *              in-doubt ─(look-up)──────┘
 *                 └──(documented refusal, proven absent)──→ refused
 *
 * A person's decision on every line settles an order from any phase; later reports of the service are still taken in. They
 * are also taken in for an order of which a later batch holds a payment (superseded), but such an order is never claimed
 * again, regardless of its phase.
 *
 * `claimed` means "may have been posted": whatever happens next, the order is looked up before anything else is decided.
 */
import type { AnswerTag, CallbackPlace, Fact, LineReport, Said } from './fact.ts';
import type { OrderId } from './ids.ts';
import { invariant, unreachable } from './invariant.ts';
import {
  contradicts,
  isCalledPending,
  type LinePhase,
  type LineState,
  lineAfter,
  type Resolution,
  resolvedOutcome,
} from './order-line.ts';
import { isDefiniteFailure, type Outcome } from './outcome.ts';
import { saysHeld } from './result-code.ts';
import type { SubmissionName } from './submission.ts';

export type { LinePhase, LineState };

export type OrderPhase = 'planned' | 'claimed' | 'in-doubt' | 'accepted' | 'refused' | 'settled';

export interface OrderState {
  readonly id: OrderId;
  readonly submission: SubmissionName;
  readonly attempt: number;
  readonly phase: OrderPhase;
  readonly lines: readonly LineState[];
  /** Number of claims so far: how often the order may have been posted. */
  readonly posts: number;
  readonly firstClaimedAt?: number;
  readonly lastClaimedAt?: number;
  /** Epoch of the lease under which the order was last claimed. Times of two leases may come from two clocks. */
  readonly lastClaimEpoch?: number;
  /** When the last submission is known to have ended; absent after a crash in between. */
  readonly lastEndedAt?: number;
  /** Whether a submission before the last one may have left this computer. */
  readonly mayHaveArrived: boolean;
  /** The answer to the last submission; absent while there is none. */
  readonly answer?: { readonly tag: AnswerTag; readonly reason: string };
  /** Number of consecutive look-ups that answered "unknown" in the form this service uses. */
  readonly unknowns: number;
  readonly firstUnknownAt?: number;
  readonly lastUnknownAt?: number;
  /** `systemConversationId`, from the only submission that left or from a record. Never compared as evidence. */
  readonly serviceId?: string;
  /** Whether the deadline passed without a final outcome. Cleared by the next report of the service. */
  readonly overdue: boolean;
  /** The last callback that was taken in: that callback again, or an earlier one, is not news. */
  readonly lastCallback?: CallbackPlace;
  /** A person's statement that nothing of the last submission arrived, so that it may be submitted again. */
  readonly saidAbsent?: Said & { readonly at: number };
  /** The last person who asked the service to stop the order. It does not say whether the order was stopped. */
  readonly rejectRequested?: Said & { readonly at: number };
  /** Evidence of the service that contradicts the plan. Sending stops at the first alarm. */
  readonly alarms: readonly string[];
}

const illegal = (state: OrderState, fact: Fact): never => {
  invariant(false, `an order that is ${state.phase} can be ${fact.type}`);
};

/** Returns the state of an order after a fact. A fact that the state does not allow is a bug and ends the process. */
export function advance(state: OrderState | undefined, fact: Fact): OrderState {
  if (fact.type === 'order-planned') {
    invariant(state === undefined, 'an order is planned once');
    const lines = fact.lines.map((line): LineState => ({ ...line, phase: 'open' }));
    return {
      id: fact.order,
      submission: fact.submission,
      attempt: fact.attempt,
      phase: 'planned',
      lines,
      posts: 0,
      mayHaveArrived: false,
      unknowns: 0,
      overdue: false,
      alarms: [],
    };
  }
  invariant(state !== undefined, `an order is planned before it is ${fact.type}`);
  switch (fact.type) {
    case 'order-claimed':
      if (state.phase !== 'planned' && state.phase !== 'claimed' && state.phase !== 'in-doubt') {
        return illegal(state, fact);
      }
      invariant(!isSuperseded(state), 'an order that was superseded is never claimed');
      if (hasResolvedLine(state)) return illegal(state, fact);
      return claimed(state, fact);
    case 'order-answered':
      return answered(state, fact);
    case 'order-unknown':
      if (state.phase !== 'claimed' && state.phase !== 'in-doubt') return state;
      return unknown(fact.firstInRun ? withoutUnknowns(state) : state, fact.at);
    case 'order-observed':
      return observed(state, fact);
    case 'order-refused':
      if (state.phase !== 'in-doubt') return illegal(state, fact);
      return { ...state, phase: 'refused' };
    case 'order-overdue':
      return { ...state, overdue: true };
    case 'order-alarmed':
      return { ...state, alarms: [...state.alarms, fact.reason] };
    case 'order-resolved':
      return resolved(state, fact);
    case 'order-reject-requested': {
      const { type, order, ...rejectRequested } = fact;
      return { ...state, rejectRequested };
    }
    case 'order-said-absent': {
      if (state.phase !== 'claimed' && state.phase !== 'in-doubt') return illegal(state, fact);
      const { type, order, ...saidAbsent } = fact;
      return { ...state, saidAbsent };
    }
    case 'order-retried':
      return retried(state, fact);
    case 'order-superseded':
      return superseded(state, fact);
    default:
      return unreachable(fact);
  }
}

function claimed(state: OrderState, { at, epoch }: Extract<Fact, { type: 'order-claimed' }>): OrderState {
  const mayHaveArrived = state.posts > 0 && !neverTransmitted(state);
  // The answer to an earlier submission says nothing about this one.
  const { answer, lastEndedAt, saidAbsent, ...rest } = withoutUnknowns(state);
  return {
    ...rest,
    phase: 'claimed',
    posts: state.posts + 1,
    mayHaveArrived,
    firstClaimedAt: state.firstClaimedAt ?? at,
    lastClaimedAt: at,
    lastClaimEpoch: epoch,
    overdue: false,
  };
}

function withoutUnknowns(state: OrderState): OrderState {
  const { firstUnknownAt, lastUnknownAt, ...rest } = state;
  return { ...rest, unknowns: 0 };
}

function unknown(state: OrderState, at: number): OrderState {
  const { unknowns, firstUnknownAt = at } = state;
  return { ...state, phase: 'in-doubt', unknowns: unknowns + 1, firstUnknownAt, lastUnknownAt: at };
}

function answered(state: OrderState, fact: Extract<Fact, { type: 'order-answered' }>): OrderState {
  const answer = { tag: fact.tag, reason: fact.reason };
  // A look-up may have found the order before the answer was recorded. What the service holds is the stronger evidence.
  if (state.phase === 'accepted' || state.phase === 'settled') return { ...state, answer, lastEndedAt: fact.at };
  if (state.phase !== 'claimed') return illegal(state, fact);
  return {
    ...state,
    answer,
    lastEndedAt: fact.at,
    phase: fact.tag === 'accepted' ? 'accepted' : 'in-doubt',
    // If an earlier submission may have left, this may be the acceptance of a repetition, which has its own service id.
    ...(fact.serviceId !== undefined && !state.mayHaveArrived && { serviceId: fact.serviceId }),
  };
}

type Observed = Extract<Fact, { type: 'order-observed' }>;

function observed(state: OrderState, fact: Observed): OrderState {
  const byTrace = new Map(fact.lines.map((line) => [line.trace, line]));
  const alarms = [...state.alarms];
  if (state.phase === 'refused') alarms.push('the service holds an order that it refused');
  const lines = state.lines.map((line) => {
    const report = byTrace.get(line.trace);
    const heard = report ? lineAfter(line, report, fact, alarms) : line;
    const repeats = fact.repeats?.filter(({ trace }) => trace === line.trace) ?? [];
    return withWhatIsShown(heard, repeats, fact.lacking?.includes(line.trace) === true);
  });
  return {
    ...withoutUnknowns(state),
    phase: lines.every(isFinal) ? 'settled' : 'accepted',
    lines,
    alarms: isResolved(state) ? onlyNews(state.alarms, alarms) : alarms,
    overdue: false,
    ...(fact.serviceId !== undefined && !isOfRepetition(state, fact) && { serviceId: fact.serviceId }),
    ...(fact.callback !== undefined && { lastCallback: fact.callback }),
  };
}

/** Adds what the latest record shows about a line in addition to its report: repeats of it, or that it is missing. */
function withWhatIsShown(line: LineState, repeats: readonly LineReport[], isLacking: boolean): LineState {
  const { lacking: _, ...rest } = line;
  return {
    ...rest,
    ...(repeats.length > 0 && { repeats }),
    ...(isLacking && rest.phase === 'open' && { lacking: true }),
  };
}

/** Reports whether a record may be that of a repetition, whose service id must not replace the known one. */
const isOfRepetition = ({ serviceId }: OrderState, { lines }: Observed): boolean =>
  serviceId !== undefined && lines.some(({ resultCode }) => saysHeld(resultCode));

const isFinal = ({ phase, resolved }: LineState): boolean => phase !== 'open' || resolved !== undefined;

/** Returns the alarms with only new ones added: a person has dealt with the known ones, so hearing them again is not news. */
const onlyNews = (known: readonly string[], all: readonly string[]): readonly string[] => [
  ...known,
  ...all.filter((reason) => !known.includes(reason)),
];

function resolved(state: OrderState, fact: Extract<Fact, { type: 'order-resolved' }>): OrderState {
  const { trace, at, type, order, ...said } = fact;
  const line = state.lines.find((one) => one.trace === trace);
  if (!line || contradicts(line, said.paid)) return illegal(state, fact);
  const resolution: Resolution = { ...said, at, alarms: state.alarms.length };
  const lines = state.lines.map((one) => (one === line ? { ...one, resolved: resolution } : one));
  return { ...state, lines, phase: lines.every(isFinal) ? 'settled' : state.phase };
}

function retried(state: OrderState, fact: Extract<Fact, { type: 'order-retried' }>): OrderState {
  const line = state.lines.find(({ trace }) => trace === fact.trace);
  if (!line || line.replacedBy || openAlarms(state).length > 0 || !isDefiniteFailure(outcomeOfLine(state, line))) {
    return illegal(state, fact);
  }
  const lines = state.lines.map((one) => (one === line ? { ...one, replacedBy: fact.replacedBy } : one));
  return { ...state, lines };
}

function superseded(state: OrderState, fact: Extract<Fact, { type: 'order-superseded' }>): OrderState {
  const { traces, by } = fact;
  if (!traces.every((trace) => state.lines.some((line) => line.trace === trace))) return illegal(state, fact);
  const lines = state.lines.map((line) => (traces.includes(line.trace) ? { ...line, supersededBy: by } : line));
  return { ...state, lines };
}

/**
 * Reports whether a later batch holds a payment of the order. An order is sent as a whole or not at all, so it is
 * never submitted again.
 */
export const isSuperseded = ({ lines }: OrderState): boolean => lines.some((line) => line.supersededBy !== undefined);

/** Reports whether a person has decided the final outcome of every line. */
export const isResolved = ({ lines }: OrderState): boolean => lines.every((line) => line.resolved !== undefined);

/** Reports whether a person has decided the final outcome of a line: the order is then never submitted again. */
export const hasResolvedLine = ({ lines }: OrderState): boolean => lines.some((line) => line.resolved !== undefined);

/** Returns the alarms that nobody has dealt with: none once every line was resolved after the last alarm. */
export const openAlarms = ({ lines, alarms }: OrderState): readonly string[] =>
  lines.every((line) => line.resolved?.alarms === alarms.length) ? [] : alarms;

/** Reports whether every submission so far ended before a byte of it left. */
export const neverTransmitted = ({ phase, mayHaveArrived, answer }: OrderState): boolean =>
  phase === 'in-doubt' && !mayHaveArrived && answer?.tag === 'not-sent';

/** Returns the current outcome of one line of an order. */
export function outcomeOfLine(state: OrderState, line: LineState): Outcome {
  const said = resolvedOutcome(line);
  if (said !== undefined) return said;
  switch (state.phase) {
    // An order that the service contradicts is not known to be unsent, no matter what this ledger says.
    case 'planned':
      return state.alarms.length > 0 ? 'in-doubt' : 'unsent';
    case 'claimed':
    case 'in-doubt':
      return neverTransmitted(state) && state.alarms.length === 0 ? 'unsent' : 'in-doubt';
    case 'refused':
      return 'refused';
    case 'accepted':
    case 'settled':
      if (line.phase !== 'open') return line.phase;
      return (state.overdue && !isCalledPending(line)) || state.alarms.length > 0 ? 'in-doubt' : 'pending';
    default:
      return unreachable(state.phase);
  }
}
