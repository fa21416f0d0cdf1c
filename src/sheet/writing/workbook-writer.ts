/**
 * The workbook writer: a typed interface to the streaming writer of exceljs. Rows go to the file as they come, and no
 * worksheet is held in memory. Text is always a string cell, no matter what it begins with; every formula is one of paybatch's own.
 */
import { type FileUse, type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { CellWriter } from './cells.ts';
import { NO_TIME, StreamedBook } from './exceljs-insides.ts';
import { type GridSpec, GridWriter } from './grid-writer.ts';
import { Styles } from './looks.ts';
import { safeText } from './safe-text.ts';
import { type SheetSpec, SheetWriter } from './sheet-writer.ts';
import { WINDOWS } from './worksheet-page.ts';

export type { WrittenFile } from '../../files/whole-file.ts';
export { type CellFormat, type Formula, isStyled, type OwnFigure, type RowCell, type StyledCell } from './cells.ts';
export type { SheetPicture } from './drawing.ts';
export type { LookName } from './looks.ts';
export type { RowOptions, SheetColumn, SheetSpec, SheetWriter } from './sheet-writer.ts';

export interface WorkbookOptions {
  readonly title: string;
  /** Text at the left of every page's footer. */
  readonly footer: string;
  /**
   * Time at which the workbook is made, in wall-clock milliseconds. If absent, the workbook does not depend on it, and pages carry
   * the date on which they are printed.
   */
  readonly printedAt?: number;
  /** IANA name of the time zone in which times are shown. */
  readonly timezone: string;
}

const AUTHOR = 'paybatch';

/** The workbook in progress, as `writeWorkbook` passes it to its caller. */
export class WorkbookWriter {
  readonly #book: StreamedBook;
  readonly #options: WorkbookOptions;
  readonly #cells: CellWriter;
  readonly #styles = new Styles();

  constructor(book: StreamedBook, options: WorkbookOptions) {
    const { title, printedAt, timezone } = options;
    const properties = { title: safeText(title), creator: AUTHOR, lastModifiedBy: AUTHOR, views: WINDOWS };
    const made = printedAt === undefined ? NO_TIME : new Date(printedAt);
    Object.assign(book.book, { ...properties, created: made, modified: made });
    this.#book = book;
    this.#options = options;
    this.#cells = new CellWriter(this.#styles, timezone);
  }

  /** Writes one worksheet through `fill`, completely, before the next one begins. */
  async sheet(spec: SheetSpec, fill: (sheet: SheetWriter) => Promise<void>): Promise<void> {
    const writer = new SheetWriter(this.#book, spec, this.#cells, this.#footer());
    await fill(writer);
    writer.close();
  }

  /** Writes, through `fill`, a worksheet whose cells have given addresses. */
  async grid(spec: GridSpec, fill: (grid: GridWriter) => Promise<void>): Promise<void> {
    const writer = new GridWriter(this.#book, spec, this.#styles, this.#footer());
    await fill(writer);
    writer.close();
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
    const book = await StreamedBook.open(sink);
    await fill(new WorkbookWriter(book, options));
    await book.commit();
  });
