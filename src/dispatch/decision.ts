/**
 * Decides what may happen next to an order that is not in flight. This is one pure function, and the only place that allows
 * the same id to be submitted again. An order may be submitted if it was never sent at all, or if it is proven absent and is
 * young enough and was not sent too often. It is proven absent when two look-ups far enough apart, after enough silence, do
 * not know it, and look-ups do show an order that was accepted no earlier. An order of a send-once submission has no such
 * proof: once it may have left, it is never submitted again, and no answer refuses it.
 */
import { unreachable } from '../domain/invariant.ts';
import { hasResolvedLine, neverTransmitted, type OrderState, openAlarms } from '../domain/order.ts';
import type { InDoubtSettings, PollingSettings } from '../domain/settings.ts';
import { protocols, type SubmissionName } from '../domain/submission.ts';

/** The part of the policy that stays the same for a whole run. */
export interface PolicyTerms {
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  /** When this run began, in milliseconds of its steady clock. Waiting times of an earlier run do not count. */
  readonly startedAt: number;
  /**
   * Returns since when look-ups of this run show an order that was accepted when the given order was last submitted, or
   * later; `undefined` if they show no such order (`witnesses.ts`).
   */
  readonly visibleSince: (state: OrderState) => number | undefined;
  /** Reports whether the service can be asked about orders submitted this way. */
  readonly hasLookUp: (submission: SubmissionName) => boolean;
}

export interface Policy extends PolicyTerms {
  /**
   * When recovery ended, in milliseconds of the steady clock: by then, everything that a lost ledger may have done had been
   * asked for. Patience is counted from this time.
   */
  readonly recoveredAt?: number;
  /** How far the machine's own clock is ahead of the run's clock, in milliseconds: the computer slept, or its clock was set. */
  readonly clockAheadMs?: number;
  /** When the computer was last found to have slept for long, in milliseconds of the run's steady clock. */
  readonly wokeAt?: number;
  /** Whether the ledger may not know everything that was sent, so that an order it never sent may have been sent anyway. */
  readonly lookFirst?: boolean;
  /** When recovery was entered in this run, in milliseconds of its steady clock; absent if at its start, or never. */
  readonly recoveryAt?: number;
  /**
   * Whether each order is looked up once before it leaves, although the ledger is not in recovery: it may still have been put
   * back or copied.
   */
  readonly askEach?: boolean;
  /**
   * Whether look-ups may still show more accepted orders: planned orders are still going out, or one is awaited
   * (`Witnesses.mayCome`).
   */
  readonly moreComes?: boolean;
}

export type Step =
  /** Claim the order and submit its stored bytes, at this time in milliseconds of the run's steady clock. */
  | { readonly do: 'submit'; readonly at: number }
  /** Look up the order at this time. */
  | { readonly do: 'look-up'; readonly at: number }
  /** Refuse the order, which is final: a documented answer refused it, and it is proven absent. */
  | { readonly do: 'refuse' }
  /** Park the order, which has no final outcome by its deadline: after one last look-up it is in doubt until a later run looks again. */
  | { readonly do: 'park' }
  | { readonly do: 'nothing' };

const NOTHING: Step = { do: 'nothing' };

export function nextStep(state: OrderState, policy: Policy, now: number): Step {
  if (openAlarms(state).length > 0) return NOTHING;
  switch (state.phase) {
    // A planned order leaves from the plan (`send.ts`), never from here.
    case 'planned':
      return NOTHING;
    case 'in-doubt':
      return doubtStep(state, policy, now);
    // A run ended between the claim and the answer, so the order may have been sent.
    case 'claimed':
      return isSendOnce(state) ? seekStep(state, policy, now) : askStep(state, policy, now);
    case 'accepted':
      return askStep(state, policy, now);
    // Neither a time-out nor a person's statement is a final outcome of the service, so a later run asks again, once.
    case 'settled':
      return policy.hasLookUp(state.submission) &&
        state.lines.some(({ phase }) => phase === 'timed-out' || phase === 'open')
        ? { do: 'look-up', at: now }
        : NOTHING;
    case 'refused':
      return NOTHING;
    default:
      return unreachable(state.phase);
  }
}

