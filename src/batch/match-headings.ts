/**
 * Turns headings into columns. People write the same column in many ways: an exact match after folding case, spaces and
 * punctuation is accepted, two headings for one column are an issue, and nothing is ever guessed.
 */
import type { Heading } from '../domain/batch.ts';
import type { Cell, SheetRow } from '../domain/cell.ts';
import { PROBLEMS_HEADING } from '../domain/checked-copy.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { currencyHeading } from '../kinds/amount.ts';
import type { ColumnMap } from './column-map.ts';
import { folded, namePart, textAt } from './fold-heading.ts';
import { lackedIssues, mergedIssues, missingIssues, twiceIssues } from './heading-issues.ts';
import { AMOUNT, type HeadingMapping, type Meanings, mappingRecord, meaningsOf } from './heading-mapping.ts';
import { amountHeadingOf, amountsAmong } from './which-amount.ts';

/** A heading row is only looked for in this many first rows: payroll exports have a few lines of titles. */
export const HEADING_ROWS_MAX = 30;
/** A row with at least this many recognised headings, an amount among them, is the heading row. */
const RECOGNISED_MIN = 2;

/**
 * Reports whether paybatch itself wrote the column into a sheet that it handed back. Such a column is not carried along
 * and means nothing.
 */
const isOwn = ({ text }: Cell): boolean => folded(text) === folded(PROBLEMS_HEADING);

/** Returns the headings of a row, except those that paybatch wrote itself. */
export const headingsIn = ({ cells }: SheetRow): readonly string[] =>
  cells.filter((cell) => !isOwn(cell)).map(({ text }) => text);

/**
 * Reports whether a row looks like the heading row: it has an amount and another known heading, and is not a line of
 * labels with values.
 */
export function isHeadingRow(row: SheetRow, meanings: Meanings): boolean {
  // Empty cells are passed over, because a merged range can cover thousands of them in each row.
  const found = new Set(row.cells.flatMap(({ text }) => (text === '' ? [] : (meanings.meaningOf(text)?.id ?? []))));
  return found.has(AMOUNT) && found.size >= RECOGNISED_MIN && !isLabelLine(row, meanings);
}

/** Returns what the headings of a row mean, and their issues. A mapping wins over the headings' own meanings. */
export function matchHeadings(
  row: SheetRow,
  columns: readonly ColumnDescription[],
  mapping?: HeadingMapping,
): ColumnMap {
  const meanings = meaningsOf(columns, mapping);
  const places = placesOf(row, meanings, mapping);
  const issues = [
    ...twiceIssues(row, places, columns, meanings),
    ...mergedIssues(row, places),
    ...lackedIssues([row], columns, mapping),
    ...missingIssues(row, places, columns, meanings),
  ];
  const headings = row.cells
    .filter((cell) => !isOwn(cell))
    .map((cell): Heading => {
      const means = [...places].find(([, numbers]) => numbers.includes(cell.column))?.[0];
      const { by = 'alias', id, isInWords } = meanings.meaningOf(cell.text) ?? {};
      const isKnown = means !== undefined || (id !== undefined && !isInWords);
      return {
        column: cell.column,
        text: cell.text.trim(),
        ...(means !== undefined && { means }),
        ...(isKnown && { by }),
      };
    });
  const ownColumns = row.cells.filter(isOwn).map(({ column }) => column);
  return {
    headerRow: row.number,
    headings,
    places,
    issues,
    ownColumns,
    ...(mapping && { mapping: mappingRecord(mapping) }),
  };
}

