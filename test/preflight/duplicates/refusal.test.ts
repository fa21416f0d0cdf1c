/** The sentences of a refusal, whole: what stands in earlier batches, where, and what there is to do. */
import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../../src/domain/batch.ts';
import { type BatchId, contentBatchKey, namedBatchKey } from '../../../src/domain/ids.ts';
import type { Comparison, Overlap, SheetOccasion } from '../../../src/preflight/duplicates/compare-payments.ts';
import type { DuplicateChoice } from '../../../src/preflight/duplicates/judge.ts';
import { refusalOf } from '../../../src/preflight/duplicates/refusal.ts';
import { kes, planOf } from '../../ledger/builders.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const DAY_MS = 86_400_000;

const sheet: SheetOccasion = {
  key: contentBatchKey('new'),
  plannedAt: NOW,
  currency: kes(0n).currency,
  rows: 10,
  cellOf: (row) => `D${row}`,
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
  timezone: 'Africa/Nairobi',
};

/** So many rows, of which the first three are named. */
const sum = (count: number, each: bigint) => ({
  count,
  amount: kes(BigInt(count) * each),
  rows: ['Jane', 'Ali', 'Ann']
    .slice(0, count)
    .map((name, at) => ({ row: at + 2, cell: `D${at + 2}`, name, amount: kes(each) })),
});

interface Earlier {
  readonly same?: number;
  readonly people?: number;
  readonly daysAgo?: number;
  readonly isHeld?: boolean;
}

const overlap = (name: string, { same = 0, people = same, daysAgo = 20, isHeld = true }: Earlier): Overlap => ({
  batch: `PB-${name}` as BatchId,
  key: namedBatchKey(name),
  plannedAt: NOW - daysAgo * DAY_MS,
  isHeld,
  isRecent: daysAgo <= 5,
  same: sum(same, 150_000n),
  people,
});

const comparison = (rows: number, held: number, ...overlaps: readonly Overlap[]): Comparison => ({
  payable: sum(rows, 200_000n),
  overlaps,
  paidBefore: sum(held, 150_000n),
  held: { ...sum(held, 150_000n), certain: 0 },
  changedPayees: { count: 0, rows: [] },
  newPayees: sum(0, 0n),
});

interface Asked {
  readonly choice?: DuplicateChoice;
  readonly confirmed?: Comparison;
  /** Batches of which the ledger has no header. */
  readonly lost?: boolean;
  readonly at?: Partial<SheetOccasion>;
}

async function refused(found: Comparison, { choice = {}, confirmed, lost = false, at }: Asked = {}) {
  const { header } = planOf({ rows: 10 });
  const findBatch = async (id: BatchId): Promise<BatchHeader | undefined> => {
    const plannedAt = found.overlaps.find(({ batch }) => batch === id)?.plannedAt ?? 0;
    return lost ? undefined : { ...header, id, plannedAt, sheet: { ...header.sheet, name: `${id}.xlsx` } };
  };
  const fault = await refusalOf(found, { ledger: { findBatch }, sheet: { ...sheet, ...at }, choice, confirmed });
  return fault && { code: fault.code, message: fault.message, remedy: fault.remedy };
}

describe('a sheet that may be paid', () => {
  test('is not refused', async () => {
    expect(await refused(comparison(10, 0))).toBeUndefined();
    expect(
      await refused(comparison(10, 10, overlap('a', { same: 10 })), { choice: { allowDuplicate: 'bonus' } }),
    ).toBeUndefined();
  });
});

