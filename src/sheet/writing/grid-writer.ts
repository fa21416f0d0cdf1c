/**
 * A worksheet whose cells stand at given addresses and are stored as they are said to be: the copy of a table that
 * somebody else made. Rows go to the file as they come.
 */
import type { Cell as ExcelCell, Style, stream, Worksheet } from 'exceljs';
import type { Cell } from '../../domain/cell.ts';
import { noteOf, putDigits } from './cells.ts';
import { drained, ROWS_PER_WAIT } from './drained.ts';
import { type LookName, styleOf } from './looks.ts';
import { isFragile, storedText } from './safe-text.ts';

export interface GridSpec {
  readonly name: string;
  readonly columns: readonly { readonly width: number; readonly hidden: boolean }[];
  /** Rows at the top that stay while the rest scrolls, the last of them the headings. */
  readonly frozenRows: number;
  /** Merged ranges, `A1:C1`. */
  readonly merged: readonly string[];
}

/** What a cell holds, as the file that it comes from stored it. */
export type StoredValue = Pick<Cell, 'type' | 'text' | 'formula'>;

export interface GridCell {
  /** Column counted from 1. */
  readonly column: number;
  /** Missing for an empty cell that is only painted. */
  readonly stored?: StoredValue | undefined;
  readonly look: LookName;
  /** Excel number format; found from the value when not given. */
  readonly numFmt?: string;
  readonly wrap?: boolean;
  readonly note?: string;
}

export interface GridRow {
  readonly number: number;
  readonly hidden: boolean;
  /** Height in points; left to the spreadsheet program when not given. */
  readonly height?: number;
  /** In column order. */
  readonly cells: readonly GridCell[];
}

/** What a spreadsheet program can read as a number. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

const ERROR = /^#[A-Z0-9_/]+[!?]?$/;

/** Stands for a formula without a result, whose own text is not known: to be empty would hide that something is wrong. */
const NO_RESULT = 'NA()';

/** The list of merged ranges of exceljs's streaming worksheet. Its own way to merge would hold the covered rows back. */
interface MergeList {
  readonly _merges: string[];
}

const A4 = 9;

/** One worksheet under way. Rows are written from the top down. */
export class GridWriter {
  readonly #sheet: Worksheet;
  readonly #spec: GridSpec;
  readonly #signal: AbortSignal;
  readonly #styles = new Map<string, Partial<Style>>();
  #next = 1;
  #filtered: { readonly row: number; readonly columns: number } | undefined;

  constructor(book: stream.xlsx.WorkbookWriter, spec: GridSpec, footer: string, signal: AbortSignal) {
    this.#sheet = book.addWorksheet(spec.name, {
      views: [spec.frozenRows > 0 ? { state: 'frozen', ySplit: spec.frozenRows } : { state: 'normal' }],
      pageSetup: {
        paperSize: A4,
        orientation: 'landscape',
        fitToPage: true,
        fitToWidth: 1,
        fitToHeight: 0,
        ...(spec.frozenRows > 0 && { printTitlesRow: `${spec.frozenRows}:${spec.frozenRows}` }),
      },
      headerFooter: { oddFooter: footer },
    });
    this.#spec = spec;
    this.#signal = signal;
    this.#sheet.columns = spec.columns.map(({ width, hidden }) => ({ width, hidden }));
  }

  /** Writes one row, and now and then waits until the file has caught up. */
  async row({ number, hidden, height, cells }: GridRow): Promise<void> {
    for (; this.#next <= number; this.#next++) {
      const row = this.#sheet.addRow([]);
      if (this.#next === number) {
        for (const cell of cells) this.#put(row.getCell(cell.column), cell);
        if (height !== undefined) row.height = height;
        if (hidden) row.hidden = true;
      }
      row.commit();
      if (this.#next % ROWS_PER_WAIT === 0) await drained(this.#sheet, this.#signal);
    }
  }

  /** Puts filter buttons on a row of headings; everything below it is filtered. */
  filter(row: number, columns: number): void {
    this.#filtered = { row, columns };
  }

  /** Ends the worksheet. */
  close(): void {
    if (this.#filtered && this.#next - 1 > this.#filtered.row) {
      const { row, columns } = this.#filtered;
      this.#sheet.autoFilter = { from: { row, column: 1 }, to: { row: this.#next - 1, column: columns } };
    }
    const { _merges: merges } = this.#sheet as unknown as MergeList; // see MergeList
    for (const range of this.#spec.merged) merges.push(range);
    this.#sheet.commit();
  }

  #put(cell: ExcelCell, { stored, look, numFmt, wrap = false, note }: GridCell): void {
    const style = this.#styleFor(look, numFmt ?? formatOf(stored), wrap, isAtRight(stored) ? 'right' : 'left');
    cell.style = style;
    if (stored) putStored(cell, stored);
    if (note !== undefined) cell.note = noteOf(note);
  }

  #styleFor(look: LookName, numFmt: string, wrap: boolean, align: 'left' | 'right'): Partial<Style> {
    const key = `${look}|${numFmt}|${wrap}|${align}`;
    let style = this.#styles.get(key);
    if (!style) {
      style = styleOf({ look, numFmt, wrap, align });
      this.#styles.set(key, style);
    }
    return style;
  }
}

const isAtRight = (stored: StoredValue | undefined): boolean => stored?.type === 'number' || stored?.type === 'date';

/** Text stays text when it is typed again; whole numbers show all their digits; dates are dates. */
function formatOf(stored: StoredValue | undefined): string {
  if (stored === undefined || stored.type === 'text') return '@';
  if (stored.type === 'number') return /^\d+$/.test(stored.text) ? '0' : 'General';
  if (stored.type !== 'date') return 'General';
  return /[.eE]/.test(stored.text) ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
}

function putStored(cell: ExcelCell, { type, text, formula }: StoredValue): void {
  if (formula === 'missing') cell.value = { formula: NO_RESULT, date1904: false };
  else if (text === '') return;
  else if ((type === 'number' || type === 'date') && NUMBER.test(text)) putDigits(cell, text);
  else if (type === 'boolean' && (text === 'TRUE' || text === 'FALSE')) cell.value = text === 'TRUE';
  else if (type === 'error' && ERROR.test(text))
    cell.value = { error: text as '#N/A' }; // whatever error it is
  else putText(cell, text);
}

function putText(cell: ExcelCell, text: string): void {
  const written = storedText(text);
  cell.value = written !== text || isFragile(text) ? { richText: [{ text: written }] } : text;
}
