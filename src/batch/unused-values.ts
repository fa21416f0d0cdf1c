/** Broken values in cells that no payment uses: nobody is stopped by them, and nobody would see them otherwise. */
import { type Cell, columnLetters, type SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { numberColumns } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isCalculated, isErrorValue } from '../kinds/no-value.ts';
import type { ColumnMap } from './column-map.ts';

/** The warnings of one row of a kind, each at its cell. Of a cell that was told already there is none. */
export type UnusedValues = (row: SheetRow, kind: Kind, told: readonly Issue[]) => readonly Issue[];

/** Errors of a spreadsheet in any column, and numbers that a program calculated with in the account columns of other kinds. */
export function unusedValues(map: ColumnMap | undefined): UnusedValues {
  const accounts = new Map<Kind, ReadonlySet<number>>();
  const accountsOfOthers = (kind: Kind): ReadonlySet<number> => {
    const known = accounts.get(kind) ?? new Set(accountsBeside(kind, map));
    accounts.set(kind, known);
    return known;
  };
  const issueAt = (row: number, { address, column, text }: Cell): Issue => {
    const heading = map?.headings.find((one) => one.column === column)?.text ?? columnLetters(column);
    return issue('PB-UNUSED-VALUE', { row, cell: address, value: text }, { heading, count: 1 });
  };
  return ({ number, cells }, kind, told) => {
    const others = accountsOfOthers(kind);
    const isBroken = (cell: Cell): boolean => isErrorValue(cell) || (others.has(cell.column) && isCalculated(cell));
    if (!cells.some(isBroken)) return none;
    const unseen = cells.filter((cell) => isBroken(cell) && told.every(({ cell: at }) => at !== cell.address));
    return unseen.map((cell) => issueAt(number, cell));
  };
}

const none: readonly Issue[] = [];

/** Columns of the sheet, counted from 1. */
const accountsBeside = ({ columns }: Kind, map: ColumnMap | undefined): readonly number[] =>
  numberColumns.filter((id) => columns.every((own) => own.id !== id)).flatMap((id) => map?.places.get(id) ?? []);
