/**
 * Headings that look like one of paybatch's without matching it. They are only ever suggested to a person: a heading that is
 * nearly "Net Pay" may be last month's.
 */
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { editsBetween } from '../domain/likeness.ts';
import { folded, wordsOf } from './fold-heading.ts';

/** Most suggestions: more would be a list to search through. */
const SUGGESTIONS_MAX = 3;
/** Letters that may differ, by the length of a heading: one from five letters on, two from nine letters on. */
const DIFFERING = [
  { letters: 9, edits: 2 },
  { letters: 5, edits: 1 },
] as const;
/** Shortest alias that is looked for among other words: a shorter one occurs there by chance. */
const WORD_LETTERS_MIN = 3;

/** Words of amounts that are on every payroll and are never what is paid. */
const NOT_PAID =
  /\b(?:gross|basic|allowances?|deductions?|overtime|tax|paye|loans?|advances?|last|previous|charges?|fees?|balance|applied|requested|ghafi|makato|brut|avance)\b/i;

/** Reports whether a heading looks like a column: it is nearly one of its headings, or has one of them among other words. */
export function looksLike(heading: string, { id, heading: own, aliases }: ColumnDescription): boolean {
  if (id === 'amount' && NOT_PAID.test(heading)) return false;
  const text = folded(heading);
  const words = wordsOf(heading);
  return [own, ...aliases].some((alias) => {
    const known = folded(alias);
    const allowed = DIFFERING.find(({ letters }) => Math.min(known.length, text.length) >= letters)?.edits ?? 0;
    if (editsBetween(text, known, allowed) <= allowed) return true;
    return known.length >= WORD_LETTERS_MIN && words.includes(wordsOf(alias));
  });
}

/** Headings of one row that do not mean anything yet. */
interface FreeHeadings {
  readonly row: number;
  readonly headings: readonly Pick<Cell, 'column' | 'text'>[];
}

/** Returns the headings of a row without those that already mean something. */
export const freeIn = (row: SheetRow, isTaken: (heading: string) => boolean): FreeHeadings => ({
  row: row.number,
  headings: row.cells.filter(({ text, type }) => type === 'text' && !isTaken(text)),
});

/** Returns the free headings that look like a column. */
export const lookAlikes = ({ row, headings }: FreeHeadings, column: ColumnDescription): readonly string[] =>
  headings
    .filter(({ text }) => looksLike(text, column))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ text, column: at }) => `"${text.trim()}" in ${addressOf(at, row)}`);

/** Returns ` (did you mean … ?)`, or nothing; it continues a message before its full stop. */
export const hintOf = (found: readonly string[]): string =>
  found.length === 0 ? '' : ` (did you mean ${found.join(' or ')}?)`;
