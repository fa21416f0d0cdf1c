/** A row of the sheet by our own columns. */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type CellView, damageOf, emptyView } from '../kinds/column.ts';
import type { RowView } from '../kinds/kind.ts';
import type { ColumnMap } from './match-headings.ts';

/** A row by column id. A name that stands in several columns is joined, first name first. */
export function rowView(row: SheetRow, map: ColumnMap | undefined): RowView {
  return (id) => {
    const all = map?.places.get(id) ?? [];
    // Two columns that could both be one are an issue of the headings; their cells are not joined and blamed again.
    const places = id === 'name' ? all : all.slice(0, 1);
    const [place] = places;
    const heading = map?.headings.find(({ column }) => column === place)?.text ?? id;
    const cells = places
      .map((column) => row.cells.find((cell) => cell.column === column))
      .filter((cell) => cell !== undefined);
    const [first] = cells;
    if (!first) return emptyView(row.number, place, heading);
    const viewOf = (cell: Cell, text: string): CellView => ({
      row: row.number,
      address: cell.address,
      heading,
      cell: { ...cell, text },
    });
    if (cells.length === 1) return viewOf(first, first.text);
    const damaged = cells.find((cell) => damageOf(viewOf(cell, cell.text)));
    return damaged ? viewOf(damaged, damaged.text) : viewOf(first, cells.map((cell) => cell.text.trim()).join(' '));
  };
}
