/**
 * The checked copy of a workbook: the same table at the same addresses, every faulty cell painted and noted, a column that says in
 * words what is wrong with a row, and a worksheet that lists all problems. Once corrected, the copy is run like the original:
 * nothing that the reader looks at is different, and nothing that paybatch added is read.
 *
 * The copy keeps everything that decides how a row is read: stored types and digits, number formats, strike-through, hidden rows
 * and columns, merged ranges. It does not keep other looks of the original, nor its formulas, which are replaced by their results.
 */
import { addressOf, type Cell } from '../../domain/cell.ts';
import { PROBLEMS_HEADING } from '../../domain/checked-copy.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { type Range, rangeOf } from '../xlsx/cell-text.ts';
import type { ColumnRange } from '../xlsx/choose-worksheet.ts';
import { LINE_POINTS } from './cell-rows.ts';
import type { GridCell, GridRow, GridSpec, GridWriter } from './grid-writer.ts';
import type { LookName } from './looks.ts';
import {
  type Extent,
  extentOf,
  type Findings,
  isError,
  levelWord,
  type MarkedRow,
  markedRows,
  problemColumn,
  problemText,
  type SheetToCopy,
  sentences,
} from './marked-rows.ts';
import { writeProblemList } from './problem-list.ts';
import { CELL_TEXT_MAX } from './safe-text.ts';
import { linesOf, ROW_HEIGHT_MAX_POINTS } from './text-lines.ts';
import { type WrittenFile, writeWorkbook } from './workbook-writer.ts';

export interface WorkbookToCopy extends SheetToCopy {
  readonly worksheet: string;
  readonly hiddenColumns: readonly ColumnRange[];
  readonly merged: readonly Range[];
}

/**
 * Most cells with a note. Notes wait in memory until their worksheet ends, and thousands of them make Excel slow; the column
 * of problems says the same.
 */
const NOTES_MAX = 5_000;

/** Column widths in characters. */
const WIDTH_MIN = 9;
const WIDTH_MAX = 42;
const PROBLEMS_WIDTH = 70;

/** Height of a row without a problem, with a little air. */
const ROW_POINTS = 18;

/** Most rows at the top that stay while the rest scrolls: more would leave no room on a small screen. */
const FROZEN_ROWS_MAX = 10;

/** The column in which a faulty text becomes a number when it is typed again. */
const AMOUNT_COLUMN = 'amount';

/** Writes the copy to a path, or to the next free name. Fault `file-unwritten` if it cannot be written. */
export async function writeCheckedWorkbook(
  path: string,
  sheet: WorkbookToCopy,
  findings: Findings,
): Promise<WrittenFile> {
  const extent = await extentOf(sheet, findings);
  const options = { title: `Checked copy of ${sheet.name}`, footer: `${sheet.name}, checked`, timezone: 'UTC' };
  return writeWorkbook(
    path,
    options,
    async (book) => {
      const table = new MarkedTable(sheet, findings, extent);
      await book.grid(table.spec(), (grid) => table.write(grid));
      await writeProblemList(book, { sheet, findings, hasFormulas: extent.hasFormulas });
    },
    'copy',
  );
}

class MarkedTable {
  readonly #sheet: WorkbookToCopy;
  readonly #findings: Findings;
  readonly #extent: Extent;
  /** Column of the problems; `undefined` if the sheet has no headings. */
  readonly #problemsAt: number | undefined;
  readonly #amountAt: ReadonlySet<number>;
  /** Addresses of the first cells of the merged ranges. */
  readonly #anchors: ReadonlySet<string>;
  #notes = 0;

