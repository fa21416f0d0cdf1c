/** What can be wrong with the headings of a sheet: one is missing, one stands twice, a mapping does not fit any more. */
import { addressOf, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { markColumns, namelessMarks } from '../kinds/index.ts';
import { folded, textAt } from './fold-heading.ts';
import type { HeadingMapping, Meanings } from './heading-mapping.ts';
import { namePart } from './name-parts.ts';
import { hintOf, lookAlikes } from './suggest-headings.ts';

type Places = ReadonlyMap<string, readonly number[]>;

/** Columns that several headings could be, with where these stand. Parts of a name stand in several, each in one. */
export function twiceColumns(
  row: SheetRow,
  places: Places,
  meanings: Meanings,
): readonly (readonly [string, readonly number[]])[] {
  return [...places].filter(([id, numbers]) => {
    const own = numbers.map((column) => textAt(row, column));
    const parts = new Set(own.map((text) => (meanings.isOpen(id) ? namePart(text) : folded(text))));
    return numbers.length > 1 && (parts.size < numbers.length || parts.has(-1));
  });
}

export function twiceIssues(
  row: SheetRow,
  places: Places,
  columns: readonly ColumnDescription[],
  meanings: Meanings,
): readonly Issue[] {
  return twiceColumns(row, places, meanings).map(([id, numbers]) => {
    const texts = numbers.map((column) => `"${textAt(row, column)}" (${addressOf(column, row.number)})`);
    const place = { row: row.number, cell: addressOf(numbers[1] ?? 1, row.number), value: texts.join(', ') };
    return issue('PB-HEADER-TWICE', place, { column: headingOf(columns, id), headings: texts.join(' and ') });
  });
}

/** Headings that a mapping takes a column from and that stand in none of the rows; one that means nothing may be gone. */
export function lackedIssues(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
  mapping?: HeadingMapping,
): readonly Issue[] {
  if (!mapping) return [];
  const present = new Set(rows.flatMap(({ cells }) => cells.map(({ text }) => folded(text))));
  const [only, ...others] = rows;
  return mapping.headings.flatMap(({ heading, means }) => {
    if (means === undefined || present.has(folded(heading))) return [];
    const column = columns.find(({ id }) => id === means);
    const alike = only && column && others.length === 0 ? lookAlikes(only, column, () => false) : [];
    const place = only && others.length === 0 ? { row: only.number, cell: addressOf(1, only.number) } : {};
    const parameters = { mapping: mapping.name, heading, column: column?.heading ?? means, hint: hintOf(alike) };
    return [issue('PB-MAPPING-HEADING', { ...place, value: heading }, parameters)];
  });
}

/** Columns that no row can do without: one of those that say where the money goes, and a name unless payees can stand for it. */
export function missingIssues(
  row: SheetRow,
  places: Places,
  columns: readonly ColumnDescription[],
  meanings: Meanings,
): Issue[] {
  const place = { row: row.number, cell: addressOf(1, row.number) };
  const known = (text: string): boolean => meanings.meaningOf(text) !== undefined;
  const alike = (id: string): readonly string[] => {
    const column = columns.find((candidate) => candidate.id === id);
    return column ? lookAlikes(row, column, known) : [];
  };
  const found: Issue[] = [];
  if (!places.has('name') && meanings.isOpen('name')) {
    const heading = headingOf(columns, 'name');
    const code = namelessMarks.some((mark) => places.has(mark)) ? 'PB-NAME-COLUMN' : 'PB-HEADER-MISSING';
    found.push(issue(code, place, { column: heading, heading, hint: hintOf(alike('name')) }));
  }
  if (!markColumns.some((mark) => places.has(mark))) {
    const headings = markColumns.filter((mark) => meanings.isOpen(mark)).map((id) => headingOf(columns, id));
    const [heading] = headings;
    const column = headings.join(', ').replace(/, (?=[^,]*$)/, ' or ');
    const hint = hintOf([...new Set(markColumns.flatMap(alike))]);
    if (heading !== undefined) found.push(issue('PB-HEADER-MISSING', place, { column, heading, hint }));
  }
  return found;
}

const headingOf = (columns: readonly ColumnDescription[], id: string): string =>
  columns.find((column) => column.id === id)?.heading ?? id;

interface NoHeadings {
  /** What looks like the headings, where something does. */
  readonly seeming: { readonly row: number; readonly headings: string } | undefined;
  readonly mapping: HeadingMapping | undefined;
}

/** A sheet in whose first rows no heading row was found. */
export function noHeadingIssues(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
  meanings: Meanings,
  { seeming, mapping }: NoHeadings,
): readonly Issue[] {
  const lacked = lackedIssues(rows, columns, mapping);
  if (lacked.length > 0) return lacked;
  const known = (text: string): boolean => meanings.meaningOf(text) !== undefined;
  const amount = columns.find(({ id }) => id === 'amount');
  const name = columns.find(({ id }) => id === 'name');
  // A row that has the amount already lacks the name.
  const lackedBy = ({ cells }: SheetRow): ColumnDescription | undefined =>
    cells.some(({ text }) => meanings.meaningOf(text)?.id === 'amount') ? name : amount;
  const hints = rows
    .filter(({ cells }) => cells.some(({ text }) => known(text)))
    .map((row) => {
      const column = lackedBy(row);
      return column ? lookAlikes(row, column, known) : [];
    });
  const heading = amount?.heading ?? 'Amount';
  const [alike = []] = hints.filter((found) => found.length > 0);
  const asked = alike.length === 0 ? rows.find(({ number }) => number === seeming?.row) : undefined;
  if (asked && seeming && !asked.cells.every(({ text }) => known(text))) {
    const wanted = lackedBy(asked)?.heading ?? heading;
    const place = { row: asked.number, cell: addressOf(1, asked.number) };
    return [issue('PB-HEADER-UNKNOWN', place, { headings: seeming.headings, column: wanted, heading: wanted })];
  }
  const hint = hintOf(alike);
  return [issue('PB-HEADER-MISSING', {}, { column: `${heading} beside a name`, heading, hint })];
}
