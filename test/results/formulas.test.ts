import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { writeResults } from '../../src/results/write-results.ts';
import { RESULTS_OPTIONS, reportOf } from '../support/result-report.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';
import { formulaResult } from '../support/second-readers/formula-result.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { mixedSource } from './section-texts.ts';

/** Every formula of a workbook: where it stands, what is stored beside it, and what it comes to. */
const formulasOf = (source: ResultsSource) =>
  inTemporaryFolder(async (folder) => {
    const options = { ...RESULTS_OPTIONS, groupBy: ['Department'] };
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile((await writeResults(await reportOf(source, options), folder)).path);
    return book.worksheets.flatMap((sheet) => {
      const found: { place: string; stored: unknown; comesTo: unknown }[] = [];
      sheet.eachRow((row) =>
        row.eachCell((cell) => {
          if (cell.formula === undefined || cell.master !== cell) return;
          const comesTo = formulaResult(cell.formula, sheet, book);
          found.push({ place: `${sheet.name} ${cell.address}`, stored: cell.result ?? 0, comesTo });
        }),
      );
      return found;
    });
  });

const uneven = Array.from({ length: 30 }, (_, at) =>
  resultRow(at + 2, {
    payout: { amount: money(10_000 + at * 7) },
    ...(at % 4 === 0 && { outcome: 'failed' as const }),
  }),
);
/** A set-aside row that calls its way of paying like one that is known. */
const misread = { ...resultRow(40, { outcome: 'invalid' }), texts: ['', '', '', '', 'Mobile wallet'] };
const typed = (source: ResultsSource): Partial<BatchHeader> => ({
  sheet: {
    ...source.header.sheet,
    headings: source.header.sheet.headings.map((heading) =>
      heading.text === 'Department' ? { ...heading, means: 'type' } : heading,
    ),
  },
});

describe('every formula of the workbook', () => {
  test.each([
    ['in which every outcome occurs', mixedSource(), 60],
    ['of amounts that binary fractions do not hold', sourceOf(uneven), 50],
    ['with a row that was set aside', sourceOf([...uneven, misread], typed(sourceOf([...uneven, misread]))), 50],
    ['without rows', sourceOf([]), 30],
    ['that does not tie out', sourceOf(uneven, { rows: 7, total: money(5) }), 50],
  ])('of a batch %s comes to what stands beside it', async (_, source, least) => {
    const formulas = await formulasOf(source);
    expect(formulas.length).toBeGreaterThan(least);
    expect(formulas.filter(({ stored, comesTo }) => stored !== comesTo)).toEqual([]);
  });
});
