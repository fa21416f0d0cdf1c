/** How the rows of a sheet are read. Which columns it has is asked once for all of them. */
import type { SheetRow } from '../domain/cell.ts';
import type { Issue } from '../domain/issue.ts';
import type { LeftOut } from '../domain/left-out.ts';
import type { ReadContext } from '../kinds/column.ts';
import { kindFinder, typeColumn } from '../kinds/index.ts';
import type { Kind, ReadRow, RowReader, RowView } from '../kinds/kind.ts';
import { leftOutFor, leftOutOf } from '../kinds/left-out.ts';
import type { ColumnMap } from './column-map.ts';
import { rowViews } from './row-view.ts';

export interface SheetReading {
  viewOf(row: SheetRow): RowView;
  /** Whether the sheet leaves a row out on purpose; an issue where it does not say so clearly. */
  leftOutOf(view: RowView, context: ReadContext): LeftOut | Issue | undefined;
  /** Whether a row is one that nobody is paid by. */
  isLeftOut(row: SheetRow): boolean;
  /** The kind of a row, or why it has none. */
  kindOf(view: RowView): Kind | Issue;
  read(kind: Kind, view: RowView, context: ReadContext): ReadRow;
}

/** `map`: the columns of the sheet; undefined while they are not known. */
export function readingOf(map: ColumnMap | undefined): SheetReading {
  const has = (column: string): boolean => (map?.places.get(column)?.length ?? 0) > 0;
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
    isLeftOut: (row) => {
      const view = viewOf(row);
      return isWhole(row) && typeof leftOutFor(view, view(typeColumn.id)) === 'string';
    },
    leftOutOf: (view, context) => leftOutOf(view, view(typeColumn.id), context),
    kindOf: kindFinder(has),
    read: (kind, view, context) => readerOf(kind)(view, context),
  };
}

/** A row whose values may have slid into other columns does not say that it is held. */
export const isWhole = ({ issues }: SheetRow): boolean => issues.every(({ level }) => level !== 'error');
