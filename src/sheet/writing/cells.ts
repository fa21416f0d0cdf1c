/** Writes values into cells: text stays text; money and times become numbers that a spreadsheet can calculate with. */
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

/** A number or a date from the user's own sheet: written with the digits that are stored there, and shown as it is shown there. */
export interface OwnFigure {
  /** A plain decimal; for a date, the days since the end of 1899. */
  readonly digits: string;
  /** Excel number format. */
  readonly numFmt: string;
  /** The value as text for programs. */
  readonly text: string;
}

/**
 * Returns the formula of a cell in a row, without its `=`. It is built from paybatch's own words and addresses, never from
 * text of others.
 */
export type Formula = (row: number) => string;

/** A cell with settings that differ from those of its column or row. */
export interface StyledCell {
  readonly value: CellContent;
  readonly format?: CellFormat;
  /** Text before an amount: a currency, or words of paybatch's own. */
  readonly unit?: string;
  /** Formula that computes the value from other cells; `value` is its result. */
  readonly formula?: Formula;
  readonly look?: LookName;
  /** Number of columns that the cell covers, including its own. */
  readonly span?: number;
  readonly note?: string;
  /** Target of a click on the text: `'June'!C14` for a cell of the same workbook. */
  readonly link?: string;
  readonly wrap?: boolean;
  /** Alignment; if absent, text is at the left and figures are at the right. */
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

/** Returns the Excel number format of amounts with `exponent` digits after the point: `#,##0.00` for 2. */
export const moneyFormat = (exponent: number): string => (exponent === 0 ? '#,##0' : `#,##0.${'0'.repeat(exponent)}`);

/** Number format of a number without a currency in a column of amounts. */
const MONEY_FORMAT = moneyFormat(2);

/** Settings for a cell that does not have its own. */
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
  // In a cell formatted as text, the formula would be shown instead of its result as soon as it is edited.
  if (typeof value === 'string') return formula ? 'General' : NUMBER_FORMATS.text;
  return format === 'money' ? MONEY_FORMAT : NUMBER_FORMATS[format];
}

/** Returns the alignment of the values of a format. */
export const alignOf = (format: CellFormat): Align => (format === 'text' ? 'left' : 'right');

function standsAt(value: CellContent, format: CellFormat): Align {
  if (typeof value === 'string') return 'left';
  return typeof value === 'object' ? 'right' : alignOf(format);
}

const DAY_MS = 86_400_000;
/** Number that spreadsheets give to the first day of 1970; they count days from the end of 1899. */
const DAYS_TO_1970 = 25_569;

/** Fills the cells of one workbook, in its time zone. */
export class CellWriter {
  readonly #styles: Styles;
  /** Converts a time to the clocks of the time zone, because spreadsheets know no time zones. */
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

  /** Returns the text or the number to store, or `undefined` for an empty cell. */
  #stored(value: CellContent, format: CellFormat): string | number | undefined {
    if (typeof value === 'string') return safeText(value);
    if (typeof value === 'object') return Number('digits' in value ? value.digits : decimalOf(value));
    return value !== undefined && format === 'dateTime' ? DAYS_TO_1970 + this.localTime(value) / DAY_MS : value;
  }
}

/**
 * Fills a cell with a text; `escaped` is that text as the file holds it. A text with blanks at its edges, or with escapes, is
 * written as a run, because some readers trim plain values, and resolve escapes only in runs.
 */
export function putText(cell: Cell, text: string, escaped: string): void {
  if (text === '') return;
  cell.value = escaped !== text || isFragile(text) ? { richText: [{ text: escaped }] } : text;
}

/** Returns a note, which appears when the pointer rests on the cell, in a size for a sentence or two. */
export const noteOf = (text: string): Comment => ({
  texts: [{ font: { size: 9, name: 'Calibri' }, text: safeText(text) }],
});
