/** The Results worksheet: one line for every row of the sheet, in the order of the sheet. */
import { carriedColumn, resultsColumns } from './columns.ts';
import type { Report } from './report.ts';
import { rowsOf } from './source.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

/** Row, reference and name stay in view while the rest scrolls. */
const FROZEN_COLUMNS = 3;

const printedColumns = resultsColumns.findLastIndex(({ printed }) => printed) + 1;

export function resultsSheet(report: Report): Worksheet {
  const { source, figures } = report;
  const carried = source.header.sheet.headings.map((heading, index) =>
    carriedColumn(heading, figures.carriedWidths[index] ?? 0),
  );
  const spec = {
    name: 'Results',
    columns: [...resultsColumns, ...carried],
    table: true,
    frozenColumns: FROZEN_COLUMNS,
    printedColumns,
    tabColour: '1F3864',
  };
  return { spec, keyColumns: 1, rows: worksheetRows(report, carried.length) };
}

async function* worksheetRows(report: Report, carried: number): AsyncGenerator<WorksheetRow> {
  for await (const row of rowsOf(report.source)) {
    const ours = resultsColumns.map((column) => column.cell(row, report));
    yield { cells: [...ours, ...row.texts.slice(0, carried)] };
  }
}
