import { readdir } from 'node:fs/promises';
import path from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { issue } from '../../src/domain/issue.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { resultsColumns } from '../../src/results/columns.ts';
import { exceptionsSheet } from '../../src/results/exceptions.ts';
import { resultsSheet } from '../../src/results/results-sheet.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { summarySheet } from '../../src/results/summary.ts';
import { repairsSheet } from '../../src/results/workbook.ts';
import { resultsPath, writeResults } from '../../src/results/write-results.ts';
import type { CellFormat, RowCell, StyledCell } from '../../src/sheet/writing/workbook-writer.ts';
import { reportOf, rowsOfWorksheet } from '../support/result-report.ts';
import { everyOutcome, headerFor, money, orderIdAt, resultRow, sourceOf } from '../support/result-rows.ts';
import { needsOpenpyxl, readWithOpenpyxl } from '../support/second-readers/openpyxl.ts';
import { readWorkbook, type SeenWorkbook } from '../support/second-readers/seen-workbook.ts';
import { rowsIn } from '../support/sheets/checked-copies.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** Writes the workbook of a source, hands its path to `use`, and clears it away. */
const withResults = <T>(source: ResultsSource, use: (file: string) => Promise<T>): Promise<T> =>
  inTemporaryFolder(async (folder) => use((await writeResults(await reportOf(source), folder)).path));

const written = (source: ResultsSource): Promise<SeenWorkbook> => withResults(source, readWorkbook);

const columnOf = (heading: string): string =>
  String.fromCharCode(65 + resultsColumns.findIndex((column) => column.heading === heading));

/** A batch with a row of every outcome, texts that look like formulas, and a repair. */
function everything(): ResultsSource {
  const found = issue('PB-PHONE-LENGTH', { row: 2, cell: 'C2', value: "'07" }, { digits: 3, example: '07' });
  const repaired = { ...found, level: 'warning', repair: { to: '07', why: ['apostrophe'] } } as const;
  const [first, ...others] = everyOutcome();
  const texts = ['=1+1', 'Jane', '0712345678', '15,000', '@SUM(A1)'];
  return sourceOf([{ ...resultRow(2, { texts }), ...first, texts, issues: [repaired] }, ...others], { repairs: 1 });
}

describe('the file', () => {
  test('is named after sheet and batch, opens on the Summary, and stands alone in its folder', () =>
    inTemporaryFolder(async (folder) => {
      const { path: file, sha256 } = await writeResults(await reportOf(sourceOf([resultRow(2)])), folder);
      expect(path.basename(file)).toBe('payroll.salaries-2026-11.results.xlsx');
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(await readdir(folder)).toEqual([path.basename(file)]);
      expect(Object.keys((await readWorkbook(file)).sheets)).toEqual([
        'Summary',
        'Results',
        'Exceptions',
        'Reconciliation',
        'Audit',
      ]);
    }));

  test('says SANDBOX in its name, and a live one does not', () =>
    inTemporaryFolder(async (folder) => {
      await writeResults(await reportOf(sourceOf([resultRow(2)], { sandbox: true })), folder);
      expect(await readdir(folder)).toEqual(['payroll.SANDBOX-salaries-2026-11.results.xlsx']);
    }));

  test('is not left half written when the ledger breaks off', () =>
    inTemporaryFolder(async (folder) => {
      const broken = new Error('the ledger broke off');
      const source = sourceOf([resultRow(2)]);
      let passes = 0;
      const rows = async function* () {
        passes += 1;
        yield* source.rows();
        if (passes === 2) throw broken;
      };
      await expect(writeResults(await reportOf({ ...source, rows }), folder)).rejects.toBe(broken);
      expect(await readdir(folder)).toEqual([]);
    }));

  test('would stand where it says, also where it could not be written', () => {
    expect(resultsPath(headerFor([]), path.join('out', 'here'))).toBe(
      path.join('out', 'here', 'payroll.salaries-2026-11.results.xlsx'),
    );
  });

  test('carries whose results it holds, the batch on every page, and when it was made', async () => {
    const { sheets } = await written(sourceOf([resultRow(2)], { sandbox: true }));
    const footer =
      '&LAcme Ltd · batch SANDBOX-salaries-2026-11 · payroll.xlsx&CPage &P of &N&RPrinted 2026-11-21 10:05';
    expect(Object.values(sheets).map((sheet) => sheet.footer)).toEqual(Array(5).fill(footer));
    await withResults(sourceOf([resultRow(2)]), async (file) => {
      const book = new exceljs.Workbook();
      await book.xlsx.readFile(file);
      expect(book.title).toBe('Payout results of Acme Ltd, batch salaries-2026-11');
    });
  });
});

