/** When "unknown" is believed of an order that may have left: beside another one, or on the word of a person. */
import { describe, expect, test } from 'vitest';
import { needsPerson, nextStep, type Policy } from '../../src/dispatch/decision.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted, GAP, policy, QUIET, RESENDS } from './doubted-order.ts';

/** Claimed at 1,000 and lost at 2,000. */
const lost: OrderState = {
  ...doubted,
  firstClaimedAt: 1_000,
  lastClaimedAt: 1_000,
  lastClaimEpoch: 2,
  lastEndedAt: 2_000,
  answer: { tag: 'ambiguous', reason: 'ECONNRESET' },
};

describe('an order of which nothing was heard', () => {
  const now = 2_000 + QUIET;
  const unknown: OrderState = { ...lost, unknowns: 2, firstUnknownAt: 3_000, lastUnknownAt: now };
  const shown = (since: number | undefined) => ({ ...policy, visibleSince: () => since });

  test('is submitted again when one that was accepted later was shown long enough before', () => {
    expect(nextStep(unknown, shown(now - GAP), now).do).toBe('submit');
    expect(nextStep(unknown, shown(now - GAP + 1), now)).toEqual({ do: 'look-up', at: now + 1 });
  });

  test('is not submitted again where none was, and is given up when nothing is sent that could be', () => {
    expect(nextStep(unknown, { ...shown(undefined), moreComes: true }, now).do).toBe('look-up');
    const late = now + GAP + policy.polling.maxMs;
    expect(nextStep({ ...unknown, lastUnknownAt: late }, shown(undefined), late).do).toBe('park');
    expect(nextStep({ ...unknown, lastUnknownAt: late }, { ...shown(undefined), moreComes: true }, late).do).toBe(
      'look-up',
    );
  });

  test.each<[string, Partial<OrderState>, string]>([
    ['is submitted again where a person says that it never arrived', {}, 'submit'],
    ['is submitted again on such a word, however old it is and however often it was', { posts: 9 }, 'submit'],
    [
      'is submitted again on such a word, where the run died before it had an answer',
      { answer: undefined as never },
      'submit',
    ],
    [
      'is not, on such a word, where the service said that it has it',
      { answer: { tag: 'exists', reason: '' } },
      'park',
    ],
    ['is not, on such a word, where it was not looked up twice since', { unknowns: 1 }, 'look-up'],
    ['is not, on such a word, where it is of a strict submission', { submission: 'bill-payment' }, 'park'],
  ])('%s', (_, changes, step) => {
    const said = { ...unknown, ...changes, saidAbsent: { by: 'amina@desk', at: 4_000 } };
    const rule = { ...shown(undefined), inDoubt: { ...policy.inDoubt, maxAgeMs: 1 } };
    expect(nextStep(said, { ...rule, polling: { ...policy.polling, deadlineMs: QUIET } }, now).do).toBe(step);
  });
});

describe('a run waits for proof of an order that may go again', () => {
  const notShown: Policy = { ...policy, visibleSince: () => undefined };
  const provenMs = GAP + QUIET + policy.polling.maxMs;
  const patient = (deadlineMs: number, more: Partial<Policy> = {}): Policy => ({
    ...notShown,
    ...more,
    polling: { ...policy.polling, deadlineMs },
  });
  const stepAfter = (ms: number, rule: Policy) => nextStep(lost, rule, 2_000 + ms).do;

  test('no longer than proof takes, where nothing more comes beside it', () => {
    expect(stepAfter(provenMs - 1, patient(900_000))).toBe('look-up');
    expect(stepAfter(provenMs, patient(900_000))).toBe('park');
  });

  test('no longer than the run has patience, where that is less', () => {
    expect(stepAfter(59_999, patient(60_000))).toBe('look-up');
    expect(stepAfter(60_000, patient(60_000))).toBe('park');
  });

  test.each<[string, Partial<Policy>]>([
    ['others may yet be shown', { moreComes: true }],
    ['look-ups show what was accepted later', { visibleSince: () => 5_000 }],
  ])('as long as it has patience, and as proof takes at least, where %s', (_, more) => {
    expect(stepAfter(provenMs, patient(900_000, more))).toBe('look-up');
    expect(stepAfter(900_000, patient(900_000, more))).toBe('park');
    expect(stepAfter(provenMs - 1, patient(60_000, more))).toBe('look-up');
    expect(stepAfter(provenMs, patient(60_000, more))).toBe('park');
  });

  test('not at all where it asks only once', () => {
    expect(stepAfter(0, patient(0, { moreComes: true }))).toBe('park');
  });
});

describe('a sleep of the computer', () => {
  const now = 2_000 + QUIET + GAP;
  const unknown = { unknowns: 2, firstUnknownAt: 3_000, lastUnknownAt: now - 10 };
  const cases: readonly (readonly [Partial<OrderState>, string])[] = [
    [{}, 'submit'],
    // Never left, as far as a ledger in recovery knows.
    [{ answer: { tag: 'not-sent', reason: 'ECONNREFUSED' } }, 'submit'],
    [{ answer: { tag: 'refused', reason: 'HTTP 400' } }, 'refuse'],
  ];

  test('makes old what proved an order absent, because another computer may have sent it meanwhile', () => {
    for (const [changes, step] of cases) {
      const state = { ...lost, ...unknown, ...changes };
      const rule: Policy = { ...policy, lookFirst: true, visibleSince: () => 2_000 };
      expect(nextStep(state, rule, now).do).toBe(step);
      expect(nextStep(state, { ...rule, wokeAt: now - 10 }, now).do).toBe(step);
      expect(nextStep(state, { ...rule, wokeAt: now - 9 }, now).do).toBe('look-up');
    }
  });
});

