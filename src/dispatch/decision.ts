/**
 * What may happen next to an order that is not in flight: one pure function, and the only place that lets the same id
 * be submitted again. The rule: never sent at all, or proven absent by two look-ups far enough apart after enough
 * silence, of a service that shows what it accepted no earlier, young enough, and not too often. An order of a send-once submission has no such proof: once it may have left, it
 * is never submitted again, and no answer refuses it.
 */
import { unreachable } from '../domain/invariant.ts';
import { hasResolvedLine, neverTransmitted, type OrderState, openAlarms } from '../domain/order.ts';
import type { InDoubtSettings, PollingSettings } from '../domain/settings.ts';
import { protocols, type SubmissionName } from '../domain/submission.ts';

export interface Policy {
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  /** When this run began, in milliseconds of its steady clock: waiting times of an earlier run do not count. */
  readonly startedAt: number;
  /** When recovery was left: all was asked for that a lost ledger may have done, in milliseconds of the steady clock. Patience begins with that. */
  readonly recoveredAt?: number;
  /** How far the machine's own clock is ahead of the time of the run: the computer slept, or its clock was set. */
  readonly clockAheadMs?: number;
  /** When the computer was last seen to have slept for long, in milliseconds of the steady clock of the run. */
  readonly wokeAt?: number;
  /** The ledger may not know all that was sent: whatever it never sent may have been sent all the same. */
  readonly lookFirst?: boolean;
  /** When recovery was entered in this run, in milliseconds of its steady clock; missing: it was from its start, or never. */
  readonly recoveryAt?: number;
  /** A ledger that is in no doubt may have been put back or copied all the same: each order is looked up once before it leaves. */
  readonly askEach?: boolean;
  /** Whether look-ups may show more that was accepted: planned orders are still going out, or one is awaited (`Witnesses.mayCome`). */
  readonly moreComes?: boolean;
  /**
   * Since when look-ups of this run show what was accepted when an order was last submitted, or later; undefined: they show no
   * such order (`witnesses.ts`).
   */
  readonly visibleSince: (state: OrderState) => number | undefined;
  /** Whether the service can be asked about orders that were submitted this way. */
  readonly hasLookUp: (submission: SubmissionName) => boolean;
}

/** What of it stays the same for a whole run. */
export type PolicyTerms = Omit<
  Policy,
  'clockAheadMs' | 'wokeAt' | 'recoveredAt' | 'lookFirst' | 'recoveryAt' | 'askEach' | 'moreComes'
>;

export type Step =
  /** Claim it and submit the stored bytes, at this time in wall-clock milliseconds. */
  | { readonly do: 'submit'; readonly at: number }
  /** Look it up at this time. */
  | { readonly do: 'look-up'; readonly at: number }
  /** Refused by a documented answer and proven absent: final. */
  | { readonly do: 'refuse' }
  /** No final word within the deadline: after one last look it is in doubt until a later run looks again. */
  | { readonly do: 'park' }
  | { readonly do: 'nothing' };

const NOTHING: Step = { do: 'nothing' };

