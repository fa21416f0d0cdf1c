/** What happens next to an order that is not in doubt, and when: each phase, each time, each clock that jumped. */
import { describe, expect, test } from 'vitest';
import {
  dueAfter,
  followedUntil,
  mustLookFirst,
  nextStep,
  type Policy,
  provenUnsentAt,
  type Step,
} from '../../src/dispatch/decision.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { AGE, doubted, GAP, lineIn, NOW, notPaid, policy, QUIET } from './doubted-order.ts';

describe('outside of doubt', () => {
  const silent: Policy = { ...policy, hasLookUp: () => false };
  const once: Policy = { ...policy, polling: { ...policy.polling, deadlineMs: 0 } };
  const sent: Partial<OrderState> = { lastClaimedAt: NOW - QUIET, lastEndedAt: NOW - QUIET };
  const strict: Partial<OrderState> = { ...sent, submission: 'bill-payment' };
  const timedOut = [lineIn('completed'), lineIn('timed-out')];
  const handResolved = [lineIn('completed'), lineIn('open', { resolved: notPaid })];
  const final = [lineIn('completed'), lineIn('rejected'), lineIn('failed')];

  test.each<[OrderState['phase'], string, Step['do'], Partial<OrderState>, Policy]>([
    ['planned', 'as it is', 'nothing', {}, policy],
    ['planned', 'and nobody can be asked', 'nothing', {}, silent],
    ['planned', 'as another attempt', 'nothing', { attempt: 2 }, policy],
    ['claimed', 'as it is', 'look-up', sent, policy],
    ['claimed', 'and nobody can be asked', 'nothing', sent, silent],
    ['claimed', 'in a run that does not wait', 'park', sent, once],
    ['claimed', 'of a strict submission, after the silence', 'park', strict, policy],
    ['claimed', 'of a strict submission, before', 'look-up', { ...strict, lastEndedAt: NOW - QUIET + 1 }, policy],
    ['claimed', 'of a strict submission, and nobody can be asked', 'nothing', strict, silent],
    ['accepted', 'as it is', 'look-up', sent, policy],
    ['accepted', 'of a strict submission', 'look-up', strict, policy],
    ['accepted', 'and nobody can be asked', 'nothing', sent, silent],
    ['accepted', 'in a run that does not wait', 'park', sent, once],
    ['refused', 'as it is', 'nothing', sent, policy],
    ['settled', 'with a final word on every line', 'nothing', { lines: final }, policy],
    ['settled', 'with a line that timed out', 'look-up', { lines: timedOut }, policy],
    ['settled', 'with a line that timed out, in a run that does not wait', 'look-up', { lines: timedOut }, once],
    ['settled', 'with a line that timed out, and nobody can be asked', 'nothing', { lines: timedOut }, silent],
    ['settled', 'with a line that a person resolved', 'look-up', { lines: handResolved }, policy],
    [
      'settled',
      'with a line that a person resolved, and nobody can be asked',
      'nothing',
      { lines: handResolved },
      silent,
    ],
  ])('an order that is %s, %s: %s', (phase, _, step, known, rule) => {
    const state: OrderState = { ...doubted, ...known, phase };
    expect(nextStep(state, rule, NOW).do).toBe(step);
    const alarmed: OrderState = { ...state, alarms: ['another payee'] };
    expect(nextStep(alarmed, rule, NOW)).toEqual({ do: 'nothing' });
    // A person has dealt with the alarm since, for every line.
    const lines = state.lines.map((one) => ({ ...one, resolved: { paid: false, by: 'amina@desk', at: 1, alarms: 1 } }));
    const dealtWith = nextStep({ ...alarmed, lines }, rule, NOW).do;
    expect(dealtWith).toBe(nextStep({ ...state, lines }, rule, NOW).do);
  });

  test('a step that is taken now says so', () => {
    expect(nextStep({ ...doubted, phase: 'settled', lines: timedOut }, policy, NOW)).toEqual({
      do: 'look-up',
      at: NOW,
    });
  });

  test('a phase that nobody knows is a bug', () => {
    const state = { ...doubted, phase: 'lost' } as unknown as OrderState;
    expect(() => nextStep(state, policy, NOW)).toThrow(InvariantError);
  });
});

