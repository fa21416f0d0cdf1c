/** Broken values in cells that no payment uses: nobody is stopped by them, and nobody would see them otherwise. */
import { columnLetters, type SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { numberColumns } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isCalculated, isErrorValue } from '../kinds/no-value.ts';
import type { ColumnMap } from './column-map.ts';

/**
 * The warnings of one row, each at its cell: errors of a spreadsheet in any column, and accounts that a program calculated with in
 * the columns of other kinds. Of a cell that was told already there is none.
 */
export function unusedIssues(
  { number: row, cells }: SheetRow,
  map: ColumnMap | undefined,
  kind: Kind,
  told: readonly Issue[],
): readonly Issue[] {
  return cells
    .filter((cell) => isErrorValue(cell) || (isCalculated(cell) && isAccountOfOthers(cell.column, map, kind)))
    .filter(({ address }) => !told.some(({ cell }) => cell === address))
    .map(({ address, column, text }) => {
      const heading = map?.headings.find((one) => one.column === column)?.text ?? columnLetters(column);
      return issue('PB-UNUSED-VALUE', { row, cell: address, value: text }, { heading, count: 1 });
    });
}

const isAccountOfOthers = (column: number, map: ColumnMap | undefined, { columns }: Kind): boolean =>
  numberColumns.some((id) => map?.places.get(id)?.includes(column) && columns.every((own) => own.id !== id));
