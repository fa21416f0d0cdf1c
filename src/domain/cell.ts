/**
 * A row of the sheet as its author left it: exact text with addresses. Nothing is guessed here: a phone that Excel
 * stored as a number arrives as type `number` with the digits of the file, and the column's own rule judges it.
 */
import type { Issue } from './issue.ts';
import type { NumberFormat } from './number-format.ts';

/** How the file stored the value. `date` is a number whose style is a date; `error` is `#N/A` and the like. */
export type CellType = 'text' | 'number' | 'boolean' | 'date' | 'error';

export interface Cell {
  /** Column counted from 1: A is 1. */
  readonly column: number;
  /** Address as Excel shows it: `C14`. A CSV field has the address it would have in Excel. */
  readonly address: string;
  readonly type: CellType;
  /** The exact text of the file: a string as written, a number with the digits stored (`712345678`, `7.12E+08`). */
  readonly text: string;
  /** The value was computed by a formula. `missing`: the file holds no computed value. */
  readonly formula?: 'cached' | 'missing';
  /** The formula without its `=`, where somebody asks for it. */
  readonly formulaText?: string;
  /** How a number, a date or a text is shown; missing where it is shown as it is. */
  readonly format?: NumberFormat;
  /** It is struck through, or a part of it is: its text still holds what was struck. */
  readonly struck?: true;
  /** A date counts its days from 1904 on, as workbooks of old Macs do. */
  readonly from1904?: true;
  /** The cell lies in a merged range; only the range's first cell holds the value. */
  readonly merged?: true;
}

export interface SheetRow {
  /** Row number as the spreadsheet shows it, from 1. */
  readonly number: number;
  /** The cells that hold something, in column order. */
  readonly cells: readonly Cell[];
  /** Hidden by hand or by a filter. */
  readonly hidden: boolean;
  /** What the reader itself found wrong with the row, for example a ragged CSV record. */
  readonly issues: readonly Issue[];
}

/** The cell of a column; in most rows none is empty before it, so it stands at its own number. */
export function cellIn(cells: readonly Cell[], column: number): Cell | undefined {
  const likely = cells[column - 1];
  return likely?.column === column ? likely : cells.find((cell) => cell.column === column);
}

/** Letters of the columns that were asked for: every cell of a sheet has an address. */
const lettersOf: string[] = [];

/** The letters of a column counted from 1: 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  const known = lettersOf[column];
  if (known !== undefined) return known;
  const letters = lettersBy26(column);
  if (column > 0 && column <= COLUMNS_KEPT) lettersOf[column] = letters;
  return letters;
}

/** As many columns as a worksheet has. */
const COLUMNS_KEPT = 16_384;

function lettersBy26(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** The address of a cell: `addressOf(3, 14)` is `C14`. */
export const addressOf = (column: number, row: number): string => columnLetters(column) + row;
