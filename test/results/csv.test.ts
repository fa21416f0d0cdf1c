import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { resultsSheet } from '../../src/results/results-sheet.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { writeResults } from '../../src/results/write-results.ts';
import { textOf } from '../../src/sheet/csv/text-field.ts';
import { openSheet } from '../../src/sheet/open-sheet.ts';
import { reportOf, rowsOfWorksheet, shownIn } from '../support/result-report.ts';
import { everyOutcome, resultRow, sourceOf } from '../support/result-rows.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** The records of the file, as a plain reader sees them. */
const written = (source: ResultsSource): Promise<readonly (readonly string[])[]> =>
  inTemporaryFolder(async (folder) => {
    const { path: file } = await writeResults(await reportOf(source), folder, 'csv');
    expect(path.basename(file)).toBe('payroll.salaries-2026-11.results.csv');
    return parse(await readFile(file), { bom: true });
  });

const fieldIn = (records: readonly (readonly string[])[], heading: string): string | undefined =>
  records[1]?.[records[0]?.indexOf(heading) ?? -1];

describe('the results as CSV', () => {
  test('have every row and column of the Results worksheet, in its order', async () => {
    const source = sourceOf(everyOutcome(), {}, 3);
    const { spec, rows } = resultsSheet(await reportOf(source));
    const records = await written(source);
    expect(records[0]).toEqual(spec.columns.map(({ heading }) => heading));
    const shown = (await rowsOfWorksheet({ spec, rows })).map(({ cells }) =>
      cells.map((cell) => String(shownIn(cell))),
    );
    const times = spec.columns.flatMap(({ format }, index) => (format === 'dateTime' ? [index] : []));
    expect(times.length).toBeGreaterThan(0);
    const withoutTimes = (fields: readonly string[]) => fields.filter((_, index) => !times.includes(index));
    expect(records).toHaveLength(1 + shown.length);
    for (const [index, record] of records.slice(1).entries()) {
      const cells = Array.from(record, (_, at) => shown[index]?.[at] ?? '');
      expect(withoutTimes(record.map(textOf))).toEqual(withoutTimes(cells));
    }
  });

  test('have plain figures, and times on the clocks of the configured zone', async () => {
    const records = await written(sourceOf([resultRow(2)]));
    expect(fieldIn(records, 'Amount')).toMatch(/^\d+\.\d\d$/);
    expect(fieldIn(records, 'Completed at')).toMatch(/^2026-11-21 \d\d:\d\d$/);
    expect(fieldIn(records, 'Row')).toBe('2');
  });

  test('have texts that no program calculates or changes', async () => {
    const texts = ['=1+1', '+254712345678', '0712345678', '@SUM(A1)', 'line\nbreak'];
    const records = await written(sourceOf([resultRow(2, { texts })]));
    expect(records[1]?.slice(-5)).toEqual([
      '="=1+1"',
      '="+254712345678"',
      '="0712345678"',
      '="@SUM(A1)"',
      'line\nbreak',
    ]);
  });

  test('are not taken for a sheet to pay, by their name', () =>
    inTemporaryFolder(async (folder) => {
      const { path: file } = await writeResults(await reportOf(sourceOf([resultRow(2)])), folder, 'csv');
      await expect(openSheet(file)).rejects.toThrow(/holds paybatch results/);
    }));
});
