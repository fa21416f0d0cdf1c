/** The rows of the results as CSV: the same columns as the Results worksheet, for programs that cannot read workbooks. */
import { localTime } from '../domain/clock.ts';
import { type CsvField, csvText } from '../sheet/writing/csv-writer.ts';
import { isStyled, type RowCell, type SheetColumn } from '../sheet/writing/workbook-writer.ts';
import type { Report } from './report.ts';
import { resultsSheet } from './results-sheet.ts';

/** Returns the CSV as text, one record at a time. Times are local times of the configured zone, as in the workbook. */
export const csvLines = (report: Report): AsyncGenerator<string> => csvText(csvRows(report));

/** Yields the headings and the rows, field by field. */
async function* csvRows(report: Report): AsyncGenerator<readonly CsvField[]> {
  const { spec, rows } = resultsSheet(report);
  yield spec.columns.map(({ heading = '' }) => heading);
  for await (const { cells } of rows) {
    yield spec.columns.map((column, index) => fieldOf(cells[index], column, report.options.timezone));
  }
}

function fieldOf(cell: RowCell, { format }: SheetColumn, timezone: string): CsvField {
  const value = isStyled(cell) ? cell.value : cell;
  if (typeof value === 'object' && 'digits' in value) return value.text;
  return typeof value === 'number' && format === 'dateTime' ? localTime(value, timezone) : (value ?? '');
}
