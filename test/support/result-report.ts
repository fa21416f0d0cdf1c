/** A worksheet of the results before it is written: what it is made from, and what it shows cell by cell. */
import { decimalOf } from '../../src/domain/money.ts';
import { reportOf as made, type Report } from '../../src/results/report.ts';
import type { ResultsOptions, ResultsSource } from '../../src/results/source.ts';
import type { Worksheet, WorksheetRow } from '../../src/results/worksheet.ts';
import type { RowCell, StyledCell } from '../../src/sheet/writing/workbook-writer.ts';
import { BATCH_TIME } from './result-rows.ts';

/** Printed an hour after the batch was planned. */
export const RESULTS_OPTIONS: ResultsOptions = {
  printedAt: BATCH_TIME + 3_600_000,
  timezone: 'Africa/Nairobi',
  kindTitles: { wallet: 'Mobile wallet' },
  groupBy: [],
  pictures: true,
};

export const reportOf = (source: ResultsSource, options = RESULTS_OPTIONS): Promise<Report> => made(source, options);

export async function rowsOfWorksheet(worksheet: Worksheet | undefined): Promise<readonly WorksheetRow[]> {
  const rows: WorksheetRow[] = [];
  for await (const row of worksheet?.rows ?? []) rows.push(row);
  return rows;
}

const isStyled = (cell: RowCell): cell is StyledCell => typeof cell === 'object' && 'value' in cell;

/** What a person reads in a cell: money as its decimal, nothing as an empty text. */
export function shownIn(cell: RowCell): string | number {
  const value = isStyled(cell) ? cell.value : cell;
  if (typeof value !== 'object') return value ?? '';
  return 'digits' in value ? value.text : decimalOf(value);
}

/** What a person reads in a worksheet below its headings, row by row. */
export const textsOfWorksheet = async (
  worksheet: Worksheet | undefined,
): Promise<readonly (readonly (string | number)[])[]> =>
  (await rowsOfWorksheet(worksheet)).map(({ cells }) => cells.map(shownIn));

/** How the cell of a row looks, where it differs from its row. */
export const lookOf = (cell: RowCell): string | undefined =>
  cell !== undefined && isStyled(cell) ? cell.look : undefined;
