/**
 * Writes a worksheet whose cells have given addresses and stored types: the copy of a table that somebody else made. Rows go
 * to the file as they come.
 */
import type { Cell as ExcelCell, Worksheet } from 'exceljs';
import { addressOf, type Cell } from '../../domain/cell.ts';
import { dayOf } from '../../domain/sheet-value.ts';
import { noteOf, putText } from './cells.ts';
import { putDigits, putMergedRange, ROWS_PER_WAIT, type StreamedBook, skipToRow } from './exceljs-insides.ts';
import type { LookName, Styles } from './looks.ts';
import { storedText } from './safe-text.ts';
import { addPage } from './worksheet-page.ts';

export interface GridSpec {
  readonly name: string;
  readonly columns: readonly { readonly width: number; readonly hidden: boolean }[];
  /** Number of rows at the top that stay while the rest scrolls; the last of them has the headings. */
  readonly frozenRows: number;
  /** Merged ranges, such as `A1:C1`. */
  readonly merged: readonly string[];
}

/** The content of a cell as the original file stores it. */
export type StoredValue = Pick<Cell, 'type' | 'text' | 'formula' | 'format' | 'struck' | 'from1904'>;

export interface GridCell {
  /** Column counted from 1. */
  readonly column: number;
  /** Content of the cell; absent for an empty cell that is only painted. */
  readonly stored?: StoredValue | undefined;
  readonly look: LookName;
  /** Excel number format for a value that has none; derived from the value if absent. */
  readonly numFmt?: string;
  readonly wrap?: boolean;
  readonly note?: string;
}

export interface GridRow {
  readonly number: number;
  readonly hidden: boolean;
  /** Height in points; if absent, the spreadsheet program decides. */
  readonly height?: number;
  /** Cells of the row, in column order. */
  readonly cells: readonly GridCell[];
}

/** Matches texts that a spreadsheet program can read as a number. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;

const ERROR = /^#[A-Z0-9_/]+[!?]?$/;

/** Replaces a formula without a result, whose own text is not known. An empty cell would hide that something is wrong. */
const NO_RESULT = 'NA()';

/** A worksheet in progress. Rows are written from the top down. */
export class GridWriter {
  readonly #book: StreamedBook;
  readonly #sheet: Worksheet;
  readonly #spec: GridSpec;
  readonly #styles: Styles;
  #last = 0;
  #written = 0;
  #filtered: { readonly row: number; readonly columns: number } | undefined;

  constructor(book: StreamedBook, spec: GridSpec, styles: Styles, footer: string) {
    const { name, columns, frozenRows } = spec;
    this.#book = book;
    this.#spec = spec;
    this.#styles = styles;
    this.#sheet = addPage(book.book, { name, columns, footer, frozen: { columns: 0, rows: frozenRows } });
    if (frozenRows > 0) book.printName('Print_Titles', this.#sheet, `$${frozenRows}:$${frozenRows}`);
  }

  /** Writes one row, and every `ROWS_PER_WAIT` rows waits until the file has caught up. */
  async row({ number, hidden, height, cells }: GridRow): Promise<void> {
    skipToRow(this.#sheet, number);
    const row = this.#sheet.addRow([]);
    for (const cell of cells) this.#put(row.getCell(cell.column), cell);
    if (height !== undefined) row.height = height;
    if (hidden) row.hidden = true;
    row.commit();
    this.#last = number;
    this.#written += 1;
    if (this.#written % ROWS_PER_WAIT === 0) await this.#book.drained(this.#sheet);
  }

  /** Puts filter buttons on a row of headings; they apply to all rows below it. */
  filter(row: number, columns: number): void {
    this.#filtered = { row, columns };
  }

  /** Ends the worksheet. */
  close(): void {
    if (this.#filtered && this.#last > this.#filtered.row) {
      const { row, columns } = this.#filtered;
      this.#sheet.autoFilter = `${addressOf(1, row)}:${addressOf(columns, this.#last)}`;
    }
    for (const range of this.#spec.merged) putMergedRange(this.#sheet, range);
    this.#sheet.commit();
  }

  #put(cell: ExcelCell, { stored, look, numFmt, wrap = false, note }: GridCell): void {
    const { format, struck = false } = stored ?? {};
    if (format?.ofComputer !== undefined) this.#book.reserveFormat(format.code, format.ofComputer);
    const shown = isIsoDate(stored) ? undefined : (format?.code ?? numFmt);
    cell.style = this.#styles.of({
      look,
      numFmt: shown ?? formatOf(stored),
      wrap,
      align: isAtRight(stored) ? 'right' : 'left',
      struck,
    });
    if (stored) putStored(cell, stored);
    if (note !== undefined) cell.note = noteOf(note);
  }
}

const isAtRight = (stored: StoredValue | undefined): boolean => stored?.type === 'number' || stored?.type === 'date';

/** Reports whether a value is a date that is stored as text, as some programs do. */
const isIsoDate = (stored: StoredValue | undefined): boolean =>
  stored?.type === 'date' && ISO_DATE.test(stored.text) && Number.isFinite(Date.parse(stored.text));

/**
 * Returns the number format of a value: text stays text when it is typed again, whole numbers show all their digits, dates
 * are dates.
 */
function formatOf(stored: StoredValue | undefined): string {
  if (stored === undefined || stored.type === 'text') return '@';
  if (stored.type === 'number') return /^\d+$/.test(stored.text) ? '0' : 'General';
  if (stored.type !== 'date') return 'General';
  return /[.eET]/.test(stored.text) ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
}

function putStored(cell: ExcelCell, stored: StoredValue): void {
  const { type, text, formula } = stored;
  if (formula === 'missing') cell.value = { formula: NO_RESULT, date1904: false };
  else if (text === '') return;
  else if ((type === 'number' || type === 'date') && NUMBER.test(text)) putDigits(cell, dayOf(stored));
  else if (isIsoDate(stored)) cell.value = new Date(text.endsWith('Z') || !text.includes('T') ? text : `${text}Z`);
  else if (type === 'boolean' && (text === 'TRUE' || text === 'FALSE')) cell.value = text === 'TRUE';
  else if (type === 'error' && ERROR.test(text))
    cell.value = { error: text as '#N/A' }; // the pattern allows other errors as well
  else putText(cell, text, storedText(text));
}
