/** What is told of rows that later batches hold, and of those that are not tried again because of that. */
import { describe, expect, test } from 'vitest';
import type { PlannedOrder } from '../../../src/domain/batch.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { requireNotSuperseded } from '../../../src/preflight/duplicates/superseded-rows.ts';
import { type Plan, planOf, reportOf } from '../../ledger/builders.ts';
import { liveSettings } from '../../support/desk/live-settings.ts';
import { daysLater, earlier, heldIn, later, leftOutIn, planIn, recorded, rowsIn } from './later-batches.ts';

const todoFor = (...batches: readonly string[]): string =>
  `${batches.map((id) => `To see what became of them: \`paybatch status ${id}\`; to retry what failed there: \`paybatch retry ${id}\`.`).join(' ')} Put what is still owed, or owed again, into a new sheet, with --allow-duplicate "reason".`;

describe('what is left out is told', () => {
  test('with the batch that holds it, three of its rows, what shares an order with them, and what to do', async () => {
    const first = planOf({ name: 'first', rows: 6, linesPerOrder: 2 });
    const ledger = await recorded(first, daysLater(1, planOf({ name: 'second', rows: 5 })));
    expect(await leftOutIn(ledger, first)).toEqual({
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
    expect(await heldIn(ledger, first)).toEqual([
      [2, 'third'],
      [3, 'second'],
    ]);
    expect(await leftOutIn(ledger, first)).toEqual({
      rows: 2,
      says:
        '2 rows are not sent from this batch. Batch third of 2026-11-22 (payroll.xlsx) was planned later and holds the same payments: row 2 (Person 0, KES 1,500.00). ' +
        'Batch second of 2026-11-21 (payroll.xlsx) was planned later and holds the same payments: row 3 (Person 1, KES 1,500.01).',
      todo: todoFor('third', 'second'),
    });
    expect((await leftOutIn(ledger, second))?.says).toMatch(/^1 row is not sent from this batch\. Batch third/);
  });
});

describe('a retry', () => {
  const hold = async (ledger: Ledger, plan: Plan, rows: readonly number[]) =>
    requireNotSuperseded(
      (await rowsIn(ledger, plan)).filter(({ row }) => rows.includes(row)),
      { ledger, settings: liveSettings },
    );

  /** Sends every order of a batch, and none is paid. */
  async function rejectAll(ledger: Ledger, { header }: Plan): Promise<void> {
    const epoch = await ledger.takeLease(header.id);
    const claimed = await ledger.claim(await ledger.unsentOrders(header.id, 99), 1, epoch, null);
    await ledger.record(
      claimed.map((order) => {
        const lines = order.state.lines.map(({ trace }) => reportOf(trace, '0', 7));
        const fact = { type: 'order-observed', order: order.state.id, at: 3, processed: true, lines } as const;
        return { order, facts: [fact], dueAt: null };
      }),
    );
  }

  test('is stopped by a later batch that holds its rows, and told of it', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const ledger = await recorded(first);
    await rejectAll(ledger, first);
    await planIn(ledger, daysLater(1, planOf({ name: 'second', rows: 1 })));
    await expect(hold(ledger, first, [2, 3])).rejects.toMatchObject({
      code: 'already-paid',
      message:
        'Batch second of 2026-11-21 (payroll.xlsx) was planned later and holds the same payments: row 2 (Person 0, KES 1,500.00). Nothing was tried again.',
      remedy: `${todoFor('second')} To try others again, name them with --row.`,
    });
    await expect(hold(ledger, first, [3])).resolves.toBeUndefined();
    // It failed, and no run leaves it out.
    expect(await leftOutIn(ledger, first)).toBeUndefined();
  });

  test('goes where no later batch holds its rows', async () => {
    const first = planOf({ name: 'first', rows: 2 });
    const ledger = await recorded(planOf({ name: 'earlier', rows: 2 }), daysLater(1, first));
    await expect(hold(ledger, first, [2, 3])).resolves.toBeUndefined();
  });

  test('of a row that a lost ledger had tried again is stopped as well', async () => {
    const first = planOf({ name: 'first', rows: 1 });
    const ledger = await recorded(first);
    await rejectAll(ledger, first);
    await planIn(ledger, daysLater(1, planOf({ name: 'second', rows: 1 })));
    const [row] = await rowsIn(ledger, first);
    const [trace, charge] = [row?.trace, row?.charge];
    const order = row?.order && (await ledger.findOrder(first.header.id, row.order));
    if (!order || !trace || !charge) throw new Error('the row failed');
    const again = { ...(first.blocks[0]?.orders[0] as PlannedOrder), id: 'again' as OrderId, attempt: 2 };
    const [line] = again.lines;
    if (!line) throw new Error('an order has a line');
    const attempt = { ...again, lines: [{ ...line, trace: 'again' as typeof trace, replaces: order.state.id }] };
    const fact = { type: 'attempts-found', batch: first.header.id, at: 9, count: 1 } as const;
    await ledger.planRetry({
      batch: first.header.id,
      fact,
      attempts: [{ order: attempt, charge, replaced: { order, trace } }],
    });
    expect(await heldIn(ledger, first)).toEqual([[2, 'second']]);
    await expect(hold(ledger, first, [2])).rejects.toMatchObject({ code: 'already-paid' });
    expect(await ledger.verify()).toEqual([]);
  });
});

test('rows that are left out are marked with the batch, or as those that only share the order', async () => {
  const ledger = await recorded(earlier, daysLater(1, later));
  const held = { batch: later.header.id };
  expect((await rowsIn(ledger, earlier)).map((row) => row.superseded)).toEqual([
    held,
    held,
    held,
    {},
    undefined,
    undefined,
  ]);
});
