/** Rows of a sheet as a reader hands them out, from plain texts. */
import { addressOf, type Cell, type SheetRow } from '../../../src/domain/cell.ts';
import type { CellView } from '../../../src/kinds/column.ts';
import type { RowView } from '../../../src/kinds/kind.ts';

/** A cell: a text, or what else a file may say of it. */
export type CellChoice = string | Partial<Omit<Cell, 'column' | 'address'>>;

export function cellAt(column: number, row: number, choice: CellChoice): Cell {
  const said = typeof choice === 'string' ? { text: choice } : choice;
  return { type: 'text', text: '', ...said, column, address: addressOf(column, row) };
}

/** A number cell with the digits that the file holds. */
export const number = (text: string): CellChoice => ({ type: 'number', text });

/** Row `number` with these cells from column A on; an empty text leaves its cell out. */
export function sheetRow(number: number, choices: readonly CellChoice[], over: Partial<SheetRow> = {}): SheetRow {
  const cells = choices.flatMap((choice, at) => (choice === '' ? [] : [cellAt(at + 1, number, choice)]));
  return { number, cells, hidden: false, issues: [], ...over };
}

/** Rows from row 1 on. An empty list is a blank row, which no reader hands out. */
export const sheetRows = (rows: readonly (readonly CellChoice[])[]): readonly SheetRow[] =>
  rows.map((choices, at) => sheetRow(at + 1, choices)).filter(({ cells }) => cells.length > 0);

/** Blocks of rows, as a reader streams them. */
export async function* inBlocks(rows: readonly SheetRow[], blockRows = 3): AsyncGenerator<readonly SheetRow[]> {
  for (let from = 0; from < rows.length; from += blockRows) yield rows.slice(from, from + blockRows);
}

/** One cell under the heading `Cell` in row 2. */
export const viewOf = (choice: CellChoice | undefined): CellView => ({
  row: 2,
  address: 'A2',
  heading: 'Cell',
  ...(choice !== undefined && { cell: cellAt(1, 2, choice) }),
});

/** Row 2 as a kind sees it, by column id. */
export function rowViewOf(cells: Readonly<Record<string, CellChoice | undefined>>): RowView {
  const ids = Object.keys(cells);
  return (id) => {
    const column = ids.indexOf(id) + 1 || ids.length + 1;
    const choice = cells[id];
    return {
      row: 2,
      address: addressOf(column, 2),
      heading: id,
      ...(choice !== undefined && choice !== '' && { cell: cellAt(column, 2, choice) }),
    };
  };
}