export function nextStep(state: OrderState, policy: Policy, now: number): Step {
  if (openAlarms(state).length > 0) return NOTHING;
  switch (state.phase) {
    // It leaves from the plan (`send.ts`), and never from here.
    case 'planned':
      return NOTHING;
    case 'in-doubt':
      return doubtStep(state, policy, now);
    // Claimed: a run ended between the claim and the answer, so it may have been sent.
    case 'claimed':
      return isSendOnce(state) ? seekStep(state, policy, now) : askStep(state, policy, now);
    case 'accepted':
      return askStep(state, policy, now);
    // Neither timed out nor a person's word is a final word of the service: a later run asks again, once.
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
 * Whether a ledger that is in no doubt looks a planned order up before it is sent (`probes.ts`): where each is asked for, and
 * always what is paid again after a failure, because a ledger that was lost may have paid it again before.
 */
export const mustLookFirst = (state: OrderState, policy: Policy): boolean =>
  state.attempt > 1 || isAskedFor(state, policy);

/** Whether one look-up of the order can show that a ledger which is in no doubt is not the latest. */
const isAskedFor = (state: OrderState, { askEach = false, hasLookUp }: Policy): boolean =>
  askEach && !isSendOnce(state) && hasLookUp(state.submission);

/**
 * From when on one more "unknown" proves that an order that this ledger never sent was sent by nobody. What another run
 * left on its way just before this one began must have become known by then.
 */
export function provenUnsentAt(
  firstUnknownAt: number,
  { lookFirst = false, startedAt, recoveryAt = startedAt, inDoubt }: Policy,
): number {
  return lookFirst ? Math.max(firstUnknownAt + inDoubt.unknownGapMs, recoveryAt + inDoubt.quietMs) : firstUnknownAt;
}

function doubtStep(state: OrderState, policy: Policy, now: number): Step {
  // A person says what became of one of its lines: submitted again, the order could pay that line once more.
  if (hasResolvedLine(state)) return askStep(state, policy, now);
  // Never left as far as this ledger knows: where it is in doubt, that has to be proven like anything else.
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

/** What was claimed and never left: what an earlier run could not send waits no longer than what was never tried. */
function unsentStep(state: OrderState, policy: Policy, now: number): Step {
  const step = followStep(state, policy, now);
  const since = Math.max(policy.startedAt, policy.wokeAt ?? 0);
  const isAskedAlready = !isAskedFor(state, policy) || (state.lastUnknownAt ?? 0) >= since;
  if (!isAskedAlready) return step;
  if ((state.lastClaimedAt ?? 0) < policy.startedAt) return { do: 'submit', at: now };
  return step.do === 'look-up' ? { do: 'submit', at: step.at } : step;
}

/**
 * Proof counts from one run alone, so a run stays until there can be proof, however soon its deadline is; and no longer where
 * nothing more comes that could show how late look-ups are. A run that asks only once (deadline 0) does not stay.
 */
function untilProven(state: OrderState, policy: Policy): Policy {
  const { polling, inDoubt, moreComes = false } = policy;
  if (polling.deadlineMs === 0) return policy;
  const provenMs = inDoubt.unknownGapMs + inDoubt.quietMs + polling.maxMs;
  const isLast = !moreComes && believedFrom(state, policy) === undefined;
  const deadlineMs = isLast ? Math.min(polling.deadlineMs, provenMs) : Math.max(polling.deadlineMs, provenMs);
  return { ...policy, polling: { ...polling, deadlineMs } };
}

/** Until when an order that was sent is followed in this run, at the latest; undefined for one that is not. */
export function followedUntil(state: OrderState, policy: Policy, now: number): number | undefined {
  if (state.phase !== 'accepted' && state.phase !== 'claimed' && state.phase !== 'in-doubt') return undefined;
  const { polling, recoveredAt = 0 } = state.phase === 'accepted' ? policy : untilProven(state, policy);
  return Math.max(sinceOwn(lastSentAt(state), policy, now), recoveredAt) + polling.deadlineMs;
}

/** Follows an order as far as anybody can be asked; otherwise its final word comes by callback, or never. */
const askStep = (state: OrderState, policy: Policy, now: number): Step =>
  policy.hasLookUp(state.submission) ? followStep(state, policy, now) : NOTHING;

export const isSendOnce = ({ submission }: OrderState): boolean => protocols[submission] === 'send-once';

/**
 * Looks for an order that the service may or may not have taken, and that is not sent again. After the silence in which
 * one that was taken must have become known, further waiting shows nothing more; the next run looks again.
 */
function seekStep(state: OrderState, policy: Policy, now: number): Step {
  const { polling, inDoubt } = policy;
  const deadlineMs = Math.min(polling.deadlineMs, inDoubt.quietMs);
  return askStep(state, { ...policy, polling: { ...polling, deadlineMs } }, now);
}

/** Two look-ups far enough apart, after enough silence, say that the service does not hold the order, and may be believed. */
function isAbsent(state: OrderState, policy: Policy, now: number): boolean {
  const { unknowns, lastUnknownAt } = state;
  if (unknowns < 2 || lastUnknownAt === undefined || lastUnknownAt > now) return false;
  const provenAt = provenAbsentAt(state, policy, now);
  return provenAt !== undefined && lastUnknownAt >= provenAt;
}

/**
 * From when on "unknown" is believed: at once of what the service said that it did not take, or never left, or where a person says
 * so. Silence says nothing: look-ups may be late. So another order, accepted no earlier, was shown before, and as long as one may
 * be on its way has passed since then. Undefined: it is not believed.
 */
function believedFrom(state: OrderState, policy: Policy): number | undefined {
  if (isTurnedDown(state) || neverTransmitted(state) || isSaidAbsent(state)) return 0;
  const visibleSince = policy.visibleSince(state);
  return visibleSince === undefined ? undefined : visibleSince + policy.inDoubt.unknownGapMs;
}

/** Its only submission was answered by a documented refusal. */
const isTurnedDown = ({ answer, mayHaveArrived }: OrderState): boolean => answer?.tag === 'refused' && !mayHaveArrived;

/** A person says that nothing arrived of what was sent last, and the service did not say that it holds it. */
export const isSaidAbsent = ({ saidAbsent, answer }: OrderState): boolean =>
  saidAbsent !== undefined && answer?.tag !== 'exists';

/** Whether an order that may have left may be submitted again, same id and same bytes, once it is proven absent. */
function isResendable(state: OrderState, policy: Policy, now: number): boolean {
  const { inDoubt: rule } = policy;
  if (rule.resend === 'never') return false;
  // The service said that it holds this id: a second submission could only hide the first one's result.
  if (state.answer?.tag === 'exists') return false;
  if (isSpent(state, rule)) return false;
  return isYoung(state, policy, now);
}

/**
 * Whether it left, or may have, as often as it may: whatever the service says, it is not submitted again. Where nothing of
 * it arrived, it stays in doubt until a person says what became of it.
 */
const isSpent = (state: OrderState, { maxResends }: Pick<InDoubtSettings, 'maxResends'>): boolean =>
  isSendOnce(state) ? !neverTransmitted(state) : state.posts > maxResends;

/**
 * Whether nothing but a person's word is left for an order in doubt that a run has followed to its end: it left as often as it
 * may, or look-ups do not know it, and nothing shows how late they are.
 */
export const needsWord = (state: OrderState, rule: Pick<InDoubtSettings, 'maxResends'>): boolean =>
  isSpent(state, rule) || state.unknowns >= 2;

/** Whether the first submission was so short a time ago that the service must still know the id. */
export function isYoung({ firstClaimedAt }: OrderState, { inDoubt, clockAheadMs = 0 }: Policy, now: number): boolean {
  // A first submission of the future was claimed by a clock that went ahead: like one without a time, its age is not known.
  // Otherwise the larger clock counts: the service forgets its ids while this computer sleeps, too.
  const age = now - (firstClaimedAt ?? Number.POSITIVE_INFINITY);
  return age >= 0 && age + clockAheadMs <= inDoubt.maxAgeMs;
}

/** The earliest time at which one more "unknown" proves that the order is absent; undefined where none can yet. */
function provenAbsentAt(state: OrderState, policy: Policy, now: number): number | undefined {
  const believed = believedFrom(state, policy);
  if (state.firstUnknownAt === undefined || believed === undefined) return undefined;
  const { unknownGapMs, quietMs } = policy.inDoubt;
  const first = sinceOwn(state.firstUnknownAt, policy, now);
  // While this computer slept, another with a copy of the folder may have sent it.
  return Math.max(first + unknownGapMs, silentSince(state, policy, now) + quietMs, believed, policy.wokeAt ?? 0);
}

/**
 * Since when nobody can have sent the order, as far as this run can vouch for it. The times of an earlier run may be those
 * of another clock, and one that was killed may have sent what it had claimed until the moment in which it died.
 */
const silentSince = (state: OrderState, policy: Policy, now: number): number =>
  sinceOwn(lastSentAt(state), policy, now);

/** A recorded time as this run may use it: none before its own start, and none from a clock that went ahead. */
const sinceOwn = (at: number, { startedAt }: Policy, now: number): number =>
  at > now ? startedAt : Math.max(at, startedAt);

const lastSentAt = ({ lastEndedAt, lastClaimedAt }: OrderState): number =>
  Math.max(lastEndedAt ?? 0, lastClaimedAt ?? 0);

/**
 * Waits grow with the time already waited, from `firstMs` to `maxMs`, so no counter is kept. `known` is a better time
 * when there is one.
 */
function followStep(state: OrderState, policy: Policy, now: number, known = 0): Step {
  const { polling, recoveredAt = 0 } = policy;
  const since = Math.max(sinceOwn(lastSentAt(state), policy, now), recoveredAt);
  const waited = now - since;
  if (waited >= polling.deadlineMs) return { do: 'park' };
  // Whole milliseconds: the ledger keeps times in columns of integers.
  const wait = Math.min(Math.max(Math.ceil(waited / 2), polling.firstMs), polling.maxMs);
  const at = known > now ? known : now + wait;
  return { do: 'look-up', at: Math.min(at, since + polling.deadlineMs) };
}

/** In wall-clock milliseconds; null: not any more in this run. */
export function dueAfter(state: OrderState, policy: Policy, now: number, maySend: boolean): number | null {
  // A line that timed out is looked at once a run, when `reopen` made it due.
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
