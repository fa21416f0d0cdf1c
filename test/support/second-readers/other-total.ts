/**
 * The sum of a sheet's amounts as somebody reads it who knows nothing of paybatch: the first row with a heading for an
 * amount and one for a name, and the rows below it from the first that is not blank up to the next blank row or a total.
 */
import type { SeenSheet } from './sheet-views.ts';

const amounts = new Set(['amount', 'netpay', 'net', 'salary', 'kiasi']);
const names = new Set(['name', 'employeename', 'fullname', 'payee', 'jina', 'supplier']);

const folded = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

const totalCells = 2;

/** Rows of texts, by row number and column number, from 1. */
export type Grid = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** The decimal sum, or undefined when no headings are found or an amount cannot be read. */
export function otherTotal(grid: Grid): string | undefined {
  const rows = [...grid].toSorted(([a], [b]) => a - b);
  const header = rows.find(([, cells]) => columnsOf(cells) !== undefined);
  const column = header && columnsOf(header[1]);
  if (header === undefined || column === undefined) return undefined;
  let cents = 0n;
  const first = rows.find(([number, cells]) => number > header[0] && !isBlank(cells));
  for (let number = first?.[0] ?? header[0] + 1; ; number += 1) {
    const cells = grid.get(number);
    if (cells === undefined || isBlank(cells)) break;
    const filled = [...cells].toSorted(([a], [b]) => a - b).filter(([, text]) => text.trim() !== '');
    // A word and a figure are a total; with a payee beside them they are somebody whose reference is that word.
    if (filled.length <= totalCells && /^(?:grand |sub)?totals?\b/i.test(filled[0]?.[1].trim() ?? '')) break;
    const found = centsOf(cells.get(column) ?? '');
    if (found === undefined) return undefined;
    cents += found;
  }
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

const isBlank = (cells: ReadonlyMap<number, string>): boolean =>
  [...cells.values()].every((text) => text.trim() === '');

function columnsOf(cells: ReadonlyMap<number, string>): number | undefined {
  const words = [...cells].map(([column, text]) => [column, folded(text)] as const);
  const amount = words.find(([, word]) => amounts.has(word));
  return amount !== undefined && words.some(([, word]) => names.has(word)) ? amount[0] : undefined;
}

/** `1500`, `1,500.50`, `1 500.00`, `KSh 1500/=`: whole cents, or undefined. */
function centsOf(text: string): bigint | undefined {
  const bare = text
    .replaceAll(/[\s\u00a0\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, '')
    .replace(/^(?:kes|kshs?|sh)\.?/i, '')
    .replace(/\/[=-]$/, '')
    .replace(/(?:kes|kshs?|sh)$/i, '');
  const plain = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d+,\d+$/.test(bare)
    ? bare.replaceAll('.', '').replace(',', '.')
    : bare.replaceAll(',', '');
  const match = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(plain);
  return match ? BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** A double at 15 significant digits, without an exponent. */
const decimalText = (value: number): string => {
  const [digits = '', exponent = '0'] = value.toPrecision(15).split('e');
  const shifted = exponent === '0' ? digits : String(BigInt(Math.round(value)));
  return shifted.includes('.') ? shifted.replace(/\.?0+$/, '') : shifted;
};

/** The cells that another reader of workbooks saw, as texts. */
export function gridOf({ cells }: SeenSheet): Grid {
  const grid = new Map<number, Map<number, string>>();
  for (const [address, { kind, value }] of cells) {
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    const row = grid.get(Number(digits)) ?? new Map<number, string>();
    row.set(column, kind === 'number' && typeof value === 'number' ? decimalText(value) : String(value));
    grid.set(Number(digits), row);
  }
  return grid;
}

/** A CSV file read plainly: the mark, RFC 4180, and whichever separator gives headings. Undefined: it cannot be told. */
export function csvGrid(bytes: Uint8Array): Grid | undefined {
  const text = decoded(bytes);
  if (text === undefined) return undefined;
  const stated = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text);
  const body = stated === null ? text : text.slice(stated[0].length);
  const separators = stated === null ? [',', ';', '\t', '|'] : [stated[1] ?? ','];
  const found = separators.map((separator) => recordsOf(body, separator)).filter(hasHeadings);
  return found.length === 1 ? found[0] : undefined;
}

const hasHeadings = (grid: Grid): boolean => [...grid.values()].some((cells) => columnsOf(cells) !== undefined);

function decoded(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  const label = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Field by field: one that begins with a quote ends with the quote that is not doubled; a line ends outside quotes. */
function recordsOf(text: string, separator: string): Grid {
  const grid = new Map<number, Map<number, string>>();
  let [row, column, field, at] = [1, 1, '', 0];
  const endField = (): void => {
    const literal = /^="([^"]*)"$/.exec(field);
    const cells = grid.get(row) ?? new Map<number, string>();
    if (field !== '') grid.set(row, cells.set(column, literal?.[1] ?? field));
    field = '';
    column += 1;
  };
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' && field === '') {
      [field, at] = quotedField(text, at + 1);
      continue;
    }
    at += 1;
    if (character === separator) endField();
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at] === '\n') at += 1;
      endField();
      row += 1;
      column = 1;
    } else field += character;
  }
  endField();
  return grid;
}

/** The text of a quoted field from behind its first quote, and where it ended. */
function quotedField(text: string, from: number): [field: string, at: number] {
  let field = '';
  for (let at = from; at < text.length; at += 1) {
    if (text[at] !== '"') field += text[at];
    else if (text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else return [field, at + 1];
  }
  return [field, text.length];
}
