/** How late look-ups are, and what a run does for want of a witness. What follows for an order: `decision-absence.test.ts`. */
import { describe, expect, test } from 'vitest';
import { Witnesses } from '../../src/dispatch/witnesses.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted, lineIn } from './doubted-order.ts';

/** Claimed at 1,000 and lost at 2,000, under the second lease. */
const lost: OrderState = {
  ...doubted,
  firstClaimedAt: 1_000,
  lastClaimedAt: 1_000,
  lastClaimEpoch: 2,
  lastEndedAt: 2_000,
  answer: { tag: 'ambiguous', reason: 'ECONNRESET' },
};

const { answer: _answer, lastEndedAt: _endedAt, ...unanswered } = lost;

const shownAt = (at: number, source?: 'callback'): readonly Fact[] => [
  { type: 'order-observed', order: 'other' as OrderId, at, processed: true, lines: [], ...(source && { source }) },
];

/** Another one, accepted at a time under a lease. */
const accepted = (at: number, epoch = 2): OrderState => ({
  ...lost,
  id: 'other' as OrderId,
  phase: 'accepted',
  lastEndedAt: at,
  lastClaimEpoch: epoch,
  answer: { tag: 'accepted', reason: 'HTTP 200' },
});

/** Something is learnt of an order that stays as it was. */
const learn = (witnesses: Witnesses, state: OrderState, facts: readonly Fact[]): void =>
  witnesses.learnt(state, state, facts);

describe('look-ups show what was accepted when an order was lost', () => {
  test.each<[string, OrderState, readonly Fact[], number | undefined]>([
    ['from when another one, accepted in that moment, is shown', accepted(2_000), shownAt(9_000), 9_000],
    ['not where it was accepted before', accepted(1_999), shownAt(9_000), undefined],
    ['where it was accepted under a later lease, whatever its clock says', accepted(5, 3), shownAt(9_000), 9_000],
    ['not where it was accepted under an earlier one', accepted(7_000, 1), shownAt(9_000), undefined],
    ['not where a callback tells of it', accepted(3_000), shownAt(9_000, 'callback'), undefined],
    ['not where it is of another kind', { ...accepted(3_000), submission: 'airtime' }, shownAt(9_000), undefined],
    ['not where nothing is shown of it', accepted(3_000), [], undefined],
    [
      'not where a look-up does not know it',
      accepted(3_000),
      [{ type: 'order-unknown', order: 'other' as OrderId, at: 9_000 }],
      undefined,
    ],
    [
      'where it was claimed in that moment, and its answer is not on record',
      { ...unanswered, id: 'other' as OrderId, lastClaimedAt: 2_000 },
      shownAt(9_000),
      9_000,
    ],
    [
      'where it was claimed after that, and is shown although its answer was lost',
      { ...lost, id: 'other' as OrderId, lastClaimedAt: 2_500, lastEndedAt: 3_000 },
      shownAt(9_000),
      9_000,
    ],
    [
      'not where its answer was lost, and it was claimed before that',
      { ...lost, id: 'other' as OrderId, lastClaimedAt: 1_500, lastEndedAt: 3_000 },
      shownAt(9_000),
      undefined,
    ],
  ])('%s', (_, other, facts, since) => {
    const witnesses = new Witnesses();
    learn(witnesses, other, facts);
    expect(witnesses.visibleSince(lost)).toBe(since);
  });

  test('from the first of several that show it', () => {
    const witnesses = new Witnesses();
    learn(witnesses, accepted(1_500), shownAt(4_000));
    learn(witnesses, accepted(2_500), shownAt(5_000));
    learn(witnesses, accepted(9_500), shownAt(9_600));
    expect(witnesses.visibleSince(lost)).toBe(5_000);
    expect(witnesses.visibleSince({ ...lost, lastEndedAt: 3_000 })).toBe(9_600);
    expect(witnesses.visibleSince({ ...lost, lastEndedAt: 9_501 })).toBeUndefined();
  });

  test('whatever comes to light later of what was accepted before, or in the same moment', () => {
    const witnesses = new Witnesses();
    learn(witnesses, accepted(5_000), shownAt(6_000));
    learn(witnesses, accepted(5_000), shownAt(7_000));
    learn(witnesses, accepted(3_000), shownAt(8_000));
    expect(witnesses.visibleSince({ ...lost, lastEndedAt: 5_000 })).toBe(6_000);
    expect(witnesses.visibleSince({ ...lost, lastEndedAt: 3_000 })).toBe(6_000);
  });

  test('by the one that shows most, however many show less', () => {
    const witnesses = new Witnesses();
    learn(witnesses, accepted(2_500), shownAt(5_000));
    for (let n = 1; n <= 256; n++) learn(witnesses, accepted(2_100 + n), shownAt(6_000 + n));
    expect(witnesses.visibleSince(lost)).toBe(5_000);
  });

  test('by 256 of them: a later one stands for those before', () => {
    const witnesses = new Witnesses();
    for (let n = 1; n <= 257; n++) learn(witnesses, accepted(2_000 + n), shownAt(10_000 + n));
    expect(witnesses.visibleSince(lost)).toBe(10_002);
    expect(witnesses.visibleSince({ ...lost, lastEndedAt: 2_257 })).toBe(10_257);
  });

  test('since it was claimed, where the answer to it was not recorded', () => {
    const witnesses = new Witnesses();
    learn(witnesses, accepted(1_000), shownAt(9_000));
    expect(witnesses.visibleSince(unanswered)).toBe(9_000);
    expect(witnesses.visibleSince({ ...unanswered, lastClaimedAt: 1_001 })).toBeUndefined();
  });

  test('of no order that was never sent', () => {
    const { lastEndedAt, lastClaimedAt, ...unsent } = lost;
    const witnesses = new Witnesses();
    learn(witnesses, accepted(1_000), shownAt(9_000));
    expect(witnesses.visibleSince(unsent)).toBeUndefined();
    const { lastClaimEpoch, ...unclaimed } = lost;
    expect(witnesses.visibleSince(unclaimed)).toBeUndefined();
  });

  test.each<[string, Partial<OrderState>]>([
    ['no lease', { lastClaimEpoch: undefined as unknown as number }],
    ['no time', { lastEndedAt: undefined as unknown as number }],
  ])('by none of which %s is known', (_, missing) => {
    const witnesses = new Witnesses();
    learn(witnesses, { ...accepted(9_000), ...missing }, shownAt(9_000));
    expect(witnesses.visibleSince(lost)).toBeUndefined();
  });
});

