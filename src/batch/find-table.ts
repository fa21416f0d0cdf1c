/**
 * Finds the table in a sheet: titles above it, a total row and signatures below it. Nothing between is ever dropped: a
 * row that looks payable outside the table is an issue.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { withoutEdges } from '../kinds/column.ts';
import { noHeadingIssues } from './heading-issues.ts';
import { type HeadingMapping, meaningsOf } from './heading-mapping.ts';
import { seemingHeadings } from './heading-row.ts';
import { type ColumnMap, HEADING_ROWS_MAX, isHeadingRow, matchHeadings } from './match-headings.ts';

const TOTAL_WORDS = /^(?:grand\s*total|sub\s*total|total|totals|jumla(?:\s+kuu)?|somme|total\s+général)\b\s*:?/i;
const CLOSING_WORDS = /^(?:prepared|checked|approved|authori[sz]ed|signed|signature)\b/i;

/** One thing found in the sheet, in order. */
export type TableItem =
  | { readonly tag: 'columns'; readonly columns: ColumnMap }
  /** A row above the headings; they follow the columns. */
  | { readonly tag: 'above'; readonly row: SheetRow }
  | { readonly tag: 'row'; readonly row: SheetRow }
  | { readonly tag: 'total'; readonly row: SheetRow; readonly amount: Cell }
  | { readonly tag: 'issue'; readonly issue: Issue };

/** Reads the blocks of a sheet as a table, a block of items for each. Blocks come in sheet order; so do the items. */
export async function* findTable(
  blocks: AsyncIterable<readonly SheetRow[]>,
  descriptions: readonly ColumnDescription[],
  mapping?: HeadingMapping,
): AsyncGenerator<readonly TableItem[]> {
  const meanings = meaningsOf(descriptions, mapping);
  const first: SheetRow[] = [];
  let table: Table | undefined;
  for await (const block of blocks) {
    const items: TableItem[] = [];
    for (const row of block) {
      if (isBlank(row)) continue;
      const item = table?.take(row);
      if (item) items.push(item);
      if (table || row.number > HEADING_ROWS_MAX) continue;
      first.push(row);
      if (!isHeadingRow(row, meanings)) continue;
      const columns = matchHeadings(row, descriptions, mapping);
      table = new Table(columns);
      items.push({ tag: 'columns', columns }, ...first.slice(0, -1).map(above));
    }
    yield items;
  }
  if (table) return;
  const seeming = seemingHeadings(first, descriptions);
  const found = noHeadingIssues(first, descriptions, meanings, { seeming, mapping });
  yield Array.from(found, (one): TableItem => ({ tag: 'issue', issue: one }));
}

const above = (row: SheetRow): TableItem => ({ tag: 'above', row });

/** A row of spaces only is as blank as one that the file leaves out. A cell that lost its value is not blank. */
const isBlank = ({ cells }: SheetRow): boolean =>
  cells.every((cell) => cell.formula !== 'missing' && !cell.merged && withoutEdges(cell.text) === '');

/** Columns that a total row or a signature fills in as well. */
const sharedColumns: ReadonlySet<string> = new Set(['amount', 'name', 'reference', 'currency', 'type']);

/** Where we are in a table whose headings are known: inside until a gap, a total row or a signature ends it. */
class Table {
  readonly #amounts: readonly number[];
  /** Columns that say where money goes, or how. */
  readonly #payees: ReadonlySet<number>;
  #lastRow: number;
  #ended = false;

  constructor({ places, headerRow }: ColumnMap) {
    this.#amounts = places.get('amount') ?? [];
    this.#payees = new Set([...places].flatMap(([id, columns]) => (sharedColumns.has(id) ? [] : columns)));
    this.#lastRow = headerRow;
  }

  take(row: SheetRow): TableItem | undefined {
    const amount = row.cells.find(
      (cell) => this.#amounts.includes(cell.column) && (cell.text.trim() !== '' || cell.formula === 'missing'),
    );
    const kind = this.#kindOf(row, amount);
    if (kind === 'row' && !this.#ended && row.number === this.#lastRow + 1) {
      this.#lastRow = row.number;
      return { tag: 'row', row };
    }
    this.#ended = true;
    // A total that was never calculated says nothing that the rows could contradict.
    if (kind === 'total') return amount?.text ? { tag: 'total', row, amount } : undefined;
    const payable = kind === 'row' && amount !== undefined && row.cells.length >= 2;
    return payable ? { tag: 'issue', issue: belowTable(row, amount) } : undefined;
  }

  #kindOf({ cells }: SheetRow, amount: Cell | undefined): 'total' | 'closing' | 'row' {
    if (cells.some((cell) => this.#payees.has(cell.column) && cell.text.trim() !== '')) return 'row';
    const text = cells[0]?.text.trim() ?? '';
    if (CLOSING_WORDS.test(text) && !amount) return 'closing';
    return TOTAL_WORDS.test(text) ? 'total' : 'row';
  }
}

const belowTable = (row: SheetRow, amount: Cell): Issue =>
  issue('PB-BELOW-TABLE', {
    row: row.number,
    cell: amount.address,
    value: amount.text || 'a formula',
  });
