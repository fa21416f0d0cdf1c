/**
 * Formulas over the Results worksheet: how figures follow from its rows. Each stands in a cell with the figure that paybatch found
 * itself, so that a spreadsheet which calculates again shows the same. None holds a text that others wrote.
 */
import { columnLetters } from '../domain/cell.ts';
import { currencyRecord, type Money } from '../domain/money.ts';
import { isSetAside, type Outcome, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { Formula } from '../sheet/writing/workbook-writer.ts';
import { kindType, outcome as outcomeColumn, type ResultsColumn, resultsColumns } from './columns.ts';

/** The rows that are meant; all of them where nothing is said. */
export interface WhichRows {
  readonly outcomes?: readonly Outcome[];
  /** Title of a way of paying. A row that was set aside or left out may say the same and has none. */
  readonly kind?: string;
}

/** A column of the Results worksheet below its headings; of a sheet without rows an empty cell. */
function rangeOf(column: ResultsColumn, rows: number): string {
  const letters = columnLetters(resultsColumns.indexOf(column) + 1);
  return `Results!$${letters}$2:$${letters}$${Math.max(rows, 1) + 1}`;
}

/** A text that a formula compares with, whatever it means there. */
const criterion = (text: string): string => `"${text.replace(/[~*?]/g, '~$&').replaceAll('"', '""')}"`;

/** What is asked of the rows, one list for each outcome; their answers are added up. */
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

/** How many rows there are; those without an outcome would be missing. */
export function countOfRows(rows: number, which: WhichRows = {}): Formula {
  const parts = conditionsOf(which, rows).map((conditions) =>
    conditions === '' ? `COUNTA(${rangeOf(outcomeColumn, rows)})` : `COUNTIFS(${conditions})`,
  );
  return () => parts.join('+');
}

/** What a column of amounts adds up to. */
export function sumOfRows(column: ResultsColumn, rows: number, { currency }: Money, which: WhichRows = {}): Formula {
  const range = rangeOf(column, rows);
  const parts = conditionsOf(which, rows).map((conditions) =>
    conditions === '' ? `SUM(${range})` : `SUMIFS(${range},${conditions})`,
  );
  return () => rounded(parts.join('+'), currency);
}

/** What a column of amounts adds up to in the rows that a filter shows. */
export function sumOfShown(column: ResultsColumn, rows: number, { currency }: Money): Formula {
  const sum = `SUBTOTAL(109,${rangeOf(column, rows).replace('Results!', '')})`;
  return () => rounded(sum, currency);
}

/** The sum of the cells just above in the same column, as many as are said. */
export const sumAbove =
  (column: number, cells: number, currency?: Money['currency']): Formula =>
  (row) => {
    const letters = columnLetters(column);
    const sum = `SUM(${letters}${row - cells}:${letters}${row - 1})`;
    return currency === undefined ? sum : rounded(sum, currency);
  };

/** What a spreadsheet adds up is off by a trace: it calculates in binary fractions. */
export const rounded = (formula: string, currency: Money['currency']): string =>
  `ROUND(${formula},${currencyRecord(currency).exponent})`;
