/** Rows of which another column than the one that holds them says that they are not to be paid: they are paid, and it is told. */
import { columnLetters, type SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { typeColumn } from '../kinds/index.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { saysNotToPay } from '../kinds/not-to-pay.ts';
import type { ColumnMap } from './column-map.ts';

/** Columns that say of their own words whether and how a row is paid. */
const DECIDING: readonly string[] = [holdColumn.id, typeColumn.id];

/** The warnings of one row, each at its cell. Of a cell that was told already there is none. */
export type HeldElsewhere = (row: SheetRow, told: readonly Issue[]) => readonly Issue[];

export function heldElsewhere(map: ColumnMap | undefined): HeldElsewhere {
  const apart = new Set([...(map?.ownColumns ?? []), ...DECIDING.flatMap((id) => map?.places.get(id) ?? [])]);
  const headingOf = (column: number): string =>
    map?.headings.find((one) => one.column === column)?.text || columnLetters(column);
  return ({ number, cells }, told) =>
    cells
      .filter(
        (cell) => !apart.has(cell.column) && saysNotToPay(cell) && told.every(({ cell: at }) => at !== cell.address),
      )
      .map(({ address, column, text }) => {
        const place = { row: number, cell: address, value: text.trim() };
        return issue('PB-HOLD-ELSEWHERE', place, { heading: headingOf(column), hold: holdColumn.heading });
      });
}
