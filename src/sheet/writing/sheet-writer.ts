/** A worksheet row by row: a table with headings, or lines that follow one another. Rows go to the file as they come. */
import { addressOf, columnLetters } from '../../domain/cell.ts';
import { alignOf, type CellWriter, type RowCell, type StyledCell } from './cells.ts';
import type { LookName } from './looks.ts';
import type { SheetPicture } from './parts/drawing.ts';
import type { WorksheetPage } from './parts/worksheet-page.ts';
import type { WorksheetPart } from './parts/worksheet-part.ts';
import { LINE_POINTS, type RowColumn, RowWriter } from './row-writer.ts';

export interface SheetColumn extends RowColumn {
  readonly heading?: string;
  /** Look of the heading cell; `heading` when not given. */
  readonly headingLook?: LookName;
  /** Shown when the pointer rests on the heading. */
  readonly note?: string;
}

export interface SheetSpec {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** True for a table: a row of headings that stays, is repeated on every page and carries filters. */
  readonly table: boolean;
  /** Rows that stand above the headings of a table and stay with them: a title, counts. */
  readonly above?: readonly (readonly RowCell[])[];
  /** Columns at the left that stay while the rest scrolls. */
  readonly frozenColumns?: number;
  /** Columns that are printed, counted from the left; all when not given. */
  readonly printedColumns?: number;
  /** Colour of the tab, as RRGGBB. */
  readonly tabColour?: string;
}

export interface RowOptions {
  readonly look?: LookName;
  /** Height in points; found from the text when not given. */
  readonly height?: number;
  /** A printed page begins with it. */
  readonly newPage?: boolean;
}

const MARGINS_INCHES = { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 };

/** The row of a table's headings. */
const headingRowOf = ({ above = [] }: SheetSpec): number => above.length + 1;

/** How such a worksheet is looked at and printed. */
export function sheetPage(spec: SheetSpec, footer: string): WorksheetPage {
  const { name, columns, table, frozenColumns = 0, tabColour } = spec;
  const headings = headingRowOf(spec);
  return {
    name,
    columns: columns.map(({ width }) => ({ width })),
    plain: true,
    tabColour,
    margins: MARGINS_INCHES,
    footer,
    ...(table && { frozen: { columns: frozenColumns, rows: headings }, titleRow: headings }),
  };
}

/** One worksheet under way. Rows are written in order; the next worksheet begins when this one is closed. */
export class SheetWriter {
  readonly #part: WorksheetPart;
  readonly #spec: SheetSpec;
  readonly #writer: RowWriter;
  #rows = 0;
  /** The last row of the table. */
  #filtered = 0;

  constructor(part: WorksheetPart, spec: SheetSpec, cells: CellWriter) {
    this.#part = part;
    this.#spec = spec;
    this.#writer = new RowWriter(part, cells, spec.columns);
  }

  /** Writes what stands above the first row. */
  async begin(): Promise<void> {
    for (const above of this.#spec.above ?? []) await this.#write(above, { look: 'body' });
    if (this.#spec.table) await this.#writeHeadings();
  }

  /** Writes one row. Where it gives a promise, the file has to catch up first. A cell left out at the end stays empty. */
  row(cells: readonly RowCell[], options: RowOptions = {}): Promise<void> | undefined {
    const written = this.#write(cells, options);
    this.#filtered = this.#rows;
    return written;
  }

  /** Writes a row below a table that is no part of it: filters and sorting leave it where it is. */
  async total(cells: readonly RowCell[]): Promise<void> {
    await this.#write(cells, { look: 'total' });
  }

  /** Lays a picture over the cells. */
  picture(picture: SheetPicture): void {
    this.#part.picture(picture);
  }

  /** What of it is printed; undefined for all of it. */
  printArea(): string | undefined {
    const { columns, printedColumns = columns.length } = this.#spec;
    return printedColumns < columns.length ? `$A$1:$${columnLetters(printedColumns)}$${this.#rows}` : undefined;
  }

  /** Ends the worksheet. */
  close(): Promise<void> {
    const { columns, table } = this.#spec;
    if (table) {
      const row = headingRowOf(this.#spec);
      this.#part.filter(`${addressOf(1, row)}:${addressOf(columns.length, Math.max(this.#filtered, row))}`);
    }
    return this.#part.close();
  }

  #writeHeadings(): Promise<void> | undefined {
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
    return this.#write(cells, { height: 2 * LINE_POINTS + 4 });
  }

  #write(
    cells: readonly RowCell[],
    { look = this.#spec.table ? 'row' : 'body', height, newPage }: RowOptions,
  ): Promise<void> | undefined {
    if (newPage) this.#part.breakBelow(this.#rows);
    this.#rows += 1;
    return this.#writer.write(this.#rows, cells, look, height);
  }
}
