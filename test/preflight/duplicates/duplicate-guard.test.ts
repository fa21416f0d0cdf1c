/** The guard as a run and `validate` ask it: what stops a sheet, what is told of it, and what is recorded. */
import { describe, expect, test } from 'vitest';
import type { CheckedSheet } from '../../../src/batch/check-rows.ts';
import type { Payout } from '../../../src/domain/batch.ts';
import { type BatchId, contentBatchKey, namedBatchKey } from '../../../src/domain/ids.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import {
  earlierFindings,
  type GuardedSheet,
  guardDuplicates,
  occasionOf,
  withFindings,
} from '../../../src/preflight/duplicates/duplicate-guard.ts';
import type { DuplicateChoice } from '../../../src/preflight/duplicates/judge.ts';
import { kes, open, type Plan, planOf, reportOf, TestClock, temporaryPath } from '../../ledger/builders.ts';
import { change } from '../../ledger/drivers.ts';
import { liveSettings } from '../../support/desk/live-settings.ts';
import { stagingForTest } from '../../support/sheets/checked-sheet.ts';

const NOW = Date.UTC(2026, 10, 21, 22);
const DAY_MS = 86_400_000;

type Recorded = readonly (readonly [name: string, rows: number, daysAgo: number])[];

const recorded = (...plans: Recorded): Promise<Ledger> => recordedIn(temporaryPath(), ...plans);

async function recordedIn(path: string, ...plans: Recorded): Promise<Ledger> {
  const ledger = await open({ path, clock: new TestClock(NOW) });
  await ledger.takeLease();
  for (const [name, rows, daysAgo] of plans) {
    const { header, blocks } = planOf({ name, rows });
    await ledger.planBatch({ ...header, plannedAt: NOW - daysAgo * DAY_MS }, blocks);
  }
  return ledger;
}

/** Every order of the batch ends: 4 as completed, 8 as timed out. */
async function complete(ledger: Ledger, batch: string, status: 4 | 8 = 4): Promise<void> {
  const epoch = await ledger.takeLease(batch as BatchId);
  const claimed = await ledger.claim(await ledger.unsentOrders(batch as BatchId, 10), 1, epoch, 2);
  await ledger.record(
    claimed.map((order) => {
      const lines = order.state.lines.map(({ trace, amount }) =>
        reportOf(trace, status === 4 ? decimalOf(amount) : '0', status),
      );
      const fact = { type: 'order-observed', order: order.state.id, at: 3, processed: true, lines } as const;
      return { order, facts: [fact], dueAt: null };
    }),
  );
}

/** The plan with something changed in each payout. */
const paying = ({ header, blocks }: Plan, change: Partial<Payout>): Plan => ({
  header,
  blocks: blocks.map(({ rows, orders }) => ({
    orders: orders.map((order) => ({
      ...order,
      lines: order.lines.map((line) => ({ ...line, amount: change.amount ?? line.amount })),
    })),
    rows: rows.map((row) => ({ ...row, ...(row.payout && { payout: { ...row.payout, ...change } }) })),
  })),
});

/** A sheet of the people of a plan, in its amounts. */
function sheetOf({ header, blocks }: Plan, name?: string): GuardedSheet {
  const staging = stagingForTest();
  const rows = blocks.flatMap((block) => block.rows);
  staging.add(rows.map(({ row, payout, texts }) => ({ row, ...(payout && { payout }), texts, issues: [] })));
  const headings: CheckedSheet['headings'] = [
    { column: 1, text: 'Name', means: 'name', by: 'alias' },
    { column: 4, text: 'Net pay', means: 'amount', by: 'alias' },
  ];
  const key = name === undefined ? contentBatchKey('new') : namedBatchKey(name);
  return { key, checked: { headings, total: header.total, rows: rows.length }, staging };
}

const depsOf = (ledger: Ledger, sandbox = false) => ({
  ledger,
  clock: new TestClock(NOW),
  settings: { ...liveSettings, sandbox, timezone: 'Africa/Nairobi' },
});

