/**
 * A column of a kind: what it says about itself (headings, help, examples) and how one cell of it is read. Templates,
 * heading matching, error texts and the documentation derive from these.
 */
import { addressOf, type Cell } from '../domain/cell.ts';
import type { ColumnFacts } from '../domain/column.ts';
import type { Currency } from '../domain/currency.ts';
import { type Issue, type IssueCode, type IssueParameters, issue } from '../domain/issue.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import type { RemitterSettings } from '../domain/settings.ts';
import { isInk } from './plain-text.ts';

/** A cell of a row as a column sees it: it may be empty, but it always has an address and a heading. */
export interface CellView {
  readonly row: number;
  /** Empty when the sheet has no such column. */
  readonly address: string;
  /** The user's own heading. */
  readonly heading: string;
  /** Missing when the cell is empty or the sheet has no such column. */
  readonly cell?: Cell;
  /** The cells that `cell` was joined of, where a name stands in several. */
  readonly parts?: readonly Cell[];
}

/** What reading a row may depend on besides the row. */
export interface ReadContext {
  /** ISO 3166 alpha-2 country whose national number forms are read. */
  readonly country: string;
  readonly currency: Currency;
  /** Stands for the purpose of rows that give none. */
  readonly purpose: string;
  /** Who pays, for orders that must say it. */
  readonly remitter?: RemitterSettings;
  /** The operator accepts the repairs that are certain. */
  readonly acceptFixes?: boolean;
  /** Which sign stands before the cents in the whole amount column; undefined: nothing decides it. */
  readonly decimals?: DecimalMark;
  /** Nothing will be planned: what would be submitted for a row is not asked for. */
  readonly isCheck?: boolean;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Issue[] }
  | { readonly ok: false; readonly issue: Issue };

export interface Column<T> extends ColumnFacts {
  readonly required: boolean;
  /** What hangs on its exact characters: how much is paid to whom, or which payment it is. */
  readonly decides?: 'payment' | 'identity';
  /** What becomes of a number that a program calculated with (`1.2E+11`, `142.0`); missing: it is read like any text. */
  readonly calculated?: 'refused' | 'warned';
  /** A placeholder (`NaN`, `N/A`) is read as it stands, and warned of. */
  readonly warnsOfPlaceholders?: true;
  read(view: CellView, context: ReadContext): Reading<T>;
}

export const value = <T>(read: T, warning?: Issue): Reading<T> => ({
  ok: true,
  value: read,
  ...(warning && { warnings: [warning] }),
});

/** The reading with one warning more. */
export const warned = <T>(reading: Reading<T>, warning: Issue): Reading<T> =>
  reading.ok ? { ...reading, warnings: [...(reading.warnings ?? []), warning] } : reading;

/** The reading of a cell that has an issue: the code with the cell's place, value and heading filled in. */
export function wrong(view: CellView, code: IssueCode, parameters: IssueParameters = {}): Reading<never> {
  return { ok: false, issue: issueAt(view, code, parameters) };
}

export function issueAt(view: CellView, code: IssueCode, parameters: IssueParameters = {}): Issue {
  return issue(
    code,
    { row: view.row, cell: view.address, value: view.cell?.text ?? '' },
    { heading: view.heading, ...parameters },
  );
}

/** White space and marks that people cannot see and do not mean: trimmed from the ends of every cell. */
const INVISIBLE = '[\\s\\u00a0\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff\\u00ad]';
const EDGES = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, 'gu');

export const withoutEdges = (text: string): string =>
  text === '' || (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1)))
    ? text
    : text.replace(EDGES, '');

/** The text of a cell without invisible characters at its ends; empty for a missing cell. */
export const trimmed = (view: CellView): string => withoutEdges(view.cell?.text ?? '');

/** What no column can use, whatever it is for: error values, unsaved formulas, merged cells. */
export function damageOf(view: CellView): Issue | undefined {
  const { cell } = view;
  if (!cell) return undefined;
  if (cell.merged) return issueAt(view, 'PB-MERGED');
  if (cell.type === 'error') return issueAt(view, 'PB-CELL-ERROR');
  if (cell.formula === 'missing') return issueAt(view, 'PB-FORMULA-NO-VALUE');
  return undefined;
}

/** The same column, which may be left empty: it then reads as undefined. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return {
    ...column,
    required: false,
    read: (view, context) => (isEmpty(view) ? nothing : column.read(view, context)),
  };
}

const nothing: Reading<undefined> = value(undefined);

const isEmpty = (view: CellView): boolean =>
  view.cell === undefined || (trimmed(view) === '' && damageOf(view) === undefined);

/** The view of a cell that the sheet does not have, at the place where its row would hold it, if there is one. */
export const emptyView = (row: number, column: number | undefined, heading: string): CellView => ({
  row,
  address: column === undefined ? '' : addressOf(column, row),
  heading,
});
