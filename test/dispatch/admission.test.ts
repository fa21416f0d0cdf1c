/** The admission: which orders are chosen to be claimed, and what counts of them before their claim is on disk. */
import { describe, expect, test } from 'vitest';
import { holdsBack } from '../../src/dispatch/circuit-breaker.ts';
import { claimOf } from '../../src/dispatch/run-state.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { admissionOf, orders, sentBefore, stored } from './admitted-orders.ts';
import { doubted, lineIn, policy } from './doubted-order.ts';

const idsOf = (some: readonly StoredOrder[]): readonly string[] => some.map(({ state }) => state.id);
const twoRows = { lines: [lineIn('open'), lineIn('open', { row: 3 })] };
const neverSent: Partial<OrderState> = { phase: 'in-doubt', posts: 1, answer: { tag: 'not-sent', reason: '' } };
const claimedFrom = (chosen: readonly StoredOrder[]): readonly StoredOrder[] =>
  chosen.map((order) => ({ ...order, state: { ...order.state, phase: 'claimed', posts: 1 } }));

test.each([
  ['as fast as it goes', 16, 0, 64],
  ['at a pace that is no bound', 16, 100, 64],
  ['at one a second', 16, 1, 10],
  ['at one in two seconds', 16, 0.5, 5],
  ['at one a minute', 16, 1 / 60, 1],
])('who sends %s claims no more at once than leaves before its claim is too old', (_pace, concurrency, rate, most) => {
  expect(admissionOf({ sending: { concurrency, ratePerSecond: rate } }).admission.claimMost).toBe(most);
});

test('who shares a pace with others claims as much less at once', () => {
  const { admission } = admissionOf({ sending: { ratePerSecond: 4 } });
  expect(admission.claimMost).toBe(40);
  admission.happened({ type: 'shared', senders: 4, concurrency: 16 });
  expect(admission.claimMost).toBe(10);
});

describe('orders that are chosen', () => {
  test('are all of them, in turn, where nothing holds sending back', () => {
    const { admission } = admissionOf({ sending: { concurrency: 1 } });
    expect(admission.choose(orders(9))).toEqual(orders(9));
  });

  test('are in hand until they are back', () => {
    const { admission, landed } = admissionOf();
    const [first, second] = ['o1', 'o2'] as OrderId[] as [OrderId, OrderId];
    expect([admission.state.inFlight.size === 0, admission.state.inFlight.has(first)]).toEqual([true, false]);
    admission.choose(orders(2));
    expect([
      admission.state.inFlight.size === 0,
      admission.state.inFlight.has(first),
      admission.state.inFlight.has(second),
    ]).toEqual([false, true, true]);
    landed(first);
    expect([
      admission.state.inFlight.size === 0,
      admission.state.inFlight.has(first),
      admission.state.inFlight.has(second),
    ]).toEqual([false, false, true]);
    landed(second);
    expect(admission.state.inFlight.size === 0).toBe(true);
  });

  test('are none while sending pauses, and then one alone, which may leave', async () => {
    const { admission, clock, pause } = admissionOf();
    pause();
    expect(admission.choose(orders(3))).toEqual([]);
    expect(admission.state.inFlight.size === 0).toBe(true);
    await clock.pass(policy.polling.firstMs);
    expect(idsOf(admission.choose(orders(3)))).toEqual(['o1']);
    expect(holdsBack(admission.state.service, 'o1' as OrderId)).toBe(false);
    expect(holdsBack(admission.state.service, 'o2' as OrderId)).toBe(true);
    expect(admission.choose(orders(3))).toEqual([]);
  });

  test('leave alone only where sending pauses', () => {
    const { admission, pause } = admissionOf();
    admission.choose(orders(1));
    pause();
    expect(holdsBack(admission.state.service, 'o1' as OrderId)).toBe(true);
  });

  test('are none once sending stops', () => {
    const { admission, stops, record } = admissionOf({ sending: { stopAfterFailures: 1 } });
    expect(admission.choose(orders(1))).toHaveLength(1);
    record(stored('other').state, { ...stored('other').state, phase: 'refused' });
    expect(admission.choose(orders(1, 2))).toEqual([]);
    expect(admission.state.inFlight.has('o2' as OrderId)).toBe(false);
    expect(stops.map(({ code }) => code)).toEqual(['failures']);
  });

  test('are not even those that were sent before, while sending pauses or once it stops', () => {
    const again = stored('again', sentBefore);
    const { admission, pause, landed } = admissionOf();
    expect(admission.choose([again])).toHaveLength(1);
    landed(again.state.id);
    pause();
    expect(admission.choose([again])).toEqual([]);
    const stopped = admissionOf({ sending: { stopAfterFailures: 1 } });
    stopped.record(stored('other').state, { ...stored('other').state, phase: 'refused' });
    expect(stopped.admission.choose([again])).toEqual([]);
  });

  test('are no more than may be in flight, while the service is not relied on again', () => {
    const { admission, pause, answer, landed } = admissionOf({ sending: { concurrency: 2 } });
    pause();
    answer('accepted');
    expect(idsOf(admission.choose(orders(5)))).toEqual(['o1', 'o2']);
    expect(admission.choose(orders(5, 3))).toEqual([]);
    landed('o1' as OrderId);
    expect(idsOf(admission.choose(orders(5, 3)))).toEqual(['o3']);
  });
});

