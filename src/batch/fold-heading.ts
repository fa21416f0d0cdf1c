/** Headings as they are written, and as they are compared. */
import type { SheetRow } from '../domain/cell.ts';

/** A heading as it is compared: without case, accents, spaces and punctuation. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The text of a row in a column counted from 1; empty when there is none. */
export const textAt = (row: SheetRow, column: number): string =>
  row.cells.find((cell) => cell.column === column)?.text.trim() ?? '';
