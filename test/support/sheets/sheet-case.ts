/** A sheet of the corpus: how its bytes are made, and what must come of it. */
import { addressOf } from '../../../src/domain/cell.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import type { SheetOptions } from '../../../src/sheet/open-sheet.ts';
import { escapeXml, stylesXml } from '../second-readers/made-workbook-writers.ts';
import { type WorkbookSource, workbookBytes } from './xlsx-bytes.ts';

/** A code and its place: a cell, or `row 2` when the problem belongs to a row, or nothing. */
export type Problem = readonly [code: string, place: string];

export type Expected =
  /** Exactly these problems, errors and warnings, in any order; at least one is an error. */
  | { readonly problems: readonly Problem[] }
  /** The sentence of the fault. */
  | { readonly fault: RegExp }
  /** It could be paid, and this is its control total. Warnings, when they are given, are all there are. */
  | { readonly total: string; readonly rows?: number; readonly warnings?: readonly Problem[] };

export interface SheetCase {
  /** The catalogue entry (X14) or the rule (`cells`, `columns`, `table`, `codes`) that it covers. */
  readonly rule: string;
  readonly name: string;
  readonly file: string;
  readonly bytes: () => string | Uint8Array;
  readonly reading?: SheetOptions;
  readonly settings?: Partial<Settings>;
  readonly expected: Expected;
}

/** A value of a hand-made cell: text, a number as its digits, or XML of its own. */
export type CellSource =
  | string
  | null
  | { readonly n: string; readonly style?: number }
  /** Attributes and inside of `<c>`. */
  | { readonly t: string; readonly xml: string; readonly style?: number };

/** Styles of the hand-made workbooks by index: 1 a date, 2 a sum, 3 text, 4 zeros in front. */
const styles = stylesXml(['yyyy-mm-dd', '#,##0.00', '@', '0000000000']);

export interface GridOptions {
  readonly merged?: readonly string[];
  readonly hidden?: readonly number[];
  /** Before and after `<sheetData>`. */
  readonly before?: string;
  readonly after?: string;
  readonly source?: Partial<WorkbookSource>;
}

/** Rows of cells as `<sheetData>`, with inline texts. */
export function sheetXml(rows: readonly (readonly CellSource[])[], options: GridOptions = {}): string {
  const { merged = [], hidden = [], before = '', after = '' } = options;
  const rowXml = rows.map((cells, at) => {
    const inside = cells.map((cell, column) => cellXml(cell, addressOf(column + 1, at + 1))).join('');
    return inside && `<row r="${at + 1}"${hidden.includes(at + 1) ? ' hidden="1"' : ''}>${inside}</row>`;
  });
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const mergeXml = merges && `<mergeCells>${merges}</mergeCells>`;
  return `${before}<sheetData>${rowXml.join('')}</sheetData>${mergeXml}${after}`;
}

function cellXml(cell: CellSource, address: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'string') {
    return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  const style = cell.style === undefined ? '' : ` s="${cell.style}"`;
  return 'n' in cell
    ? `<c r="${address}"${style}><v>${cell.n}</v></c>`
    : `<c r="${address}"${style}${cell.t && ` t="${cell.t}"`}>${cell.xml}</c>`;
}

/** A workbook with one worksheet of these rows. */
export const book = (rows: readonly (readonly CellSource[])[], options: GridOptions = {}): Buffer =>
  workbookBytes({ sheets: sheetXml(rows, options), styles, ...options.source });

export const number = (digits: string, style?: number): CellSource => ({
  n: digits,
  ...(style !== undefined && { style }),
});
export const formula = (xml: string, t = ''): CellSource => ({ t, xml });

/** The headings of most cases, and a sound row under them. */
export const headings = ['Reference', 'Name', 'Phone', 'Amount'] as const;
const sound = { reference: 'E1', name: 'Jane Wanjiku', phone: '0712345678', amount: '1500' };

/** A payment to a wallet with some of its cells given. */
export const wallet = (over: Partial<Record<keyof typeof sound, CellSource>> = {}): readonly CellSource[] =>
  Object.values({ ...sound, ...over });

/** Another person than the one of `wallet()`. */
export const second: readonly CellSource[] = ['E2', 'Ali Hassan', '0722100200', '2500'];

/** The same as CSV; fields are written as they are. */
export const csv = (rows: readonly (readonly CellSource[])[], separator = ',', lineEnd = '\r\n'): string =>
  rows.map((row) => row.join(separator) + lineEnd).join('');

/** A case of one sound row of which one cell is something else, as a workbook. */
export const cellCase = (
  rule: string,
  name: string,
  over: Parameters<typeof wallet>[0],
  expected: Expected,
): SheetCase => ({ rule, name, file: 'a.xlsx', bytes: () => book([headings, wallet(over)]), expected });

/** The same as CSV. */
export const fieldCase = (
  rule: string,
  name: string,
  over: Parameters<typeof wallet>[0],
  expected: Expected,
): SheetCase => ({ rule, name, file: 'a.csv', bytes: () => csv([headings, wallet(over)]), expected });

export const csvCase = (
  rule: string,
  name: string,
  bytes: string | Uint8Array,
  expected: Expected,
  reading?: SheetOptions,
): SheetCase => ({ rule, name, file: 'a.csv', bytes: () => bytes, expected, ...(reading && { reading }) });

export const bookCase = (
  rule: string,
  name: string,
  bytes: () => Uint8Array,
  expected: Expected,
  reading?: SheetOptions,
): SheetCase => ({ rule, name, file: 'a.xlsx', bytes, expected, ...(reading && { reading }) });
