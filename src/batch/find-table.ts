/**
 * Finds the table in a sheet: titles above it, a total row and signatures below it. Nothing in between is ever dropped: a
 * line outside the table that looks like a payment, or names a person, is an issue.
 */
import { addressOf, type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { markColumns } from '../kinds/index.ts';
import { type Deciding, settledAmount } from './amount-question.ts';
import type { ColumnMap } from './column-map.ts';
import { folded } from './fold-heading.ts';
import { lackedIssues } from './heading-issues.ts';
import { AMOUNT, type HeadingMapping, type Meanings, meaningsOf } from './heading-mapping.ts';
import { HEADING_ROWS_MAX, headingsIn, isHeadingRow, matchHeadings, placesOf } from './match-headings.ts';
import { freeIn, hintOf, lookAlikes, looksLike } from './suggest-headings.ts';
import { isBlank, isCovered, type Line, Table, type TotalRow } from './table.ts';

/** One item found in the sheet; items come in sheet order. */
export type TableItem =
  | { readonly tag: 'columns'; readonly columns: ColumnMap }
  /** A row above the headings. These rows follow the columns. `under`: the columns of headings that are above this row. */
  | { readonly tag: 'above'; readonly row: SheetRow; readonly under?: ColumnMap }
  | { readonly tag: 'row'; readonly row: SheetRow }
  | TotalRow
  | { readonly tag: 'title'; readonly row: SheetRow; readonly shown: Cell }
  /**
   * A line below the headings that is not a row, with its issue if it has one. `last`: the number of the last row of the table.
   * `figure`: says what its amount is, if that is calculated with the total.
   */
  | {
      readonly tag: 'outside';
      readonly row: SheetRow;
      readonly last: number;
      readonly issue?: Issue;
      readonly figure?: Cell;
    }
  | { readonly tag: 'issue'; readonly issue: Issue };

/**
 * Reads a sheet as a table and yields one block of items for each block of rows, so the items come in sheet order. `read` is
 * called again if several headings may be the amount.
 */
export async function* findTable(
  read: () => AsyncIterable<readonly SheetRow[]>,
  descriptions: readonly ColumnDescription[],
  context: Deciding,
): AsyncGenerator<readonly TableItem[]> {
  const search = new HeadingSearch(read, descriptions, context);
  let table: Table | undefined;
  for await (const block of withWholeBeginning(read())) {
    let rows = block.filter((row) => !isBlank(row));
    const items: TableItem[] = [];
    if (!table) {
      const columns = await search.take(rows);
      if (!columns) continue;
      table = new Table(columns);
      items.push({ tag: 'columns', columns }, ...search.above(columns.headerRow));
      rows = rows.filter(({ number }) => number > columns.headerRow);
    }
    for (const row of rows) items.push(...itemsOf(table.take(row)));
    yield items;
  }
  if (table) yield itemsOf(table.end());
  else yield search.issues().map((found): TableItem => ({ tag: 'issue', issue: found }));
}

/** Yields the blocks of a sheet, with all rows that can hold the headings in the first one. */
async function* withWholeBeginning(blocks: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<readonly SheetRow[]> {
  let beginning: readonly SheetRow[] | undefined = [];
  for await (const block of blocks) {
    if (!beginning) {
      yield block;
      continue;
    }
    beginning = [...beginning, ...block];
    if ((block.at(-1)?.number ?? 0) < HEADING_ROWS_MAX) continue;
    yield beginning;
    beginning = undefined;
  }
  if (beginning) yield beginning;
}

/** Looks for the headings in the first rows of a sheet. */
class HeadingSearch {
  readonly #read: () => AsyncIterable<readonly SheetRow[]>;
  readonly #descriptions: readonly ColumnDescription[];
  readonly #context: Deciding;
  readonly #meanings: Meanings;
  /** The rows that can hold the headings; `undefined` before they are known. */
  #first: readonly SheetRow[] | undefined;
  #hasMore = false;
  /** The first row that has headings but is too far down. */
  #late: SheetRow | undefined;

  constructor(
    read: () => AsyncIterable<readonly SheetRow[]>,
    descriptions: readonly ColumnDescription[],
    context: Deciding,
  ) {
    this.#read = read;
    this.#descriptions = descriptions;
    this.#context = context;
    this.#meanings = meaningsOf(descriptions, context.mapping);
  }

  /** Returns the columns if one of the rows has the headings. The first call gets all rows that can. */
  async take(rows: readonly SheetRow[]): Promise<ColumnMap | undefined> {
    const isBeginning = this.#first === undefined;
    this.#first ??= merged(rows.filter(({ number }) => number <= HEADING_ROWS_MAX));
    const found = isBeginning ? this.#headings(this.#first) : undefined;
    if (!found) {
      const others = rows.filter(({ number }) => number > HEADING_ROWS_MAX);
      this.#hasMore ||= others.length > 0;
      this.#late ??= merged(others).find((row) => isHeadingRow(row, this.#meanings));
      return undefined;
    }
    const { row, mapping } = found;
    const headings = { row, read: this.#read, descriptions: this.#descriptions, mapping };
    return settledAmount(matchHeadings(row, this.#descriptions, mapping), headings, this.#context);
  }

  /** Returns the heading row among the first rows. A mapping that was kept for its headings decides. */
  #headings(first: readonly SheetRow[]): { row: SheetRow; mapping: HeadingMapping | undefined } | undefined {
    for (const row of first) {
      const kept = this.#keptFor(row);
      if (kept) return { row, mapping: kept };
    }
    const { mapping } = this.#context;
    const mapped = mapping?.headings.flatMap(({ heading, means }) => (means === undefined ? [] : [folded(heading)]));
    const row = bestHeadingRow(withHeadings(first, new Set(mapped)), this.#meanings);
    return row && { row, mapping };
  }

  /** Returns the rows above the headings. */
  above(headerRow: number): readonly TableItem[] {
    let under: ColumnMap | undefined;
    const above = this.#first?.filter(({ number }) => number < headerRow) ?? [];
    return above.map((row) => {
      const item: TableItem = { tag: 'above', row, ...(under && { under }) };
      if (isHeadingRow(row, this.#meanings)) under = matchHeadings(row, this.#descriptions, this.#context.mapping);
      return item;
    });
  }

  /** Returns the issues of a sheet in which no row has the headings. */
  issues(): readonly Issue[] {
    const [rows, columns, late] = [this.#first ?? [], this.#descriptions, this.#late];
    if (late) {
      const place = { row: late.number, cell: addressOf(late.cells[0]?.column ?? 1, late.number) };
      return [issue('PB-HEADER-LATE', place, { limit: HEADING_ROWS_MAX })];
    }
    const lacked = lackedIssues(rows, columns, this.#context.mapping);
    if (lacked.length > 0) return lacked;
    const seeming = seemingHeadings(rows, columns);
    const meaningOf = (text: string): string | null | undefined => this.#meanings.meaningOf(text)?.id;
    const known = (text: string): boolean => meaningOf(text) !== undefined;
    const amount = columns.find(({ id }) => id === AMOUNT);
    const name = columns.find(({ id }) => id === 'name');
    // A row that already has the amount lacks the name.
    const lackedBy = ({ cells }: SheetRow): ColumnDescription | undefined =>
      cells.some(({ text }) => meaningOf(text) === AMOUNT) ? name : amount;
    const hints = rows
      .filter(({ cells }) => cells.some(({ text }) => known(text)))
      .map((row) => {
        const column = lackedBy(row);
        return column ? lookAlikes(freeIn(row, known), column) : [];
      });
    const heading = amount?.heading ?? 'Amount';
    const [alike = []] = hints.filter((found) => found.length > 0);
    const isNameLacked = rows.some(({ cells }) => cells.some(({ text }) => meaningOf(text) === AMOUNT));
    const asked = alike.length === 0 ? rows.find(({ number }) => number === seeming?.row) : undefined;
    if (asked && seeming && !asked.cells.every(({ text }) => known(text))) {
      const wanted = lackedBy(asked)?.heading ?? heading;
      const place = { row: asked.number, cell: addressOf(1, asked.number) };
      return [issue('PB-HEADER-UNKNOWN', place, { headings: seeming.headings, column: wanted, heading: wanted })];
    }
    const hint = `${this.#hasMore ? ` in the first ${HEADING_ROWS_MAX} rows` : ''}${hintOf(alike)}`;
    if (name && isNameLacked) {
      return [
        issue('PB-HEADER-MISSING', {}, { column: `${name.heading} next to an amount`, heading: name.heading, hint }),
      ];
    }
    return [issue('PB-HEADER-MISSING', {}, { column: `${heading} next to a name`, heading, hint })];
  }

  /** Returns the mapping that was kept for exactly these headings, if no mapping was named. */
  #keptFor(row: SheetRow): HeadingMapping | undefined {
    const { mapping, decisions } = this.#context;
    const kept = mapping ? undefined : decisions?.keptFor(headingsIn(row));
    return kept && isHeadingRow(row, meaningsOf(this.#descriptions, kept)) ? kept : undefined;
  }
}

/**
 * Returns rows with the texts that are merged over each from the row above: a heading over two lines is one of both. A text
 * over three lines is passed on.
 */
function merged(rows: readonly SheetRow[]): readonly SheetRow[] {
  let above: readonly Cell[] = [];
  return rows.map((row) => {
    const whole = withMergedAbove(row, above);
    above = whole.cells;
    return whole;
  });
}

function withMergedAbove(row: SheetRow, above: readonly Cell[]): SheetRow {
  if (!row.cells.some(isCovered)) return row;
  const cells = row.cells.map((cell) => {
    const from = isCovered(cell) ? cellIn(above, cell.column) : undefined;
    return from?.merged && !from.isWide ? { ...cell, text: from.text } : cell;
  });
  return { ...row, cells };
}

/** Returns the rows that have all of these headings, or else all rows. */
function withHeadings(rows: readonly SheetRow[], named: ReadonlySet<string>): readonly SheetRow[] {
  const having = rows.filter(({ cells }) => {
    const texts = new Set(cells.map(({ text }) => folded(text)));
    return [...named].every((heading) => texts.has(heading));
  });
  return having.length > 0 ? having : rows;
}

/**
 * Returns the first row that looks like headings and says who is paid, or else the first one that looks like headings. A
 * form of a bank or a summary above the table has amounts as well, but names nobody, or has only one line. Below the first
 * one, a row with a value is a payment whose words happen to be headings.
 */
function bestHeadingRow(rows: readonly SheetRow[], meanings: Meanings): SheetRow | undefined {
  const [first, ...others] = rows.filter((row) => isHeadingRow(row, meanings));
  if (!first) return undefined;
  const next = others.find((row) => saysWho(row, meanings) && !row.cells.some(isValue));
  if (!next) return first;
  const below = rows.indexOf(next) - rows.indexOf(first);
  // Below groups of headings, the line on which those of each group are.
  if (below === 1 && next.cells.some(isCoveredBefore)) return next;
  // The line of such a form must be the sum of the rows. Headings that repeat on each page are the same.
  const isForm = below === 2 && headingTexts(next) !== headingTexts(first);
  return saysWho(first, meanings) && !isForm ? first : next;
}

/** Reports whether a cell has the text that is merged over it from the line above. */
const isCoveredBefore = ({ merged, text }: Cell): boolean => merged === true && text !== '';

const headingTexts = ({ cells }: SheetRow): string => cells.map(({ text }) => folded(text)).join('|');

function saysWho(row: SheetRow, meanings: Meanings): boolean {
  const places = placesOf(row, meanings);
  return ['name', ...markColumns].some((id) => places.has(id));
}

const itemsOf = (taken: ReturnType<Table['take']>): readonly TableItem[] =>
  taken ? [taken.line ? itemOf(taken.line, taken.last) : { tag: 'outside', row: taken.row, last: taken.last }] : [];

function itemOf(line: Line, last: number): TableItem {
  if (line.tag !== 'below') return line;
  const { row, shown, looks } = line;
  if (looks === 'figure') return { tag: 'outside', row, last, figure: shown };
  const place = { row: row.number, value: shown.text || 'a formula' };
  // For a person without an amount, the row is reported, and none of its cells.
  const cell = looks !== 'person' && { cell: shown.address };
  return {
    tag: 'outside',
    row,
    last,
    issue: issue(looks === 'name' ? 'PB-BELOW-NAMED' : 'PB-BELOW-TABLE', { ...place, ...cell }, { last }),
  };
}

/** Returns the likeliest heading row. `named` are headings that a person says the sheet has. */
export function headingRowOf(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
  named: ReadonlySet<string>,
): SheetRow | undefined {
  const meanings = meaningsOf(columns);
  const first = withHeadings(merged(rows.filter(({ number }) => number <= HEADING_ROWS_MAX)), named);
  const plain = bestHeadingRow(first, meanings);
  if (plain) return plain;
  // A known heading counts more than one that only looks like a known one, and both count more than any other words.
  const weight = (text: string): number =>
    meanings.meaningOf(text) || named.has(folded(text)) ? 100 : columns.some((one) => looksLike(text, one)) ? 10 : 1;
  const scored = first.map((row) => {
    const words = row.cells.filter(({ text, type }) => type === 'text' && folded(text) !== '');
    return { row, score: words.reduce((sum, { text }) => sum + weight(text), 0) };
  });
  return scored.toSorted((one, other) => other.score - one.score).find(({ score }) => score > 0)?.row;
}

/** Matches a cell with so many digits in a row that it is a value: listing it as a heading would not help. */
const VALUE = /\d{3}/;

const isValue = ({ type, text }: Cell): boolean => type === 'number' || type === 'date' || VALUE.test(text);

/** Returns the headings that a sheet seems to have, for people; `undefined` if no row looks like headings. */
export function seemingHeadings(
  rows: readonly SheetRow[],
  columns: readonly ColumnDescription[],
): { readonly row: number; readonly headings: string } | undefined {
  const row = headingRowOf(rows, columns, new Set());
  const texts = row?.cells.map(({ text }) => text.trim()).filter((text) => text !== '') ?? [];
  if (!row || texts.length < 2 || texts.some((text) => VALUE.test(text))) return undefined;
  const named = texts.slice(0, HEADINGS_NAMED).map((text) => (text.length > 30 ? `${text.slice(0, 29)}…` : text));
  const more = texts.length - named.length;
  return { row: row.number, headings: `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}` };
}

/** Most headings that are listed: more would be a list to search through. */
const HEADINGS_NAMED = 12;