describe('nothing has to be shown beside an order', () => {
  const now = 2_000 + QUIET;
  const notShown: Policy = { ...policy, visibleSince: () => undefined };
  const unknown = { unknowns: 2, firstUnknownAt: 3_000, lastUnknownAt: now };

  test.each<[string, Partial<OrderState>, string]>([
    ['that was refused', { answer: { tag: 'refused', reason: 'HTTP 400' } }, 'refuse'],
    ['that never left', { answer: { tag: 'not-sent', reason: 'ECONNREFUSED' } }, 'submit'],
  ])('%s', (_, changes, step) => {
    const state = { ...lost, ...unknown, ...changes };
    expect(nextStep(state, { ...notShown, lookFirst: true }, now).do).toBe(step);
    // The next time is known at which it is proven, and none of the other order: that is looked up within its wait.
    const once = { ...state, unknowns: 1, firstUnknownAt: now - 10, lastUnknownAt: now - 10 };
    expect(nextStep(once, { ...notShown, lookFirst: true }, now)).toEqual({ do: 'look-up', at: now - 10 + GAP });
  });

  test('but one that left before it was refused, or could not be sent again', () => {
    for (const tag of ['refused', 'not-sent'] as const) {
      const state: OrderState = { ...lost, ...unknown, mayHaveArrived: true, answer: { tag, reason: '' } };
      expect(nextStep(state, { ...notShown, lookFirst: true }, now).do).toBe('look-up');
      expect(nextStep(state, { ...policy, lookFirst: true }, now).do).toBe('submit');
    }
  });
});

describe('what was claimed and never left', () => {
  const now = 500_000;
  const startedAt = 400_000;
  const tried: OrderState = {
    ...lost,
    lastClaimedAt: 450_000,
    lastEndedAt: 499_000,
    answer: { tag: 'not-sent', reason: 'ECONNREFUSED' },
  };
  const earlier: OrderState = { ...tried, lastClaimedAt: startedAt - 1, lastEndedAt: startedAt - 1 };
  const rule: Policy = { ...policy, startedAt };

  test('is submitted again after a wait where this run tried it, and at once where an earlier one did', () => {
    expect(nextStep(tried, rule, now)).toEqual({ do: 'submit', at: now + policy.polling.firstMs });
    expect(nextStep({ ...tried, lastClaimedAt: startedAt }, rule, now).do).toBe('submit');
    expect(nextStep({ ...tried, lastClaimedAt: startedAt }, rule, 499_000 + 900_000).do).toBe('park');
    expect(nextStep(earlier, rule, now)).toEqual({ do: 'submit', at: now });
    expect(nextStep(earlier, rule, startedAt + 990_000).do).toBe('submit');
  });

  test.each<[string, Partial<OrderState>, Partial<Policy>, string]>([
    ['was not asked for', {}, {}, 'look-up'],
    ['was asked for before the run', { lastUnknownAt: startedAt - 1 }, {}, 'look-up'],
    ['was asked for in the run', { lastUnknownAt: startedAt }, {}, 'submit'],
    ['was asked for before the computer slept', { lastUnknownAt: 449_999 }, { wokeAt: 450_000 }, 'look-up'],
    ['was asked for after it woke', { lastUnknownAt: 450_000 }, { wokeAt: 450_000 }, 'submit'],
    ['cannot be asked for', {}, { hasLookUp: () => false }, 'submit'],
    ['is of a strict submission', { submission: 'bill-payment' }, {}, 'submit'],
  ])('is asked for before it leaves, where each order is, if it %s', (_, changes, more, step) => {
    const asking: Policy = { ...rule, askEach: true, ...more };
    for (const state of [tried, earlier]) expect(nextStep({ ...state, ...changes }, asking, now).do).toBe(step);
  });
});

describe('only a person can say more of an order', () => {
  const rule = { maxResends: RESENDS };

  test.each<[string, Partial<OrderState>, boolean]>([
    ['that may go once more, and was looked up once', { unknowns: 1 }, false],
    ['that may go once more, and of which look-ups know nothing', { unknowns: 2 }, true],
    ['that left as often as it may, less one', { posts: RESENDS }, false],
    ['that left as often as it may', { posts: RESENDS + 1 }, true],
    ['of a strict submission that may have left', { submission: 'airtime' }, true],
    [
      'of a strict submission that never left',
      { submission: 'airtime', posts: 9, answer: { tag: 'not-sent', reason: '' } },
      false,
    ],
  ])('%s: %s', (_, changes, needs) => {
    expect(needsPerson({ ...lost, ...changes }, rule)).toBe(needs);
  });
});
