/**
 * Learning a mapping: which headings a sheet has, which of paybatch's columns still lack one, and which could be two. The
 * caller asks the questions and decides; this file only says what there is to decide.
 */
import { addressOf, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { kinds, markColumns } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { headingRowOf } from './find-table.ts';
import { folded, textAt } from './fold-heading.ts';
import { twiceColumns } from './heading-issues.ts';
import { type MappedHeading, meaningsOf } from './heading-mapping.ts';
import { type FoundHeading, type Question, SAMPLES_MAX } from './heading-question.ts';
import { HEADING_ROWS_MAX, matchHeadings, placesOf } from './match-headings.ts';
import { looksLike } from './suggest-headings.ts';

export interface FoundHeadings {
  readonly row: SheetRow;
  readonly headings: readonly FoundHeading[];
}

/** Rows that are searched for values of each column. */
const SAMPLE_ROWS = 50;

/** Finds the headings of a sheet, even if none of them is known yet. `named` are headings that must be in the row. */
export async function readHeadings(
  blocks: AsyncIterable<readonly SheetRow[]>,
  columns: readonly ColumnDescription[],
  named: readonly string[],
): Promise<FoundHeadings | undefined> {
  const rows: SheetRow[] = [];
  for await (const block of blocks) {
    rows.push(...block);
    if ((rows.at(-1)?.number ?? 0) > HEADING_ROWS_MAX + SAMPLE_ROWS) break;
  }
  const row = headingRowOf(rows, columns, new Set(named.map(folded)));
  if (!row) return undefined;
  const below = rows.filter(({ number }) => number > row.number);
  const headings = row.cells
    .filter(({ text }) => folded(text) !== '')
    .map(({ text, column }): FoundHeading => {
      const values = below.map((one) => textAt(one, column)).filter((value) => value !== '');
      return { text: text.trim(), address: addressOf(column, row.number), samples: values.slice(0, SAMPLES_MAX) };
    });
  return { row, headings };
}

/** Returns the next question; `undefined` if every column that is asked for has one heading. Skipped columns are not asked about. */
export function nextQuestion(
  { row, headings }: FoundHeadings,
  columns: readonly ColumnDescription[],
  decided: readonly MappedHeading[],
  skipped: ReadonlySet<string> = new Set(),
): Question | undefined {
  const mapping = { name: '', headings: decided };
  const meanings = meaningsOf(columns, mapping);
  const { headings: matched } = matchHeadings(row, columns, mapping);
  const places = placesOf(row, meanings, mapping);
  const describe = (id: string): ColumnDescription | undefined => columns.find((column) => column.id === id);
  const headingAt = (at: number): FoundHeading[] =>
    headings.filter(({ address }) => address === addressOf(at, row.number));
  for (const [id, numbers] of twiceColumns(row, places, meanings)) {
    const column = describe(id);
    if (column && !skipped.has(id)) return { column, why: 'twice', choices: numbers.flatMap(headingAt) };
  }
  const free = matched.filter(({ by }) => by === undefined).flatMap(({ column }) => headingAt(column));
  const ask = (id: string, why: Question['why']): Question[] => {
    const column = describe(id);
    if (!column || places.has(id) || skipped.has(id)) return [];
    const likely = (heading: FoundHeading): number => (looksLike(heading.text, column) ? 0 : 1);
    return [{ column, why, choices: free.toSorted((one, other) => likely(one) - likely(other)) }];
  };
  const needed = neededColumns(places, (at) => headingAt(at).some(({ samples }) => samples.length > 0));
  const marks = markColumns.some((mark) => places.has(mark)) ? [] : markColumns;
  return [
    ...needed.flatMap((id) => ask(id, 'missing')),
    ...marks.flatMap((mark) => ask(mark, 'one-of')),
    ...(marks.length > 0 ? [] : ask('name', 'useful').filter(({ choices }) => choices.length > 0)),
  ][0];
}

/**
 * Returns the ids of the columns that the rows of a sheet need, as far as its headings show how they are paid. A column
 * without values, such as bank codes that nobody filled in, shows nothing, and `Till / Paybill` may be either.
 */
function neededColumns(
  places: ReadonlyMap<string, readonly number[]>,
  hasValues: (column: number) => boolean,
): readonly string[] {
  const shown = [...new Set(markColumns.flatMap((mark) => places.get(mark) ?? []))];
  const filled = shown.filter(hasValues);
  const needs = (filled.length > 0 ? filled : shown).map((at) =>
    neededByAll(kinds.filter(({ mark }) => mark !== undefined && places.get(mark)?.includes(at))),
  );
  return [...new Set(needs.length > 0 ? needs.flat() : neededByAll(kinds))];
}

const neededByAll = ([first, ...others]: readonly Kind[]): readonly string[] =>
  first?.needs.filter((id) => others.every((kind) => kind.needs.includes(id))) ?? [];

/** Returns all questions without whose answers the sheet is refused, as far as they can be known before the first answer. */
export function openQuestions(
  found: FoundHeadings,
  columns: readonly ColumnDescription[],
  decided: readonly MappedHeading[],
): readonly Question[] {
  const skipped = new Set<string>();
  const open: Question[] = [];
  for (let next = nextQuestion(found, columns, decided); next; next = nextQuestion(found, columns, decided, skipped)) {
    if (next.why !== 'useful') open.push(next);
    skipped.add(next.column.id);
  }
  return open;
}