describe('rows that go ahead alone', () => {
  const canary = { rows: 3, base: { completed: 0, open: 0, lost: 0 } };

  test('are counted when they are chosen, before their claim is on disk', () => {
    const { admission } = admissionOf({ canary });
    expect(idsOf(admission.choose(orders(5)))).toEqual(['o1', 'o2', 'o3']);
    expect(admission.choose(orders(2, 4))).toEqual([]);
  });

  test('are counted once, when their claim is on disk', () => {
    const { admission } = admissionOf({ canary });
    const chosen = admission.choose(orders(2));
    admission.happened(claimOf(chosen, claimedFrom(chosen)));
    expect(admission.state.outcomes).toMatchObject({ unsent: 98, 'in-doubt': 2 });
    expect(idsOf(admission.choose(orders(5, 3)))).toEqual(['o3']);
  });

  test('are not counted where their claim came to nothing', () => {
    const { admission } = admissionOf({ canary });
    admission.happened(claimOf(admission.choose(orders(2)), []));
    expect(admission.state.outcomes).toMatchObject({ unsent: 100, 'in-doubt': 0 });
    expect(admission.choose(orders(5, 3))).toHaveLength(3);
  });

  test('are those of whole orders, the last of which may have more', () => {
    const { admission } = admissionOf({ canary });
    const all = ['o1', 'o2', 'o3'].map((id) => stored(id, twoRows));
    expect(idsOf(admission.choose(all))).toEqual(['o1', 'o2']);
  });

  test('are none of an order that was sent before: it goes with them, and adds nothing', () => {
    const { admission } = admissionOf({ canary });
    const again = stored('again', sentBefore);
    expect(idsOf(admission.choose([again, ...orders(5), stored('once more', sentBefore)]))).toEqual([
      'again',
      'o1',
      'o2',
      'o3',
      'once more',
    ]);
  });

  test('are those of an order that was claimed and never left', () => {
    const { admission } = admissionOf({ canary });
    const held = ['h1', 'h2'].map((id) => stored(id, neverSent));
    expect(idsOf(admission.choose([...held, ...orders(5)]))).toEqual(['h1', 'h2', 'o1']);
  });

  test('stop sending where nothing more comes of them, and not where one is chosen again since', () => {
    const { admission, stops, record, idle } = admissionOf({ canary: { ...canary, rows: 1 } });
    const chosen = admission.choose(orders(1));
    const claimed = claimedFrom(chosen);
    admission.happened(claimOf(chosen, claimed));
    expect(admission.review().do).toBe('claim');
    idle();
    const again = stored('o1', neverSent);
    record(claimed[0]?.state ?? doubted, again.state);
    expect(idsOf(admission.choose([again]))).toEqual(['o1']);
    expect(admission.review().do).toBe('claim');
    idle();
    expect(admission.review()).toEqual({ do: 'stop', why: 'canary' });
    expect(stops.map(({ code }) => code)).toEqual(['canary']);
  });
});