/**
 * Reports whether a ledger that is not in recovery looks up a planned order before sending it (`probes.ts`): if the policy
 * asks for every order, and always for a further attempt after a failure, because a lost ledger may have made that attempt
 * before.
 */
export const mustLookFirst = (state: OrderState, policy: Policy): boolean =>
  state.attempt > 1 || isAskedFor(state, policy);

/** Reports whether one look-up of the order can show that a ledger not in recovery is not the latest one. */
const isAskedFor = (state: OrderState, { askEach = false, hasLookUp }: Policy): boolean =>
  askEach && !isSendOnce(state) && hasLookUp(state.submission);

/**
 * Returns the time from which one more "unknown" proves that an order which this ledger never sent was not sent from
 * elsewhere either. Requests that another run had in flight just before this run began must have become known by then.
 */
export function provenUnsentAt(
  firstUnknownAt: number,
  { lookFirst = false, startedAt, recoveryAt = startedAt, inDoubt }: Policy,
): number {
  return lookFirst ? Math.max(firstUnknownAt + inDoubt.unknownGapMs, recoveryAt + inDoubt.quietMs) : firstUnknownAt;
}

function doubtStep(state: OrderState, policy: Policy, now: number): Step {
  // A person recorded what became of one of the lines: submitted again, the order could pay that line twice.
  if (hasResolvedLine(state)) return askStep(state, policy, now);
  // As far as this ledger knows, the order never left. In recovery, that has to be proven like anything else.
  if (neverTransmitted(state) && (!policy.lookFirst || isSendOnce(state))) return unsentStep(state, policy, now);
  if (isSendOnce(state)) return seekStep(state, policy, now);
  const mayBeRefused = isTurnedDown(state);
  const mayGoAgain = neverTransmitted(state) || isSaidAbsent(state) || isResendable(state, policy, now);
  const isProven = isAbsent(state, policy, now);
  if (mayBeRefused && isProven) return { do: 'refuse' };
  if (mayGoAgain && isProven) return { do: 'submit', at: now };
  const patient = mayBeRefused || mayGoAgain ? untilProven(state, policy) : policy;
  return followStep(state, patient, now, provenAbsentAt(state, policy, now));
}

/**
 * Returns the step of an order that was claimed and never left. One that an earlier run could not send waits no longer than
 * one that was never tried.
 */
function unsentStep(state: OrderState, policy: Policy, now: number): Step {
  const step = followStep(state, policy, now);
  const since = Math.max(policy.startedAt, policy.wokeAt ?? 0);
  const isAskedAlready = !isAskedFor(state, policy) || (state.lastUnknownAt ?? 0) >= since;
  if (!isAskedAlready) return step;
  if ((state.lastClaimedAt ?? 0) < policy.startedAt) return { do: 'submit', at: now };
  return step.do === 'look-up' ? { do: 'submit', at: step.at } : step;
}

/**
 * Returns the policy with a deadline that leaves time for proof. Proof counts from one run only, so a run stays until there
 * can be proof, however early its deadline. It stays no longer than that if nothing more can come that would show how late
 * look-ups are. A run that asks only once (deadline 0) does not stay.
 */
function untilProven(state: OrderState, policy: Policy): Policy {
  const { polling, inDoubt, moreComes = false } = policy;
  if (polling.deadlineMs === 0) return policy;
  const provenMs = inDoubt.unknownGapMs + inDoubt.quietMs + polling.maxMs;
  const isLast = !moreComes && believedFrom(state, policy) === undefined;
  const deadlineMs = isLast ? Math.min(polling.deadlineMs, provenMs) : Math.max(polling.deadlineMs, provenMs);
  return { ...policy, polling: { ...polling, deadlineMs } };
}

