/** Writes a worksheet row by row: a table with headings, or lines that follow one another. Rows go to the file as they come. */
import type { Row, Worksheet } from 'exceljs';
import { addressOf, columnLetters } from '../../domain/cell.ts';
import { CellRows, LINE_POINTS, type RowColumn } from './cell-rows.ts';
import { alignOf, type CellWriter, type RowCell, type StyledCell } from './cells.ts';
import type { SheetPicture } from './drawing.ts';
import { ROWS_PER_WAIT, type StreamedBook } from './exceljs-insides.ts';
import type { LookName } from './looks.ts';
import { addPage } from './worksheet-page.ts';

export interface SheetColumn extends RowColumn {
  readonly heading?: string;
  /** Look of the heading cell; `heading` if absent. */
  readonly headingLook?: LookName;
  /** Note that appears when the pointer rests on the heading. */
  readonly note?: string;
}

export interface SheetSpec {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** True for a table: its row of headings stays in view, is repeated on every page and carries filters. */
  readonly table: boolean;
  /** Rows above the headings of a table, such as a title and counts, which stay in view with the headings. */
  readonly above?: readonly (readonly RowCell[])[];
  /** Number of columns at the left that stay while the rest scrolls. */
  readonly frozenColumns?: number;
  /** Number of columns that are printed, from the left; all if absent. */
  readonly printedColumns?: number;
  /** Colour of the tab, as RRGGBB. */
  readonly tabColour?: string;
}

export interface RowOptions {
  readonly look?: LookName;
  /** Height in points; derived from the text if absent. */
  readonly height?: number;
  /** Whether a printed page begins with this row. */
  readonly newPage?: boolean;
}

/** The last column that spreadsheet programs know. */
const LAST_COLUMN = 16_384;

const MARGINS_INCHES = { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 };

/** Returns the number of the row of a table's headings. */
const headingRowOf = ({ above = [] }: SheetSpec): number => above.length + 1;

/** A worksheet in progress. Rows are written in order; the next worksheet begins when this one is closed. */
export class SheetWriter {
  readonly #book: StreamedBook;
  readonly #sheet: Worksheet;
  readonly #spec: SheetSpec;
  readonly #rows: CellRows;
  readonly #pictures: SheetPicture[] = [];
  #last: Row | undefined;
  /** Number of the last row of the table. */
  #filtered = 0;

  constructor(book: StreamedBook, spec: SheetSpec, cells: CellWriter, footer: string) {
    const { name, columns, table, frozenColumns = 0, tabColour, above = [] } = spec;
    const headings = headingRowOf(spec);
    this.#book = book;
    this.#spec = spec;
    this.#sheet = addPage(book.book, {
      name,
      columns: columns.map(({ width }) => ({ width })),
      plain: true,
      tabColour,
      margins: MARGINS_INCHES,
      footer,
      ...(table && { frozen: { columns: frozenColumns, rows: headings } }),
    });
    if (table) book.printName('Print_Titles', this.#sheet, `$${headings}:$${headings}`);
    this.#rows = new CellRows(this.#sheet, cells, columns);
    for (const cells of above) this.#write(cells, { look: 'body' });
    if (table) this.#writeHeadings();
  }

  /** Writes one row, and every `ROWS_PER_WAIT` rows waits until the file has caught up. Cells left out at the end stay empty. */
  async row(cells: readonly RowCell[], options: RowOptions = {}): Promise<void> {
    const { number } = this.#write(cells, options);
    this.#filtered = number;
    if (number % ROWS_PER_WAIT === 0) await this.#book.drained(this.#sheet);
  }

  /** Writes a row below a table that does not belong to it: filters and sorting leave it where it is. */
  total(cells: readonly RowCell[]): void {
    this.#write(cells, { look: 'total' });
  }

  /** Puts a picture over the cells. */
  picture(picture: SheetPicture): void {
    this.#pictures.push(picture);
  }

  /** Ends the worksheet. */
  close(): void {
    const { columns, table, printedColumns = columns.length } = this.#spec;
    const rows = this.#last?.number ?? 0;
    if (table) {
      const row = headingRowOf(this.#spec);
      this.#sheet.autoFilter = `${addressOf(1, row)}:${addressOf(columns.length, Math.max(this.#filtered, row))}`;
    }
    if (printedColumns < columns.length) {
      this.#book.printName('Print_Area', this.#sheet, `$A$1:$${columnLetters(printedColumns)}$${rows}`);
    }
    this.#book.putPictures(this.#sheet, this.#pictures);
    this.#sheet.commit();
  }

  #writeHeadings(): void {
    const cells = this.#spec.columns.map(
      ({ heading = '', headingLook = 'heading', note, format }): StyledCell => ({
        value: heading,
        format: 'text',
        look: headingLook,
        align: alignOf(format),
        wrap: true,
        ...(note !== undefined && { note }),
      }),
    );
    this.#write(cells, { height: 2 * LINE_POINTS + 4 });
  }

  #write(cells: readonly RowCell[], { look = this.#spec.table ? 'row' : 'body', height, newPage }: RowOptions): Row {
    // A page break belongs to the row above it.
    if (newPage) this.#last?.addPageBreak(0, LAST_COLUMN);
    this.#last = this.#rows.write(cells, look, height);
    return this.#last;
  }
}
