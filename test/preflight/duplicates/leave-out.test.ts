/** Which orders a run leaves out, on a ledger with two batches of the same payments. */
import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../../src/domain/batch.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import type { Staging } from '../../../src/domain/staging.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { leftOutOf, withLeftOut } from '../../../src/preflight/duplicates/leave-out.ts';
import { holdPaidSince, sendablePayments } from '../../../src/preflight/duplicates/paid-since.ts';
import { accepted, kes, open, type Plan, planOf, reportOf } from '../../ledger/builders.ts';
import { liveSettings } from '../../support/desk/live-settings.ts';

const DAY_MS = 86_400_000;

async function recorded(...plans: readonly Plan[]): Promise<Ledger> {
  const ledger = await open();
  await ledger.takeLease();
  for (const { header, blocks } of plans) await ledger.planBatch(header, blocks);
  return ledger;
}

/** The plan as if it had been made so many days later. */
const daysLater = (days: number, { header, blocks }: Plan): Plan => ({
  header: { ...header, plannedAt: header.plannedAt + days * DAY_MS },
  blocks,
});

const leftOutIn = (ledger: Ledger, { header }: Plan, changes: Partial<typeof liveSettings> = {}) =>
  leftOutOf(header, { ledger, settings: { ...liveSettings, ...changes } });

const earlier = planOf({ name: 'first', rows: 6, linesPerOrder: 2 });
const later = planOf({ name: 'second', rows: 3 });
const idsOf = ({ blocks }: Plan): readonly OrderId[] => blocks.flatMap(({ orders }) => orders.map(({ id }) => id));

