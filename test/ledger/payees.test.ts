import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openTemporary } from '../../src/database/sqlite.ts';
import type { TraceNumber } from '../../src/domain/ids.ts';
import { decimalOf } from '../../src/domain/money.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { knownPayees, paymentsTo, paymentsToOthers, unpaidRows } from '../../src/ledger/payees.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { kes, open, type Plan, planOf, reportOf, temporaryPath } from './builders.ts';
import { change, currentDriver } from './drivers.ts';

const payeesOf = ({ blocks }: Plan): readonly string[] =>
  blocks.flatMap(({ rows }) => rows.flatMap(({ payout }) => (payout ? [payout.payee] : [])));

/** Plans a batch and ends its first orders with these statuses; the rest stays unsent. */
async function ended(ledger: Ledger, plan: Plan, reports: readonly (number | 'failed')[]): Promise<void> {
  const epoch = await ledger.takeLease();
  await ledger.planBatch(plan.header, plan.blocks);
  const orders = (await ledger.unsentOrders(plan.header.id, 10_000)).slice(0, reports.length);
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
          lines: order.state.lines.map(({ trace, amount }) => reportedAs(reports[at], trace, decimalOf(amount))),
        },
      ],
      dueAt: null,
    })),
  );
}

/** With a status, or as one that failed: nothing was paid, and a code says why. */
const reportedAs = (report: number | 'failed' | undefined, trace: TraceNumber, amount: string) =>
  report === 'failed' ? reportOf(trace, '0', 7, { resultCode: '18' }) : reportOf(trace, amount, report);

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
      // A row is found, so that what it says is asked for as well.
      return sql.includes('o.position FROM') ? [{ batch: 'salaries', sheet_row: 1, position: 1 }] : [];
    };
    const database = { read } as Database; // these look-ups only read
    const referred = [{ reference: 'E1', payee: 'some-kind|1' }];
    const prove = async () => undefined;
    await paymentsTo(database, ['some-kind|1'], 1, prove);
    await paymentsToOthers(database, referred, 1, prove);
    await unpaidRows(database, { payees: ['some-kind|1'], referred }, 1, prove);
    await knownPayees(database, new Set(['some-kind|1']), async () => undefined);
    const scanned = steps.filter((step) => /^SCAN (?!500 CONSTANT ROWS|asked)/.test(step));
    expect(scanned).toEqual([]);
    // Each but the one for known payees twice: which rows are to be proven, and what became of them.
    expect(steps.filter((step) => step.includes('payout_payee'))).toHaveLength(5);
    expect(steps.filter((step) => step.includes('payout_reference'))).toHaveLength(4);
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