const guard = (ledger: Ledger, rows: number, choice: DuplicateChoice = {}, sandbox = false) =>
  guardDuplicates(sheetOf(planOf({ rows })), choice, depsOf(ledger, sandbox));

describe('a live sheet', () => {
  test('that repeats a batch is refused', async () => {
    const ledger = await recorded(['october', 5, 1]);
    await expect(guard(ledger, 5)).rejects.toMatchObject({ code: 'already-paid', exit: 8 });
  });

  test('that goes for a reason is recorded with it, its rows and the batches that hold them', async () => {
    const ledger = await recorded(['august', 5, 80], ['a', 1, 4], ['b', 2, 3], ['c', 3, 2], ['d', 4, 1]);
    const { recorded: kept } = await guard(ledger, 5, { allowDuplicate: 'bonus' });
    expect(kept.paidBefore).toEqual({ rows: 4, batches: ['d', 'c', 'b'], reason: 'bonus' });
    expect(kept.differs).toMatchObject({ newPayees: { count: 1, rows: [expect.any(Number)] } });
  });

  test('of which a part goes for its exact number is recorded without a reason', async () => {
    const ledger = await recorded(['october', 2, 1]);
    const { recorded: kept } = await guard(ledger, 10, { acceptPaidBefore: 2 });
    expect(kept.paidBefore).toEqual({ rows: 2, batches: ['october'] });
    expect(kept.differs).toMatchObject({ newPayees: { count: 8 } });
  });

  test('of another period is recorded without a batch that does not stand in its way', async () => {
    const ledger = await recorded(['salaries-2026-10', 5, 20]);
    const sheet = sheetOf(planOf({ rows: 5 }), 'salaries-2026-11');
    const { recorded: kept } = await guardDuplicates(sheet, { allowDuplicate: 'bonus' }, depsOf(ledger));
    expect(kept).toEqual({ paidBefore: { rows: 0, batches: [], reason: 'bonus' } });
  });

  describe('of a person whose phone was corrected', () => {
    const corrected = { payee: 'some-kind|other', destination: '+254799999999' };
    const correctedSheet = (more: Partial<Payout> = {}) =>
      sheetOf(paying(planOf({ rows: 1 }), { ...corrected, ...more }), 'corrections');
    const accepting = { acceptPaidBefore: 1 };

    test('is refused while a batch of these days may have paid the amount to the former one', async () => {
      const ledger = await recorded(['salaries', 1, 1]);
      await complete(ledger, 'salaries', 8);
      await expect(guardDuplicates(correctedSheet(), {}, depsOf(ledger))).rejects.toMatchObject({
        code: 'already-paid',
        message: expect.stringContaining('row 2 (Person 0, KES 1,500.00; paid there to Person 0, +2547•••••000)'),
      });
      const { findings } = await guardDuplicates(correctedSheet(), { allowDuplicate: 'sent back' }, depsOf(ledger));
      expect(findings.changedPayees?.rows).toMatchObject([{ row: 2, batch: 'salaries', outcome: 'timed-out' }]);
    });

    test('is not taken for somebody else who had the number of the row before', async () => {
      const ledger = await open({ clock: new TestClock(NOW) });
      await ledger.takeLease();
      const numbered = (change: (at: number) => Partial<Payout>): Plan => {
        const { header, blocks } = planOf({ name: 'salaries', rows: 3 });
        const rows = blocks
          .flatMap((block) => block.rows)
          .map((row, at) => ({
            ...row,
            ...(row.payout && { payout: { ...row.payout, reference: `${at + 1}`, ...change(at) } }),
          }));
        return { header, blocks: [{ orders: blocks.flatMap(({ orders }) => orders), rows }] };
      };
      const { header, blocks } = numbered(() => ({}));
      await ledger.planBatch({ ...header, plannedAt: NOW - DAY_MS }, blocks);
      await complete(ledger, 'salaries', 8);
      const next = numbered((at) => (at === 0 ? { ...corrected, name: 'Newcomer' } : { amount: kes(7n) }));
      const { comparison } = await guardDuplicates(sheetOf(next, 'casuals'), {}, depsOf(ledger));
      expect(comparison).toMatchObject({ held: { count: 0 }, changedPayees: { count: 1 } });
    });

    test('is not refused for another amount, nor for salaries of the month before', async () => {
      const other = await recorded(['salaries', 1, 1]);
      await complete(other, 'salaries', 8);
      await guardDuplicates(correctedSheet({ amount: kes(7n) }), {}, depsOf(other));
      const monthAgo = await recorded(['salaries-2026-10', 1, 30]);
      await complete(monthAgo, 'salaries-2026-10');
      await guardDuplicates(correctedSheet(), {}, depsOf(monthAgo));
      await expect(guardDuplicates(correctedSheet(), accepting, depsOf(monthAgo))).rejects.toMatchObject({
        message: expect.stringContaining('No payment of this sheet is in an earlier batch'),
      });
    });
  });

  test('is recorded without a batch that only pays the same people', async () => {
    const ledger = await recorded(['october', 2, 1]);
    const { header, blocks } = paying(planOf({ name: 'other', rows: 5 }), { amount: kes(7n) });
    await ledger.planBatch({ ...header, total: kes(35n), plannedAt: NOW }, blocks);
    const { recorded: kept, findings } = await guard(ledger, 5, { allowDuplicate: 'bonus' });
    expect(kept).toEqual({ paidBefore: { rows: 2, batches: ['october'], reason: 'bonus' } });
    expect(findings.paidBefore?.batches.map(({ batch }) => batch)).toEqual(['october']);
  });

  test('that repeats nothing is recorded with nothing, and with a reason that was given for nothing', async () => {
    const ledger = await recorded();
    expect((await guard(ledger, 3)).recorded).toEqual({});
    const { recorded: kept } = await guard(ledger, 3, { allowDuplicate: 'to be safe' });
    expect(kept).toEqual({ paidBefore: { rows: 0, batches: [], reason: 'to be safe' } });
  });

  test('of which another run took more since it was confirmed is refused', async () => {
    const ledger = await recorded(['october', 2, 1]);
    const choice = { allowDuplicate: 'bonus' };
    const confirmed = await guard(ledger, 6, choice);
    const { header, blocks } = planOf({ name: 'november', rows: 4 });
    await ledger.planBatch({ ...header, plannedAt: NOW }, blocks);
    const again = guardDuplicates(sheetOf(planOf({ rows: 6 })), choice, depsOf(ledger), confirmed);
    await expect(again).rejects.toThrow('batch november took 2 of its payments');
  });

  test('about which nothing was recorded since it was confirmed is not compared a second time', async () => {
    const ledger = await recorded(['october', 2, 1]);
    const choice = { allowDuplicate: 'bonus' };
    const confirmed = await guard(ledger, 6, choice);
    const sheet = sheetOf(planOf({ rows: 6 }));
    expect(await guardDuplicates(sheet, choice, depsOf(ledger), confirmed)).toBe(confirmed);
    await complete(ledger, 'october');
    const again = await guardDuplicates(sheet, choice, depsOf(ledger), confirmed);
    expect(again).not.toBe(confirmed);
    expect(again.seenTo).toBeGreaterThan(confirmed.seenTo);
    expect(again.recorded).toEqual(confirmed.recorded);
  });

  test('is compared without a proof of what other batches send to other people', async () => {
    const path = temporaryPath();
    const ledger = await recordedIn(path, ['october', 3, 1]);
    await ledger.close();
    await change(path, 'UPDATE order_body SET body = body || 1');
    const opened = await open({ path, clock: new TestClock(NOW) });
    const others = paying(planOf({ name: 'others', rows: 2 }), { payee: 'some-kind|other', name: 'Somebody Else' });
    expect((await guardDuplicates(sheetOf(others), {}, depsOf(opened))).recorded).not.toHaveProperty('paidBefore');
    await expect(guard(opened, 2)).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });
});