const todoFor = (...batches: readonly string[]): string =>
  `${batches.map((id) => `What became of them: \`paybatch status ${id}\`; what failed there: \`paybatch retry ${id}\`.`).join(' ')} What is still owed, or owed once more, goes into a new sheet, with --allow-duplicate "reason".`;

describe('what is left out is told', () => {
  test('with the batch that holds it, three of its rows, what shares an order with them, and what to do', async () => {
    const first = planOf({ name: 'first', rows: 6, linesPerOrder: 2 });
    const ledger = await recorded(first, daysLater(1, planOf({ name: 'second', rows: 5 })));
    expect((await leftOutIn(ledger, first)).record).toEqual({
      rows: 6,
      says:
        '6 rows are not sent from this batch. Batch second of 2026-11-21 (payroll.xlsx) was planned later and holds the same payments: ' +
        'row 2 (Person 0, KES 1,500.00), row 3 (Person 1, KES 1,500.01), row 4 (Person 2, KES 1,500.02) and 2 more. ' +
        'Rows that share an order with them: 1; an order is sent as a whole or not at all, so these are still owed.',
      todo: todoFor('second'),
    });
  });

  test('by the latest batch that holds each row, and in the singular where there is one', async () => {
    const first = planOf({ name: 'first', rows: 3 });
    const second = daysLater(1, planOf({ name: 'second', rows: 2 }));
    const ledger = await recorded(first, second, daysLater(2, planOf({ name: 'third', rows: 1 })));
    const { record, by } = await leftOutIn(ledger, first);
    expect([...by]).toEqual([
      [2, 'third'],
      [3, 'second'],
    ]);
    expect(record).toEqual({
      rows: 2,
      says:
        '2 rows are not sent from this batch. Batch third of 2026-11-22 (payroll.xlsx) was planned later and holds the same payments: row 2 (Person 0, KES 1,500.00). ' +
        'Batch second of 2026-11-21 (payroll.xlsx) was planned later and holds the same payments: row 3 (Person 1, KES 1,500.01).',
      todo: todoFor('third', 'second'),
    });
    expect((await leftOutIn(ledger, second)).record?.says).toMatch(/^1 row is not sent from this batch\. Batch third/);
  });
});

describe('what a run might still submit', () => {
  const rowsOf = async (ledger: Ledger, { header }: Plan) =>
    (await Array.fromAsync(sendablePayments(header.id, ledger))).flat();

  test('is what was never sent and what is in doubt, and nothing that the service took or that was set aside', async () => {
    const plan = planOf({ name: 'first', rows: 5, invalid: 1 });
    const ledger = await recorded(plan);
    const epoch = await ledger.takeLease();
    const claimed = await ledger.claim(await ledger.unsentOrders(plan.header.id, 3), 1, epoch, 2);
    const [completed, taken] = claimed;
    if (!completed || !taken) throw new Error('three orders are claimed');
    const lines = completed.state.lines.map(({ trace, amount }) => reportOf(trace, decimalOf(amount)));
    const order = completed.state.id;
    await ledger.record([
      { order: completed, facts: [{ type: 'order-observed', order, at: 3, processed: true, lines }], dueAt: null },
      { order: taken, facts: [accepted(taken.state.id, 3)], dueAt: 4 },
    ]);
    // Row 2 is completed, row 3 accepted, row 4 claimed, and row 7 has errors.
    expect((await rowsOf(ledger, plan)).map(({ row }) => row)).toEqual([4, 5, 6]);
  });

  test('is nothing of a batch that is through', async () => {
    const plan = planOf({ name: 'first', rows: 1 });
    const ledger = await recorded(plan);
    const epoch = await ledger.takeLease();
    const [order] = await ledger.claim(await ledger.unsentOrders(plan.header.id, 1), 1, epoch, 2);
    if (!order) throw new Error('one order is claimed');
    await ledger.record([{ order, facts: [accepted(order.state.id, 3)], dueAt: 4 }]);
    expect(await rowsOf(ledger, plan)).toEqual([]);
  });

  test('says of each payment what tells it from others', async () => {
    const { header, blocks } = planOf({ name: 'first', rows: 2 });
    const referred = blocks.map(({ rows, orders }) => ({
      orders,
      rows: rows.map((row) =>
        row.payout && row.row === 3 ? { ...row, payout: { ...row.payout, reference: 'E3' } } : row,
      ),
    }));
    const plan = { header, blocks: referred };
    expect(await rowsOf(await recorded(plan), plan)).toStrictEqual([
      {
        row: 2,
        name: 'Person 0',
        payee: 'some-kind|254700000000',
        destination: '+254700000000',
        amount: kes(150_000n),
        occurrence: 1,
      },
      {
        row: 3,
        name: 'Person 1',
        reference: 'E3',
        payee: 'some-kind|254700000001',
        destination: '+254700000001',
        amount: kes(150_001n),
        occurrence: 1,
      },
    ]);
  });
});

describe('a later batch', () => {
  test('that pays other amounts to the same people holds nothing, and is not named', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const { header, blocks } = planOf({ name: 'second', rows: 2 });
    const amount = kes(7n);
    const other = blocks.map(({ rows, orders }) => ({
      orders: orders.map((order) => ({ ...order, lines: order.lines.map((line) => ({ ...line, amount })) })),
      rows: rows.map((row) => ({ ...row, ...(row.payout && { payout: { ...row.payout, amount } }) })),
    }));
    const second = daysLater(1, { header: { ...header, total: kes(14n) }, blocks: other });
    const ledger = await recorded(first, second, daysLater(2, planOf({ name: 'third', rows: 1 })));
    const { by, record } = await leftOutIn(ledger, first);
    expect([...by]).toEqual([[2, 'third']]);
    expect(record?.says).not.toContain('second');
    expect(record?.todo).toBe(todoFor('third'));
  });
});

describe('a retry', () => {
  const staged = (ledger: Ledger, { header }: Plan) => ({
    payments: () => sendablePayments(header.id, ledger),
  });
  const hold = async (ledger: Ledger, plan: Plan, changes: Partial<typeof liveSettings> = {}) => {
    const settings = { ...liveSettings, ...changes };
    return holdPaidSince(plan.header, staged(ledger, plan) as unknown as Staging, { ledger, settings });
  };

  test('is stopped by a later batch that holds its rows, and told of it', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const ledger = await recorded(first, daysLater(1, planOf({ name: 'second', rows: 1 })));
    await expect(hold(ledger, first)).rejects.toMatchObject({
      code: 'already-paid',
      message:
        'Batch second of 2026-11-21 (payroll.xlsx) was planned later and holds the same payments: row 2 (Person 0, KES 1,500.00). Nothing was tried again.',
      remedy: `${todoFor('second')} To try others again, name them with --row.`,
    });
    await expect(hold(ledger, first, { sandbox: true })).resolves.toBeUndefined();
  });

  test('goes where no later batch holds its rows', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const ledger = await recorded(planOf({ name: 'earlier', rows: 2 }), daysLater(1, first));
    await expect(hold(ledger, first)).resolves.toBeUndefined();
  });
});

describe('a run leaves out', () => {
  test('whole orders of which a later batch holds a row, with their counts and sums', async () => {
    const ledger = await recorded(earlier, daysLater(1, later));
    const { orders, by, unsent, record } = await leftOutIn(ledger, earlier);
    expect([...orders]).toEqual(idsOf(earlier).slice(0, 2));
    expect([...by]).toEqual([2, 3, 4].map((row) => [row, later.header.id]));
    expect(unsent).toMatchObject({ rows: 4, unprovable: 0, amount: kes(600_006n), charges: kes(5200n) });
    expect(record).toMatchObject({ rows: 4, says: expect.stringContaining('Rows that share an order with them: 1') });
  });

  test('nothing of the later batch, which alone may send the payments', async () => {
    const ledger = await recorded(earlier, daysLater(1, later));
    const { orders, unsent, record } = await leftOutIn(ledger, later);
    expect([orders.size, unsent.rows, record]).toEqual([0, 0, undefined]);
  });

  test('what was planned later, though the clock was set back in between', async () => {
    const ledger = await recorded(earlier, daysLater(-2, later));
    expect((await leftOutIn(ledger, earlier)).unsent.rows).toBe(4);
    expect((await leftOutIn(ledger, later)).unsent.rows).toBe(0);
  });

  test('nothing for a batch of another month, as a new sheet would not be stopped either', async () => {
    const december = planOf({ name: 'salaries-2026-12', rows: 3 });
    const ledger = await recorded(earlier, daysLater(6, december));
    expect((await leftOutIn(ledger, earlier)).orders.size).toBe(0);
  });

  test('nothing in a rehearsal', async () => {
    const ledger = await recorded(earlier, daysLater(1, later));
    expect((await leftOutIn(ledger, earlier, { sandbox: true })).orders.size).toBe(0);
  });

  test('an order that may have been sent, without counting its rows as not sent', async () => {
    const single = planOf({ name: 'first', rows: 3 });
    const ledger = await recorded(single, daysLater(1, planOf({ name: 'second', rows: 1 })));
    const epoch = await ledger.takeLease();
    await ledger.claim(await ledger.unsentOrders(single.header.id, 3), 1, epoch, null);
    const { orders, unsent, record } = await leftOutIn(ledger, single);
    expect([...orders]).toEqual(idsOf(single).slice(0, 1));
    expect([unsent.rows, record?.rows]).toEqual([0, 0]);
    expect(record?.says).toMatch(/^Rows in doubt are looked up, and not sent again/);
  });

  test('airtime and bills as well, and says how many of them need no answer for', async () => {
    const { header, blocks } = planOf({ name: 'first', rows: 3 });
    const airtime = blocks.map((block) => ({
      ...block,
      orders: block.orders.map((order) => ({ ...order, submission: 'airtime' as const })),
    }));
    const ledger = await recorded({ header, blocks: airtime }, daysLater(1, planOf({ name: 'second', rows: 2 })));
    expect((await leftOutIn(ledger, { header, blocks })).unsent).toMatchObject({ rows: 2, unprovable: 2 });
    expect(await ledger.unprovableRows(header.id)).toBe(3);
  });
});

test('rows that are left out are marked with the batch, or as those that only share the order', async () => {
  const ledger = await recorded(earlier, daysLater(1, later));
  const rows: ResultRow[] = [];
  const leftOut = await leftOutIn(ledger, earlier);
  for await (const block of withLeftOut(ledger.resultRows(earlier.header.id), leftOut)) rows.push(...block);
  const held = { batch: later.header.id };
  expect(rows.map((row) => row.leftOut)).toEqual([held, held, held, {}, undefined, undefined]);
});