/** Returns the places of each column: sheet columns by column id. */
export function placesOf(row: SheetRow, meanings: Meanings, mapping?: HeadingMapping): Map<string, readonly number[]> {
  const places = new Map<string, readonly number[]>();
  const inWords = new Map<string, readonly number[]>();
  for (const cell of row.cells) {
    const { id, also = [], isInWords } = meanings.meaningOf(cell.text) ?? {};
    const found = isInWords ? inWords : places;
    for (const one of typeof id === 'string' ? [id, ...also] : []) {
      found.set(one, [...(found.get(one) ?? []), cell.column]);
    }
  }
  for (const [id, columns] of inWords) if (!places.has(id)) places.set(id, columns);
  if (meanings.isOpen(AMOUNT)) {
    // A heading that was decided to mean nothing is not a candidate.
    const amounts = amountsAmong(row.cells.filter(({ text }) => meanings.meaningOf(text)?.by !== 'mapping'));
    if (amounts.length > 0)
      places.set(
        AMOUNT,
        amounts.map(({ column }) => column),
      );
  }
  const names = nameColumns(row, places.get('name') ?? [], meanings, mapping);
  if (names.length > 0 || !meanings.isOpen('name')) places.set('name', names);
  return places;
}

/** Returns the columns of a name, in the order in which they are joined. `found` are those whose headings mean it. */
function nameColumns(
  row: SheetRow,
  found: readonly number[],
  meanings: Meanings,
  mapping: HeadingMapping | undefined,
): readonly number[] {
  const inOrder = (columns: readonly number[], order: (text: string) => number): readonly number[] =>
    columns.toSorted((one, other) => order(textAt(row, one)) - order(textAt(row, other)));
  if (!meanings.isOpen('name')) {
    const decided = mapping?.headings.map(({ heading }) => folded(heading)) ?? [];
    return inOrder(found, (text) => decided.indexOf(folded(text)));
  }
  const parts = row.cells.flatMap(({ text, column }) =>
    namePart(text) >= 0 && meanings.meaningOf(text) === undefined ? [column] : [],
  );
  if (found.length === 0) return inOrder(parts, namePart);
  const [whole = 0, part, ...more] = [...found, ...parts];
  const isCompleted = part !== undefined && more.length === 0 && parts.length === 1 && isFirstAndLast(row, whole, part);
  return isCompleted ? inOrder([whole, part], namePart) : found;
}

/** Reports whether two headings are the first and the last part of a name, in either order. */
const isFirstAndLast = (row: SheetRow, one: number, other: number): boolean =>
  namePart(textAt(row, one)) >= 0 && Math.abs(namePart(textAt(row, one)) - namePart(textAt(row, other))) === 2;

/** A figure, with or without a currency or `/=` next to it. */
const FIGURE = /^\D{0,4}\d[\d.,\s]*(?:\/[=-])?\D{0,4}$/;

const isFigure = ({ type, text }: Cell): boolean =>
  type === 'number' || type === 'date' || (type === 'text' && FIGURE.test(text.trim()));

/** Reports whether a cell is only a currency, which is a heading in one sheet and the value of a label in another. */
const isCurrencyAlone = ({ text }: Cell): boolean => folded(currencyHeading(text)?.rest ?? text) === '';

/**
 * Reports whether each amount heading has its value next to it, and values separate the labels. A row of headings may also
 * hold figures, such as the days of a month next to a rate, but there the figures are side by side.
 */
function isLabelLine({ cells }: SheetRow, meanings: Meanings): boolean {
  const said = cells.filter(({ text }) => folded(text) !== '');
  const labels = said.filter((cell) => !isCurrencyAlone(cell));
  const isKnown = (cell: Cell | undefined): boolean =>
    cell !== undefined && !isCurrencyAlone(cell) && meanings.meaningOf(cell.text) !== undefined;
  const isValue = (cell: Cell | undefined): boolean => cell !== undefined && isFigure(cell);
  const amounts = labels.flatMap(({ text }, at) => (amountHeadingOf(text) === undefined ? [] : [at]));
  const areParted = said.every((cell, at) => !(isKnown(cell) && isKnown(said[at + 1])));
  return amounts.length > 0 && areParted && amounts.every((at) => isValue(labels[at + 1]) && !isValue(labels[at + 2]));
}
