import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, zero } from '../../src/domain/money.ts';
import { currency } from '../support/amounts.ts';
import { checkRows } from '../support/sheets/checked-sheet.ts';
import { type CellChoice, number, sheetRows } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Staff No', 'Name', 'Phone', 'Amount'];

describe('any sheet at all', () => {
  const cell: fc.Arbitrary<CellChoice> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('0712345678', '0722000111', '100', '2500.50', 'Jane', 'EMP-1', 'wallet', '512345'),
    },
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 999_999_999 }).map((digits) => number(String(digits))) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<CellChoice>({ type: 'error', text: '#N/A' }, { merged: true }, { formula: 'missing' }),
    },
  );
  const good = fc.tuple(
    fc.integer({ min: 1, max: 999 }).map((staff) => `E-${staff}`),
    fc.constantFrom('Jane', 'Ali'),
    fc.integer({ min: 10_000_000, max: 19_999_999 }).map((digits) => `07${digits}`),
    fc
      .integer({ min: 1, max: 9_999_999 })
      .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`),
  );
  const anyRow = fc.oneof(
    { weight: 3, arbitrary: good as fc.Arbitrary<readonly CellChoice[]> },
    { weight: 1, arbitrary: fc.array(cell, { minLength: 1, maxLength: 5 }) },
  );

  test('is staged whole: every row once, paid or with the reason why not, and the sums agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 30 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (rows, hidden) => {
          const table = sheetRows([HEADINGS, ...rows]).map((row, at) => ({
            ...row,
            hidden: at > 0 && hidden[at] === true,
          }));
          const { checked, staged, issues } = await checkRows(table);
          const errorRows = new Set(issues.filter(({ level }) => level === 'error').map(({ row }) => row));
          const payable = staged.filter(({ payout }) => payout);
          expect(staged).toHaveLength(checked.rows);
          expect(payable).toHaveLength(checked.payable);
          expect(checked.payable + checked.invalid).toBe(checked.rows);
          const numbers = staged.map(({ row }) => row);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          const kes = currency('KES').code;
          expect(checked.total).toEqual(
            payable.reduce((sum, { payout }) => add(sum, payout?.amount ?? zero(kes)), zero(kes)),
          );
          for (const { row, payout, draft, issues: own } of staged) {
            expect(payout === undefined).toBe(own.some(({ level }) => level === 'error'));
            expect(draft === undefined).toBe(payout === undefined);
            if (!payout) expect(errorRows.has(row)).toBe(true);
            else expect(payout.amount.minor).toBeGreaterThan(0n);
          }
          // Whoever is in the sheet with a phone and an amount is staged, or told of.
          for (const row of table.slice(1)) {
            const texts = row.cells.map(({ text }) => text);
            const isPerson = /^07\d{8}$/.test(texts[2] ?? '') && /^\d+\.\d\d$/.test(texts[3] ?? '');
            if (isPerson) expect(numbers.includes(row.number) || errorRows.has(row.number)).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