describe('a sheet that repeats a batch', () => {
  test('is told which rows, where they are, and by what name it would be another month', async () => {
    expect(await refused(comparison(5, 5, overlap('october', { same: 5 })))).toEqual({
      code: 'already-paid',
      message:
        'All 5 payments of this sheet (KES 7,500.00 of KES 10,000.00) were made before, or may still be. ' +
        'They are in batch PB-october of 2026-11-01 (PB-october.xlsx): row 2 (Jane, KES 1,500.00), row 3 (Ali, KES 1,500.00), row 4 (Ann, KES 1,500.00), 2 more. ' +
        'Nothing was sent.',
      remedy:
        'If that batch is not finished: `paybatch resume PB-october`. If rows of it failed: `paybatch retry PB-october`. ' +
        'If only some rows are new, take the others out of the sheet. ' +
        'If it really is another payment, name the batch after its own month or week (--batch NAME-2026-w47), or say why: --allow-duplicate "reason".',
    });
  });

  test('is offered no name that would be stopped as well', async () => {
    const refusal = await refused(comparison(5, 5, overlap('yesterday', { same: 5, daysAgo: 1 })));
    expect(refusal?.remedy).toMatch(/another payment, say why: --allow-duplicate "reason"\.$/);
    const both = comparison(5, 5, overlap('october', { same: 5 }), overlap('yesterday', { same: 1, daysAgo: 1 }));
    expect((await refused(both))?.remedy).toMatch(/another payment, say why: --allow-duplicate "reason"\.$/);
  });

  test('is offered its month before its week, where either would do', async () => {
    const refusal = await refused(comparison(5, 5, overlap('october', { same: 5, daysAgo: 40 })));
    expect(refusal?.remedy).toContain('(--batch NAME-2026-11)');
  });

  test('of which one row was paid says so in the singular, without more than there is', async () => {
    expect((await refused(comparison(1, 1, overlap('october', { same: 1 }))))?.message).toBe(
      'The payment of this sheet (KES 1,500.00 of KES 2,000.00) was made before, or may still be. ' +
        'It is in batch PB-october of 2026-11-01 (PB-october.xlsx): row 2 (Jane, KES 1,500.00). Nothing was sent.',
    );
  });

  test('names two batches beside the first, and of these only such as hold payments', async () => {
    const overlaps = [
      overlap('a', { same: 3 }),
      overlap('b', { same: 2, isHeld: false }),
      overlap('c', { people: 5 }),
      overlap('d', { same: 2 }),
      overlap('e', { same: 1 }),
      overlap('f', { same: 1 }),
    ];
    expect((await refused(comparison(5, 5, ...overlaps)))?.message).toMatch(
      /row 4 \(Ann, KES 1,500\.00\)\. 2 are in batch PB-d of 2026-11-01 \(PB-d\.xlsx\)\. 1 is in batch PB-e of 2026-11-01 \(PB-e\.xlsx\)\. Nothing was sent\.$/,
    );
  });

  test('names a batch without more where the ledger has only its payments', async () => {
    const { message } = (await refused(comparison(1, 1, overlap('october', { same: 1 })), { lost: true })) ?? {};
    expect(message).toContain('It is in batch PB-october: row 2');
  });

  test('has the day on which the batch was planned where the payer is', async () => {
    const late = overlap('october', { same: 1, daysAgo: 0.5 });
    const told = await refused(comparison(1, 1, late), { at: { timezone: 'Pacific/Kiritimati' } });
    expect(told?.message).toContain('of 2026-11-21 (');
    const there = await refused(comparison(1, 1, late), { at: { timezone: 'America/Los_Angeles' } });
    expect(there?.message).toContain('of 2026-11-20 (');
  });
});

describe('a sheet of which a part was paid', () => {
  const found = comparison(10, 2, overlap('october', { same: 2 }));
  const said =
    '2 of the 10 payments of this sheet (KES 3,000.00 of KES 20,000.00) were made before, or may still be. ' +
    'They are in batch PB-october of 2026-11-01 (PB-october.xlsx): row 2 (Jane, KES 1,500.00), row 3 (Ali, KES 1,500.00).';
  const remedy =
    'Take these rows out of the sheet; or, if they are to be paid again, name the batch after its own month or week ' +
    '(--batch NAME-2026-w47), or accept exactly this number: --accept-paid-before 2';

  test('is refused with the exact number that somebody can answer for', async () => {
    expect(await refused(found)).toEqual({ code: 'already-paid', message: `${said} Nothing was sent.`, remedy });
  });

  test('is refused with the wrong number beside the right one', async () => {
    expect(await refused(found, { choice: { acceptPaidBefore: 3 } })).toEqual({
      code: 'already-paid',
      message: `${said} --accept-paid-before says 3. Nothing was sent.`,
      remedy,
    });
  });

  test('is refused when somebody answers for payments of which there are none', async () => {
    expect(await refused(comparison(10, 0), { choice: { acceptPaidBefore: 3 } })).toEqual({
      code: 'already-paid',
      message: 'No payment of this sheet is in an earlier batch, but --accept-paid-before says 3. Nothing was sent.',
      remedy: 'Check that this is the sheet you meant, and leave out --accept-paid-before.',
    });
  });
});

describe('a sheet that', () => {
  test('another run paid while it was confirmed is refused with how many of its payments', async () => {
    expect(await refused(comparison(10, 4), { confirmed: comparison(10, 1) })).toEqual({
      code: 'already-paid',
      message: 'While this run asked for its control totals, another one took 3 of its payments. Nothing was sent.',
      remedy: 'Look at `paybatch history` first; then run the same command again to see what is left of the sheet.',
    });
  });

  test('pays the people of a batch of these days other amounts is refused as its correction', async () => {
    const recent = overlap('november', { people: 8, daysAgo: 2, isHeld: false });
    expect(await refused(comparison(10, 0, recent))).toEqual({
      code: 'already-paid',
      message:
        '8 of the 10 payments of this sheet go to the people of batch PB-november of 2026-11-19 (PB-november.xlsx), with other amounts: it looks like that batch, corrected. Nothing was sent.',
      remedy:
        'If amounts of that batch were wrong, pay only the difference, and only to those who are owed one. If it really is another payment (overtime, a bonus), say why: --allow-duplicate "reason".',
    });
    expect(await refused(comparison(10, 0, overlap('november', { people: 8 })))).toBeUndefined();
  });
});
