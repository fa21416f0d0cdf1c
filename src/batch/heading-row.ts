/** Which row of a sheet holds its headings, also where nobody knows them yet. */
import type { SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { folded } from './fold-heading.ts';
import { meaningsOf } from './heading-mapping.ts';
import { HEADING_ROWS_MAX, isHeadingRow } from './match-headings.ts';
import { looksLike } from './suggest-headings.ts';

/** The likeliest heading row. `named` are headings that somebody says are there. */
export function headingRowOf(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
  named: ReadonlySet<string>,
): SheetRow | undefined {
  const meanings = meaningsOf(columns);
  const first = rows.filter(({ number }) => number <= HEADING_ROWS_MAX);
  const plain = first.find((row) => isHeadingRow(row, meanings));
  if (plain) return plain;
  // A heading that is known says more than one that only looks like it, and both more than any words.
  const weight = (text: string): number =>
    meanings.meaningOf(text) || named.has(folded(text)) ? 100 : columns.some((one) => looksLike(text, one)) ? 10 : 1;
  const scored = first.map((row) => {
    const words = row.cells.filter(({ text, type }) => type === 'text' && folded(text) !== '');
    return { row, score: words.reduce((sum, { text }) => sum + weight(text), 0) };
  });
  return scored.toSorted((one, other) => other.score - one.score).find(({ score }) => score > 0)?.row;
}

/** Cells with so many digits in a row are values: telling them as headings would be no help. */
const VALUE = /\d{3}/;

/** The headings that a sheet seems to have, for people; undefined where no row looks like headings. */
export function seemingHeadings(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
): { readonly row: number; readonly headings: string } | undefined {
  const row = headingRowOf(rows, columns, new Set());
  const texts = row?.cells.map(({ text }) => text.trim()).filter((text) => text !== '') ?? [];
  if (!row || texts.length < 2 || texts.some((text) => VALUE.test(text))) return undefined;
  const named = texts.slice(0, HEADINGS_TOLD).map((text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text));
  const more = texts.length - named.length;
  return { row: row.number, headings: `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}` };
}

/** More would be a list to search through. */
const HEADINGS_TOLD = 12;
