import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { RowRecord } from '../../src/domain/row-record.ts';
import { figuresOf } from '../../src/results/figures.ts';
import { jsonLines } from '../../src/results/json-lines.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { writeResults } from '../../src/results/write-results.ts';
import { RESULTS_OPTIONS, reportOf } from '../support/result-report.ts';
import { everyOutcome, orderIdAt, resultRow, sourceOf } from '../support/result-rows.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const recordsOf = async (source: ResultsSource): Promise<readonly RowRecord[]> =>
  (await Array.fromAsync(jsonLines(await reportOf(source)))).map((line) => JSON.parse(line));

describe('the results as JSON lines', () => {
  test('have one object for every row of the sheet, in its order, with its own outcome', async () => {
    const rows = everyOutcome();
    const records = await recordsOf(sourceOf(rows, {}, 3));
    expect(records.map(({ row, outcome }) => [row, outcome])).toEqual(rows.map(({ row, outcome }) => [row, outcome]));
    expect(records.every((record) => 'v' in record && 'type' in record)).toBe(true);
  });

  test('say of a paid row all that the books need, in plain values', async () => {
    const [paid] = await recordsOf(sourceOf([resultRow(2)]));
    expect(paid).toEqual({
      v: 1,
      type: 'row.outcome',
      batch: 'salaries-2026-11',
      sandbox: false,
      sheet: 'payroll.xlsx',
      row: 2,
      plannedAt: '2026-11-21T06:05:00.000Z',
      outcome: 'completed',
      payAgain: 'No',
      reason: '',
      kind: 'wallet',
      reference: 'EMP-002',
      name: 'Person 2',
      destination: '+254700000002',
      amount: '15002.00',
      currency: 'KES',
      feeQuoted: '33.00',
      feeCharged: '32.93',
      debit: '15034.93',
      receipt: expect.stringMatching(/^\w+$/),
      completedAt: expect.stringMatching(/^2026-11-21T\d\d:\d\d:\d\d\.\d{3}Z$/),
      resultCode: '0',
      order: orderIdAt(2),
      serviceId: expect.any(String),
      attempt: 1,
    });
  });

  test('add up to the figures of the summary', async () => {
    const source = sourceOf(everyOutcome());
    const records = await recordsOf(source);
    const cents = (field: 'amount' | 'feeCharged', among = records): bigint =>
      among.reduce((sum, { [field]: decimal = '0.00' }) => sum + BigInt(decimal.replace('.', '')), 0n);
    const { byOutcome, all } = await figuresOf(source, RESULTS_OPTIONS);
    const paid = records.filter(({ outcome }) => outcome === 'completed');
    expect(paid.length).toBeGreaterThan(1);
    expect([paid.length, cents('amount', paid)]).toEqual([byOutcome.completed.count, byOutcome.completed.amount.minor]);
    expect(cents('feeCharged')).toBe(all.fees.minor);
  });

  test('say of a row that was set aside what stands in its cells', async () => {
    const [aside] = await recordsOf(
      sourceOf([resultRow(3, { outcome: 'invalid', texts: ['E9', 'Peter', '0712 34x'] })]),
    );
    expect(aside).toMatchObject({ outcome: 'invalid', cells: ['E9', 'Peter', '0712 34x'] });
    expect(aside).not.toHaveProperty('amount');
  });

  test('are one line a row whatever stands in it, and show hidden characters', () =>
    inTemporaryFolder(async (folder) => {
      const source = sourceOf([resultRow(2, { payout: { name: 'Jane\n\u202eReverse' } }), resultRow(3)]);
      const { path } = await writeResults(await reportOf(source), folder, 'jsonl');
      const text = await readFile(path, 'utf8');
      expect(text.split('\n')).toHaveLength(3);
      expect(text).not.toContain('\u202e');
    }));
});
