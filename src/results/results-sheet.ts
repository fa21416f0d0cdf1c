/** The Results worksheet: one line for every row of the sheet, in sheet order, with sums below. */
import type { RowCell } from '../sheet/writing/workbook-writer.ts';
import {
  amount,
  carriedCell,
  carriedColumn,
  feeCharged,
  feeQuoted,
  resultsColumns,
  rowNumber,
  totalDebit,
} from './columns.ts';
import { sumOfShown } from './formulas.ts';
import type { Report } from './report.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

/** Row, reference and name stay in view while the rest scrolls. */
const FROZEN_COLUMNS = 3;

const printedColumns = resultsColumns.findLastIndex(({ printed }) => printed) + 1;

export function resultsSheet(report: Report): Worksheet {
  const { source, figures } = report;
  const { headings } = source.header.sheet;
  const carried = headings.map((heading, index) => carriedColumn(heading, figures.carriedWidths[index] ?? 0));
  const spec = {
    name: 'Results',
    columns: [...resultsColumns, ...carried],
    table: true,
    frozenColumns: FROZEN_COLUMNS,
    printedColumns,
    tabColour: '1F3864',
  };
  return { spec, keyColumns: 1, rows: worksheetRows(report), total: totalRow(report) };
}

async function* worksheetRows(report: Report): AsyncGenerator<WorksheetRow> {
  const { headings } = report.source.header.sheet;
  for await (const block of report.source.rows()) {
    for (const row of block) {
      const cells = resultsColumns.map((column) => column.cell(row, report));
      for (const [index, heading] of headings.entries()) cells.push(carriedCell(row.texts[index] ?? '', heading));
      yield { cells };
    }
  }
}

/** Returns the sums of the rows that a filter shows. */
function totalRow({ figures }: Report): readonly RowCell[] | undefined {
  if (figures.rows === 0) return undefined;
  const sums = new Map([
    [amount, figures.all.amount],
    [feeQuoted, figures.all.quoted],
    [feeCharged, figures.all.fees],
    [totalDebit, figures.all.debit],
  ]);
  return resultsColumns.map((column) => {
    if (column === rowNumber) return { value: 'Total', format: 'text' };
    const value = sums.get(column);
    return value && { value, formula: sumOfShown(column, figures.rows, value) };
  });
}