describe('the worksheets', () => {
  /** Days since the last day of 1899 in Nairobi, as spreadsheets count them. */
  const serial = (ms: number): number => (ms + 3 * 3_600_000) / 86_400_000 + 25_569;

  /** What is stored for a cell: a text as it is, any other value as a number, nothing for an empty one. */
  function storedFor(cell: RowCell, columnFormat: CellFormat | undefined): readonly (string | number)[] {
    const { value, format = columnFormat } =
      typeof cell === 'object' && 'value' in cell ? cell : ({ value: cell } as StyledCell);
    if (value === undefined || value === '') return [];
    if (typeof value === 'object') return [Number('digits' in value ? value.digits : decimalOf(value))];
    return [typeof value === 'number' && format === 'dateTime' ? serial(value) : value];
  }

  test.each([
    ['Summary', summarySheet, 0],
    ['Results', resultsSheet, 1],
    ['Exceptions', exceptionsSheet, 1],
    ['Repairs', repairsSheet, 1],
  ] as const)('%s holds its rows as they were made, cell by cell, exactly', async (worksheet, sheetOf, headings) => {
    const source = everything();
    const made = sheetOf(await reportOf(source));
    const expected = (await rowsOfWorksheet(made))
      .map(({ cells }) => cells.flatMap((cell, at) => storedFor(cell, made?.spec.columns[at]?.format)))
      .filter((cells) => cells.length > 0);
    const rows = await withResults(source, (file) => rowsIn(file, { worksheet, ownResults: true }));
    const found = rows.slice(headings, made?.total && -1).map(({ cells }) => cells.filter(({ text }) => text !== ''));
    expect(found.map((cells) => cells.map(({ type, text }) => (type === 'text' ? text : Number(text))))).toEqual(
      expected.map((cells) => cells.map((value) => (typeof value === 'number' ? expect.closeTo(value, 6) : value))),
    );
    const formulas = (await rowsOfWorksheet(made)).flatMap(({ cells }) =>
      cells.filter((cell) => typeof cell === 'object' && 'formula' in cell && cell.formula !== undefined),
    );
    expect(found.flat().filter(({ formula }) => formula === 'cached')).toHaveLength(formulas.length);
    expect(found.flat().filter(({ formula }) => formula === 'missing')).toEqual([]);
  });

  test('type every cell: money and times as numbers, phones and ids as text', async () => {
    const row = resultRow(2, { report: { date: '2026-11-21T06:00:00Z' } });
    const cells = (await written(sourceOf([row]))).sheets['Results']?.cells ?? {};
    const cell = (heading: string) => cells[`${columnOf(heading)}2`];
    expect(cell('Amount')).toEqual({ value: 15002, type: 'n', format: '#,##0.00' });
    expect(cell('Fee quoted')).toEqual({ value: 33, type: 'n', format: '#,##0.00' });
    expect(cell('Fee charged')).toEqual({ value: 32.93, type: 'n', format: '#,##0.00' });
    expect(cell('Total debit')).toEqual({ value: 15034.93, type: 'n', format: '#,##0.00' });
    expect(cell('Completed at')).toEqual({ value: '2026-11-21T09:00:00', type: 'd', format: 'dd mmm yyyy hh:mm' });
    expect(cell('Paid to')).toEqual({ value: '+254700000002', type: 's', format: '@' });
    expect(cell('Order id')).toEqual({ value: orderIdAt(2), type: 's', format: '@' });
    expect(cell('Attempts')).toEqual({ value: 1, type: 'n', format: '#,##0' });
    expect(cell('Network')?.format).toBe('@');
  });

  test('keep their headings, filters, and the first three columns in view', async () => {
    const { Results, Exceptions, Summary } = (await written(sourceOf([resultRow(2), resultRow(3)]))).sheets;
    expect(Results).toMatchObject({ freeze: 'D2', filter: 'A1:Z3', titleRows: '$1:$1', landscape: true });
    expect(Results?.printArea).toEqual(['$A$1:$N$4']);
    expect(Exceptions).toMatchObject({ freeze: 'D2', filter: 'A1:M2', titleRows: '$1:$1' });
    expect(Summary).toMatchObject({ freeze: null, filter: null, titleRows: null });
  });

  test('show amounts with the digits of their currency', async () => {
    const row = resultRow(2, { payout: { amount: money(25_000, 'UGX') }, charge: money(150, 'UGX') });
    const { sheets } = await written(sourceOf([row], { currency: money(0, 'UGX').currency }));
    expect(sheets['Results']?.cells[`${columnOf('Amount')}2`]).toEqual({ value: 25000, type: 'n', format: '#,##0' });
  });

  test('are to openpyxl what they are to exceljs', (context) => {
    needsOpenpyxl(context);
    return withResults(everything(), async (file) => {
      expect(readWithOpenpyxl(file)).toEqual(await readWorkbook(file));
    });
  });
});
