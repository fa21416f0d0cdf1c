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

/** Parts of a name, in the order in which they are joined when there is no whole name. */
const NAME_PARTS = [
  ['first name', 'firstname', 'given name', 'prénom'],
  ['middle name', 'other names', 'other name'],
  ['last name', 'lastname', 'surname', 'family name'],
] as const;

/** Which part of a name a heading is for, counted from 0; -1 for none. */
export const namePart = (text: string): number =>
  NAME_PARTS.findIndex((part) => part.some((word) => folded(word) === folded(text)));
