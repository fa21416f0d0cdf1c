/**
 * The workbook writer: a thin, typed face on the streaming writer of exceljs. Rows go to the file as they come; nothing
 * holds a worksheet in memory. Text is always a string cell, whatever it begins with; a formula is one of ours.
 */
import { once } from 'node:events';
import type { Worksheet, WorksheetView } from 'exceljs';
import { columnLetters } from '../../domain/cell.ts';
import { invariant } from '../../domain/invariant.ts';
import { type FileUse, type Sink, type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { alignOf, type CellFormat, CellWriter, isStyled, type RowCell, type StyledCell } from './cells.ts';
import { drained, ROWS_PER_WAIT } from './drained.ts';
import { type GridSpec, GridWriter } from './grid-writer.ts';
import { type LookName, textSizeOf } from './looks.ts';
import { putPictures, type SheetPicture } from './pictures.ts';
import { safeText } from './safe-text.ts';
import { linesOf, ROW_HEIGHT_MAX_POINTS } from './text-lines.ts';
import { type PartedBook, partedBook } from './workbook-parts.ts';

export type { WrittenFile } from '../../files/whole-file.ts';
export { type CellFormat, type Formula, isStyled, type OwnFigure, type RowCell, type StyledCell } from './cells.ts';
export type { LookName } from './looks.ts';
export type { SheetPicture } from './pictures.ts';

export interface SheetColumn {
  readonly heading?: string;
  /** Look of the heading cell; `heading` when not given. */
  readonly headingLook?: LookName;
  /** Shown when the pointer rests on the heading. */
  readonly note?: string;
  /** Width in characters. */
  readonly width: number;
  readonly format: CellFormat;
  /** Long text goes on in further lines, and the row grows with it. */
  readonly wrap?: boolean;
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

export interface WorkbookOptions {
  readonly title: string;
  /** What stands at the left of every page's footer. */
  readonly footer: string;
  /** When the workbook is made, in wall-clock milliseconds; not given: pages carry the date on which they are printed. */
  readonly printedAt?: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
}

export interface RowOptions {
  readonly look?: LookName;
  /** Height in points; found from the text when not given. */
  readonly height?: number;
  /** A printed page begins with it. */
  readonly newPage?: boolean;
}

/** Points of a line of 11-point text, of the air in a row, and how much higher a line is than its text. */
const LINE_POINTS = 15;
const AIR_POINTS = 3;
const LEADING = LINE_POINTS / 11;
const A4 = 9;
const MARGINS_INCHES = { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 };

/** The links of exceljs's streaming worksheet. Its own way makes a link within the workbook one to another file. */
interface LinkList {
  readonly _sheetRelsWriter: { readonly _hyperlinks: { readonly address: string; readonly target: string }[] };
}

/** The page breaks of exceljs's streaming worksheet, each below a row. Its own way to add one wants the row before. */
const pageBreaksOf = (sheet: Worksheet): { id: number; max: number; man: 1 }[] =>
  (sheet as unknown as { readonly rowBreaks: { id: number; max: number; man: 1 }[] }).rowBreaks;

/** Height that a cell asks of its row, in points. */
function pointsOf({ value, look = 'body', wrap }: StyledCell, width: number): number {
  const size = textSizeOf(look);
  const lines = wrap && typeof value === 'string' ? linesOf(value, (width * 11) / size) : 1;
  return Math.ceil(lines * size * LEADING);
}

/** The row of a table's headings. */
const headingRowOf = ({ above = [] }: SheetSpec): number => above.length + 1;

function viewOf(spec: SheetSpec): Partial<WorksheetView> {
  if (!spec.table) return { state: 'normal', showGridLines: false };
  return { state: 'frozen', xSplit: spec.frozenColumns ?? 0, ySplit: headingRowOf(spec), showGridLines: false };
}

/** One worksheet under way. Rows are written in order; the next worksheet begins when this one is closed. */
export class SheetWriter {
  readonly #sheet: Worksheet;
  readonly #spec: SheetSpec;
  readonly #cells: CellWriter;
  readonly #signal: AbortSignal;
  readonly #pictures: SheetPicture[] = [];
  #rows = 0;
  /** The last row of the table. */
  #filtered = 0;

  constructor(sheet: Worksheet, spec: SheetSpec, cells: CellWriter, signal: AbortSignal) {
    this.#sheet = sheet;
    this.#spec = spec;
    this.#cells = cells;
    this.#signal = signal;
    sheet.columns = spec.columns.map(({ width }) => ({ width }));
    for (const cells of spec.above ?? []) this.#write(cells, { look: 'body' });
    if (spec.table) this.#writeHeadings();
  }

  /** Writes one row, and now and then waits until the file has caught up. A cell left out at the end stays empty. */
  async row(cells: readonly RowCell[], options: RowOptions = {}): Promise<void> {
    this.#write(cells, options);
    this.#filtered = this.#rows;
    if (this.#rows % ROWS_PER_WAIT === 0) await drained(this.#sheet, this.#signal);
  }

  /** Writes a row below a table that is no part of it: filters and sorting leave it where it is. */
  total(cells: readonly RowCell[]): void {
    this.#write(cells, { look: 'total' });
  }

  /** Lays a picture over the cells. */
  picture(picture: SheetPicture): void {
    this.#pictures.push(picture);
  }

  /** Ends the worksheet. */
  close(book: PartedBook): void {
    const { columns, table, printedColumns } = this.#spec;
    if (table) {
      const row = headingRowOf(this.#spec);
      this.#sheet.autoFilter = {
        from: { row, column: 1 },
        to: { row: Math.max(this.#filtered, row), column: columns.length },
      };
    }
    if (printedColumns !== undefined && printedColumns < columns.length) {
      this.#sheet.pageSetup.printArea = `A$1:${columnLetters(printedColumns)}$${this.#rows}`;
    }
    putPictures(this.#pictures, this.#sheet, book);
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

  #write(cells: readonly RowCell[], { look = this.#spec.table ? 'row' : 'body', height, newPage }: RowOptions): void {
    const row = this.#sheet.addRow([]);
    if (newPage) pageBreaksOf(this.#sheet).push({ id: this.#rows, max: 16_383, man: 1 });
    this.#rows += 1;
    let points = LINE_POINTS;
    let column = 1;
    for (const cell of cells) {
      const spec = this.#spec.columns[column - 1];
      invariant(spec, `a row of ${this.#spec.name} has no more cells than the sheet has columns`);
      const full = {
        look,
        format: spec.format,
        wrap: spec.wrap ?? false,
        ...(isStyled(cell) ? cell : { value: cell }),
      };
      const span = full.span ?? 1;
      const target = row.getCell(column);
      this.#cells.put(target, full);
      if (full.link !== undefined) this.#addLink(target.address, full.link);
      points = Math.max(points, pointsOf(full, this.#widthOf(column, span)));
      for (let next = column + 1; next < column + span; next++) row.getCell(next).style = target.style;
      if (span > 1) this.#sheet.mergeCells(this.#rows, column, this.#rows, column + span - 1);
      column += span;
    }
    row.height = Math.min(height ?? points + AIR_POINTS, ROW_HEIGHT_MAX_POINTS);
    row.commit();
  }

  #addLink(address: string, target: string): void {
    const { _sheetRelsWriter: links } = this.#sheet as unknown as LinkList; // see LinkList
    links._hyperlinks.push({ address, target });
  }

  #widthOf(column: number, span: number): number {
    return this.#spec.columns.slice(column - 1, column - 1 + span).reduce((sum, { width }) => sum + width, 0);
  }
}

/** The workbook under way, as `writeWorkbook` hands it out. */
export class WorkbookWriter {
  readonly #book: PartedBook;
  readonly #options: WorkbookOptions;
  readonly #cells: CellWriter;
  readonly #signal: AbortSignal;

  constructor(book: PartedBook, sink: Sink, options: WorkbookOptions) {
    this.#book = book;
    Object.assign(this.#book, { creator: 'paybatch', lastModifiedBy: 'paybatch' });
    if (options.printedAt !== undefined) {
      const made = new Date(options.printedAt);
      Object.assign(this.#book, { created: made, modified: made });
    }
    this.#book.title = safeText(options.title);
    this.#options = options;
    this.#cells = new CellWriter(options.timezone);
    this.#signal = sink.signal;
  }

  /** Writes one worksheet through `fill`, wholly, before the next begins. */
  async sheet(spec: SheetSpec, fill: (sheet: SheetWriter) => Promise<void>): Promise<void> {
    const worksheet = this.#book.addWorksheet(spec.name, {
      ...(spec.tabColour !== undefined && { properties: { tabColor: { argb: `FF${spec.tabColour}` } } as never }),
      views: [viewOf(spec)],
      pageSetup: {
        paperSize: A4,
        orientation: 'landscape',
        fitToWidth: 1,
        fitToHeight: 0,
        margins: MARGINS_INCHES,
        ...(spec.table && { printTitlesRow: `${headingRowOf(spec)}:${headingRowOf(spec)}` }),
      },
      headerFooter: { oddFooter: this.#footer() },
    });
    const writer = new SheetWriter(worksheet, spec, this.#cells, this.#signal);
    await fill(writer);
    writer.close(this.#book);
  }

  /** Writes a worksheet whose cells stand at given addresses. */
  async grid(spec: GridSpec, fill: (grid: GridWriter) => Promise<void>): Promise<void> {
    const writer = new GridWriter(this.#book, spec, this.#footer(), this.#signal);
    await fill(writer);
    writer.close();
  }

  /** Ends the workbook. Rejects when the disk refuses it. */
  async close(): Promise<void> {
    this.#signal.throwIfAborted();
    await Promise.race([this.#book.commit(), once(this.#signal, 'abort')]);
    this.#signal.throwIfAborted();
  }

  #footer(): string {
    const { footer, printedAt } = this.#options;
    const printed =
      printedAt === undefined
        ? '&D'
        : new Date(this.#cells.localTime(printedAt)).toISOString().slice(0, 16).replace('T', ' ');
    // An ampersand begins a code in footers, and a footer holds 255 characters at most.
    const left = safeText(footer).slice(0, 120).replaceAll('&', '&&');
    return `&L${left}&CPage &P of &N&RPrinted ${printed}`;
  }
}

/** Writes a workbook through `fill`. See `writeWholeFile` for what is promised of the file. */
export const writeWorkbook = (
  path: string,
  options: WorkbookOptions,
  fill: (book: WorkbookWriter) => Promise<void>,
  use: FileUse = 'report',
): Promise<WrittenFile> =>
  writeWholeFile(path, use, async (sink) => {
    const streamed = await partedBook({ stream: sink.stream, useStyles: true });
    const book = new WorkbookWriter(streamed, sink, options);
    await fill(book);
    await book.close();
  });