/** Returns the latest time until which this run follows an order that was sent; `undefined` if it does not follow the order. */
export function followedUntil(state: OrderState, policy: Policy, now: number): number | undefined {
  if (state.phase !== 'accepted' && state.phase !== 'claimed' && state.phase !== 'in-doubt') return undefined;
  const { polling, recoveredAt = 0 } = state.phase === 'accepted' ? policy : untilProven(state, policy);
  return Math.max(sinceOwn(lastSentAt(state), policy, now), recoveredAt) + polling.deadlineMs;
}

/** Follows an order if it can be looked up. Otherwise its final outcome comes by callback, or never. */
const askStep = (state: OrderState, policy: Policy, now: number): Step =>
  policy.hasLookUp(state.submission) ? followStep(state, policy, now) : NOTHING;

export const isSendOnce = ({ submission }: OrderState): boolean => protocols[submission] === 'send-once';

/**
 * Looks for an order that the service may or may not have taken, and that is not sent again. Once the silence has passed
 * after which an order that was taken must have become known, further waiting shows nothing more; the next run looks again.
 */
function seekStep(state: OrderState, policy: Policy, now: number): Step {
  const { polling, inDoubt } = policy;
  const deadlineMs = Math.min(polling.deadlineMs, inDoubt.quietMs);
  return askStep(state, { ...policy, polling: { ...polling, deadlineMs } }, now);
}

/**
 * Reports whether two look-ups far enough apart, after enough silence, say that the service does not hold the order, and may
 * be believed.
 */
function isAbsent(state: OrderState, policy: Policy, now: number): boolean {
  const { unknowns, lastUnknownAt } = state;
  if (unknowns < 2 || lastUnknownAt === undefined || lastUnknownAt > now) return false;
  const provenAt = provenAbsentAt(state, policy, now);
  return provenAt !== undefined && lastUnknownAt >= provenAt;
}

/**
 * Returns the time from which an "unknown" about the order is believed; `undefined` if it is not. It is believed immediately
 * if the service refused the order, if the order never left, or if a person says that it did not arrive. Otherwise look-ups
 * may lag, so another order, accepted no earlier, must have been shown first, and `unknownGapMs`, the time that a request may
 * be under way, must have passed since then.
 */
function believedFrom(state: OrderState, policy: Policy): number | undefined {
  if (isTurnedDown(state) || neverTransmitted(state) || isSaidAbsent(state)) return 0;
  const visibleSince = policy.visibleSince(state);
  return visibleSince === undefined ? undefined : visibleSince + policy.inDoubt.unknownGapMs;
}

/** Reports whether a documented refusal answered the only submission of the order that may have arrived. */
const isTurnedDown = ({ answer, mayHaveArrived }: OrderState): boolean => answer?.tag === 'refused' && !mayHaveArrived;

/** Reports whether a person says that nothing of the last submission arrived, and the service did not say that it holds the order. */
export const isSaidAbsent = ({ saidAbsent, answer }: OrderState): boolean =>
  saidAbsent !== undefined && answer?.tag !== 'exists';

/** Reports whether an order that may have left may be submitted again, with the same id and the same bytes, once it is proven absent. */
function isResendable(state: OrderState, policy: Policy, now: number): boolean {
  const { inDoubt: rule } = policy;
  if (rule.resend === 'never') return false;
  // The service said that it holds this id: a second submission could only hide the result of the first.
  if (state.answer?.tag === 'exists') return false;
  if (isSpent(state, rule)) return false;
  return isYoung(state, policy, now);
}

/**
 * Reports whether the order left, or may have left, as many times as allowed. Then it is not submitted again, whatever the
 * service says; if nothing of it arrived, it stays in doubt until a person records what became of it.
 */
const isSpent = (state: OrderState, { maxResends }: Pick<InDoubtSettings, 'maxResends'>): boolean =>
  isSendOnce(state) ? !neverTransmitted(state) : state.posts > maxResends;

