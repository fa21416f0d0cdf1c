/** The gate: which orders are chosen to be claimed, and what counts of them before their claim is on disk. */
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { doubted, lineIn, policy } from './doubted-order.ts';
import { gateOf, orders, sentBefore, stored } from './gated-orders.ts';

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
  expect(gateOf({ sending: { concurrency, ratePerSecond: rate } }).gate.claimMost).toBe(most);
});

describe('orders that are chosen', () => {
  test('are all of them, in turn, where nothing holds sending back', () => {
    const { gate } = gateOf({ sending: { concurrency: 1 } });
    expect(gate.choose(orders(9))).toEqual(orders(9));
  });

  test('are in hand until they are back', () => {
    const { gate } = gateOf();
    const [first, second] = ['o1', 'o2'] as OrderId[] as [OrderId, OrderId];
    expect([gate.isEmpty, gate.hasInHand(first)]).toEqual([true, false]);
    gate.choose(orders(2));
    expect([gate.isEmpty, gate.hasInHand(first), gate.hasInHand(second)]).toEqual([false, true, true]);
    gate.isBack(first);
    expect([gate.isEmpty, gate.hasInHand(first), gate.hasInHand(second)]).toEqual([false, false, true]);
    gate.isBack(second);
    expect(gate.isEmpty).toBe(true);
  });

  test('are none while sending pauses, and then one alone, which may leave', async () => {
    const { gate, clock, pause } = gateOf();
    pause();
    expect(gate.choose(orders(3))).toEqual([]);
    expect(gate.isEmpty).toBe(true);
    await clock.pass(policy.polling.firstMs);
    expect(idsOf(gate.choose(orders(3)))).toEqual(['o1']);
    expect(gate.brake.holdsBack('o1' as OrderId)).toBe(false);
    expect(gate.brake.holdsBack('o2' as OrderId)).toBe(true);
    expect(gate.choose(orders(3))).toEqual([]);
  });

  test('leave alone only where sending pauses', () => {
    const { gate, pause } = gateOf();
    gate.choose(orders(1));
    pause();
    expect(gate.brake.holdsBack('o1' as OrderId)).toBe(true);
  });

  test('are none once sending stops', () => {
    const { gate, scoreboard, stops } = gateOf({ sending: { stopAfterFailures: 1 } });
    expect(gate.choose(orders(1))).toHaveLength(1);
    scoreboard.move(stored('other').state, { ...stored('other').state, phase: 'refused' });
    expect(gate.choose(orders(1, 2))).toEqual([]);
    expect(gate.hasInHand('o2' as OrderId)).toBe(false);
    expect(stops.map(({ code }) => code)).toEqual(['failures']);
  });

  test('are not even those that were sent before, while sending pauses or once it stops', () => {
    const again = stored('again', sentBefore);
    const { gate, pause } = gateOf();
    expect(gate.choose([again])).toHaveLength(1);
    gate.isBack(again.state.id);
    pause();
    expect(gate.choose([again])).toEqual([]);
    const stopped = gateOf({ sending: { stopAfterFailures: 1 } });
    stopped.scoreboard.move(stored('other').state, { ...stored('other').state, phase: 'refused' });
    expect(stopped.gate.choose([again])).toEqual([]);
  });

  test('are no more than may be in flight, while the service is not relied on again', () => {
    const { gate, pause, answer } = gateOf({ sending: { concurrency: 2 } });
    pause();
    answer('accepted');
    expect(idsOf(gate.choose(orders(5)))).toEqual(['o1', 'o2']);
    expect(gate.choose(orders(5, 3))).toEqual([]);
    gate.isBack('o1' as OrderId);
    expect(idsOf(gate.choose(orders(5, 3)))).toEqual(['o3']);
  });
});

describe('rows that go ahead alone', () => {
  const canary = { rows: 3, base: { completed: 0, open: 0, lost: 0 } };

  test('are counted when they are chosen, before their claim is on disk', () => {
    const { gate } = gateOf({ canary });
    expect(idsOf(gate.choose(orders(5)))).toEqual(['o1', 'o2', 'o3']);
    expect(gate.choose(orders(2, 4))).toEqual([]);
  });

  test('are counted once, when their claim is on disk', () => {
    const { gate, scoreboard } = gateOf({ canary });
    const chosen = gate.choose(orders(2));
    gate.isClaimed(chosen, claimedFrom(chosen));
    expect(scoreboard.counts).toMatchObject({ unsent: 98, 'in-doubt': 2 });
    expect(idsOf(gate.choose(orders(5, 3)))).toEqual(['o3']);
  });

  test('are not counted where their claim came to nothing', () => {
    const { gate, scoreboard } = gateOf({ canary });
    gate.isClaimed(gate.choose(orders(2)), []);
    expect(scoreboard.counts).toMatchObject({ unsent: 100, 'in-doubt': 0 });
    expect(gate.choose(orders(5, 3))).toHaveLength(3);
  });

  test('are those of whole orders, the last of which may have more', () => {
    const { gate } = gateOf({ canary });
    const all = ['o1', 'o2', 'o3'].map((id) => stored(id, twoRows));
    expect(idsOf(gate.choose(all))).toEqual(['o1', 'o2']);
  });

  test('are none of an order that was sent before: it goes with them, and adds nothing', () => {
    const { gate } = gateOf({ canary });
    const again = stored('again', sentBefore);
    expect(idsOf(gate.choose([again, ...orders(5), stored('once more', sentBefore)]))).toEqual([
      'again',
      'o1',
      'o2',
      'o3',
      'once more',
    ]);
  });

  test('are those of an order that was claimed and never left', () => {
    const { gate } = gateOf({ canary });
    const held = ['h1', 'h2'].map((id) => stored(id, neverSent));
    expect(idsOf(gate.choose([...held, ...orders(5)]))).toEqual(['h1', 'h2', 'o1']);
  });

  test('stop sending where nothing more comes of them, and not where one is chosen again since', () => {
    const { gate, scoreboard, stops } = gateOf({ canary: { ...canary, rows: 1 } });
    const chosen = gate.choose(orders(1));
    const claimed = claimedFrom(chosen);
    gate.isClaimed(chosen, claimed);
    expect(gate.review().do).toBe('claim');
    gate.idle = true;
    const again = stored('o1', neverSent);
    scoreboard.move(claimed[0]?.state ?? doubted, again.state);
    expect(idsOf(gate.choose([again]))).toEqual(['o1']);
    expect(gate.review().do).toBe('claim');
    gate.idle = true;
    expect(gate.review()).toEqual({ do: 'stop', why: 'canary' });
    expect(stops.map(({ code }) => code)).toEqual(['canary']);
  });
});
