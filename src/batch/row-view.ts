/** Rows of the sheet by our own columns. */
import { type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import { type CellView, damageOf, emptyView } from '../kinds/column.ts';
import { columnDescriptions } from '../kinds/index.ts';
import type { RowView } from '../kinds/kind.ts';
import type { ColumnMap } from './column-map.ts';

/** Where a column stands in the sheet, and what it is called there. */
interface Place {
  readonly columns: readonly number[];
  readonly heading: string;
}

/** What a column is called where the sheet has none for it. */
const ownHeadings: ReadonlyMap<string, string> = new Map(columnDescriptions().map(({ id, heading }) => [id, heading]));

/** Makes each row a view by column id. A name that stands in several columns is joined, first name first. */
export function rowViews(map: ColumnMap | undefined): (row: SheetRow) => RowView {
  const places = new Map<string, Place>();
  // The same for every row, and asked for a dozen times in each.
  const placeOf = (id: string): Place => {
    const known = places.get(id);
    if (known) return known;
    const place = placeIn(map, id);
    places.set(id, place);
    return place;
  };
  return (row) => (id) => viewAt(row, placeOf(id));
}

function placeIn(map: ColumnMap | undefined, id: string): Place {
  const all = map?.places.get(id) ?? [];
  // Two columns that could both be one are an issue of the headings; their cells are not joined and blamed again.
  const columns = id === 'name' ? all : all.slice(0, 1);
  const heading = map?.headings.find(({ column }) => column === columns[0])?.text ?? ownHeadings.get(id) ?? id;
  return { columns, heading };
}

function viewAt(row: SheetRow, { columns, heading }: Place): CellView {
  const [column] = columns;
  if (column === undefined) return emptyView(row.number, column, heading);
  if (columns.length > 1) return joined(row, columns, heading);
  const cell = cellIn(row.cells, column);
  return cell ? viewOf(row, cell, heading) : emptyView(row.number, column, heading);
}

const viewOf = ({ number }: SheetRow, cell: Cell, heading: string): CellView => ({
  row: number,
  address: cell.address,
  heading,
  cell,
});

/** The parts of a name as one cell; the damaged one, where one is. */
function joined(row: SheetRow, columns: readonly number[], heading: string): CellView {
  const parts = columns.map((column) => cellIn(row.cells, column)).filter((cell) => cell !== undefined);
  const [first, ...others] = parts;
  if (!first) return emptyView(row.number, columns[0], heading);
  if (others.length === 0) return viewOf(row, first, heading);
  const damaged = parts.find((cell) => damageOf(viewOf(row, cell, heading)));
  const whole = { ...first, text: parts.map((cell) => cell.text.trim()).join(' ') };
  return { ...viewOf(row, damaged ?? whole, heading), parts };
}
