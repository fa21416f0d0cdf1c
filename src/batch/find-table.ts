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

/** Reads the blocks of a sheet as a table. Blocks come in sheet order; so do the items. */
export async function* findTable(
  blocks: AsyncIterable<readonly SheetRow[]>,
  descriptions: readonly ColumnDescription[],
  mapping?: HeadingMapping,
): AsyncGenerator<TableItem> {
  const meanings = meaningsOf(descriptions, mapping);
  const first: SheetRow[] = [];
  let table: Table | undefined;
  for await (const block of blocks) {
    for (const row of block.filter((one) => !isBlank(one))) {
      if (table) {
        const item = table.take(row);
        if (item) yield item;
      } else if (row.number <= HEADING_ROWS_MAX) {
        first.push(row);
        if (!isHeadingRow(row, meanings)) continue;
        const columns = matchHeadings(row, descriptions, mapping);
        table = new Table(columns);
        yield { tag: 'columns', columns };
        yield* first.slice(0, -1).map((above) => ({ tag: 'above', row: above }) as const);
      }
    }
  }
  if (table) return;
  const seeming = seemingHeadings(first, descriptions);
  for (const found of noHeadingIssues(first, descriptions, meanings, { seeming, mapping }))
    yield { tag: 'issue', issue: found };
}

/** A row of spaces only is as blank as one that the file leaves out. A cell that lost its value is not blank. */
const isBlank = ({ cells }: SheetRow): boolean =>
  cells.every((cell) => cell.formula !== 'missing' && !cell.merged && withoutEdges(cell.text) === '');

/** Where we are in a table whose headings are known: inside until a gap, a total row or a signature ends it. */
class Table {
  readonly #columns: ColumnMap;
  #lastRow: number;
  #ended = false;

  constructor(columns: ColumnMap) {
    this.#columns = columns;
    this.#lastRow = columns.headerRow;
  }

  take(row: SheetRow): TableItem | undefined {
    const amount = cellAt(row, this.#columns, 'amount');
    const kind = kindOfRow(row, this.#columns, amount);
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
}

function kindOfRow(row: SheetRow, columns: ColumnMap, amount: Cell | undefined): 'total' | 'closing' | 'row' {
  const [first] = row.cells;
  const text = first?.text.trim() ?? '';
  const hasPayee = [...columns.places].some(
    ([id, places]) =>
      !['amount', 'name', 'reference', 'currency', 'type'].includes(id) && places.some((at) => textAt(row, at) !== ''),
  );
  if (hasPayee) return 'row';
  if (CLOSING_WORDS.test(text) && !amount) return 'closing';
  return TOTAL_WORDS.test(text) ? 'total' : 'row';
}

function cellAt(row: SheetRow, columns: ColumnMap, id: string): Cell | undefined {
  const places = columns.places.get(id) ?? [];
  return row.cells.find(
    (cell) => places.includes(cell.column) && (cell.text.trim() !== '' || cell.formula === 'missing'),
  );
}

const textAt = (row: SheetRow, column: number): string =>
  row.cells.find((cell) => cell.column === column)?.text.trim() ?? '';

const belowTable = (row: SheetRow, amount: Cell): Issue =>
  issue('PB-BELOW-TABLE', {
    row: row.number,
    cell: amount.address,
    value: amount.text || 'a formula',
  });