describe('the time of the next look-up', () => {
  const MINUTE = 60_000;
  /** An order whose answer was lost a minute ago, and whether it was unknown since. */
  const lost: OrderState = {
    ...doubted,
    answer: { tag: 'ambiguous', reason: '' },
    firstClaimedAt: NOW - MINUTE,
    lastClaimedAt: NOW - MINUTE,
    lastEndedAt: NOW - MINUTE,
  };
  const unknown = (at: number): OrderState => ({ ...lost, unknowns: 1, firstUnknownAt: at, lastUnknownAt: at });
  const inDoubt = (changes: Partial<Policy['inDoubt']>): Policy => ({
    ...policy,
    inDoubt: { ...policy.inDoubt, ...changes },
  });
  const atOf = (state: OrderState, rule: Policy = policy): number => {
    const step = nextStep(state, rule, NOW);
    return step.do === 'look-up' ? step.at - NOW : Number.NaN;
  };

  test.each<[string, OrderState, Policy, number]>([
    ['half of the time waited, before the first "unknown"', lost, policy, MINUTE / 2],
    ['the end of the silence', unknown(NOW), policy, MINUTE],
    ['the end of the gap', unknown(NOW), inDoubt({ unknownGapMs: 90_000 }), 90_000],
    [
      'half of the time waited, when it could be proven by now',
      unknown(NOW - MINUTE),
      inDoubt({ quietMs: 60_000 }),
      MINUTE / 2,
    ],
    ['the silence of this run, which has just begun', unknown(NOW), { ...policy, startedAt: NOW }, QUIET],
    ['the gap in this run', unknown(NOW - MINUTE), { ...inDoubt({ quietMs: 0 }), startedAt: NOW - 30_000 }, 30_000],
    [
      'the silence of this run, where the record is of the future',
      { ...unknown(NOW), lastEndedAt: NOW + 1 },
      { ...policy, startedAt: NOW - 30_000 },
      90_000,
    ],
    [
      'the gap in this run, where the record is of the future',
      unknown(NOW + 1),
      { ...inDoubt({ quietMs: 0 }), startedAt: NOW - 10_000 },
      50_000,
    ],
    ['the deadline', lost, { ...policy, polling: { firstMs: 50_000, maxMs: 60_000, deadlineMs: 200_000 } }, 50_000],
  ])('is %s', (_, state, rule, ms) => {
    expect(atOf(state, rule)).toBe(ms);
  });
});

describe('two look-ups in one run', () => {
  test('are two only when both were made in it', () => {
    // The gap is longer than the silence here, so that it alone decides.
    const rule: Policy = { ...policy, inDoubt: { ...policy.inDoubt, unknownGapMs: QUIET, quietMs: 0 } };
    const state: OrderState = {
      ...doubted,
      answer: { tag: 'ambiguous', reason: '' },
      firstClaimedAt: NOW - AGE,
      lastEndedAt: NOW - AGE,
      unknowns: 2,
      firstUnknownAt: NOW - QUIET,
      lastUnknownAt: NOW,
    };
    expect(nextStep(state, { ...rule, startedAt: NOW - QUIET }, NOW).do).toBe('submit');
    expect(nextStep(state, { ...rule, startedAt: NOW - QUIET + 1 }, NOW).do).toBe('look-up');
  });
});

test('where nothing has to be waited for, two look-ups prove it in the moment of the submission', () => {
  const rule: Policy = { ...policy, inDoubt: { ...policy.inDoubt, unknownGapMs: 0, quietMs: 0, maxAgeMs: 0 } };
  const times = { firstClaimedAt: NOW, lastClaimedAt: NOW, firstUnknownAt: NOW, lastUnknownAt: NOW };
  expect(nextStep({ ...doubted, ...times, unknowns: 2 }, rule, NOW)).toEqual({ do: 'submit', at: NOW });
});

test('the age of an order is the larger of two clocks, to the millisecond', () => {
  const times = { lastClaimedAt: NOW - QUIET, firstUnknownAt: NOW - GAP, lastUnknownAt: NOW };
  const state: OrderState = { ...doubted, ...times, firstClaimedAt: NOW - QUIET, unknowns: 2 };
  expect(nextStep(state, { ...policy, clockAheadMs: AGE - QUIET }, NOW).do).toBe('submit');
  expect(nextStep(state, { ...policy, clockAheadMs: AGE - QUIET + 1 }, NOW).do).toBe('look-up');
});

