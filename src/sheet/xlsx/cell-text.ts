/** Small readers of SpreadsheetML values: escaped characters, texts, addresses and ranges. */
import { excelColumns, excelRows } from '../sheet-limits.ts';

/**
 * Resolves the escapes of a text. Characters that XML cannot hold are written `_x000D_`; the mark itself `_x005F_` (ECMA-376,
 * ST_Xstring).
 */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Returns a copy of a text from a workbook. A long slice would keep all of the XML alive that it was cut from. */
export const ownText = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

export interface Position {
  readonly column: number;
  readonly row: number;
}

const A = 65;
const Z = 90;
const zero = 48;
const nine = 57;

/** Reads an address: `AB12` is column 28, row 12. Returns `undefined` for anything else, or for an address outside a worksheet. */
export function positionOf(address: string): Position | undefined {
  let at = 0;
  let column = 0;
  for (; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code < A || code > Z) break;
    column = column * 26 + (code - A + 1);
    if (column > excelColumns) return undefined;
  }
  let row = 0;
  const digitsFrom = at;
  for (; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code < zero || code > nine) return undefined;
    row = row * 10 + (code - zero);
    if (row > excelRows) return undefined;
  }
  return column === 0 || row === 0 || at === digitsFrom ? undefined : { column, row };
}

export interface Range {
  readonly fromColumn: number;
  readonly fromRow: number;
  readonly toColumn: number;
  readonly toRow: number;
}

/** Reads a range: `A1:C3`, or a single cell. Dollar signs are ignored. Returns `undefined` for anything else. */
export function rangeOf(reference: string): Range | undefined {
  const [from = '', to = from, ...more] = reference.replaceAll('$', '').split(':');
  const first = positionOf(from);
  const last = positionOf(to);
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  if (last.column < first.column || last.row < first.row) return undefined;
  return { fromColumn: first.column, fromRow: first.row, toColumn: last.column, toRow: last.row };
}
