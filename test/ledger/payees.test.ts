import { describe, expect, onTestFinished, test } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import type { Database } from '../../src/ledger/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { knownPayees, paymentsTo, paymentsToOthers, unpaidRows } from '../../src/ledger/payees.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { openTemporary } from '../../src/ledger/sqlite.ts';
import { open, type Plan, planOf, reportOf } from './builders.ts';

const payeesOf = ({ blocks }: Plan): readonly string[] =>
  blocks.flatMap(({ rows }) => rows.flatMap(({ payout }) => (payout ? [payout.payee] : [])));

/** Plans a batch and ends its first orders with these statuses; the rest stays unsent. */
async function ended(ledger: Ledger, plan: Plan, statuses: readonly number[]): Promise<void> {
  const epoch = await ledger.takeLease();
  await ledger.planBatch(plan.header, plan.blocks);
  const orders = (await ledger.unsentOrders(plan.header.id, 10_000)).slice(0, statuses.length);
  if (orders.length === 0) return;
  const claimed = await ledger.claim(orders, 1, epoch, 2);
  await ledger.record(
    claimed.map((order, at) => ({
      order,
      facts: [
        {
          type: 'order-observed',
          order: order.state.id,
          at: 3,
          processed: true,
          lines: order.state.lines.map(({ trace, amount }) => reportOf(trace, decimalOf(amount), statuses[at])),
        },
      ],
      dueAt: null,
    })),
  );
}

describe('the payees that a ledger knows', () => {
  test('are the ones whose payout is completed, in whatever batch', async () => {
    const ledger = await open();
    const first = planOf({ name: 'october', rows: 4 });
    await ended(ledger, first, [4, 7, 8]);
    const payees = payeesOf(first);
    const [paid = ''] = payees;
    const asked = new Set([...payees, 'some-kind|254799999999']);
    expect(await ledger.knownPayees(asked)).toEqual(new Set([paid]));
    await ended(ledger, planOf({ name: 'november', rows: 6 }), [7, 4]);
    expect(await ledger.knownPayees(asked)).toEqual(new Set(payees.slice(0, 2)));
  });

  test('are only those that are asked about', async () => {
    const ledger = await open();
    const plan = planOf({ rows: 3, invalid: 2 });
    await ended(ledger, plan, [4, 4, 4]);
    expect(await ledger.knownPayees(new Set(['some-kind|254799999999']))).toEqual(new Set());
    expect(await ledger.knownPayees(new Set())).toEqual(new Set());
    const [, second = ''] = payeesOf(plan);
    expect(await ledger.knownPayees(new Set([second]))).toEqual(new Set([second]));
  });

  test('are found beyond the first block, several of them in one order', async () => {
    const ledger = await open();
    const plan = planOf({ rows: 4_100, linesPerOrder: 50 });
    await ended(ledger, plan, Array(82).fill(4));
    const payees = new Set(payeesOf(plan));
    expect(payees.size).toBe(4_100);
    expect(await ledger.knownPayees(payees)).toEqual(payees);
  });
});

describe('payments before', () => {
  test('are looked up by the indexes of payee and reference, whatever the ledger has grown to', async () => {
    const connection = openTemporary();
    onTestFinished(() => connection.close());
    for (const statement of ledgerSchema.statements) connection.exec(statement);
    const steps: string[] = [];
    const read: Database['read'] = async (sql, values) => {
      steps.push(...connection.all(`EXPLAIN QUERY PLAN ${sql}`, values).map((row) => String(row['detail'])));
      return [];
    };
    const database = { read } as Database; // these look-ups only read
    const referred = [{ reference: 'E1', payee: 'some-kind|1' }];
    await paymentsTo(database, ['some-kind|1'], 1);
    await paymentsToOthers(database, referred, 1);
    await unpaidRows(database, { payees: ['some-kind|1'], referred }, 1);
    await knownPayees(database, new Set(['some-kind|1']), async () => undefined);
    const scanned = steps.filter((step) => /^SCAN (?!500 CONSTANT ROWS|asked)/.test(step));
    expect(scanned).toEqual([]);
    expect(steps.filter((step) => step.includes('payout_payee'))).toHaveLength(3);
    expect(steps.filter((step) => step.includes('payout_reference'))).toHaveLength(2);
  });

  test('are found for more payees than one statement takes, the last group not full', async () => {
    const ledger = await open();
    const plan = planOf({ rows: 1203, linesPerOrder: 50 });
    await ended(ledger, plan, []);
    const { plannedAt } = plan.header;
    const found = await ledger.paymentsTo(payeesOf(plan), plannedAt);
    expect(found.map(({ payee }) => payee).toSorted()).toEqual(payeesOf(plan).toSorted());
    expect(found.every(({ count, batch }) => count === 1 && batch === plan.header.id)).toBe(true);
    expect(await ledger.paymentsTo(payeesOf(plan), plannedAt + 1)).toEqual([]);
    expect(await ledger.paymentsTo([], 0)).toEqual([]);
  });
});
