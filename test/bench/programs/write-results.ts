/**
 * The results workbook of a batch that was never paid: rows are made up as they are read. `write-results.ts FILE ROWS` writes it as
 * `report` does; `--exceljs` writes its largest worksheet alone, the same columns with types and styles, with exceljs's streaming writer.
 */
import { parseArgs } from 'node:util';
import type { BatchHeader, ResultRow } from '../../../src/domain/batch.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import { resultsColumns } from '../../../src/results/columns.ts';
import { figuresOf } from '../../../src/results/figures.ts';
import type { Report } from '../../../src/results/report.ts';
import { resultsSheet } from '../../../src/results/results-sheet.ts';
import type { ResultsOptions, ResultsSource } from '../../../src/results/source.ts';
import { writeResultsWorkbook } from '../../../src/results/workbook.ts';
import { isStyled, type RowCell } from '../../../src/sheet/writing/workbook-writer.ts';
import { headerFor, resultRow, sourceOf } from '../../support/result-rows.ts';

const { values, positionals } = parseArgs({
  options: { exceljs: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [file = 'results.xlsx', count = '100000'] = positionals;
const rows = Number(count);
const BLOCK = 500;

const options: ResultsOptions = {
  printedAt: Date.UTC(2026, 10, 21, 7),
  timezone: 'Africa/Nairobi',
  kindTitles: { wallet: 'Mobile wallet' },
  groupBy: [],
  pictures: false,
};

function madeUp(): ResultsSource {
  const few = Array.from({ length: BLOCK }, (_, index) => resultRow(index + 2));
  const header: BatchHeader = { ...headerFor(few), rows, payable: rows };
  return {
    ...sourceOf(few),
    header,
    async *rows() {
      for (let from = 0; from < rows; from += BLOCK) {
        yield few.slice(0, rows - from).map((row, index): ResultRow => ({ ...row, row: from + index + 2 }));
      }
    },
  };
}

async function withExceljs(report: Report): Promise<void> {
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true });
  const sheet = book.addWorksheet('Results', { views: [{ state: 'frozen', xSplit: 3, ySplit: 1 }] });
  const { spec, rows: written } = resultsSheet(report);
  const border = { bottom: { style: 'thin', color: { argb: 'FFD0D0D0' } } } as const;
  const formats = { money: '#,##0.00', integer: '#,##0', position: '0', dateTime: 'dd mmm yyyy hh:mm', text: '@' };
  const base = { font: { name: 'Calibri', size: 11, color: { argb: 'FF1B1B1B' } }, border };
  const styles = spec.columns.map(({ format, wrap = false }) => ({
    ...base,
    numFmt: formats[format as keyof typeof formats],
    alignment: { horizontal: format === 'text' ? 'left' : 'right', vertical: 'middle', indent: 1, wrapText: wrap },
  }));
  sheet.columns = spec.columns.map(({ heading = '', width }) => ({ header: heading, width }));
  for await (const { cells } of written) {
    const row = sheet.addRow(cells.map((cell, index) => contentOf(cell, spec.columns[index]?.format)));
    for (const [index, style] of styles.entries()) row.getCell(index + 1).style = style as never; // literals of its types
    row.commit();
  }
  await book.commit();
}

function contentOf(cell: RowCell, format: string | undefined): string | number | Date | undefined {
  const value = isStyled(cell) ? cell.value : cell;
  if (typeof value === 'object') return 'digits' in value ? value.text : Number(decimalOf(value));
  return typeof value === 'number' && format === 'dateTime' ? new Date(value) : value;
}

const source = madeUp();
const report: Report = { source, options, figures: await figuresOf(source, options) };
if (values.exceljs) await withExceljs(report);
else await writeResultsWorkbook(report, file);
process.stdout.write(`${resultsColumns.length + source.header.sheet.headings.length} columns\n`);
