/** A name in several columns: first name, last name. */
import { folded } from './fold-heading.ts';

/** Parts of a name, in the order in which they are joined when there is no whole name. */
const NAME_PARTS = [
  ['first name', 'firstname', 'given name', 'prénom'],
  ['middle name', 'other names', 'other name'],
  ['last name', 'lastname', 'surname', 'family name'],
] as const;

/** Which part of a name a heading is for, counted from 0; -1 for none. */
export const namePart = (text: string): number =>
  NAME_PARTS.findIndex((part) => part.some((word) => folded(word) === folded(text)));
