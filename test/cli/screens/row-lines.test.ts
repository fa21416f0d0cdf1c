import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/cli/screens/columns.ts';
import { TextReporter } from '../../../src/cli/screens/text-reporter.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import type { RowRecord } from '../../../src/domain/row-record.ts';
import type { RunEnd } from '../../../src/domain/run-end.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage } from '../../support/desk/page.ts';

const batch = 'salaries' as BatchId;
const amounts = { planned: amountIn('9000'), completed: amountIn('0'), fees: amountIn('0') };

const record = (row: number, more: Partial<RowRecord> = {}): RowRecord => ({
  batch,
  sandbox: false,
  sheet: 'pay.csv',
  row,
  plannedAt: '2026-11-02T08:00:00.000Z',
  outcome: 'failed',
  payAgain: 'Yes',
  reason: 'The payment failed for good.',
  name: 'Jane Wanjiku',
  destination: '+254712345678',
  amount: '48250.50',
  currency: 'KES',
  ...more,
});

/** What stands on the screen between the figures and the advice. */
function told(records: readonly RowRecord[], how: Partial<RunEnd> = {}, columns?: number): readonly string[] {
  const page = openPage(columns !== undefined, columns);
  const reporter = new TextReporter(
    page.terminal,
    () => 0,
    () => 'en',
  );
  for (const one of records) reporter.emit({ type: 'row.outcome', record: one });
  const counts = { ...noOutcomes(), failed: records.length };
  reporter.end({ exit: 6, batch, counts, amounts, files: [], ...how }, 1);
  const lines = page.says();
  return lines.slice(lines.findIndex((line) => line.startsWith('Rows ')));
}

describe('rows that were not completed', () => {
  test('are told with name, destination, amount, outcome and why, in plain words', () => {
    expect(told([record(2), record(13, { name: 'Ali', destination: 'Till 512345', reason: 'Refused.' })])).toEqual([
      'Rows      2 rows are not completed',
      '    2  Jane Wanjiku  +254712345678  KES 48,250.50  Failed',
      '       The payment failed for good.',
      '   13  Ali           Till 512345    KES 48,250.50  Failed',
      '       Refused.',
      '',
      'Next      Deal with the reasons, then pay the failed rows again: paybatch retry salaries',
    ]);
  });

  test('side by side for one reason are told it once', () => {
    expect(told([record(2), record(3), record(4, { outcome: 'rejected' })]).slice(1, 6)).toEqual([
      '    2  Jane Wanjiku  +254712345678  KES 48,250.50  Failed',
      '    3  Jane Wanjiku  +254712345678  KES 48,250.50  Failed',
      '       The payment failed for good.',
      '    4  Jane Wanjiku  +254712345678  KES 48,250.50  Rejected',
      '       The payment failed for good.',
    ]);
  });

  test('are the first twenty, and then where the others are', () => {
    const all = Array.from({ length: 23 }, (_, index) => record(index + 2));
    const lines = told(all);
    expect(lines.filter((line) => line.includes('Jane Wanjiku'))).toHaveLength(20);
    expect(lines).toContain('  … and 3 more rows, in the results: paybatch report salaries');
    expect(told(all, { files: [{ kind: 'results', path: '/pay/a.xlsx' }] })).toContain(
      '  … and 3 more rows, in the results, worksheet Exceptions',
    );
  });

  test('that were set aside have no amount, and no destination', () => {
    const { amount, currency, destination, ...rest } = record(9, { outcome: 'invalid', reason: 'D9: not a number.' });
    expect(told([rest], { counts: { ...noOutcomes(), invalid: 1 } }).slice(1, 3)).toEqual([
      '    9  Jane Wanjiku      Invalid',
      '       D9: not a number.',
    ]);
  });

  test.each([80, 60, 40])('take no line of more than %i columns on a screen of as many', (columns) => {
    const long = { name: 'Wanjiku '.repeat(25), destination: `Paybill 400200, account ${'7'.repeat(40)}` };
    const wide = record(4, { name: '李'.repeat(60), reason: 'x'.repeat(300) });
    const lines = told([record(2, long), record(100_000, { amount: '1234567890.00' }), wide], {}, columns);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
    expect(lines.some((line) => line.includes('…'))).toBe(true);
  });
});
