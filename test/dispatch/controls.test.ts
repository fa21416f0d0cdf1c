/** When "unknown" is believed: only of a service that has shown what it accepted no earlier. */
import { describe, expect, test } from 'vitest';
import { Controls } from '../../src/dispatch/controls.ts';
import { nextStep } from '../../src/dispatch/decision.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted, GAP, policy, QUIET } from './doubted-order.ts';

/** Claimed at 1,000 and lost at 2,000, under the second lease. */
const lost: OrderState = {
  ...doubted,
  firstClaimedAt: 1_000,
  lastClaimedAt: 1_000,
  lastClaimEpoch: 2,
  lastEndedAt: 2_000,
  answer: { tag: 'ambiguous', reason: 'ECONNRESET' },
};

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
});

describe('an order of which nothing was heard', () => {
  const now = 2_000 + QUIET;
  const unknown: OrderState = { ...lost, unknowns: 2, firstUnknownAt: 3_000, lastUnknownAt: now };
  const shown = (since: number | undefined) => ({ ...policy, shownSince: () => since });

  test('is submitted again when one that was accepted later was shown long enough before', () => {
    expect(nextStep(unknown, shown(now - GAP), now).do).toBe('submit');
    expect(nextStep(unknown, shown(now - GAP + 1), now)).toEqual({ do: 'look-up', at: now + 1 });
  });

  test('is not submitted again where none was, and is given up when nothing is sent that could be', () => {
    expect(nextStep(unknown, { ...shown(undefined), isSending: true }, now).do).toBe('look-up');
    const late = now + GAP + policy.polling.maxMs;
    expect(nextStep({ ...unknown, lastUnknownAt: late }, shown(undefined), late).do).toBe('park');
    expect(nextStep({ ...unknown, lastUnknownAt: late }, { ...shown(undefined), isSending: true }, late).do).toBe(
      'look-up',
    );
  });

  test.each<[string, Partial<OrderState>, string]>([
    ['is submitted again where a person says that it never arrived', {}, 'submit'],
    ['is submitted again on such a word, however old it is and however often it was', { posts: 9 }, 'submit'],
    [
      'is not, on such a word, where the service said that it has it',
      { answer: { tag: 'exists', reason: '' } },
      'park',
    ],
    ['is not, on such a word, where it was not looked up twice since', { unknowns: 1 }, 'look-up'],
  ])('%s', (_, changes, step) => {
    const said = { ...unknown, ...changes, saidAbsent: { by: 'amina@desk', at: 4_000 } };
    const rule = { ...shown(undefined), inDoubt: { ...policy.inDoubt, maxAgeMs: 1 } };
    expect(nextStep(said, { ...rule, polling: { ...policy.polling, deadlineMs: QUIET } }, now).do).toBe(step);
  });
});
