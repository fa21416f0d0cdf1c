/** Values on their way into cells: text stays text, money and times become the numbers a spreadsheet calculates with. */
import type { Cell, Comment, Style } from 'exceljs';
import { localClock } from '../../domain/clock.ts';
import { currencyRecord, decimalOf, type Money } from '../../domain/money.ts';
import { type Align, type LookName, styleOf } from './looks.ts';
import { escapedText, isFragile, safeText } from './safe-text.ts';

/**
 * How a value is shown. `dateTime` takes wall-clock milliseconds since 1970, `percent` takes 0.05 for 5 %, and `position` is
 * a number that names something (a row) and has no separators.
 */
export type CellFormat = 'text' | 'money' | 'integer' | 'position' | 'dateTime' | 'percent';

type CellContent = string | number | Money | undefined;

/** A cell that differs from its column or row. */
export interface StyledCell {
  readonly value: CellContent;
  readonly format?: CellFormat;
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

function numberFormatOf(value: CellContent, format: CellFormat): string {
  if (typeof value === 'object') return moneyFormat(currencyRecord(value.currency).exponent);
  if (typeof value === 'string') return NUMBER_FORMATS.text;
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
  put(cell: Cell, { value, format = 'text', look = 'body', wrap = false, note, align }: StyledCell): void {
    const stands =
      align ?? (typeof value === 'string' ? 'left' : alignOf(typeof value === 'object' ? 'money' : format));
    cell.style = this.#styleFor(numberFormatOf(value, format), look, wrap, stands);
    if (typeof value === 'string') putText(cell, safeText(value));
    else if (typeof value === 'object') cell.value = Number(decimalOf(value));
    else if (value !== undefined) cell.value = format === 'dateTime' ? new Date(this.localTime(value)) : value;
    if (note !== undefined) cell.note = noteOf(note);
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

function putText(cell: Cell, text: string): void {
  if (text === '') return;
  cell.value = isFragile(text) ? { richText: [{ text: escapedText(text) }] } : text;
}

/** A note as the pointer shows it, in a size that fits a sentence or two. */
export const noteOf = (text: string): Comment => ({
  texts: [{ font: { size: 9, name: 'Calibri' }, text: safeText(text) }],
});
