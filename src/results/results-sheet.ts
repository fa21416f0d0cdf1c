/** The Results worksheet: one line for every row of the sheet, in the order of the sheet. */
import type { WorkbookWriter } from '../sheet/writing/workbook-writer.ts';
import { carriedColumn, resultsColumns } from './columns.ts';
import type { Report } from './report.ts';

/** Row, reference and name stay in view while the rest scrolls. */
const FROZEN_COLUMNS = 3;

const printedColumns = resultsColumns.findLastIndex(({ printed }) => printed) + 1;

export async function writeResultsSheet(book: WorkbookWriter, report: Report): Promise<void> {
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
  await book.sheet(spec, async (sheet) => {
    for await (const block of source.rows()) {
      for (const row of block) {
        const ours = resultsColumns.map((column) => column.cell(row, report));
        await sheet.row([...ours, ...row.texts.slice(0, carried.length)]);
      }
    }
  });
}