const word = { saidAbsent: { by: 'amina@desk', at: 4_000 } };
const observed: Fact = { type: 'order-observed', order: 'other' as OrderId, at: 5_000, processed: false, lines: [] };
const awaited = { ...doubted, id: 'other' as OrderId };

test.each<[string, OrderState, boolean]>([
  ['one that was accepted', { ...awaited, phase: 'accepted' }, true],
  ['one that never arrived, by the word of a person', { ...awaited, ...word }, true],
  ['none: it is in doubt as well', awaited, false],
  ['none: the service says that it holds it', { ...awaited, ...word, answer: { tag: 'exists', reason: '' } }, false],
  ['none: it is never submitted twice', { ...awaited, ...word, submission: 'bill-payment' }, false],
  ['none: it has its end', { ...awaited, phase: 'settled' }, false],
  ['none: it has its end, whatever a person said before', { ...awaited, ...word, phase: 'settled' }, false],
])('what may be shown is %s', (_, state, mayCome) => {
  const witnesses = new Witnesses();
  learn(witnesses, state, []);
  expect(witnesses.mayCome).toBe(mayCome);
});

test('what was shown, or is lost again, is awaited no longer', () => {
  const witnesses = new Witnesses();
  learn(witnesses, { ...awaited, ...word }, []);
  learn(witnesses, { ...awaited, phase: 'accepted' }, []);
  learn(witnesses, { ...doubted, ...word }, []);
  expect(witnesses.mayCome).toBe(true);
  learn(witnesses, { ...awaited, phase: 'accepted' }, [observed]);
  expect(witnesses.mayCome).toBe(true);
  learn(witnesses, doubted, []);
  expect(witnesses.mayCome).toBe(false);
});

const silent: OrderState = { ...doubted, answer: { tag: 'ambiguous', reason: 'ECONNRESET' } };
const other: OrderState = { ...silent, id: 'other' as OrderId };
const inVain: OrderState = { ...silent, overdue: true };

