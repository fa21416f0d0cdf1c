/** The payments that go ahead of the others: which of them the service took, and which of these it shows. */
import { beforeEach, describe, expect, test } from 'vitest';
import { VisibleProbes } from '../../src/dispatch/witnesses.ts';
import type { AnswerTag, Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { claimedOrder } from './claimed-order.ts';

const NOW = 1_000_000;
const [first, second, stranger] = ['first', 'second', 'stranger'] as OrderId[] as [OrderId, OrderId, OrderId];

const answered = (order: OrderId, tag: AnswerTag): Fact => ({
  type: 'order-answered',
  order,
  at: NOW,
  tag,
  reason: '',
});
const observed = (order: OrderId, serviceId?: string): Fact => ({
  type: 'order-observed',
  order,
  at: NOW,
  processed: true,
  lines: [],
  ...(serviceId !== undefined && { serviceId }),
});
const known = (id: OrderId, serviceId?: string): OrderState =>
  claimedOrder(id, serviceId === undefined ? {} : { serviceId });

let others: number;
let probes: VisibleProbes;
beforeEach(() => {
  others = 0;
  probes = new VisibleProbes(() => {
    others += 1;
  });
});

const learn = (id: OrderId, ...facts: readonly Fact[]): void => probes.learnt(known(id), facts);
const isTaken = (...ids: readonly OrderId[]): void => {
  probes.awaits(ids);
  for (const id of ids) learn(id, answered(id, 'accepted'));
};

describe('a payment that goes ahead', () => {
  test('is waited for when it was accepted, until it is shown', () => {
    probes.awaits([first]);
    expect([probes.accepted, probes.isWaiting]).toEqual([0, false]);
    learn(first, answered(first, 'accepted'));
    expect([probes.accepted, probes.isWaiting]).toEqual([1, true]);
    learn(first, { type: 'order-unknown', order: first, at: NOW });
    expect(probes.isWaiting).toBe(true);
    learn(first, observed(first));
    expect([probes.accepted, probes.isWaiting]).toEqual([1, false]);
  });

  test('is waited for beside others, each until it is shown itself', () => {
    isTaken(first, second);
    learn(first, observed(first));
    expect([probes.accepted, probes.isWaiting]).toEqual([2, true]);
    learn(second, observed(second));
    expect(probes.isWaiting).toBe(false);
  });

  test('is shown at once where its answer and a look-up are learnt together', () => {
    probes.awaits([first]);
    learn(first, answered(first, 'accepted'), observed(first));
    expect([probes.accepted, probes.isWaiting]).toEqual([1, false]);
  });

  test.each<AnswerTag>(['refused', 'exists', 'ambiguous', 'not-sent', 'throttled', 'unauthorised'])(
    'is not waited for when it was %s',
    (tag) => {
      probes.awaits([first]);
      learn(first, answered(first, tag));
      expect([probes.accepted, probes.isWaiting]).toEqual([0, false]);
    },
  );

  test('counts by the first answer to it alone: a later one is of a repetition', () => {
    isTaken(first);
    learn(first, answered(first, 'accepted'), answered(first, 'exists'));
    expect([probes.accepted, probes.isWaiting]).toEqual([1, true]);
  });

  test('counts by its answer, whatever else is learnt of it before', () => {
    probes.awaits([first]);
    learn(first, { type: 'order-unknown', order: first, at: NOW }, observed(first));
    expect([probes.accepted, probes.isWaiting]).toEqual([0, false]);
    learn(first, answered(first, 'accepted'));
    expect([probes.accepted, probes.isWaiting]).toEqual([1, true]);
  });

  test('is any of those that were named, and no other', () => {
    probes.awaits([first]);
    learn(stranger, answered(stranger, 'accepted'));
    expect([probes.accepted, probes.isWaiting]).toEqual([0, false]);
  });

  test('is awaited for as long as was said, and looked up as any other order from then on', () => {
    probes.awaits([first], NOW + 500);
    learn(first, answered(first, 'accepted'));
    expect([probes.isAwaited(NOW), probes.dueAt(known(first), NOW)]).toEqual([true, NOW + 25]);
    expect([probes.isAwaited(NOW + 500), probes.dueAt(known(first), NOW + 500)]).toEqual([false, undefined]);
  });

  test('is waited for no longer when it is given up, and was accepted all the same', () => {
    isTaken(first, second);
    probes.giveUp();
    expect([probes.accepted, probes.isWaiting]).toEqual([2, false]);
    expect(probes.dueAt(known(first), NOW)).toBeUndefined();
  });
});

describe('somebody else is seen to send', () => {
  test.each<[string, string | undefined, string | undefined, number]>([
    ['where another service id is shown than that of the acceptance', 'AG-1', 'AG-2', 1],
    ['not where it is the same', 'AG-1', 'AG-1', 0],
    ['not where only its letters are smaller', 'AG-ab', 'ag-AB', 0],
    ['not where the acceptance carried none', undefined, 'AG-2', 0],
    ['not where none is shown', 'AG-1', undefined, 0],
  ])('%s', (_, accepted, found, times) => {
    isTaken(first);
    probes.learnt(known(first, accepted), [observed(first, found)]);
    expect(others).toBe(times);
  });

  test('once, by the first look that shows it', () => {
    isTaken(first);
    for (let looks = 0; looks < 2; looks++) probes.learnt(known(first, 'AG-1'), [observed(first, 'AG-2')]);
    expect(others).toBe(1);
  });

  test('not by a payment that did not go ahead: after a repetition its id may be another', () => {
    isTaken(first);
    probes.learnt(known(stranger, 'AG-1'), [observed(stranger, 'AG-2')]);
    expect(others).toBe(0);
  });
});

describe('a payment that is waited for is looked up', () => {
  test('soon, then after twice the wait each time, and at least once a second', () => {
    isTaken(first);
    const waits = Array.from({ length: 8 }, () => (probes.dueAt(known(first), NOW) ?? 0) - NOW);
    expect(waits).toEqual([25, 50, 100, 200, 400, 800, 1000, 1000]);
  });

  test('each in its own time, and any other not on its account', () => {
    isTaken(first, second);
    probes.dueAt(known(first), NOW);
    expect(probes.dueAt(known(first), NOW)).toBe(NOW + 50);
    expect(probes.dueAt(known(second), NOW)).toBe(NOW + 25);
    expect(probes.dueAt(known(stranger), NOW)).toBeUndefined();
    expect(probes.dueAt(known(stranger), NOW)).toBeUndefined();
  });
});
