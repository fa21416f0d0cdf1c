/**
 * Headings become columns. People write the same column in many ways; an exact match after folding case, spaces and
 * punctuation is taken, two headings for one column are an issue, and nothing is ever picked on a guess.
 */
import type { Heading } from '../domain/batch.ts';
import { addressOf, type Cell, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';

/** Where each of our columns is in the sheet. A name may stand in several (first name, last name). */
export interface ColumnMap {
  readonly headerRow: number;
  readonly headings: readonly Heading[];
  /** Sheet columns, counted from 1, by column id. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly issues: readonly Issue[];
}

/** A heading row is looked for in the first rows only: payroll exports have a few lines of titles. */
export const HEADING_ROWS_MAX = 30;
/** A row with at least this many recognised headings, an amount among them, is the heading row. */
const RECOGNISED_MIN = 2;

/** Parts of a name, in the order in which they are joined when there is no whole name. */
const NAME_PARTS = [
  ['first name', 'firstname', 'given name', 'prénom'],
  ['middle name', 'other names', 'other name'],
  ['last name', 'lastname', 'surname', 'family name'],
] as const;

/** A heading as it is compared: without case, accents, spaces and punctuation. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Columns that paybatch itself writes into sheets it hands back; they are carried nowhere and mean nothing. */
const OWN_COLUMNS = new Set(['paybatchproblems'].map(folded));

type Meanings = ReadonlyMap<string, string>;

export function meaningsOf(columns: readonly ColumnDescription[]): Meanings {
  return new Map(
    columns.flatMap(({ id, heading, aliases }) => [id, heading, ...aliases].map((text) => [folded(text), id] as const)),
  );
}

const namePart = (text: string): number =>
  NAME_PARTS.findIndex((part) => part.some((word) => folded(word) === folded(text)));

/** Whether a row looks like the heading row: an amount and something else that is known. */
export function isHeadingRow(row: SheetRow, meanings: Meanings): boolean {
  const found = new Set(row.cells.map(({ text }) => meanings.get(folded(text))).filter((id) => id !== undefined));
  return found.has('amount') && found.size >= RECOGNISED_MIN;
}

export function matchHeadings(row: SheetRow, columns: readonly ColumnDescription[]): ColumnMap {
  const meanings = meaningsOf(columns);
  const places = new Map<string, number[]>();
  const issues: Issue[] = [];
  for (const cell of row.cells) {
    const id = meanings.get(folded(cell.text));
    if (id !== undefined) places.set(id, [...(places.get(id) ?? []), cell.column]);
  }
  if (!places.has('name')) {
    const parts = row.cells
      .filter(({ text }) => namePart(text) >= 0)
      .sort((a, b) => namePart(a.text) - namePart(b.text))
      .map(({ column }) => column);
    if (parts.length > 0) places.set('name', parts);
  }
  issues.push(...twiceIssues(row, places, columns));
  if (!places.has('name')) issues.push(missing(row, columns, 'name'));
  const meaningOf = (cell: Cell): string | undefined =>
    [...places].find(([, numbers]) => numbers.includes(cell.column))?.[0];
  const headings = row.cells
    .filter(({ text }) => !OWN_COLUMNS.has(folded(text)))
    .map((cell): Heading => {
      const means = meaningOf(cell);
      return { column: cell.column, text: cell.text.trim(), ...(means !== undefined && { means }) };
    });
  return { headerRow: row.number, headings, places, issues };
}

function twiceIssues(row: SheetRow, places: Map<string, number[]>, columns: readonly ColumnDescription[]): Issue[] {
  const found: Issue[] = [];
  for (const [id, numbers] of places) {
    if (numbers.length < 2) continue;
    const parts = new Set(numbers.map((column) => namePart(textAt(row, column))));
    if (parts.size === numbers.length && !parts.has(-1)) continue;
    const texts = numbers.map((column) => {
      return `"${textAt(row, column)}" (${addressOf(column, row.number)})`;
    });
    const place = { row: row.number, cell: addressOf(numbers[1] ?? 1, row.number), value: texts.join(', ') };
    found.push(issue('PB-HEADER-TWICE', place, { column: headingOf(columns, id), headings: texts.join(' and ') }));
  }
  return found;
}

const textAt = (row: SheetRow, column: number): string =>
  row.cells.find((cell) => cell.column === column)?.text.trim() ?? '';

function missing(row: SheetRow, columns: readonly ColumnDescription[], id: string): Issue {
  const heading = headingOf(columns, id);
  return issue('PB-HEADER-MISSING', { row: row.number, cell: addressOf(1, row.number) }, { column: heading, heading });
}

const headingOf = (columns: readonly ColumnDescription[], id: string): string =>
  columns.find((column) => column.id === id)?.heading ?? id;
