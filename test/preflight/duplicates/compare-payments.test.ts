/** Sheets against a real ledger: what of them stands in earlier batches, by the ledger's own word on each row. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Payout } from '../../../src/domain/batch.ts';
import { contentBatchKey, namedBatchKey } from '../../../src/domain/ids.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { type Comparison, comparePayments } from '../../../src/preflight/duplicates/compare-payments.ts';
import { openStaging } from '../../../src/staging/staging.ts';
import { kes, open, type Plan, planOf, reportOf } from '../../ledger/builders.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const DAY_MS = 86_400_000;

/** The payouts of a plan, each with what is changed about it. */
const payoutsOf = ({ blocks }: Plan, change: (payout: Payout, at: number) => Partial<Payout> = () => ({})): Payout[] =>
  blocks
    .flatMap(({ rows }) => rows.flatMap(({ payout }) => payout ?? []))
    .map((payout, at) => ({ ...payout, ...change(payout, at) }));

/** The plan with references, and planned so many days ago. */
function referred(plan: Plan, daysAgo = 1): Plan {
  const blocks = plan.blocks.map(({ rows, orders }) => ({
    orders,
    rows: rows.map((row) => (row.payout ? { ...row, payout: { ...row.payout, reference: `E${row.row}` } } : row)),
  }));
  return { header: { ...plan.header, plannedAt: NOW - daysAgo * DAY_MS }, blocks };
}

async function record(ledger: Ledger, { header, blocks }: Plan): Promise<void> {
  await ledger.takeLease();
  await ledger.planBatch(header, blocks);
}

async function compared(
  ledger: Ledger,
  payouts: readonly Payout[],
  withinDays = 45,
  name?: string,
): Promise<Comparison> {
  const staging = openStaging();
  onTestFinished(() => staging.close());
  staging.add(payouts.map((payout, at) => ({ row: at + 2, payout, texts: [], issues: [] })));
  return comparePayments(staging.payments(), ledger, {
    key: name === undefined ? contentBatchKey('new') : namedBatchKey(name),
    plannedAt: NOW,
    currency: kes(0n).currency,
    rows: payouts.length,
    cellOf: (row) => `C${row}`,
    duplicates: { withinDays, samePersonDays: 25, otherPeriodDays: 5 },
    timezone: 'Africa/Nairobi',
  });
}

