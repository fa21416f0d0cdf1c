/** Headings as they are written, and as they are compared. */
import type { SheetRow } from '../domain/cell.ts';

export { wordsOf } from '../kinds/plain-text.ts';

/**
 * Returns a heading as it is compared: without case, accents, spaces and punctuation. The signs of currencies and of
 * percentages stay, because they say what the figures below are.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}%‰]/gu, '');

/** Returns the text of a row in a column counted from 1; empty if there is none. */
export const textAt = (row: SheetRow, column: number): string =>
  row.cells.find((cell) => cell.column === column)?.text.trim() ?? '';

/**
 * Parts of a name, in the order in which they are joined. `Name` alone is the whole name; next to nothing but a surname, it
 * is the first name, as `Nom` is the last one next to `Prénom`.
 */
const NAME_PARTS = [
  ['first name', 'firstname', 'given name', 'prénom', 'name', 'names', 'jina'],
  ['middle name', 'other names', 'other name'],
  ['last name', 'lastname', 'surname', 'family name', 'nom'],
] as const;

/** Returns the number of the name part that a heading is for, counted from 0; -1 if it is for none. */
export const namePart = (text: string): number =>
  NAME_PARTS.findIndex((part) => part.some((word) => folded(word) === folded(text)));
