/**
 * Formulas over the Results worksheet: how figures follow from its rows. Each formula is in a cell with the figure that
 * paybatch computed, so that a spreadsheet that recalculates shows the same. Formulas hold no text that others wrote.
 */
import { columnLetters } from '../domain/cell.ts';
import { currencyRecord, type Money } from '../domain/money.ts';
import { isSetAside, type Outcome, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { Formula } from '../sheet/writing/workbook-writer.ts';
import { kindType, outcome as outcomeColumn, type ResultsColumn, resultsColumns } from './columns.ts';

/** Selects rows; without conditions, all rows. */
export interface WhichRows {
  readonly outcomes?: readonly Outcome[];
  /** Title of a way of paying. Rows that were set aside or left out may show the same title, but do not count. */
  readonly kind?: string;
}

/** Returns the range of a column on the Results worksheet, below its heading; an empty cell if the sheet has no rows. */
function rangeOf(column: ResultsColumn, rows: number): string {
  const letters = columnLetters(resultsColumns.indexOf(column) + 1);
  return `Results!$${letters}$2:$${letters}$${Math.max(rows, 1) + 1}`;
}

/** Quotes a text as a criterion, so that wildcards and quotation marks in it have no special meaning. */
const criterion = (text: string): string => `"${text.replace(/[~*?]/g, '~$&').replaceAll('"', '""')}"`;

/** Returns the conditions for the rows, one list for each outcome; the results of the lists are added up. */
function conditionsOf({ outcomes: only, kind }: WhichRows, rows: number): readonly string[] {
  const ofKind =
    kind === undefined
      ? []
      : [
          `${rangeOf(kindType, rows)},${criterion(kind)}`,
          ...outcomes.filter(isSetAside).map((one) => `${rangeOf(outcomeColumn, rows)},"<>${outcomeTable[one].title}"`),
        ];
  const each = only?.map((one) => [`${rangeOf(outcomeColumn, rows)},${criterion(outcomeTable[one].title)}`]) ?? [[]];
  return each.map((own) => [...ofKind, ...own].join(','));
}

/** Returns a formula for the number of rows. It counts cells with an outcome, so a row without one would be missing. */
export function countOfRows(rows: number, which: WhichRows = {}): Formula {
  const parts = conditionsOf(which, rows).map((conditions) =>
    conditions === '' ? `COUNTA(${rangeOf(outcomeColumn, rows)})` : `COUNTIFS(${conditions})`,
  );
  return () => parts.join('+');
}

/** Returns a formula for the sum of a column of amounts. */
export function sumOfRows(column: ResultsColumn, rows: number, { currency }: Money, which: WhichRows = {}): Formula {
  const range = rangeOf(column, rows);
  const parts = conditionsOf(which, rows).map((conditions) =>
    conditions === '' ? `SUM(${range})` : `SUMIFS(${range},${conditions})`,
  );
  return () => rounded(parts.join('+'), currency);
}

/** Returns a formula for the sum of a column of amounts, over the rows that a filter shows. */
export function sumOfShown(column: ResultsColumn, rows: number, { currency }: Money): Formula {
  const sum = `SUBTOTAL(109,${rangeOf(column, rows).replace('Results!', '')})`;
  return () => rounded(sum, currency);
}

/** Returns a formula for the sum of the `cells` cells just above, in this column. */
export const sumAbove =
  (column: number, cells: number, currency?: Money['currency']): Formula =>
  (row) => {
    const letters = columnLetters(column);
    const sum = `SUM(${letters}${row - cells}:${letters}${row - 1})`;
    return currency === undefined ? sum : rounded(sum, currency);
  };

/** Rounds a formula to the currency, because sums in a spreadsheet are slightly off: it calculates in binary fractions. */
export const rounded = (formula: string, currency: Money['currency']): string =>
  `ROUND(${formula},${currencyRecord(currency).exponent})`;