describe('payments before, in a ledger that somebody has edited', () => {
  const first = 'SELECT MIN(position) FROM pay_order';
  /** What has a database take an edit of a row that another one refers to. */
  const unchecked = { SQLite: 'PRAGMA foreign_keys = OFF', PostgreSQL: 'SET session_replication_role = replica' };

  /** A ledger with one batch, as it is opened after the edits. */
  async function edited(statements: readonly string[]) {
    const path = temporaryPath();
    const writing = await open({ path });
    const plan = planOf({ rows: 6 });
    await ended(writing, plan, [4, 'failed']);
    await writing.close();
    for (const sql of statements) await change(path, `${unchecked[currentDriver()]}; ${sql}`);
    const ledger = await open({ path });
    return { ledger, plan };
  }

  /** What a new sheet is held against: the payments to all payees of the plan, and all that are not paid. */
  async function compared(statements: readonly string[]) {
    const { ledger, plan } = await edited(statements);
    const [payees, { plannedAt }] = [payeesOf(plan), plan.header];
    const before = await ledger.paymentsTo(payees, plannedAt);
    const unpaid = await ledger.unpaidRows({ payees, referred: [] }, plannedAt);
    return { before, unpaid };
  }

  test('are those that were made or may be made, and what is not paid', async () => {
    const { before, unpaid } = await compared([]);
    expect(before).toHaveLength(5);
    expect(unpaid).toHaveLength(5);
  });

  /** The rows of the batch that it has not paid, of these people. */
  async function unpaidOf(statements: readonly string[], isAsked: (name: string) => boolean = () => true) {
    const { ledger, plan } = await edited(statements);
    return ledger.unpaidIn(plan.header.id, (people) => people.filter(({ name }) => isAsked(name)));
  }

  test('are, of one batch, what it has not paid of the people who are asked for', async () => {
    const unpaid = await unpaidOf([]);
    expect(unpaid.map(({ row }) => row)).toEqual([3, 4, 5, 6, 7]);
    expect(unpaid[0]).toMatchObject({ name: 'Person 1', outcome: 'rejected', amount: kes(150_001n) });
    expect(await unpaidOf([], (name) => name === 'Person 1')).toEqual([unpaid[0]]);
    expect(await unpaidOf([], (name) => name === 'Person 0')).toEqual([]);
  });

  test('say of which batch it is worth to read the people, and prove nothing for that', async () => {
    const { ledger, plan } = await edited([`UPDATE order_body SET body = ''`]);
    expect(await ledger.seemsToHavePaid(plan.header.id)).toBe(true);
    const unsent = await open();
    await unsent.takeLease();
    await unsent.planBatch(plan.header, plan.blocks);
    expect(await unsent.seemsToHavePaid(plan.header.id)).toBe(false);
  });

  test('say what a batch of another process still needs, and prove nothing for that', async () => {
    const { ledger, plan } = await edited([`UPDATE order_body SET body = ''`]);
    expect(await ledger.unsentElsewhere(plan.header.id)).toMatchObject({ rows: 4 });
    await expect(ledger.unsentOutstanding(plan.header.id)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  /** The order that failed. */
  const second = `SELECT id FROM pay_order WHERE position = (${first}) + 1`;
  test('are not read past an outcome that somebody edited', async () => {
    const edit = `UPDATE pay_order SET outcome = 'failed' WHERE position = (${first})`;
    await expect(compared([edit])).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('are not read past a row that somebody deleted', async () => {
    const edit = 'DELETE FROM payout WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)';
    await expect(compared([edit])).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test.each([
    [
      'an outcome of one row',
      [`UPDATE payout SET outcome = 'failed' WHERE order_id = (SELECT id FROM pay_order WHERE position = (${first}))`],
    ],
    [
      'the payee of a row',
      [`UPDATE payout SET payee = 'some-kind|254799999999' WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)`],
    ],
    [
      'the amount of a row',
      ['UPDATE payout SET amount_minor = amount_minor + 1 WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)'],
    ],
    [
      'a row that stands under an order that failed',
      [
        `UPDATE payout SET order_id = (${second}), trace = 'another' WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)`,
      ],
    ],
    [
      'a row that stands under no order',
      [
        `UPDATE payout SET order_id = NULL, trace = NULL, outcome = 'left-out' WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)`,
      ],
    ],
    ['the id of an order', [`UPDATE pay_order SET id = 'another' WHERE position = (${first})`]],
    ['a deleted order', [`DELETE FROM pay_order WHERE position = (${first})`]],
    ['a deleted fact', [`DELETE FROM fact WHERE seq = (SELECT MAX(seq) FROM fact)`]],
    ['an edited fact', [`UPDATE fact SET data = replace(data, '"status":4', '"status":7')`]],
    ['the day of the batch', ['UPDATE batch SET planned_at = 1']],
    [
      'the name of a row',
      [`UPDATE payout SET name = 'Somebody Else' WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)`],
    ],
    ['an outcome that hides a row', [`UPDATE pay_order SET outcome = 'completed' WHERE position = (${first}) + 1`]],
  ])('are not read past %s', async (_, statements) => {
    await expect(compared(statements)).rejects.toMatchObject({ code: 'ledger-unsafe' });
    await expect(unpaidOf(statements)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('are not read while the proof of their batch is still under way', async () => {
    const edit = 'DELETE FROM payout WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)';
    const { ledger, plan } = await edited([edit]);
    await ledger.findBatch(plan.header.id);
    const unsafe = { status: 'rejected', reason: expect.objectContaining({ code: 'ledger-unsafe' }) };
    const both = [ledger.proveWhole(plan.header.id), ledger.paymentsTo(payeesOf(plan), plan.header.plannedAt)];
    expect(await Promise.allSettled(both)).toEqual([unsafe, unsafe]);
  });

  test('are not read past a row that stands under an order of another batch', async () => {
    const path = temporaryPath();
    const writing = await open({ path });
    const [plan, other] = [planOf({ rows: 3 }), planOf({ name: 'other', rows: 4 })];
    await ended(writing, plan, [4]);
    await ended(writing, other, ['failed']);
    await writing.close();
    const failed = `SELECT id FROM pay_order WHERE batch = '${other.header.id}' ORDER BY position LIMIT 1`;
    await change(
      path,
      `${unchecked[currentDriver()]}; UPDATE payout SET order_id = (${failed})
      WHERE order_id = (SELECT id FROM pay_order WHERE position = (${first}))`,
    );
    const ledger = await open({ path });
    const asked = ledger.paymentsTo(payeesOf(plan).slice(0, 1), plan.header.plannedAt);
    await expect(asked).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('need no proof of what is sent to others: whoever sends it has that', async () => {
    const { ledger, plan } = await edited([`DELETE FROM order_body WHERE position > (${first})`]);
    const { plannedAt, id } = plan.header;
    expect(await ledger.paymentsTo(['some-kind|254799999999'], plannedAt)).toEqual([]);
    expect(await ledger.paymentsTo(payeesOf(plan).slice(0, 1), plannedAt)).toHaveLength(1);
    await expect(ledger.proveWhole(id)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('are, of one batch, not read past a row whose name hides the person', async () => {
    const edit = `UPDATE payout SET name = 'Somebody Else' WHERE sheet_row = 3`;
    const asked = unpaidOf([edit], (name) => name === 'Person 1');
    await expect(asked).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test('are looked for among all rows of a batch, even if it pays none of these people', async () => {
    const edit = `UPDATE payout SET payee = 'some-kind|254799999998' WHERE sheet_row = (SELECT MIN(sheet_row) FROM payout)`;
    const { ledger, plan } = await edited([edit]);
    const asked = ledger.paymentsTo(['some-kind|254799999999'], plan.header.plannedAt);
    await expect(asked).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });
});