/**
 * Reports whether only a person can decide about an order in doubt that a run has followed to its end: it left as many times
 * as allowed, or look-ups do not know it and nothing shows how late they are.
 */
export const needsPerson = (state: OrderState, rule: Pick<InDoubtSettings, 'maxResends'>): boolean =>
  isSpent(state, rule) || state.unknowns >= 2;

/** Reports whether the first submission was recent enough that the service must still know the id. */
export function isYoung({ firstClaimedAt }: OrderState, { inDoubt, clockAheadMs = 0 }: Policy, now: number): boolean {
  // A first submission in the future was claimed by a clock that was ahead: its age is not known, as if it had no time.
  // Otherwise the larger clock counts, because the service also forgets its ids while this computer sleeps.
  const age = now - (firstClaimedAt ?? Number.POSITIVE_INFINITY);
  return age >= 0 && age + clockAheadMs <= inDoubt.maxAgeMs;
}

/** Returns the earliest time at which one more "unknown" proves that the order is absent; `undefined` if none can prove it yet. */
function provenAbsentAt(state: OrderState, policy: Policy, now: number): number | undefined {
  const believed = believedFrom(state, policy);
  if (state.firstUnknownAt === undefined || believed === undefined) return undefined;
  const { unknownGapMs, quietMs } = policy.inDoubt;
  const first = sinceOwn(state.firstUnknownAt, policy, now);
  // While this computer slept, another one with a copy of the folder may have sent the order.
  return Math.max(first + unknownGapMs, silentSince(state, policy, now) + quietMs, believed, policy.wokeAt ?? 0);
}

/**
 * Returns the time since which the order cannot have been sent, as far as this run can know. Times of an earlier run
 * may come from another clock, and a run that was killed may have sent what it had claimed up to the moment it died.
 */
const silentSince = (state: OrderState, policy: Policy, now: number): number =>
  sinceOwn(lastSentAt(state), policy, now);

/** Returns a recorded time as this run may use it: no earlier than the run's own start, and not from a clock that was ahead. */
const sinceOwn = (at: number, { startedAt }: Policy, now: number): number =>
  at > now ? startedAt : Math.max(at, startedAt);

const lastSentAt = ({ lastEndedAt, lastClaimedAt }: OrderState): number =>
  Math.max(lastEndedAt ?? 0, lastClaimedAt ?? 0);

/**
 * Returns the next look-up, or parks the order at its deadline. The wait between look-ups grows with the time already waited,
 * from `firstMs` to `maxMs`, so no counter is kept. `known`, if it is in the future, is a better time for the look-up.
 */
function followStep(state: OrderState, policy: Policy, now: number, known = 0): Step {
  const { polling, recoveredAt = 0 } = policy;
  const since = Math.max(sinceOwn(lastSentAt(state), policy, now), recoveredAt);
  const waited = now - since;
  if (waited >= polling.deadlineMs) return { do: 'park' };
  // Whole milliseconds: the ledger keeps times in integer columns.
  const wait = Math.min(Math.max(Math.ceil(waited / 2), polling.firstMs), polling.maxMs);
  const at = known > now ? known : now + wait;
  return { do: 'look-up', at: Math.min(at, since + polling.deadlineMs) };
}

/** Returns when the order is due next, in milliseconds of the run's steady clock; `null` if not again in this run. */
export function dueAfter(state: OrderState, policy: Policy, now: number, maySend: boolean): number | null {
  // An order with a line that timed out is looked up once per run, after `reopen` made it due.
  if (state.phase === 'settled') return null;
  const step = nextStep(state, policy, now);
  switch (step.do) {
    case 'look-up':
      return step.at;
    case 'submit':
      return maySend ? step.at : null;
    case 'refuse':
      return now;
    case 'park':
      return state.overdue ? null : now;
    case 'nothing':
      return null;
    default:
      return unreachable(step);
  }
}
