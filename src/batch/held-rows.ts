/** A copy of a sheet with some of its rows held, or released again; the sheet itself does not change. */
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import { holdColumn } from '../kinds/left-out.ts';

/** The rows that are to be held, and the column that says so. */
export interface Holds {
  readonly headerRow: number;
  /** The column that holds rows back; `undefined` if the sheet has none and gets one to the right of all others. */
  readonly column: number | undefined;
  /** The reason by row number; an empty reason means that nothing holds the row. */
  readonly reasons: ReadonlyMap<number, string>;
}

type Rows = () => AsyncIterable<readonly SheetRow[]>;

/** Returns the rows of a sheet with these reasons in the column that holds rows back. */
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

/** Returns the last column that has a cell. */
async function widthOf(rows: Rows): Promise<number> {
  let width = 0;
  for await (const block of rows())
    for (const { cells } of block) for (const { column } of cells) width = Math.max(width, column);
  return width;
}
