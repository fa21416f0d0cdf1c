/** Values on their way into cells: text stays text, money and times become the numbers a spreadsheet calculates with. */
import type { Cell, CellModel, Comment, Style, ValueType } from 'exceljs';
import { localClock } from '../../domain/clock.ts';
import { currencyRecord, decimalOf, type Money } from '../../domain/money.ts';
import { type Align, type LookName, styleOf } from './looks.ts';
import { escapedText, isFragile, safeText } from './safe-text.ts';

/**
 * How a value is shown. `dateTime` takes wall-clock milliseconds since 1970, `percent` takes 0.05 for 5 %, and `position` is
 * a number that names something (a row) and has no separators.
 */
export type CellFormat = 'text' | 'money' | 'integer' | 'position' | 'dateTime' | 'percent';

type CellContent = string | number | Money | OwnFigure | undefined;

/** A number or a date as somebody's own sheet stores it: written with the digits that stand there, and shown as it is shown there. */
export interface OwnFigure {
  /** A plain decimal; of a date the days since the last one of 1899. */
  readonly digits: string;
  /** Excel number format. */
  readonly numFmt: string;
  /** As programs read it. */
  readonly text: string;
}

/** A formula of a cell in a row, without its `=`. It is made of our own words and addresses, never of what others wrote. */
export type Formula = (row: number) => string;

/** A cell that differs from its column or row. */
export interface StyledCell {
  readonly value: CellContent;
  readonly format?: CellFormat;
  /** What stands before an amount: words of ours or a currency. */
  readonly unit?: string;
  /** How the value follows from other cells; the value is what comes out of it. */
  readonly formula?: Formula;
  readonly look?: LookName;
  /** Columns that the cell covers, itself included. */
  readonly span?: number;
  readonly note?: string;
  /** Where a text leads to when it is clicked: `'June'!C14` for a cell of the same workbook. */
  readonly link?: string;
  readonly wrap?: boolean;
  /** Where the content stands; text at the left and figures at the right when not given. */
  readonly align?: Align;
}

export type RowCell = CellContent | StyledCell;

export const isStyled = (cell: RowCell): cell is StyledCell => typeof cell === 'object' && 'value' in cell;

const NUMBER_FORMATS: Readonly<Record<Exclude<CellFormat, 'money'>, string>> = {
  text: '@',
  integer: '#,##0',
  position: '0',
  dateTime: 'dd mmm yyyy hh:mm',
  percent: '0.0%',
};

/** Excel number format of amounts with so many digits after the point: `#,##0.00` for 2. */
export const moneyFormat = (exponent: number): string => (exponent === 0 ? '#,##0' : `#,##0.${'0'.repeat(exponent)}`);

function numberFormatOf({ value, format = 'text', unit, formula }: StyledCell): string {
  if (typeof value === 'object') {
    if ('digits' in value) return value.numFmt;
    const shown = moneyFormat(currencyRecord(value.currency).exponent);
    return unit === undefined ? shown : `"${unit} "${shown}`;
  }
  // A formula in a cell of text would be shown in place of its result as soon as somebody edits it.
  if (typeof value === 'string') return formula ? 'General' : NUMBER_FORMATS.text;
  return format === 'money' ? moneyFormat(2) : NUMBER_FORMATS[format];
}

/** Where values of a format stand. */
export const alignOf = (format: CellFormat): Align => (format === 'text' ? 'left' : 'right');

/** The styles of one workbook and its time zone. Equal choices share one style, which exceljs then writes once. */
export class CellWriter {
  readonly #styles = new Map<string, Partial<Style>>();
  /** The time on the clocks of the zone: spreadsheets know no zones. */
  readonly localTime: (ms: number) => number;

  constructor(timezone: string) {
    this.localTime = localClock(timezone);
  }

  /** Fills a cell. The style always matches the value, so a text in a column of amounts is still text. */
  put(cell: Cell, full: StyledCell): void {
    const { value, format = 'text', look = 'body', wrap = false, note, align, formula } = full;
    const stands =
      align ?? (typeof value === 'string' ? 'left' : alignOf(typeof value === 'object' ? 'money' : format));
    cell.style = this.#styleFor(numberFormatOf(full), look, wrap, stands);
    const stored = this.#stored(value, format);
    if (formula !== undefined)
      cell.value = { formula: formula(Number(cell.row)), result: stored ?? '', date1904: false };
    else if (typeof value === 'object' && 'digits' in value) putDigits(cell, value.digits);
    else if (typeof stored === 'string') putText(cell, stored);
    else if (stored !== undefined) cell.value = stored;
    if (note !== undefined) cell.note = noteOf(note);
  }

  #stored(value: CellContent, format: CellFormat): string | number | Date | undefined {
    if (typeof value === 'string') return safeText(value);
    if (typeof value === 'object') return Number('digits' in value ? value.digits : decimalOf(value));
    return value !== undefined && format === 'dateTime' ? new Date(this.localTime(value)) : value;
  }

  #styleFor(numFmt: string, look: LookName, wrap: boolean, align: Align): Partial<Style> {
    const key = `${look}|${numFmt}|${wrap}|${align}`;
    let style = this.#styles.get(key);
    if (!style) {
      style = styleOf({ look, numFmt, wrap, align });
      this.#styles.set(key, style);
    }
    return style;
  }
}

/** How exceljs calls a cell that holds a number. */
const NUMBER_CELL: ValueType.Number = 2;

/** A number with the digits of the file, not with those of the double that they would become. */
export function putDigits(cell: Cell, digits: string): void {
  const { address, style } = cell.model;
  cell.model = { address, style, type: NUMBER_CELL, value: digits } as CellModel; // the rest is for other types
}

function putText(cell: Cell, text: string): void {
  if (text === '') return;
  cell.value = isFragile(text) ? { richText: [{ text: escapedText(text) }] } : text;
}

/** A note as the pointer shows it, in a size that fits a sentence or two. */
export const noteOf = (text: string): Comment => ({
  texts: [{ font: { size: 9, name: 'Calibri' }, text: safeText(text) }],
});
