/** How late look-ups are: from when on a service shows what it accepted no earlier. What follows: `decision-absence.test.ts`. */
import { describe, expect, test } from 'vitest';
import { Controls } from '../../src/dispatch/controls.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted } from './doubted-order.ts';

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
    const controls = new Controls();
    controls.note(other, facts);
    expect(controls.shownSince(lost)).toBe(since);
  });

  test('from the first of several that show it', () => {
    const controls = new Controls();
    controls.note(accepted(1_500), shownAt(4_000));
    controls.note(accepted(2_500), shownAt(5_000));
    controls.note(accepted(9_500), shownAt(9_600));
    expect(controls.shownSince(lost)).toBe(5_000);
    expect(controls.shownSince({ ...lost, lastEndedAt: 3_000 })).toBe(9_600);
    expect(controls.shownSince({ ...lost, lastEndedAt: 9_501 })).toBeUndefined();
  });

  test('whatever comes to light later of what was accepted before, or in the same moment', () => {
    const controls = new Controls();
    controls.note(accepted(5_000), shownAt(6_000));
    controls.note(accepted(5_000), shownAt(7_000));
    controls.note(accepted(3_000), shownAt(8_000));
    expect(controls.shownSince({ ...lost, lastEndedAt: 5_000 })).toBe(6_000);
    expect(controls.shownSince({ ...lost, lastEndedAt: 3_000 })).toBe(6_000);
  });

  test('by the one that shows most, however many show less', () => {
    const controls = new Controls();
    controls.note(accepted(2_500), shownAt(5_000));
    for (let n = 1; n <= 256; n++) controls.note(accepted(2_100 + n), shownAt(6_000 + n));
    expect(controls.shownSince(lost)).toBe(5_000);
  });

  test('by 256 of them: a later one stands for those before', () => {
    const controls = new Controls();
    for (let n = 1; n <= 257; n++) controls.note(accepted(2_000 + n), shownAt(10_000 + n));
    expect(controls.shownSince(lost)).toBe(10_002);
    expect(controls.shownSince({ ...lost, lastEndedAt: 2_257 })).toBe(10_257);
  });

  test('since it was claimed, where the answer to it was not recorded', () => {
    const controls = new Controls();
    controls.note(accepted(1_000), shownAt(9_000));
    expect(controls.shownSince(unanswered)).toBe(9_000);
    expect(controls.shownSince({ ...unanswered, lastClaimedAt: 1_001 })).toBeUndefined();
  });

  test('of no order that was never sent', () => {
    const { lastEndedAt, lastClaimedAt, ...unsent } = lost;
    const controls = new Controls();
    controls.note(accepted(1_000), shownAt(9_000));
    expect(controls.shownSince(unsent)).toBeUndefined();
    const { lastClaimEpoch, ...unclaimed } = lost;
    expect(controls.shownSince(unclaimed)).toBeUndefined();
  });

  test.each<[string, Partial<OrderState>]>([
    ['no lease', { lastClaimEpoch: undefined as unknown as number }],
    ['no time', { lastEndedAt: undefined as unknown as number }],
  ])('by none of which %s is known', (_, missing) => {
    const controls = new Controls();
    controls.note({ ...accepted(9_000), ...missing }, shownAt(9_000));
    expect(controls.shownSince(lost)).toBeUndefined();
  });
});
