/** Values on their way into cells: text stays text, money and times become the numbers a spreadsheet calculates with. */
import type { Cell, Comment } from 'exceljs';
import { localClock } from '../../domain/clock.ts';
import { currencyRecord, decimalOf, type Money } from '../../domain/money.ts';
import { putDigits } from './exceljs-insides.ts';
import type { Align, LookName, Styles } from './looks.ts';
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

/** Of a number in a column of amounts that names no currency. */
const MONEY_FORMAT = moneyFormat(2);

/** What decides how a cell looks where it does not say so itself. */
export interface CellDefaults {
  readonly look: LookName;
  readonly format: CellFormat;
  readonly wrap: boolean;
}

function numberFormatOf(value: CellContent, format: CellFormat, { unit, formula }: StyledCell): string {
  if (typeof value === 'object') {
    if ('digits' in value) return value.numFmt;
    const shown = moneyFormat(currencyRecord(value.currency).exponent);
    return unit === undefined ? shown : `"${unit} "${shown}`;
  }
  // A formula in a cell of text would be shown in place of its result as soon as somebody edits it.
  if (typeof value === 'string') return formula ? 'General' : NUMBER_FORMATS.text;
  return format === 'money' ? MONEY_FORMAT : NUMBER_FORMATS[format];
}

/** Where values of a format stand. */
export const alignOf = (format: CellFormat): Align => (format === 'text' ? 'left' : 'right');

function standsAt(value: CellContent, format: CellFormat): Align {
  if (typeof value === 'string') return 'left';
  return typeof value === 'object' ? 'right' : alignOf(format);
}

const DAY_MS = 86_400_000;
/** Days from the last of 1899, where spreadsheets begin, to the first of 1970. */
const DAYS_TO_1970 = 25_569;

/** Fills the cells of one workbook, in its time zone. */
export class CellWriter {
  readonly #styles: Styles;
  /** The time on the clocks of the zone: spreadsheets know no zones. */
  readonly localTime: (ms: number) => number;

  constructor(styles: Styles, timezone: string) {
    this.#styles = styles;
    this.localTime = localClock(timezone);
  }

  /** Fills a cell. The style always matches the value, so a text in a column of amounts is still text. */
  put(cell: Cell, content: RowCell, defaults: CellDefaults): void {
    const styled: StyledCell = isStyled(content) ? content : { value: content };
    const { value, format = defaults.format, look = defaults.look, wrap = defaults.wrap, formula, note } = styled;
    const numFmt = numberFormatOf(value, format, styled);
    cell.style = this.#styles.of({ look, numFmt, wrap, align: styled.align ?? standsAt(value, format) });
    const stored = this.#stored(value, format);
    if (formula) cell.value = { formula: formula(Number(cell.row)), result: stored ?? '', date1904: false };
    else if (typeof value === 'object' && 'digits' in value) putDigits(cell, value.digits);
    else if (typeof stored === 'string') putText(cell, stored, escapedText(stored));
    else if (stored !== undefined) cell.value = stored;
    if (note !== undefined) cell.note = noteOf(note);
  }

  /** What stands in the cell: its text, its number, or nothing. */
  #stored(value: CellContent, format: CellFormat): string | number | undefined {
    if (typeof value === 'string') return safeText(value);
    if (typeof value === 'object') return Number('digits' in value ? value.digits : decimalOf(value));
    return value !== undefined && format === 'dateTime' ? DAYS_TO_1970 + this.localTime(value) / DAY_MS : value;
  }
}

/**
 * Fills a cell with a text; `escaped` is the same as the file holds it. Blanks at its edges and escapes are kept in a run alone, because
 * some readers trim plain values, and resolve escapes nowhere else.
 */
export function putText(cell: Cell, text: string, escaped: string): void {
  if (text === '') return;
  cell.value = escaped !== text || isFragile(text) ? { richText: [{ text: escaped }] } : text;
}

/** A note as the pointer shows it, in a size that fits a sentence or two. */
export const noteOf = (text: string): Comment => ({
  texts: [{ font: { size: 9, name: 'Calibri' }, text: safeText(text) }],
});
