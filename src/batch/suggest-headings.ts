/**
 * Headings that look like one of ours without being it. They are only ever suggested to a person: a heading that is
 * nearly "Net Pay" may be last month's.
 */
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { editsBetween } from '../domain/likeness.ts';
import { folded } from './fold-heading.ts';

/** More suggestions would be a list to search through. */
const SUGGESTIONS_MAX = 3;
/** Letters that may differ in a heading of so many letters: one from five on, two from nine on. */
const DIFFERING = [
  { letters: 9, edits: 2 },
  { letters: 5, edits: 1 },
] as const;
/** Shorter aliases stand by chance in other words' company. */
const WORD_LETTERS_MIN = 3;

/** Words of amounts that are on every payroll and are never what is paid. */
const NOT_PAID =
  /\b(?:gross|basic|allowances?|deductions?|overtime|tax|paye|loans?|advances?|last|previous|charges?|fees?|balance)\b/i;

const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

/** Whether a heading looks like a column: nearly one of its headings, or one of them among other words. */
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

/** Headings of one row that are free to mean something. */
interface FreeHeadings {
  readonly row: number;
  readonly headings: readonly Pick<Cell, 'column' | 'text'>[];
}

/** The headings of a row without those that mean something already. */
export const freeIn = (row: SheetRow, isTaken: (heading: string) => boolean): FreeHeadings => ({
  row: row.number,
  headings: row.cells.filter(({ text, type }) => type === 'text' && !isTaken(text)),
});

/** The free headings that look like a column. */
export const lookAlikes = ({ row, headings }: FreeHeadings, column: ColumnDescription): readonly string[] =>
  headings
    .filter(({ text }) => looksLike(text, column))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ text, column: at }) => `"${text.trim()}" in ${addressOf(at, row)}`);

/** ` (did you mean … ?)`, or nothing: how a message goes on before its full stop. */
export const hintOf = (found: readonly string[]): string =>
  found.length === 0 ? '' : ` (did you mean ${found.join(' or ')}?)`;
