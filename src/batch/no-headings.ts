/** What is said of a sheet in whose first rows no headings were found. */
import { addressOf, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { lackedIssues } from './heading-issues.ts';
import { AMOUNT, type HeadingMapping, type Meanings } from './heading-mapping.ts';
import { seemingHeadings } from './heading-row.ts';
import { HEADING_ROWS_MAX } from './match-headings.ts';
import { freeIn, hintOf, lookAlikes } from './suggest-headings.ts';

/** The rows in which headings were looked for, and the first of the others that has some. */
interface Searched {
  readonly first: readonly SheetRow[];
  readonly late: SheetRow | undefined;
  /** There are more rows than headings are looked for in. */
  readonly hasMore: boolean;
}

/** A sheet in whose first rows no heading row was found. */
export function noHeadingIssues(
  { first: rows, late, hasMore }: Searched,
  columns: readonly ColumnDescription[],
  meanings: Meanings,
  mapping: HeadingMapping | undefined,
): readonly Issue[] {
  if (late) {
    const place = { row: late.number, cell: addressOf(late.cells[0]?.column ?? 1, late.number) };
    return [issue('PB-HEADER-LATE', place, { limit: HEADING_ROWS_MAX })];
  }
  const lacked = lackedIssues(rows, columns, mapping);
  if (lacked.length > 0) return lacked;
  const seeming = seemingHeadings(rows, columns);
  const known = (text: string): boolean => meanings.meaningOf(text) !== undefined;
  const amount = columns.find(({ id }) => id === AMOUNT);
  const name = columns.find(({ id }) => id === 'name');
  // A row that has the amount already lacks the name.
  const lackedBy = ({ cells }: SheetRow): ColumnDescription | undefined =>
    cells.some(({ text }) => meanings.meaningOf(text)?.id === AMOUNT) ? name : amount;
  const hints = rows
    .filter(({ cells }) => cells.some(({ text }) => known(text)))
    .map((row) => {
      const column = lackedBy(row);
      return column ? lookAlikes(freeIn(row, known), column) : [];
    });
  const heading = amount?.heading ?? 'Amount';
  const [alike = []] = hints.filter((found) => found.length > 0);
  const asked = alike.length === 0 ? rows.find(({ number }) => number === seeming?.row) : undefined;
  if (asked && seeming && !asked.cells.every(({ text }) => known(text))) {
    const wanted = lackedBy(asked)?.heading ?? heading;
    const place = { row: asked.number, cell: addressOf(1, asked.number) };
    return [issue('PB-HEADER-UNKNOWN', place, { headings: seeming.headings, column: wanted, heading: wanted })];
  }
  const hint = `${hasMore ? ` in the first ${HEADING_ROWS_MAX} rows` : ''}${hintOf(alike)}`;
  return [issue('PB-HEADER-MISSING', {}, { column: `${heading} beside a name`, heading, hint })];
}
