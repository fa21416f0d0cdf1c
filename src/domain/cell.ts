/**
 * A row of the sheet as its author left it: exact text with addresses. Nothing is guessed here: a phone that Excel stored as
 * a number arrives as type `number` with the digits of the file, and the rule of its column judges it.
 */
import type { Issue } from './issue.ts';
import type { NumberFormat } from './number-format.ts';

/** How the file stored the value. `date` is a number whose style is a date; `error` is `#N/A` or another error value. */
export type CellType = 'text' | 'number' | 'boolean' | 'date' | 'error';

export interface Cell {
  /** Column counted from 1: A is 1. */
  readonly column: number;
  /** Address as Excel shows it: `C14`. A CSV field has the address it would have in Excel. */
  readonly address: string;
  readonly type: CellType;
  /** The exact text of the file: a string as written, a number with the digits stored (`712345678`, `7.12E+08`). */
  readonly text: string;
  /** Set if a formula computed the value. `missing`: the file holds no computed value. */
  readonly formula?: 'cached' | 'missing';
  /** The formula without its `=`, if the caller asked for formulas. */
  readonly formulaText?: string;
  /** How a number, a date or a text is shown; absent if the value is shown as stored. */
  readonly format?: NumberFormat;
  /** True if the cell, or part of its text, is struck through. `text` still includes the struck part. */
  readonly struck?: true;
  /** True if a date counts its days from 1904, as in workbooks of old Macs. */
  readonly from1904?: true;
  /** True if the cell is in a merged range. Only the first cell of the range holds the value. */
  readonly merged?: true;
  /** True for the first cell in a row of a merged range that covers several columns. */
  readonly isWide?: true;
  /** The note on the cell, which is shown when the pointer rests on it. */
  readonly note?: string;
}

export interface SheetRow {
  /** Row number as the spreadsheet shows it, from 1. */
  readonly number: number;
  /** The cells that are not empty, or have a note, in column order. */
  readonly cells: readonly Cell[];
  /** Whether the row is hidden, by hand or by a filter. */
  readonly hidden: boolean;
  /** Problems that the reader itself found in the row, for example a ragged CSV record. */
  readonly issues: readonly Issue[];
}

/** Returns the cell of a column. */
export const cellIn = (cells: readonly Cell[], column: number): Cell | undefined =>
  cells.find((cell) => cell.column === column);

/** Returns the letters of a column counted from 1: 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** Returns the address of a cell: `addressOf(3, 14)` is `C14`. */
export const addressOf = (column: number, row: number): string => columnLetters(column) + row;
