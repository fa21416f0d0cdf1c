import { describe, expect, test } from 'vitest';
import { Journal } from '../../src/dispatch/journal.ts';
import type { BatchStop } from '../../src/domain/batch.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { OrderStep, StoredOrder } from '../../src/ledger/orders.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { claimedOrder } from './claimed-order.ts';

const stepOf = (id: string): OrderStep => ({
  order: { state: claimedOrder(id) } as StoredOrder,
  facts: [],
  dueAt: null,
});
const idOf = ({ state: { id } }: StoredOrder): string => id;

const BATCH = 'salaries' as BatchId;

/** A journal whose ledger records groups with `record`, and has no stop. */
function journalWith(record: (steps: readonly OrderStep[]) => void) {
  const clock = new FakeClock();
  const ledger: Pick<Ledger, 'claim' | 'record' | 'knownStop'> = {
    claim: async () => [],
    record: async (steps) => {
      record(steps);
      return steps.map(({ order }) => order);
    },
    knownStop: () => undefined,
  };
  return { clock, parts: new Journal({ batch: BATCH, epoch: 7 }, { ledger, clock, heed: () => undefined }) };
}

describe('what a run learns', () => {
  /** Writes groups at once, or fails with what `failure` gives for the nth group. */
  function recorder(failure: (group: number) => Error | undefined = () => undefined) {
    const groups: string[][] = [];
    const { clock, parts } = journalWith((steps) => {
      groups.push(steps.map(({ order }) => idOf(order)));
      const error = failure(groups.length);
      if (error) throw error;
    });
    return { clock, groups, add: (id: string) => parts.record(stepOf(id)) };
  }

  test('writes what comes together in one group, and gives each its own order', async () => {
    const { clock, groups, add } = recorder();
    const written = Promise.all(['a', 'b', 'c'].map(add));
    await clock.pass(25);
    expect((await written).map(idOf)).toEqual(['a', 'b', 'c']);
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  test('lets a full group wait for nobody', async () => {
    const { clock, groups, add } = recorder();
    const written = Promise.all(Array.from({ length: 512 }, (_, index) => add(`o${index}`)));
    await clock.pass(25);
    expect(groups.map(({ length }) => length)).toEqual([256, 256]);
    await written;
  });

  test('is due at a whole millisecond, and never earlier than it was to be', async () => {
    const dueAt: (number | null)[] = [];
    const { clock, parts } = journalWith((steps) => void dueAt.push(...steps.map((step) => step.dueAt)));
    const written = Promise.all([1.25, 2, null].map((due) => parts.record({ ...stepOf('a'), dueAt: due })));
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

describe('the journal of a run', () => {
  const stopped = { by: 'amina@desk' } as BatchStop;

  /** A ledger that tells with its second write that a person has stopped the batch. */
  function journal() {
    const clock = new FakeClock();
    const written: unknown[] = [];
    const heeded: (BatchStop | undefined)[] = [];
    const write = (...what: readonly unknown[]): void => void written.push(what);
    const ledger: Pick<Ledger, 'claim' | 'record' | 'knownStop'> = {
      claim: async (orders, at, epoch, dueAt) => {
        write('claim', orders.map(idOf), at, epoch, dueAt);
        return orders.slice(1);
      },
      record: async (steps) => {
        write(
          'record',
          steps.map(({ order }) => idOf(order)),
        );
        return steps.map(({ order }) => order);
      },
      knownStop: (batch) => (batch === BATCH && written.length > 1 ? stopped : undefined),
    };
    const deps = { ledger, clock, heed: (stop?: BatchStop) => void heeded.push(stop) };
    return { clock, written, heeded, parts: new Journal({ batch: BATCH, epoch: 7 }, deps) };
  }

  test('claims in its own epoch, and heeds a stop with every write', async () => {
    const { clock, written, heeded, parts } = journal();
    const orders = ['a', 'b'].map((id) => stepOf(id).order);
    expect((await parts.claim(orders)).map(idOf)).toEqual(['b']);
    expect(heeded).toEqual([undefined]);
    const recorded = parts.record(stepOf('b'));
    await clock.pass(25);
    expect(idOf(await recorded)).toBe('b');
    expect(heeded).toEqual([undefined, stopped]);
    expect(written).toEqual([
      ['claim', ['a', 'b'], clock.now() - 25, 7, null],
      ['record', ['b']],
    ]);
  });

  test.each([
    ['ends a rest when what it writes is due sooner', 100, true],
    ['ends no rest for what is not due any more', null, false],
  ] as const)('%s', async (_, dueInMs, ends) => {
    const { clock, parts } = journal();
    let isOver = false;
    parts.due.begins();
    void parts.due.rest(clock.now() + 10_000, new AbortController().signal).then(() => {
      isOver = true;
    });
    const recorded = parts.record({ ...stepOf('a'), dueAt: dueInMs === null ? null : clock.now() + dueInMs });
    await clock.pass(25);
    await recorded;
    await clock.pass(1);
    expect(isOver).toBe(ends);
  });
});