describe('the last order may leave', () => {
  test.each<[string, readonly OrderState[], Witnesses['lastMayLeave']]>([
    ['where nothing else was sent', [], 'yes'],
    ['where one was accepted, whatever became of others', [silent, { ...other, phase: 'accepted' }], 'yes'],
    [
      'where one was accepted though nobody could say what became of another',
      [inVain, { ...other, phase: 'accepted' }],
      'yes',
    ],
    [
      'where one was heard of though nobody could say what became of another',
      [inVain, { ...other, unknowns: 1 }],
      'yes',
    ],
    ['not before all that were lost are heard of or followed in vain', [inVain, other], 'not yet'],
    ['not before one that was lost is heard of', [silent], 'not yet'],
    ['when a look-up said clearly that it is unknown', [silent, { ...silent, unknowns: 1 }], 'yes'],
    ['never where nobody could say what became of it', [silent, inVain], 'no'],
    ['where one was refused', [{ ...silent, answer: { tag: 'refused', reason: 'HTTP 400' } }], 'yes'],
    ['where one was settled, whatever became of others', [silent, { ...other, phase: 'settled' }], 'yes'],
    ['while another is on its way, and nothing is known of it', [{ ...silent, phase: 'claimed' }], 'yes'],
    ['where one that was lost can never be looked up', [{ ...silent, submission: 'airtime' }], 'yes'],
    ['where one of those was followed in vain', [{ ...silent, submission: 'airtime', overdue: true }], 'yes'],
    ['where nothing is known of one but that it may have left', [doubted], 'not yet'],
    ['where one never left', [{ ...silent, answer: { tag: 'not-sent', reason: 'ECONNREFUSED' } }], 'yes'],
  ])('%s', (_, states, may) => {
    const last = new Witnesses();
    for (const state of states) last.recorded(state);
    expect(last.lastMayLeave).toBe(may);
  });

  test('when each of those that were lost is heard of', () => {
    const last = new Witnesses();
    for (const state of [silent, other, inVain]) last.recorded(state);
    expect(last.lastMayLeave).toBe('not yet');
    last.recorded({ ...other, unknowns: 1 });
    expect(last.lastMayLeave).toBe('yes');
  });
});

describe('the row that the provider has to be asked about', () => {
  const unknown = (row: number, more: Partial<OrderState> = {}): OrderState => ({
    ...lost,
    id: `o${row}` as OrderId,
    lines: [lineIn('open', { row: row + 1 }), lineIn('open', { row })],
    unknowns: 2,
    ...more,
  });
  const rowAfter = (...states: readonly OrderState[]): number | undefined => {
    const witnesses = new Witnesses();
    for (const state of states) witnesses.recorded(state);
    return witnesses.rowToAskFor(0);
  };

  test('is the first of those that look-ups do not know', () => {
    expect(rowAfter(unknown(9), unknown(4), unknown(6))).toBe(4);
  });

  test.each<[string, readonly OrderState[]]>([
    ['nothing was lost', []],
    ['it was asked for only once', [unknown(4, { unknowns: 1 })]],
    ['the service says that it holds it', [unknown(4, { answer: { tag: 'exists', reason: '' } })]],
    ['a person has said that it never arrived', [unknown(4, word)]],
    ['it was accepted since', [unknown(4), unknown(4, { phase: 'accepted' })]],
    ['it was refused', [unknown(4, { answer: { tag: 'refused', reason: '' } })]],
  ])('is none where %s', (_, states) => {
    expect(rowAfter(...states)).toBeUndefined();
  });

  test('is that of an order of which nothing is known but that it was claimed', () => {
    const { answer, ...claimed } = unknown(4);
    expect(rowAfter(claimed)).toBe(4);
  });

  test('is none as long as an order is still to be sent, which can show how late look-ups are', () => {
    const witnesses = new Witnesses();
    witnesses.recorded(unknown(4));
    expect([witnesses.rowToAskFor(1), witnesses.rowToAskFor(0)]).toEqual([undefined, 4]);
  });

  test('is none of an order for which another one stands that was accepted after it', () => {
    const witnesses = new Witnesses();
    witnesses.recorded(unknown(4));
    witnesses.recorded(unknown(8, { lastEndedAt: 4_000 }));
    learn(witnesses, accepted(3_000), shownAt(9_000));
    expect(witnesses.rowToAskFor(0)).toBe(8);
    learn(witnesses, accepted(5_000), shownAt(9_500));
    expect(witnesses.rowToAskFor(0)).toBeUndefined();
  });
});
