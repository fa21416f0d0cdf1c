/** A sheet with some of its rows held, or released again: what its copy says, while the sheet itself stays as it is. */
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import { holdColumn } from '../kinds/left-out.ts';

/** Which rows are to be held, and where a sheet says so. */
export interface Holds {
  readonly headerRow: number;
  /** The column that holds rows back; undefined: the sheet has none, and gets one at the right of all others. */
  readonly column: number | undefined;
  /** Why, by the number of the row; empty: nothing holds it. */
  readonly reasons: ReadonlyMap<number, string>;
}

type Rows = () => AsyncIterable<readonly SheetRow[]>;

/** The rows of a sheet with these words in the column that holds rows back. */
export async function heldRows(rows: Rows, holds: Holds): Promise<Rows> {
  const column = holds.column ?? (await widthOf(rows)) + 1;
  return async function* () {
    for await (const block of rows()) yield block.map((row) => heldRow(row, column, holds));
  };
}

function heldRow(row: SheetRow, column: number, holds: Holds): SheetRow {
  const isNewHeading = holds.column === undefined && row.number === holds.headerRow;
  const text = isNewHeading ? holdColumn.heading : holds.reasons.get(row.number);
  if (text === undefined) return row;
  const others = row.cells.filter((cell) => cell.column !== column);
  const own: readonly Cell[] =
    text === '' ? [] : [{ column, address: addressOf(column, row.number), type: 'text', text }];
  return { ...row, cells: [...others, ...own].sort((one, other) => one.column - other.column) };
}

/** The last column in which anything stands. */
async function widthOf(rows: Rows): Promise<number> {
  let width = 0;
  for await (const block of rows())
    for (const { cells } of block) for (const { column } of cells) width = Math.max(width, column);
  return width;
}
