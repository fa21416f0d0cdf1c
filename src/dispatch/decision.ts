/**
 * What may happen next to an order that is not in flight: one pure function, and the only place that lets the same id
 * be submitted again. The rule: never sent at all, or proven absent by two look-ups far enough apart after enough
 * silence, young enough, and not too often. An order of a strict submission has no such proof: once it may have left, it
 * is never submitted again, and no answer refuses it.
 */
import { unreachable } from '../domain/invariant.ts';
import { hasResolvedLine, neverLeft, type OrderState, standingAlarms } from '../domain/order.ts';
import type { InDoubtSettings, PollingSettings } from '../domain/settings.ts';
import { type SubmissionName, submissionTable } from '../domain/submission.ts';

export interface Policy {
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  /** When this run began, in wall-clock milliseconds: waiting times of an earlier run do not count. */
  readonly startedAt: number;
  /** Whether the service can be asked about orders that were submitted this way. */
  readonly hasLookUp: (submission: SubmissionName) => boolean;
}

export type Step =
  /** Claim it and submit the stored bytes, at this time in wall-clock milliseconds. */
  | { readonly do: 'submit'; readonly at: number }
  /** Look it up at this time. */
  | { readonly do: 'look-up'; readonly at: number }
  /** Refused by a documented answer and unknown to a look-up: final. */
  | { readonly do: 'refuse' }
  /** No final word within the deadline: after one last look it is in doubt until a later run looks again. */
  | { readonly do: 'park' }
  | { readonly do: 'nothing' };

const NOTHING: Step = { do: 'nothing' };

export function nextStep(state: OrderState, policy: Policy, now: number): Step {
  if (standingAlarms(state).length > 0) return NOTHING;
  switch (state.phase) {
    case 'planned':
      return { do: 'submit', at: now };
    case 'in-doubt':
      return doubtStep(state, policy, now);
    // Claimed: a run ended between the claim and the answer, so it may have been sent.
    case 'claimed':
      return isStrict(state) ? seekStep(state, policy, now) : askStep(state, policy, now);
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

function doubtStep(state: OrderState, policy: Policy, now: number): Step {
  // A person says what became of one of its lines: submitted again, the order could pay that line once more.
  if (hasResolvedLine(state)) return askStep(state, policy, now);
  if (neverLeft(state)) {
    const step = followStep(state, policy, now);
    return step.do === 'look-up' ? { do: 'submit', at: step.at } : step;
  }
  if (isStrict(state)) return seekStep(state, policy, now);
  if (state.answer?.tag === 'refused' && !state.leftBefore && state.unknowns >= 1) return { do: 'refuse' };
  if (mayResend(state, policy.inDoubt, now)) return { do: 'submit', at: now };
  return followStep(state, policy, now, provenAbsentAt(state, policy.inDoubt));
}

/** Follows an order as far as anybody can be asked; otherwise its final word comes by callback, or never. */
const askStep = (state: OrderState, policy: Policy, now: number): Step =>
  policy.hasLookUp(state.submission) ? followStep(state, policy, now) : NOTHING;

const isStrict = ({ submission }: OrderState): boolean => submissionTable[submission].protocol === 'strict';

/**
 * Looks for an order that the service may or may not have taken, and that is not sent again. After the silence in which
 * one that was taken must have become known, further waiting shows nothing more; the next run looks again.
 */
function seekStep(state: OrderState, policy: Policy, now: number): Step {
  const { polling, inDoubt } = policy;
  const deadlineMs = Math.min(polling.deadlineMs, inDoubt.quietMs);
  return askStep(state, { ...policy, polling: { ...polling, deadlineMs } }, now);
}

/** Whether the same id with the same bytes may be submitted again. */
function mayResend(state: OrderState, rule: InDoubtSettings, now: number): boolean {
  if (rule.resend === 'never') return false;
  // The service said that it holds this id: a second submission could only hide the first one's result.
  if (state.answer?.tag === 'exists') return false;
  if (state.posts > rule.maxResends) return false;
  if (state.firstClaimedAt === undefined || now - state.firstClaimedAt > rule.maxAgeMs) return false;
  const { unknowns, firstUnknownAt, lastUnknownAt } = state;
  if (unknowns < 2 || firstUnknownAt === undefined || lastUnknownAt === undefined) return false;
  return lastUnknownAt - firstUnknownAt >= rule.unknownGapMs && lastUnknownAt - lastSentAt(state) >= rule.quietMs;
}

/** The earliest time at which one more "unknown" would prove that the order is absent. */
function provenAbsentAt(state: OrderState, rule: InDoubtSettings): number | undefined {
  if (state.firstUnknownAt === undefined) return undefined;
  return Math.max(state.firstUnknownAt + rule.unknownGapMs, lastSentAt(state) + rule.quietMs);
}

const lastSentAt = ({ lastEndedAt, lastClaimedAt }: OrderState): number =>
  Math.max(lastEndedAt ?? 0, lastClaimedAt ?? 0);

/**
 * Waits grow with the time already waited, from `firstMs` to `maxMs`, so no counter is kept. `known` is a better time
 * when there is one.
 */
function followStep(state: OrderState, { polling, startedAt }: Policy, now: number, known?: number): Step {
  const since = Math.max(lastSentAt(state), startedAt);
  const waited = now - since;
  if (waited >= polling.deadlineMs) return { do: 'park' };
  const wait = Math.min(Math.max(waited / 2, polling.firstMs), polling.maxMs);
  const at = known !== undefined && known > now ? known : now + wait;
  return { do: 'look-up', at: Math.min(at, since + polling.deadlineMs) };
}
