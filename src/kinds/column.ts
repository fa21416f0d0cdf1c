/**
 * A column of a kind: its description (headings, help, examples) and how one cell of it is read. Templates, heading matching,
 * error texts and the documentation derive from these.
 */
import { addressOf, type Cell } from '../domain/cell.ts';
import type { ColumnFacts } from '../domain/column.ts';
import type { Currency } from '../domain/currency.ts';
import { type Issue, type IssueCode, type IssueParameters, issue } from '../domain/issue.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import type { RemitterSettings } from '../domain/settings.ts';
import { isInk } from './plain-text.ts';

/** A cell of a row as a column sees it. It may be empty, but it always has a heading, and an address if the sheet has the column. */
export interface CellView {
  readonly row: number;
  /** Address of the cell; empty if the sheet has no such column. */
  readonly address: string;
  /** The user's own heading. */
  readonly heading: string;
  /** Absent if the cell is empty or the sheet has no such column. */
  readonly cell?: Cell;
  /** The cells that `cell` was joined from, if a name is spread over several. */
  readonly parts?: readonly Cell[];
}

/** What reading a row depends on in addition to the row. */
export interface ReadContext {
  /** ISO 3166 alpha-2 country whose national number forms are read. */
  readonly country: string;
  readonly currency: Currency;
  /** The purpose of rows that give none. */
  readonly purpose: string;
  /** The payer, for orders that must name one. */
  readonly remitter?: RemitterSettings;
  /** Whether the operator accepts the repairs that are certain. */
  readonly acceptFixes?: boolean;
  /** The sign before the cents in the whole amount column; `undefined` if nothing decides it. */
  readonly decimals?: DecimalMark;
  /** Whether nothing will be planned. Rows are then read without what would be submitted for them. */
  readonly isCheck?: boolean;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T; readonly warnings?: readonly Issue[] }
  | { readonly ok: false; readonly issue: Issue };

export interface Column<T> extends ColumnFacts {
  readonly required: boolean;
  /** What the exact characters of a cell decide: who is paid how much (`payment`), or which payment it is (`identity`). */
  readonly decides?: 'payment' | 'identity';
  /** What happens to a number that a program calculated with (`1.2E+11`, `142.0`); if absent, it is read like any text. */
  readonly calculated?: 'refused' | 'warned';
  /** Set if a placeholder (`NaN`, `N/A`) is read as written, with a warning. */
  readonly warnsOfPlaceholders?: true;
  read(view: CellView, context: ReadContext): Reading<T>;
}

export const value = <T>(read: T, warning?: Issue): Reading<T> => ({
  ok: true,
  value: read,
  ...(warning && { warnings: [warning] }),
});

/** Returns the reading with one more warning. */
export const warned = <T>(reading: Reading<T>, warning: Issue): Reading<T> =>
  reading.ok ? { ...reading, warnings: [...(reading.warnings ?? []), warning] } : reading;

/** Returns the reading of a cell that has an issue, with the cell's place, value and heading filled in. */
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

/**
 * White space and invisible characters that people do not mean, trimmed from both ends of every cell. Characters that turn
 * the text between them around (U+202B, U+202E, U+2067) stay, and are refused with it: the sheet shows another number.
 */
const INVISIBLE = /[\s\u00a0\u200b-\u200f\u202a\u202c\u202d\u2060-\u2066\u2068\u2069\ufeff\u00ad]/u;

/** Looks at the edges only: a pattern for the end of a text would be tried at every blank inside it. */
export function withoutEdges(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isEdge(text, from)) from += 1;
  while (to > from && isEdge(text, to - 1)) to -= 1;
  return text.slice(from, to);
}

const isEdge = (text: string, at: number): boolean => !isInk(text.charCodeAt(at)) && INVISIBLE.test(text.charAt(at));

/** Returns the text of a cell without invisible characters at its ends; an empty text for an absent cell. */
export const trimmed = (view: CellView): string => withoutEdges(view.cell?.text ?? '');

/** Returns the issue of a cell that no column can use: an error value, an unsaved formula, a merged cell. */
export function damageOf(view: CellView): Issue | undefined {
  const { cell } = view;
  if (!cell) return undefined;
  if (cell.merged) return issueAt(view, 'PB-MERGED');
  if (cell.type === 'error') return issueAt(view, 'PB-CELL-ERROR');
  if (cell.formula === 'missing') return issueAt(view, 'PB-FORMULA-NO-VALUE');
  return undefined;
}

/** Returns the column as one that may be left empty: an empty cell reads as `undefined`. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return {
    ...column,
    required: false,
    read: (view, context) => (isEmpty(view) ? nothing : column.read(view, context)),
  };
}

const nothing: Reading<undefined> = value(undefined);

/** Reports whether a cell holds nothing. A cell that lost its value, or is covered by a merged one, holds something. */
export const isEmpty = (view: CellView): boolean =>
  view.cell === undefined || (trimmed(view) === '' && damageOf(view) === undefined);

/** Returns the view of an absent cell, with the address it would have in its row if the sheet has the column. */
export const emptyView = (row: number, column: number | undefined, heading: string): CellView => ({
  row,
  address: column === undefined ? '' : addressOf(column, row),
  heading,
});
