/** Values of columns that no payment uses, and that somebody may have meant. */
import type { Cell } from '../domain/cell.ts';
import { issue } from '../domain/issue.ts';
import { numberColumns, unusedAccountIssue } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isCalculated, isErrorValue } from '../kinds/no-value.ts';
import type { BesideCheck } from './beside-check.ts';
import { type ColumnMap, headingAt } from './column-map.ts';

/**
 * Warns of error values in any column, and of numbers that a program calculated with in the account columns of other kinds, but
 * not at a cell that was already reported.
 */
export function unusedValues(map: ColumnMap): BesideCheck {
  const accounts = new Map<Kind, ReadonlySet<number>>();
  const accountsOfOthers = (kind: Kind): ReadonlySet<number> => {
    const known = accounts.get(kind) ?? new Set(accountsBeside(kind, map));
    accounts.set(kind, known);
    return known;
  };
  return {
    issuesOf({ row: { number, cells }, kind, issues }) {
      if (!kind) return [];
      const others = accountsOfOthers(kind);
      const isBroken = (cell: Cell): boolean => isErrorValue(cell) || (others.has(cell.column) && isCalculated(cell));
      const unseen = cells.filter((cell) => isBroken(cell) && issues.every(({ cell: at }) => at !== cell.address));
      return unseen.map(({ address, column, text }) => {
        const place = { row: number, cell: address, value: text };
        return issue('PB-UNUSED-VALUE', place, { heading: headingAt(map, column), count: 1 });
      });
    },
  };
}

/** Warns of accounts beside rows that are paid in another way. */
export const unusedAccounts = (): BesideCheck => ({
  issuesOf({ kind, view }) {
    const found = kind && unusedAccountIssue(kind, view);
    return found ? [found] : [];
  },
});

/** Returns the columns of the sheet, counted from 1, that hold accounts or id numbers and are not the kind's own. */
const accountsBeside = ({ columns }: Kind, map: ColumnMap): readonly number[] =>
  numberColumns.filter((id) => columns.every((own) => own.id !== id)).flatMap((id) => map.places.get(id) ?? []);
