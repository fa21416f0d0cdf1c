/** How the rows of a sheet are read. Which columns the sheet has is determined once for all rows. */
import { type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import { type CellView, damageOf, emptyView, type ReadContext } from '../kinds/column.ts';
import { columnDescriptions, kindFinder, typeColumn } from '../kinds/index.ts';
import type { Kind, ReadRow, RowReader, RowView } from '../kinds/kind.ts';
import { leftOutFor, leftOutOf } from '../kinds/left-out.ts';
import type { ColumnMap } from './column-map.ts';

/** Returns how the rows of a sheet with these columns are read. */
export function readingOf(map: ColumnMap) {
  const has = (column: string): boolean => (map.places.get(column)?.length ?? 0) > 0;
  const readers = new Map<Kind, RowReader>();
  const readerOf = (kind: Kind): RowReader => {
    const known = readers.get(kind);
    if (known) return known;
    const reader = kind.readerFor(has);
    readers.set(kind, reader);
    return reader;
  };
  const viewOf = rowViews(map);
  return {
    viewOf,
    /** Reports whether the sheet clearly leaves a row out. */
    isLeftOut: (row: SheetRow): boolean => {
      const view = viewOf(row);
      return isWhole(row) && typeof leftOutFor(view, view(typeColumn.id)) === 'string';
    },
    /** Returns why the sheet leaves a row out on purpose; an issue if it does not say so clearly. */
    leftOutOf: (view: RowView, context: ReadContext) => leftOutOf(view, view(typeColumn.id), context),
    /** Returns the kind of a row, or why it has none. */
    kindOf: kindFinder(has),
    read: (kind: Kind, view: RowView, context: ReadContext): ReadRow => readerOf(kind)(view, context),
  };
}

/** Reports whether a row is intact. In any other row, values may have moved into other columns, so it cannot say that it is held. */
export const isWhole = ({ issues }: SheetRow): boolean => issues.every(({ level }) => level !== 'error');

/** The place of a column in the sheet, and its heading there. */
interface Place {
  readonly columns: readonly number[];
  readonly heading: string;
}

/** Headings of columns that the sheet does not have. */
const ownHeadings: ReadonlyMap<string, string> = new Map(columnDescriptions().map(({ id, heading }) => [id, heading]));

/**
 * Returns a function that makes each row a view by column id. A name that is spread over several columns is joined,
 * first name first.
 */
export function rowViews(map: ColumnMap): (row: SheetRow) => RowView {
  const places = new Map<string, Place>();
  // The place is the same for every row, and needed a dozen times in each.
  const placeOf = (id: string): Place => {
    const known = places.get(id);
    if (known) return known;
    const place = placeIn(map, id);
    places.set(id, place);
    return place;
  };
  return (row) => (id) => viewAt(row, placeOf(id));
}

function placeIn({ places, headings }: ColumnMap, id: string): Place {
  const all = places.get(id) ?? [];
  // Two columns that could both be one are an issue of the headings. Their cells are not joined and reported again.
  const columns = id === 'name' ? all : all.slice(0, 1);
  const heading = headings.find(({ column }) => column === columns[0])?.text ?? ownHeadings.get(id) ?? id;
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

/** Joins the parts of a name into one cell; if one part is damaged, returns that part. */
function joined(row: SheetRow, columns: readonly number[], heading: string): CellView {
  const parts = columns.map((column) => cellIn(row.cells, column)).filter((cell) => cell !== undefined);
  const [first, ...others] = parts;
  if (!first) return emptyView(row.number, columns[0], heading);
  if (others.length === 0) return viewOf(row, first, heading);
  const damaged = parts.find((cell) => damageOf(viewOf(row, cell, heading)));
  const whole = { ...first, text: parts.map((cell) => cell.text.trim()).join(' ') };
  return { ...viewOf(row, damaged ?? whole, heading), parts };
}
