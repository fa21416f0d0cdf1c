import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { accepted, kes, open, planOf, reportOf, temporaryPath } from './builders.ts';
import { change, onEachDriver, seen } from './drivers.ts';

/** Two bodies with their salts. */
const SWAPPED = `UPDATE order_body SET (body, origin, salt) =
  (SELECT body, origin, salt FROM order_body AS other WHERE other.position = 3 - order_body.position) WHERE position <= 2`;

async function planned(shape = {}) {
  const path = temporaryPath();
  const ledger = await open({ path });
  const epoch = await ledger.takeLease();
  const { header, blocks } = planOf(shape);
  await ledger.planBatch(header, blocks);
  const orders = await ledger.unsentOrders(header.id, 100);
  return { path, ledger, epoch, header, orders };
}

const observe = (ledger: Ledger, order: StoredOrder, at: number, status = 4) =>
  ledger.record([
    {
      order,
      facts: [
        {
          type: 'order-observed',
          order: order.state.id,
          at,
          processed: true,
          lines: order.state.lines.map((line) => reportOf(line.trace, decimalOf(line.amount), status)),
        },
      ],
      dueAt: null,
    },
  ]);

onEachDriver(() => {
  describe('a claim', () => {
    test('is on disk before it resolves: another connection sees it', async () => {
      const { path, ledger, epoch, header, orders } = await planned();
      const claimed = await ledger.claim(orders.slice(0, 2), 1000, epoch, 5000);
      expect(await seen(path, `SELECT COUNT(*) AS number FROM fact WHERE type = 'order-claimed'`)).toEqual([
        { number: 2n },
      ]);
      expect(await seen(path, `SELECT phase, due_at FROM pay_order ORDER BY position LIMIT 3`)).toEqual([
        { phase: 'claimed', due_at: 5000n },
        { phase: 'claimed', due_at: 5000n },
        { phase: 'planned', due_at: null },
      ]);
      expect(claimed.map((order) => order.state.posts)).toEqual([1, 1]);
      expect(claimed.map((order) => order.body)).toEqual(orders.slice(0, 2).map((order) => order.body));
      expect(await ledger.unsentOrders(header.id, 100)).toEqual(orders.slice(2));
    });

    test('of an order that has changed since claims none of the group', async () => {
      const { ledger, epoch, header, orders } = await planned();
      await ledger.claim(orders.slice(1, 2), 1000, epoch, 5000);
      const refusal = ledger.claim(orders, 1001, epoch, 5000);
      await expect(refusal).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
      expect(await ledger.unsentOrders(header.id, 100)).toHaveLength(3);
      expect(await ledger.verify()).toEqual([]);
    });

    test.each<readonly [what: string, sql: string]>([
      ['a body', 'UPDATE order_body SET body = (SELECT body FROM order_body WHERE position = 3) WHERE position = 2'],
      ['bodies that changed places', SWAPPED],
      ['the amount of a row', `UPDATE payout SET amount_minor = 1 WHERE sheet_row = 3`],
      [
        'the order of a row',
        `UPDATE payout SET order_id = (SELECT id FROM pay_order WHERE position = 1) WHERE sheet_row = 3`,
      ],
      ['the charge of a row', 'UPDATE payout SET charge_minor = charge_minor + 1 WHERE sheet_row = 3'],
    ])('stops when %s was changed since the batch was proven, and nothing is claimed', async (_, sql) => {
      const { path, ledger, epoch, header, orders } = await planned();
      const read = await ledger.unsentOrders(header.id, 100);
      await change(path, sql);
      await expect(ledger.claim(read, 1000, epoch, 5000)).rejects.toMatchObject({
        code: 'ledger-unsafe',
        message: expect.stringContaining('Something other than paybatch changed the ledger'),
      });
      expect(await ledger.unsentPositions(header.id)).toHaveLength(orders.length);
    });
  });

  describe('what happened to an order', () => {
    test('moves order, rows and tallies in the same transaction', async () => {
      const { ledger, epoch, header, orders } = await planned({ rows: 5, invalid: 1 });
      const [first, second, third] = await ledger.claim(orders.slice(0, 3), 1000, epoch, 5000);
      if (!first || !second || !third) throw new Error('three orders are claimed');
      const [answered] = await ledger.record([{ order: first, facts: [accepted(first.state.id, 1100)], dueAt: 3000 }]);
      if (!answered) throw new Error('an order is given back');
      expect(answered).toMatchObject({ version: 3, dueAt: 3000, state: { phase: 'accepted' } });
      await observe(ledger, answered, 2000);
      await ledger.record([{ order: second, facts: [accepted(second.state.id, 1100)], dueAt: 3000 }]);
      expect(await ledger.tallies(header.id)).toEqual([
        { outcome: 'completed', count: 1, amount: kes(150_000n), fees: kes(1300n) },
        { outcome: 'in-doubt', count: 1, amount: kes(150_002n), fees: kes(0n) },
        { outcome: 'pending', count: 1, amount: kes(150_001n), fees: kes(0n) },
        { outcome: 'unsent', count: 2, amount: kes(300_007n), fees: kes(0n) },
        { outcome: 'invalid', count: 1, amount: kes(0n), fees: kes(0n) },
      ]);
      const [row] = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
      expect(row).toMatchObject({ outcome: 'completed', line: { report: { receipt: expect.stringMatching(/^R/) } } });
      expect(await ledger.verify()).toEqual([]);
    });

    test('is not recorded of an order that has changed since it was read', async () => {
      const { ledger, epoch, orders } = await planned();
      const [order] = await ledger.claim(orders.slice(0, 1), 1000, epoch, 5000);
      if (!order) throw new Error('an order is claimed');
      const step = { order, facts: [accepted(order.state.id, 1100)], dueAt: 3000 };
      await ledger.record([step]);
      await expect(ledger.record([step])).rejects.toMatchObject({ code: 'ledger-unsafe' });
    });

    test('can be that it is only to be looked at later', async () => {
      const { ledger, epoch, header, orders } = await planned();
      const [order] = await ledger.claim(orders.slice(0, 1), 1000, epoch, 5000);
      if (!order) throw new Error('an order is claimed');
      const [moved] = await ledger.record([{ order, facts: [], dueAt: 9000 }]);
      expect(moved).toEqual({ ...order, dueAt: 9000 });
      expect(await ledger.nextDueAt(header.id)).toBe(9000);
    });

    test('is recorded in the order in which it was asked for, also at the same time', async () => {
      const { ledger, epoch, orders } = await planned();
      const [first, ...others] = orders;
      if (!first) throw new Error('orders are planned');
      const [claimed] = await ledger.claim([first], 1000, epoch, 5000);
      if (!claimed) throw new Error('an order is claimed');
      await Promise.all([
        ledger.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]),
        ledger.claim(others, 1001, epoch, 5000),
        ledger.proveLease(),
      ]);
      expect(await ledger.verify()).toEqual([]);
    });
  });

  describe('alarms of a batch', () => {
    const alarmed = (order: StoredOrder, reason: string) => ({
      order,
      facts: [{ type: 'order-alarmed', order: order.state.id, at: 2000, reason }] as const,
      dueAt: null,
    });

    test('are found whatever became of the order, each once, and only those of the batch', async () => {
      const { ledger, epoch, header, orders } = await planned();
      expect(await ledger.alarms(header.id)).toEqual([]);
      const claimed = await ledger.claim(orders.slice(0, 2), 1000, epoch, null);
      await ledger.record(claimed.map((order) => alarmed(order, 'another payee')));
      const [, , third] = orders;
      if (!third) throw new Error('orders are planned');
      await ledger.record([alarmed(third, 'never sent')]);
      expect(await ledger.alarms(header.id)).toEqual(['another payee', 'never sent']);
      const other = planOf({ name: 'december', rows: 2 });
      await ledger.planBatch(other.header, other.blocks);
      expect(await ledger.alarms(other.header.id)).toEqual([]);
      expect(await ledger.verify()).toEqual([]);
    });
  });

  describe('an order', () => {
    test('is found by its id within its batch', async () => {
      const { ledger, header, orders } = await planned();
      const [, second] = orders;
      if (!second) throw new Error('orders are planned');
      expect(await ledger.findOrder(header.id, second.state.id)).toEqual(second);
      expect(await ledger.findOrder('other' as typeof header.id, second.state.id)).toBeUndefined();
    });

    test('that is claimed without a due time is due to nobody until the batch is reopened', async () => {
      const { ledger, epoch, header, orders } = await planned();
      await ledger.claim(orders.slice(0, 1), 1000, epoch, null);
      expect(await ledger.nextDueAt(header.id)).toBeUndefined();
      await ledger.reopen(header.id, 2000);
      expect(await ledger.dueOrders(header.id, 2000, 10)).toHaveLength(1);
    });
  });

  describe('orders that are due', () => {
    test('come the longest due first, and no others', async () => {
      const { ledger, epoch, header, orders } = await planned();
      await ledger.claim(orders.slice(0, 1), 1000, epoch, 5000);
      await ledger.claim(orders.slice(1, 2), 1000, epoch, 4000);
      await ledger.claim(orders.slice(2, 3), 1000, epoch, 6000);
      const due = await ledger.dueOrders(header.id, 5000, 10);
      expect(due.map((order) => order.dueAt)).toEqual([4000, 5000]);
      expect(await ledger.nextDueAt(header.id)).toBe(4000);
      expect(await ledger.dueOrders(header.id, 9000, 1)).toHaveLength(1);
    });

    test('are after a reopening all whose outcome may still change, and none that was never sent', async () => {
      const { ledger, epoch, header, orders } = await planned({ rows: 5 });
      const claimed = await ledger.claim(orders.slice(0, 4), 1000, epoch, 90_000);
      const [done, silent, late, waiting] = claimed;
      if (!done || !silent || !late || !waiting) throw new Error('four orders are claimed');
      await observe(ledger, done, 2000);
      await observe(ledger, late, 2000, 8);
      await ledger.record([{ order: waiting, facts: [accepted(waiting.state.id, 1100)], dueAt: null }]);
      await ledger.reopen(header.id, 3000);
      const due = await ledger.dueOrders(header.id, 3000, 10);
      expect(due.map((order) => order.state.id)).toEqual([silent, late, waiting].map((order) => order.state.id));
      expect(await ledger.verify()).toEqual([]);
    });
  });
});