test('a rehearsal may be repeated, and is told all the same', async () => {
  const { findings } = await guard(await recorded(['october', 5, 1]), 5, {}, true);
  expect(findings.paidBefore).toMatchObject({ count: 5 });
});

describe('what people are told of a sheet', () => {
  test('is how many payments were made before, and the three batches with the most of them', async () => {
    const ledger = await recorded(['a', 1, 4], ['b', 2, 3], ['c', 3, 2], ['d', 4, 1]);
    const { paidBefore } = await earlierFindings(sheetOf(planOf({ rows: 6 })), depsOf(ledger));
    expect(paidBefore).toMatchObject({ count: 4, amount: kes(600_006n) });
    expect(paidBefore).not.toHaveProperty('rows');
    // Ten in the evening in London is the next day in Nairobi.
    expect(paidBefore?.batches.map(({ batch, date, count }) => [batch, date, count])).toEqual([
      ['d', '2026-11-21', 4],
      ['c', '2026-11-20', 3],
      ['b', '2026-11-19', 2],
    ]);
    expect(paidBefore?.batches[0]?.rows[0]).toEqual({ row: 2, cell: 'D2', name: 'Person 0', amount: kes(150_000n) });
  });

  test('is who is new, unless nobody was ever paid', async () => {
    const sheet = sheetOf(planOf({ rows: 3 }));
    expect(await earlierFindings(sheet, depsOf(await recorded()))).toEqual({});
    const ledger = await recorded(['october', 2, 100]);
    expect(await earlierFindings(sheet, depsOf(ledger))).toMatchObject({ newPayees: { count: 3 } });
    await complete(ledger, 'october');
    const found = await earlierFindings(sheet, depsOf(ledger));
    expect(found).toMatchObject({ newPayees: { count: 1, rows: [{ row: 4, name: 'Person 2' }] } });
    expect(found).not.toHaveProperty('paidBefore');
    expect(found.lastTime).toMatchObject({ batch: 'october', newPeople: { count: 1, rows: [{ row: 4 }] } });
    const same = await earlierFindings(sheetOf(planOf({ rows: 2 })), depsOf(ledger));
    expect(same).toMatchObject({ lastTime: { newPeople: { count: 0 }, changedAmounts: { count: 0 } } });
  });

  test('does not name a batch that pays only the same people', async () => {
    const ledger = await recorded(['october', 3, 1]);
    const other = paying(planOf({ rows: 3 }), { amount: kes(7n) });
    expect(await earlierFindings(sheetOf(other), depsOf(ledger))).toEqual({});
  });

  test('is whose reference was paid to another account the last time', async () => {
    const ledger = await recorded();
    const { header, blocks } = paying(planOf({ name: 'october', rows: 1 }), { reference: 'E1' });
    await ledger.planBatch({ ...header, plannedAt: NOW - 20 * DAY_MS }, blocks);
    const moved = paying(planOf({ rows: 1 }), {
      reference: 'E1',
      payee: 'some-kind|other',
      destination: '+254799999999',
    });
    const { changedPayees } = await earlierFindings(sheetOf(moved), depsOf(ledger));
    expect(changedPayees).toMatchObject({
      count: 1,
      rows: [{ reference: 'E1', to: '+254799999999', batch: 'october' }],
    });
  });

  test('stands in the money statement beside what it says itself', async () => {
    const clean = await guard(await recorded(['october', 2, 100]), 3);
    const priced = { statement: { count: 3 } as never, rest: 1 };
    expect(withFindings(priced, clean)).toEqual({
      rest: 1,
      statement: { count: 3, newPayees: clean.findings.newPayees },
    });
  });
});

test('a sheet is the batch that it would be now, and its amounts stand where their heading is', async () => {
  const { checked, key } = sheetOf(planOf({ rows: 1 }), 'salaries-2026-11');
  const deps = depsOf(await recorded());
  const occasion = occasionOf({ key, checked }, deps);
  expect(occasion).toMatchObject({ key, plannedAt: NOW, currency: 'KES', timezone: 'Africa/Nairobi' });
  expect(occasion.duplicates).toEqual(liveSettings.duplicates);
  expect(occasion.cellOf(7)).toBe('D7');
  expect(occasionOf({ key, checked: { ...checked, headings: [] } }, deps).cellOf(7)).toBe('A7');
});
