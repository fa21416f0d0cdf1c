/**
 * Reads a sheet again, row by row, and adds to each row the issues that were found in it. Every checked copy is written from
 * these rows.
 */
import type { Heading } from '../../domain/batch.ts';
import type { Cell, SheetRow } from '../../domain/cell.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import type { Money } from '../../domain/money.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import { checkedWords } from './checked-words.ts';

/** A sheet that can be read again. */
export interface SheetToCopy {
  /** File name without its folder. */
  readonly name: string;
  readonly rows: () => AsyncIterable<readonly SheetRow[]>;
}

/** What a check of the sheet found. */
export interface Findings {
  /** Row of the headings; absent if none were found. */
  readonly headerRow?: number;
  readonly headings: readonly Heading[];
  /** Columns that an earlier check wrote. They are written again, never copied. */
  readonly ownColumns: readonly number[];
  readonly rows: number;
  /** Rows that can be paid as the sheet is. */
  readonly ready: number;
  readonly invalid: number;
  readonly errors: number;
  readonly warnings: number;
  readonly total: Money;
  /** Issues in the order of rows, after those that belong to no row. They are iterated more than once. */
  readonly issues: Iterable<Issue>;
  /** Language of the messages; English if absent. */
  readonly language?: Language;
}

export interface MarkedRow extends SheetRow {
  /** Issues in this row. The issues of a row that holds nothing appear in no row. */
  readonly found: readonly Issue[];
}

/** Size of a sheet, without the columns that paybatch added. */
export interface Extent {
  /** Length of the longest text of each column, in characters, from column A. */
  readonly widths: readonly number[];
  readonly hasFormulas: boolean;
}

/** Characters that a day with a time takes. */
const DATE_CHARACTERS = 16;

/** Reads the sheet once to find its size. */
export async function extentOf(
  { rows }: SheetToCopy,
  { ownColumns, headings, headerRow = 0 }: Findings,
): Promise<Extent> {
  const widths: number[] = [];
  let hasFormulas = false;
  const widen = (column: number, characters: number): void => {
    while (widths.length < column) widths.push(0);
    widths[column - 1] = Math.max(widths[column - 1] ?? 0, characters);
  };
  for (const { column, text } of headings) widen(column, text.length);
  for await (const block of rows()) {
    for (const { number, cells } of block) {
      for (const { column, type, text, formula } of cells) {
        hasFormulas ||= formula !== undefined;
        // Titles extend over the columns next to them, so they need a column but no width.
        if (number < headerRow) widen(column, 0);
        else if (!ownColumns.includes(column)) widen(column, type === 'date' ? DATE_CHARACTERS : text.length);
      }
    }
  }
  return { widths, hasFormulas };
}

/** Returns the column for the problems: where it already is, or the first free one to the right of everything. */
export const problemColumn = ({ ownColumns }: Findings, { widths }: Extent): number =>
  ownColumns[0] ?? widths.length + 1;

/**
 * Yields the rows of the sheet without the columns that paybatch added, with their issues. Both come in row order and are
 * read as they are needed.
 */
export async function* markedRows(
  { rows }: SheetToCopy,
  { issues, ownColumns, headerRow }: Findings,
): AsyncGenerator<MarkedRow> {
  const waiting = issues[Symbol.iterator]();
  let next = waiting.next();
  // Above the headings, no cell is one that paybatch added.
  const isOurs = (row: number, { column }: Cell): boolean => row >= (headerRow ?? 0) && ownColumns.includes(column);
  for await (const block of rows()) {
    for (const row of block) {
      const found: Issue[] = [];
      for (; !next.done && (next.value.row ?? 0) <= row.number; next = waiting.next()) {
        if (next.value.row === row.number) found.push(next.value);
      }
      yield { ...row, cells: row.cells.filter((cell) => !isOurs(row.number, cell)), found };
    }
  }
}

export const isError = ({ level }: Issue): boolean => level === 'error';

/** Returns what is wrong at a cell and what to do, after a word that says how severe it is. */
export const problemText = (found: Issue, language?: Language): string =>
  `${levelWord(found, language)}${found.cell === undefined ? '' : ` ${found.cell}`}: ${sentences(found, language)}`;

/** Returns the severity of an issue as one word in capitals. */
export const levelWord = (found: Issue, language?: Language): string => {
  const { error, warning } = checkedWords(language);
  return isError(found) ? error : warning;
};

export const sentences = (found: Issue, language?: Language): string =>
  `${issueMessage(found, language)} ${issueFix(found, language)}`;