  constructor(sheet: WorkbookToCopy, findings: Findings, extent: Extent) {
    this.#sheet = sheet;
    this.#findings = findings;
    this.#extent = extent;
    this.#problemsAt = findings.headerRow === undefined ? undefined : problemColumn(findings, extent);
    this.#anchors = new Set(sheet.merged.map(({ fromColumn, fromRow }) => addressOf(fromColumn, fromRow)));
    this.#amountAt = new Set(
      findings.headings.filter(({ means }) => means === AMOUNT_COLUMN).map(({ column }) => column),
    );
  }

  spec(): GridSpec {
    const { worksheet, hiddenColumns, merged } = this.#sheet;
    const count = Math.max(this.#extent.widths.length, this.#problemsAt ?? 0);
    const widthAt = (column: number): number =>
      column === this.#problemsAt
        ? PROBLEMS_WIDTH
        : Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, (this.#extent.widths[column - 1] ?? 0) * 1.1 + 3));
    const columns = Array.from({ length: count }, (_, index) => ({
      width: widthAt(index + 1),
      hidden: hiddenColumns.some(({ from, to }) => index + 1 >= from && index + 1 <= to),
    }));
    const { headerRow = 0 } = this.#findings;
    return {
      name: worksheet,
      columns,
      frozenRows: headerRow <= FROZEN_ROWS_MAX ? headerRow : 0,
      merged: merged.map(
        ({ fromColumn, fromRow, toColumn, toRow }) => `${addressOf(fromColumn, fromRow)}:${addressOf(toColumn, toRow)}`,
      ),
    };
  }

  async write(grid: GridWriter): Promise<void> {
    for await (const row of markedRows(this.#sheet, this.#findings)) await grid.row(this.#gridRow(row));
    const { headerRow } = this.#findings;
    if (headerRow !== undefined && this.#problemsAt !== undefined) grid.filter(headerRow, this.#problemsAt);
  }

  #gridRow(row: MarkedRow): GridRow {
    const cells = new Map<number, GridCell>();
    for (const cell of row.cells) cells.set(cell.column, this.#copied(row, cell));
    for (const [column, issues] of byColumn(row)) cells.set(column, this.#marked(row, column, issues));
    const height = this.#addProblems(row, cells);
    return {
      number: row.number,
      hidden: row.hidden,
      ...(height !== undefined && { height }),
      cells: [...cells.values()].sort((a, b) => a.column - b.column),
    };
  }

  #copied({ number }: MarkedRow, cell: Cell): GridCell {
    if (number === this.#findings.headerRow) return { column: cell.column, stored: cell, look: 'carried', wrap: true };
    const look = number > (this.#findings.headerRow ?? number) ? 'copied' : 'body';
    return { column: cell.column, stored: cell, look, ...this.#format(cell.column, cell) };
  }

  /** Formats an amount that is a text, or missing, so that it becomes a number when it is typed again. */
  #format(column: number, cell: Cell | undefined): Pick<GridCell, 'numFmt'> {
    return this.#amountAt.has(column) && (cell === undefined || cell.type === 'text') ? { numFmt: 'General' } : {};
  }

  #marked(row: MarkedRow, column: number, issues: readonly Issue[]): GridCell {
    const stored = row.cells.find((cell) => cell.column === column);
    const isHeading = row.number === this.#findings.headerRow;
    // The pointer cannot reach a covered cell; the first cell of its range has the note.
    const isCovered = stored?.merged === true && !this.#anchors.has(stored.address);
    if (!isCovered) this.#notes += 1;
    return {
      column,
      stored,
      look: lookOf(issues),
      wrap: isHeading,
      ...(!isHeading && this.#format(column, stored)),
      ...(!isCovered && this.#notes <= NOTES_MAX && { note: noteText(issues, this.#findings.language) }),
    };
  }

  /** Writes in words what is wrong with the row, and returns the height in points that this needs. */
  #addProblems(row: MarkedRow, cells: Map<number, GridCell>): number | undefined {
    const column = this.#problemsAt;
    if (column === undefined) return undefined;
    if (row.number === this.#findings.headerRow) {
      const stored = { type: 'text', text: PROBLEMS_HEADING } as const;
      cells.set(column, { column, stored, look: 'heading', wrap: true });
      return 2 * LINE_POINTS;
    }
    if (row.found.length === 0) return row.number > (this.#findings.headerRow ?? row.number) ? ROW_POINTS : undefined;
    const text = row.found
      .map((found) => problemText(found, this.#findings.language))
      .join('\n')
      .slice(0, CELL_TEXT_MAX);
    cells.set(column, { column, stored: { type: 'text', text }, look: lookOf(row.found), wrap: true });
    return Math.min(linesOf(text, PROBLEMS_WIDTH) * LINE_POINTS + 3, ROW_HEIGHT_MAX_POINTS);
  }
}

const lookOf = (issues: readonly Issue[]): LookName => (issues.some(isError) ? 'fault' : 'warned');

/** Groups the issues of a row by the column of their cells; issues at cells of other rows are left out. */
function byColumn({ number, found }: MarkedRow): ReadonlyMap<number, readonly Issue[]> {
  const columns = new Map<number, Issue[]>();
  for (const issue of found) {
    const place = issue.cell === undefined ? undefined : rangeOf(issue.cell);
    if (place?.fromRow !== number) continue;
    columns.set(place.fromColumn, [...(columns.get(place.fromColumn) ?? []), issue]);
  }
  return columns;
}

const noteText = (issues: readonly Issue[], language?: Language): string =>
  issues.map((found) => `${levelWord(found, language)} ${found.code}\n${sentences(found, language)}`).join('\n\n');
