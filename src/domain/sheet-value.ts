/** The value of a cell in the user's own columns, as it is recorded and shown again. */

import type { Cell } from './cell.ts';
import { DAY_MS } from './clock.ts';

/**
 * A text as it is, or the digits of a number, or of a date in days since 30 December 1899, if the sheet stores them as such
 * and another workbook can hold them without losing a digit.
 */
export type SheetValue = string | { readonly number: string } | { readonly date: string };

/** A decimal with at most fifteen digits before its point. A longer number is an identifier, and a spreadsheet would round it. */
const NUMBER = /^-?\d{1,15}(?:\.\d+)?(?:E[+-]?\d{1,2})?$/i;

/** Days from 30 December 1899 to 1 January 1904. */
const DAYS_TO_1904 = 1462;
/** The last day that spreadsheets know, 31 December 9999. */
const LAST_DAY = 2_958_465;
const FIRST_DAY_MS = Date.UTC(1899, 11, 30);

/** Returns the days of a date cell since 30 December 1899, as a decimal, whichever day its workbook counts from. */
export const dayOf = ({ text, from1904 }: Pick<Cell, 'text' | 'from1904'>): string =>
  from1904 && NUMBER.test(text) ? `${Number(text) + DAYS_TO_1904}` : text;

/** Returns the value of a cell; an empty text if there is no cell. */
export function sheetValueOf(cell: Cell | undefined): SheetValue {
  if (cell?.type !== 'number' && cell?.type !== 'date') return cell?.text ?? '';
  if (!NUMBER.test(cell.text)) return cell.text;
  if (cell.type === 'number') return { number: cell.text };
  const digits = dayOf(cell);
  return NUMBER.test(digits) && Number(digits) >= 0 && Number(digits) < LAST_DAY + 1 ? { date: digits } : digits;
}

/** Returns a value as text for people and programs: a date as `2026-11-25`, with its time if it has one. */
export function sheetValueText(value: SheetValue): string {
  if (typeof value === 'string') return value;
  if ('number' in value) return value.number;
  const seconds = Math.round((Number(value.date) * DAY_MS) / 1000);
  const [day = '', time = ''] = new Date(FIRST_DAY_MS + seconds * 1000).toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, time.startsWith(':00', 5) ? 5 : 8)}`;
}