describe('what a ledger never sent', () => {
  const planned: OrderState = { ...doubted, phase: 'planned' };

  test.each<[string, OrderState, Partial<Policy>, boolean]>([
    ['a first attempt', planned, {}, false],
    ['a second attempt', { ...planned, attempt: 2 }, {}, true],
    ['a first attempt, where each is asked for', planned, { askEach: true }, true],
    ['a first attempt, where nobody can be asked', planned, { askEach: true, hasLookUp: () => false }, false],
    ['airtime, where each is asked for', { ...planned, submission: 'airtime' }, { askEach: true }, false],
  ])('%s is looked up first, or not', (_, state, more, isLooked) => {
    expect(mustLookFirst(state, { ...policy, ...more })).toBe(isLooked);
  });

  test('is proven unsent at the first "unknown" where the ledger knows it all', () => {
    expect(provenUnsentAt(NOW, { ...policy, startedAt: NOW })).toBe(NOW);
  });

  test('is proven unsent after the gap, and after the silence of this run, where the ledger is in doubt', () => {
    const begun = (startedAt: number): Policy => ({ ...policy, startedAt, lookFirst: true });
    expect(provenUnsentAt(NOW, begun(NOW))).toBe(NOW + QUIET);
    expect(provenUnsentAt(NOW, begun(NOW - QUIET + GAP - 1))).toBe(NOW + GAP);
    expect(provenUnsentAt(NOW, begun(NOW - QUIET + GAP + 1))).toBe(NOW + GAP + 1);
    // The doubt arose in the middle of the run: whoever else sends was seen only then.
    expect(provenUnsentAt(NOW, { ...begun(NOW - 9 * QUIET), recoveryAt: NOW })).toBe(NOW + QUIET);
  });
});

describe('when an order is due next', () => {
  const lost: OrderState = {
    ...doubted,
    firstClaimedAt: NOW - QUIET,
    lastClaimedAt: NOW - QUIET,
    lastEndedAt: NOW - QUIET,
  };
  const proven: OrderState = { ...lost, unknowns: 2, firstUnknownAt: NOW - GAP, lastUnknownAt: NOW };
  const refused: OrderState = { ...proven, answer: { tag: 'refused', reason: '' } };
  const late: Policy = { ...policy, polling: { ...policy.polling, deadlineMs: 0 } };
  const accepted: OrderState = { ...lost, phase: 'accepted' };
  const timedOut: OrderState = { ...doubted, phase: 'settled', lines: [lineIn('timed-out')] };

  test.each<[string, OrderState, Policy, boolean, number | null]>([
    ['is the time of its look-up', accepted, policy, true, NOW + QUIET / 2],
    ['is the time of its look-up in a run that sends nothing, too', accepted, policy, false, NOW + QUIET / 2],
    ['is now where it is to be sent', proven, policy, true, NOW],
    ['is not in a run that sends nothing, where it is to be sent', proven, policy, false, null],
    ['is now where it is to be refused', refused, policy, true, NOW],
    ['is now where it is to be refused after its deadline', { ...refused, overdue: true }, policy, true, NOW],
    ['is now where its deadline is over', accepted, late, true, NOW],
    ['is not in this run once it is parked', { ...accepted, overdue: true }, late, true, null],
    ['is not from here as long as it is planned', { ...doubted, phase: 'planned' }, policy, true, null],
    ['is not again once it is settled, also with a line that timed out', timedOut, policy, true, null],
  ])('%s', (_, state, rule, maySend, at) => {
    expect(dueAfter(state, rule, NOW, maySend)).toBe(at);
  });
});

describe('how long a run follows an order', () => {
  const at = NOW - 5_000;
  const rule: Policy = { ...policy, polling: { ...policy.polling, deadlineMs: 100_000 } };
  const sent = (phase: OrderState['phase']): OrderState => ({ ...doubted, phase, lastClaimedAt: at, lastEndedAt: at });
  /** Both look-ups and the silence between them, and one more wait. */
  const PROVEN = GAP + QUIET + policy.polling.maxMs;

  test.each<[OrderState['phase'], number | undefined]>([
    ['planned', undefined],
    ['claimed', at + PROVEN],
    ['accepted', at + 100_000],
    ['in-doubt', at + PROVEN],
    ['settled', undefined],
    ['refused', undefined],
  ])('that is %s', (phase, until) => {
    expect(followedUntil(sent(phase), rule, NOW)).toBe(until);
  });

  test('counts from the end of a recovery that was later than its submission', () => {
    expect(followedUntil(sent('accepted'), { ...rule, recoveredAt: NOW }, NOW)).toBe(NOW + 100_000);
    expect(followedUntil(sent('accepted'), { ...rule, recoveredAt: at - 1 }, NOW)).toBe(at + 100_000);
  });
});
