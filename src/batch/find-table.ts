/**
 * Finds the table in a sheet: titles above it, a total row and signatures below it. Nothing between is ever dropped: a
 * line outside the table that looks like a payment, or names somebody, is an issue.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { settledAmount } from './amount-question.ts';
import type { CheckContext } from './check-context.ts';
import type { ColumnMap } from './column-map.ts';
import { type HeadingMapping, type Meanings, meaningsOf } from './heading-mapping.ts';
import { HEADING_ROWS_MAX, headingsIn, isHeadingRow, matchHeadings } from './match-headings.ts';
import { noHeadingIssues } from './no-headings.ts';
import { isBlank, type Line, Table } from './table.ts';

/** One thing found in the sheet, in order. */
export type TableItem =
  | { readonly tag: 'columns'; readonly columns: ColumnMap }
  /** A row above the headings; they follow the columns. */
  | { readonly tag: 'above'; readonly row: SheetRow }
  | { readonly tag: 'row'; readonly row: SheetRow }
  | { readonly tag: 'total'; readonly row: SheetRow; readonly amount: Cell }
  | { readonly tag: 'issue'; readonly issue: Issue };

/** What the headings of a sheet are read by. */
export type TableContext = Pick<CheckContext, 'currency' | 'mapping' | 'decisions' | 'sheetName'>;

/**
 * Reads a sheet as a table, a block of items for each block of rows; so the items come in sheet order. `read` is called once more
 * where several headings may be the amount.
 */
export async function* findTable(
  read: () => AsyncIterable<readonly SheetRow[]>,
  descriptions: readonly ColumnDescription[],
  context: TableContext,
): AsyncGenerator<readonly TableItem[]> {
  const search = new HeadingSearch(read, descriptions, context);
  let table: Table | undefined;
  for await (const block of read()) {
    const items: TableItem[] = [];
    for (const row of block) {
      if (isBlank(row)) continue;
      if (table) {
        const line = table.take(row);
        if (line) items.push(itemOf(line));
        continue;
      }
      const columns = await search.take(row);
      if (!columns) continue;
      table = new Table(columns);
      items.push({ tag: 'columns', columns }, ...search.above());
    }
    yield items;
  }
  if (!table) yield search.issues().map((found): TableItem => ({ tag: 'issue', issue: found }));
}

/** Looks for the headings in the first rows of a sheet. */
class HeadingSearch {
  readonly #read: () => AsyncIterable<readonly SheetRow[]>;
  readonly #descriptions: readonly ColumnDescription[];
  readonly #context: TableContext;
  readonly #meanings: Meanings;
  readonly #first: SheetRow[] = [];
  #hasMore = false;
  /** The first row with headings that stands too low. */
  #late: SheetRow | undefined;

  constructor(
    read: () => AsyncIterable<readonly SheetRow[]>,
    descriptions: readonly ColumnDescription[],
    context: TableContext,
  ) {
    this.#read = read;
    this.#descriptions = descriptions;
    this.#context = context;
    this.#meanings = meaningsOf(descriptions, context.mapping);
  }

  /** The columns of a row that has the headings. */
  async take(row: SheetRow): Promise<ColumnMap | undefined> {
    if (row.number > HEADING_ROWS_MAX) {
      this.#hasMore = true;
      if (!this.#late && isHeadingRow(row, this.#meanings)) this.#late = row;
      return undefined;
    }
    this.#first.push(row);
    const kept = this.#keptFor(row);
    if (!kept && !isHeadingRow(row, this.#meanings)) return undefined;
    const mapping = kept ?? this.#context.mapping;
    const headings = { row, read: this.#read, descriptions: this.#descriptions, mapping };
    return settledAmount(matchHeadings(row, this.#descriptions, mapping), headings, this.#context);
  }

  /** The rows above the headings. */
  above(): readonly TableItem[] {
    return this.#first.slice(0, -1).map((row) => ({ tag: 'above', row }));
  }

  /** What is said where no row has the headings. */
  issues(): readonly Issue[] {
    const searched = { first: this.#first, late: this.#late, hasMore: this.#hasMore };
    return noHeadingIssues(searched, this.#descriptions, this.#meanings, this.#context.mapping);
  }

  /** The mapping that was kept for exactly these headings, where none was named. */
  #keptFor(row: SheetRow): HeadingMapping | undefined {
    const { mapping, decisions } = this.#context;
    const kept = mapping ? undefined : decisions?.keptFor(headingsIn(row));
    return kept && isHeadingRow(row, meaningsOf(this.#descriptions, kept)) ? kept : undefined;
  }
}

function itemOf(line: Line): TableItem {
  if (line.tag !== 'below') return line;
  const { row, shown, looks } = line;
  const place = { row: row.number, value: shown.text || 'a formula' };
  // Of a person without an amount it is the row that is told, and none of its cells.
  const cell = looks !== 'person' && { cell: shown.address };
  return { tag: 'issue', issue: issue(looks === 'name' ? 'PB-BELOW-NAMED' : 'PB-BELOW-TABLE', { ...place, ...cell }) };
}
