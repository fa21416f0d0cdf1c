import { describe, expect, test } from 'vitest';
import { Recorder } from '../../src/dispatch/recorder.ts';
import type { OrderStep, StoredOrder } from '../../src/ledger/orders.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { claimedOrder } from './claimed-order.ts';

describe('the recorder', () => {
  const stepOf = (id: string): OrderStep => ({
    order: { state: claimedOrder(id) } as StoredOrder,
    facts: [],
    dueAt: null,
  });
  const idOf = ({ state: { id } }: StoredOrder): string => id;

  /** Writes groups at once, or fails with what `failure` gives for the nth group. */
  function recorder(failure: (group: number) => Error | undefined = () => undefined) {
    const clock = new FakeClock();
    const groups: string[][] = [];
    const parts = new Recorder(
      async (group) => {
        groups.push(group.map(({ order }) => idOf(order)));
        const error = failure(groups.length);
        if (error) throw error;
        return group.map(({ order }) => order);
      },
      clock,
      { note: () => undefined },
    );
    return { clock, groups, add: (id: string) => parts.add(stepOf(id)) };
  }

  test('writes what comes together in one group, and gives each its own order', async () => {
    const { clock, groups, add } = recorder();
    const written = Promise.all(['a', 'b', 'c'].map(add));
    await clock.pass(25);
    expect((await written).map(idOf)).toEqual(['a', 'b', 'c']);
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  test('lets an order be due at a whole millisecond, and never earlier than it was to be', async () => {
    const clock = new FakeClock();
    const dueAt: (number | null)[] = [];
    const parts = new Recorder(
      async (group) => {
        dueAt.push(...group.map((step) => step.dueAt));
        return group.map(({ order }) => order);
      },
      clock,
      { note: () => undefined },
    );
    const written = Promise.all([1.25, 2, null].map((due) => parts.add({ ...stepOf('a'), dueAt: due })));
    await clock.pass(25);
    await written;
    expect(dueAt).toEqual([2, 2, null]);
  });

  test('splits a crowd into groups of 256 and loses nobody', async () => {
    const { clock, groups, add } = recorder();
    const ids = Array.from({ length: 600 }, (_, index) => `o${index}`);
    const written = Promise.all(ids.map(add));
    await clock.pass(100);
    expect((await written).map(idOf)).toEqual(ids);
    expect(groups.map(({ length }) => length)).toEqual([256, 256, 88]);
  });

  test('writes what is added the moment the one before is written', async () => {
    const { clock, groups, add } = recorder();
    const chained = add('a').then(() => add('b').then(() => add('c')));
    await clock.pass(125);
    expect(idOf(await chained)).toBe('c');
    expect(groups).toEqual([['a'], ['b'], ['c']]);
  });

  test('rejects everyone of a group that could not be written, and nobody else', async () => {
    const { clock, groups, add } = recorder((group) => (group === 1 ? new Error('full') : undefined));
    const first = Promise.allSettled(['a', 'b'].map(add));
    await clock.pass(25);
    expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const second = add('c');
    await clock.pass(25);
    expect(idOf(await second)).toBe('c');
    expect(groups).toHaveLength(2);
  });
});
