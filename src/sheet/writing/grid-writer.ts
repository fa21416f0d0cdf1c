/**
 * A worksheet whose cells stand at given addresses and are stored as they are said to be: the copy of a table that
 * somebody else made. Rows go to the file as they come.
 */
import { addressOf, type Cell } from '../../domain/cell.ts';
import type { LookName, StyleNumbers } from './looks.ts';
import {
  booleanCell,
  dateCell,
  emptyCell,
  errorCell,
  formulaCell,
  inlineCell,
  numberCell,
  textCell,
} from './parts/cell-xml.ts';
import type { WorksheetPage } from './parts/worksheet-page.ts';
import type { WorksheetPart } from './parts/worksheet-part.ts';
import { isFragile, safeText, storedText } from './safe-text.ts';

export interface GridSpec {
  readonly name: string;
  readonly columns: readonly { readonly width: number; readonly hidden: boolean }[];
  /** Rows at the top that stay while the rest scrolls, the last of them the headings. */
  readonly frozenRows: number;
  /** Merged ranges, `A1:C1`. */
  readonly merged: readonly string[];
}

/** What a cell holds, as the file that it comes from stored it. */
export type StoredValue = Pick<Cell, 'type' | 'text' | 'formula' | 'format' | 'struck'>;

export interface GridCell {
  /** Column counted from 1. */
  readonly column: number;
  /** Missing for an empty cell that is only painted. */
  readonly stored?: StoredValue | undefined;
  readonly look: LookName;
  /** Excel number format of a value that has none; found from the value when not given. */
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

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/;

const ERROR = /^#[A-Z0-9_/]+[!?]?$/;

/** Stands for a formula without a result, whose own text is not known: to be empty would hide that something is wrong. */
const NO_RESULT = 'NA()';

/** How such a worksheet is looked at and printed. */
export const gridPage = ({ name, columns, frozenRows }: GridSpec, footer: string): WorksheetPage => ({
  name,
  columns,
  footer,
  ...(frozenRows > 0 && { frozen: { columns: 0, rows: frozenRows }, titleRow: frozenRows }),
});

/** One worksheet under way. Rows are written from the top down. */
export class GridWriter {
  readonly #part: WorksheetPart;
  readonly #spec: GridSpec;
  readonly #styles: StyleNumbers;
  #last = 0;
  #filtered: { readonly row: number; readonly columns: number } | undefined;

  constructor(part: WorksheetPart, spec: GridSpec, styles: StyleNumbers) {
    this.#part = part;
    this.#spec = spec;
    this.#styles = styles;
  }

  /** Writes one row, and now and then waits until the file has caught up. */
  async row({ number, hidden, height, cells }: GridRow): Promise<void> {
    const written = cells.map((cell) => this.#cellXml(addressOf(cell.column, number), number, cell));
    this.#last = number;
    await this.#part.row(number, written.join(''), { height, hidden });
  }

  /** Puts filter buttons on a row of headings; everything below it is filtered. */
  filter(row: number, columns: number): void {
    this.#filtered = { row, columns };
  }

  /** Ends the worksheet. */
  close(): Promise<void> {
    if (this.#filtered && this.#last > this.#filtered.row) {
      const { row, columns } = this.#filtered;
      this.#part.filter(`${addressOf(1, row)}:${addressOf(columns, this.#last)}`);
    }
    for (const range of this.#spec.merged) this.#part.merge(range);
    return this.#part.close();
  }

  #cellXml(address: string, row: number, { column, stored, look, numFmt, wrap = false, note }: GridCell): string {
    const { format, struck } = stored ?? {};
    if (format?.ofComputer !== undefined) this.#styles.reserveFormat(format.code, format.ofComputer);
    const shown = format?.code ?? numFmt ?? formatOf(stored);
    const style = this.#styles.of(look, shown, wrap, isAtRight(stored) ? 'right' : 'left', struck);
    if (note !== undefined) this.#part.note({ column, row, address, text: safeText(note) });
    return stored ? storedCell(address, style, stored) : emptyCell(address, style);
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

function storedCell(address: string, style: number, { type, text, formula }: StoredValue): string {
  if (formula === 'missing') return formulaCell(address, style, NO_RESULT);
  if (text === '') return emptyCell(address, style);
  if ((type === 'number' || type === 'date') && NUMBER.test(text)) return numberCell(address, style, text);
  if (type === 'date' && ISO_DATE.test(text)) return dateCell(address, style, text);
  if (type === 'boolean' && (text === 'TRUE' || text === 'FALSE')) return booleanCell(address, style, text === 'TRUE');
  if (type === 'error' && ERROR.test(text)) return errorCell(address, style, text);
  const written = storedText(text);
  const isInline = written !== text || isFragile(text);
  return isInline ? inlineCell(address, style, written) : textCell(address, style, text);
}
