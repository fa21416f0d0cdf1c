/**
 * Rows that whoever approved the sheet may not have seen, or no longer means: hidden rows, rows that are struck through, and amounts
 * that their number format does not show. They are held until their exact count is confirmed.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { kinds } from '../kinds/index.ts';
import type { RowView } from '../kinds/kind.ts';
import { isUnseen } from '../kinds/shown-amount.ts';
import type { ColumnMap } from './column-map.ts';

/** Columns that say who is paid, where, and how much. */
const deciding: ReadonlySet<string> = new Set([
  'name',
  ...kinds.flatMap(({ columns }) => columns.flatMap(({ id, decides }) => (decides === 'payment' ? [id] : []))),
]);

/** Why a row may not be meant to be paid; empty for nearly all. */
export function unmeantIssues(row: SheetRow, view: RowView, map: ColumnMap | undefined): readonly Issue[] {
  const struck = row.cells.find((cell) => cell.struck && isDeciding(cell, map));
  const amount = view('amount');
  const found: Issue[] = [];
  if (row.hidden) found.push(issue('PB-HIDDEN', { row: row.number, cell: view('name').address }));
  if (struck) found.push(issue('PB-STRUCK', { row: row.number, cell: struck.address, value: struck.text }));
  if (isUnseen(amount)) {
    found.push(issue('PB-AMOUNT-UNSEEN', { row: row.number, cell: amount.address, value: amount.cell?.text ?? '' }));
  }
  return found;
}

const isDeciding = ({ column }: Cell, map: ColumnMap | undefined): boolean =>
  map !== undefined && [...map.places].some(([id, columns]) => deciding.has(id) && columns.includes(column));
