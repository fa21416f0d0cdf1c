/** Issues of the headings of a sheet: one is missing, one occurs twice, a mapping does not fit any more. */
import { addressOf, cellIn, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { markColumns, namelessMarks } from '../kinds/index.ts';
import type { ColumnMap } from './column-map.ts';
import { folded, namePart, textAt } from './fold-heading.ts';
import { AMOUNT, type HeadingMapping, type Meanings } from './heading-mapping.ts';
import { freeIn, hintOf, lookAlikes } from './suggest-headings.ts';

type Places = ReadonlyMap<string, readonly number[]>;

/**
 * Returns the columns that several headings could be, with the places of these headings. Parts of a name are each in a column
 * of their own.
 */
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
  // Which of several headings is the amount depends on the values below them.
  const twice = twiceColumns(row, places, meanings).filter(([id]) => id !== AMOUNT || !meanings.isOpen(id));
  return twice.map(([id, numbers]) => {
    const texts = numbers.map((column) => `"${textAt(row, column)}" (${addressOf(column, row.number)})`);
    const place = { row: row.number, cell: addressOf(numbers[1] ?? 1, row.number), value: texts.join(', ') };
    return issue('PB-HEADER-TWICE', place, { column: headingOf(columns, id), headings: texts.join(' and ') });
  });
}

/** Returns the issues of used headings that are merged over several columns: any of them may be meant. */
export const mergedIssues = ({ number, cells }: SheetRow, places: Places): readonly Issue[] =>
  [...places.values()].flat().flatMap((column) => {
    const cell = cellIn(cells, column);
    if (!cell?.isWide) return [];
    return [issue('PB-HEADER-MERGED', { row: number, cell: cell.address, value: cell.text.trim() })];
  });

/**
 * Returns the issues of headings that a mapping takes a column from and that none of the rows has. A heading mapped to
 * nothing may be absent.
 */
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
    const alike =
      only && column && others.length === 0
        ? lookAlikes(
            freeIn(only, () => false),
            column,
          )
        : [];
    const place = only && others.length === 0 ? { row: only.number, cell: addressOf(1, only.number) } : {};
    const parameters = { mapping: mapping.name, heading, column: column?.heading ?? means, hint: hintOf(alike) };
    return [issue('PB-MAPPING-HEADING', { ...place, value: heading }, parameters)];
  });
}

/**
 * Returns the issues of missing columns that every row needs: one that says where the money goes, and a name, which only gets
 * a warning if payees can be used as names.
 */
export function missingIssues(
  row: SheetRow,
  places: Places,
  columns: readonly ColumnDescription[],
  meanings: Meanings,
): Issue[] {
  const place = { row: row.number, cell: addressOf(1, row.number) };
  const free = freeIn(row, (text) => meanings.meaningOf(text) !== undefined);
  const alike = (id: string): readonly string[] => {
    const column = columns.find((candidate) => candidate.id === id);
    return column ? lookAlikes(free, column) : [];
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

/** Returns the issue, at the headings, of a column that rows need and the sheet does not have. */
export function neededIssue(
  { headerRow, headings }: Pick<ColumnMap, 'headerRow' | 'headings'>,
  column: ColumnDescription,
): Issue {
  const free = { row: headerRow, headings: headings.filter(({ means }) => means === undefined) };
  const { heading } = column;
  const parameters = { column: heading, heading, hint: hintOf(lookAlikes(free, column)) };
  return issue('PB-HEADER-MISSING', { row: headerRow, cell: addressOf(1, headerRow) }, parameters);
}