describe('a sheet held against a ledger', () => {
  test('has in common what was paid or may still be, and not what failed for good or was set aside', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 7, invalid: 1 }));
    await record(ledger, plan);
    const epoch = await ledger.takeLease(plan.header.id);
    const orders = (await ledger.unsentOrders(plan.header.id, 6)).slice(0, 6);
    const claimed = await ledger.claim(orders, 1, epoch, 2);
    // Completed, rejected, timed out, failed for good; the fifth is claimed, the sixth pending, the seventh never sent.
    const ends = [[4], [7], [8], [5, { resultCode: '6' }], undefined, [1]] as const;
    await ledger.record(
      claimed.flatMap((order, at) => {
        const end = ends[at];
        const [line] = order.state.lines;
        if (!end || !line) return [];
        const [status, more] = end;
        const lines = [reportOf(line.trace, status === 4 ? decimalOf(line.amount) : '0', status, more)];
        const fact = { type: 'order-observed', order: order.state.id, at: 3, processed: status !== 1, lines } as const;
        return [{ order, facts: [fact], dueAt: null }];
      }),
    );
    const outcomes = (await Array.fromAsync(ledger.resultRows(plan.header.id))).flat().map(({ outcome }) => outcome);
    const counts = ['completed', 'timed-out', 'in-doubt', 'pending', 'unsent'];
    const standing = outcomes.filter((outcome) => counts.includes(outcome));
    expect(outcomes).toContain('rejected');
    expect(outcomes).toContain('failed');
    expect(standing).toHaveLength(5);

    const { held, payable, overlaps } = await compared(ledger, payoutsOf(plan));
    expect(payable.count).toBe(7);
    expect(held).toMatchObject({ count: 5, certain: 5 });
    expect(overlaps).toHaveLength(1);
    expect(overlaps[0]).toMatchObject({ batch: plan.header.id, isHeld: true, isRecent: true, people: 5 });
    expect(overlaps[0]?.same.rows.map(({ cell }) => cell)).toEqual(['C2', 'C4', 'C6']);
  });

  test('repeats a payment as often as the batch has it, and no more', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 2 }));
    await record(ledger, plan);
    const [first] = payoutsOf(plan, () => ({ reference: undefined as never }));
    if (!first) throw new Error('there is a first payout');
    const { reference: _, ...same } = first;
    const { held, overlaps } = await compared(ledger, [same, same, same]);
    expect(held.count).toBe(1);
    expect(overlaps[0]?.people).toBe(3);
  });

  test('counts a row once, however many batches have it, and names the fullest batch first', async () => {
    const ledger = await open();
    const plans = [referred(planOf({ name: 'a', rows: 2 }), 3), referred(planOf({ name: 'b', rows: 4 }), 2)];
    for (const plan of plans) await record(ledger, plan);
    const { held, overlaps } = await compared(ledger, payoutsOf(planOf({ rows: 6 })));
    expect(held.count).toBe(4);
    expect(held.amount).toEqual(kes(600_006n));
    expect(overlaps.map(({ batch, same }) => [batch, same.count])).toEqual([
      ['b', 4],
      ['a', 2],
    ]);
  });

  test('tells apart what the batch pays under the same reference', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 3 }));
    await record(ledger, plan);
    const certains = async (reference?: string) => {
      const sheet = payoutsOf(planOf({ rows: 3 }), () => (reference === undefined ? {} : { reference }));
      const { held } = await compared(ledger, sheet);
      expect(held.count).toBe(3);
      return held.certain;
    };
    expect(await certains()).toBe(0);
    expect(await certains('E3')).toBe(1);
    expect(await certains('E99')).toBe(0);
    const bare = await open();
    await record(bare, { ...planOf({ rows: 3 }), header: plan.header });
    expect((await compared(bare, payoutsOf(planOf({ rows: 3 })))).held).toMatchObject({ count: 3, certain: 0 });
  });

  test('takes the same reference and amount for the same payment, whoever is paid, but not a count of rows', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 3 }));
    await record(ledger, plan);
    const toOthers = (payout: Payout, at: number): Partial<Payout> => ({
      payee: `wallet:2547999000${at}`,
      destination: `+2547999000${at}`,
      name: `Another ${at}`,
      reference: `E${at + 2}`,
      ...(at === 2 && { amount: kes(payout.amount.minor + 1n) }),
    });
    const { held, overlaps } = await compared(ledger, payoutsOf(planOf({ rows: 3 }), toOthers));
    expect(held).toMatchObject({ count: 2, certain: 2 });
    expect(overlaps[0]?.same.rows.map(({ row, paidTo }) => [row, paidTo])).toEqual([
      [2, 'Person 0, +2547•••••000'],
      [3, 'Person 1, +2547•••••001'],
    ]);

    const counted = await open();
    const blocks = planOf({ rows: 3 }).blocks.map(({ rows, orders }) => ({
      orders,
      rows: rows.map((row, at) => (row.payout ? { ...row, payout: { ...row.payout, reference: `${at + 1}` } } : row)),
    }));
    await record(counted, { header: plan.header, blocks });
    const countedToo = (payout: Payout, at: number) => ({ ...toOthers(payout, at), reference: `${at + 1}` });
    expect((await compared(counted, payoutsOf(planOf({ rows: 3 }), countedToo))).held.count).toBe(0);
  });

  test('knows the same reference wherever it stands among payments to one payee', async () => {
    const plan = planOf({ rows: 3 });
    const [first] = payoutsOf(plan);
    if (!first) throw new Error('there is a payout');
    for (const references of [
      ['E1', 'E2', 'E3'],
      ['E3', 'E2', 'E1'],
    ]) {
      const ledger = await open();
      const blocks = plan.blocks.map(({ rows, orders }) => ({
        orders: orders.map((order) => ({
          ...order,
          lines: order.lines.map((line) => ({ ...line, amount: first.amount })),
        })),
        rows: rows.map((row, at) => ({ ...row, payout: { ...first, reference: references[at] ?? '' } })),
      }));
      const total = kes(3n * first.amount.minor);
      await record(ledger, { header: { ...plan.header, total, plannedAt: NOW - DAY_MS }, blocks });
      const { held } = await compared(ledger, [{ ...first, reference: 'E1' }]);
      expect(held).toMatchObject({ count: 1, certain: 1 });
    }
  });

  test('counts who is new, and what was paid before though nothing of it stands in the way', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 2 }), 30);
    await record(ledger, plan);
    const { paidBefore, held, newPayees } = await compared(
      ledger,
      payoutsOf(planOf({ rows: 3 })),
      60,
      'salaries-2026-12',
    );
    expect(paidBefore).toMatchObject({ count: 2, amount: kes(300_001n), rows: [{ cell: 'C2' }, { cell: 'C3' }] });
    expect(held.count).toBe(0);
    expect(newPayees).toMatchObject({ count: 1, rows: [{ cell: 'C4', name: 'Person 2' }] });
  });

  test('sees no batch that is too old', async () => {
    const ledger = await open();
    await record(ledger, referred(planOf({ rows: 3 }), 46));
    expect((await compared(ledger, payoutsOf(planOf({ rows: 3 })))).paidBefore.count).toBe(0);
    expect((await compared(ledger, payoutsOf(planOf({ rows: 3 })), 47)).held.count).toBe(3);
  });

  test('tells people apart from payments: other amounts, other kinds, other currencies', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 4 }));
    await record(ledger, plan);
    const other = await compared(
      ledger,
      payoutsOf(plan, () => ({ amount: kes(7n) })),
    );
    expect(other).toMatchObject({ held: { count: 0 }, overlaps: [{ people: 4, same: { count: 0 } }] });
    const kinds = await compared(
      ledger,
      payoutsOf(planOf({ rows: 4 }), ({ payee }) => ({ payee: `other|${payee}`, name: 'Other' })),
    );
    expect(kinds).toMatchObject({ held: { count: 0 }, overlaps: [], newPayees: { count: 4 } });
  });

  test('knows a payment whose account and name were corrected by its reference and amount', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 3 }));
    await record(ledger, plan);
    const elsewhere = { payee: 'some-kind|254799999999', destination: '+254799999999' };
    const moved = (more: Partial<Payout>) =>
      payoutsOf(plan, ({ name }, at) => ({
        reference: `E${at + 2}`,
        ...(at === 1 && { ...elsewhere, name, ...more }),
      }));

    const corrected = await compared(ledger, moved({ name: ' person  1' }));
    expect(corrected.held).toMatchObject({ count: 3, certain: 3 });
    expect(corrected.changedPayees).toEqual({
      count: 1,
      rows: [
        {
          row: 3,
          name: ' person  1',
          reference: 'E3',
          from: '+2547•••••001',
          to: '+254799999999',
          batch: plan.header.id,
          rowThen: 3,
          outcome: 'unsent',
        },
      ],
    });
    expect((await compared(ledger, moved({ name: 'Somebody else' }))).held.count).toBe(3);
    expect((await compared(ledger, moved({ amount: kes(1n) }))).held.count).toBe(2);
  });

  describe('of which the account of a reference changed', () => {
    /** Reference E2 once more, at another account. */
    function changed(plan: Plan, reference = 'E2'): Payout {
      const [payout] = payoutsOf(plan, () => ({ reference, payee: 'some-kind|254799999999' }));
      if (!payout) throw new Error('there is a payout');
      return payout;
    }

    /** Records a batch of this one payout. */
    async function recordOne(ledger: Ledger, name: string, payout: Payout, daysAgo: number): Promise<void> {
      const { header, blocks } = referred(planOf({ name, rows: 1 }), daysAgo);
      const paying = blocks.map(({ rows, orders }) => ({ orders, rows: rows.map((row) => ({ ...row, payout })) }));
      await record(ledger, { header: { ...header, total: payout.amount }, blocks: paying });
    }

    const october = referred(planOf({ name: 'october', rows: 1 }), 30);

    test('tells of no change when it was changed before, and paid since', async () => {
      const ledger = await open();
      await record(ledger, october);
      expect((await compared(ledger, [changed(october)])).changedPayees.count).toBe(1);
      await recordOne(ledger, 'november', changed(october), 10);
      expect((await compared(ledger, [changed(october)])).changedPayees.count).toBe(0);
    });

    test('tells of it when the other account was paid since under another reference alone', async () => {
      const ledger = await open();
      await record(ledger, october);
      await recordOne(ledger, 'november', changed(october, 'E9'), 10);
      expect((await compared(ledger, [changed(october)])).changedPayees.count).toBe(1);
    });

    test('tells of it when it goes back to what was paid before the last time', async () => {
      const ledger = await open();
      await recordOne(ledger, 'september', changed(october), 40);
      await record(ledger, october);
      expect((await compared(ledger, [changed(october)])).changedPayees.count).toBe(1);
    });
  });

  test('names the later of two batches that have as much of it first', async () => {
    const ledger = await open();
    for (const [name, daysAgo] of [
      ['a', 9],
      ['b', 3],
      ['c', 6],
    ] as const) {
      await record(ledger, referred(planOf({ name, rows: 2 }), daysAgo));
    }
    const { overlaps } = await compared(ledger, payoutsOf(planOf({ rows: 2 })));
    expect(overlaps.map(({ batch }) => batch)).toEqual(['b', 'c', 'a']);
  });

  test('is compared beyond one block, row by row', async () => {
    const ledger = await open();
    const plan = referred(planOf({ rows: 1203, linesPerOrder: 7 }));
    await record(ledger, plan);
    const { held, newPayees, payable } = await compared(ledger, payoutsOf(planOf({ rows: 1300 })));
    expect(payable.count).toBe(1300);
    expect(held).toMatchObject({ count: 1203, certain: 0, amount: plan.header.total });
    expect(newPayees.count).toBe(97);
  });
});
