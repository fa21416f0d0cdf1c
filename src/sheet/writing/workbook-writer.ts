/**
 * The workbook writer. Rows go to the file as they come; nothing holds a worksheet in memory. Text is always a string cell, whatever
 * it begins with; a formula is one of ours.
 */
import { type FileUse, type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { CellWriter } from './cells.ts';
import { type GridSpec, GridWriter, gridPage } from './grid-writer.ts';
import { StyleNumbers } from './looks.ts';
import { type BookParts, withBookParts } from './parts/book-parts.ts';
import { safeText } from './safe-text.ts';
import { type SheetSpec, SheetWriter, sheetPage } from './sheet-writer.ts';

export type { WrittenFile } from '../../files/whole-file.ts';
export { type CellFormat, type Formula, isStyled, type OwnFigure, type RowCell, type StyledCell } from './cells.ts';
export type { LookName } from './looks.ts';
export type { SheetPicture } from './parts/drawing.ts';
export type { RowOptions, SheetColumn, SheetSpec, SheetWriter } from './sheet-writer.ts';

export interface WorkbookOptions {
  readonly title: string;
  /** What stands at the left of every page's footer. */
  readonly footer: string;
  /** When the workbook is made, in wall-clock milliseconds; not given: pages carry the date on which they are printed. */
  readonly printedAt?: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
}

/** The workbook under way, as `writeWorkbook` hands it out. */
export class WorkbookWriter {
  readonly #parts: BookParts;
  readonly #options: WorkbookOptions;
  readonly #cells: CellWriter;
  readonly #styles: StyleNumbers;

  constructor(parts: BookParts, options: WorkbookOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#styles = new StyleNumbers(parts.styles);
    this.#cells = new CellWriter(this.#styles, options.timezone);
  }

  /** Writes one worksheet through `fill`, wholly, before the next begins. */
  async sheet(spec: SheetSpec, fill: (sheet: SheetWriter) => Promise<void>): Promise<void> {
    const part = await this.#parts.worksheet(sheetPage(spec, this.#footer()));
    const writer = new SheetWriter(part, spec, this.#cells);
    await writer.begin();
    await fill(writer);
    const printed = writer.printArea();
    if (printed !== undefined) this.#parts.printName('Print_Area', printed);
    await writer.close();
  }

  /** Writes a worksheet whose cells stand at given addresses. */
  async grid(spec: GridSpec, fill: (grid: GridWriter) => Promise<void>): Promise<void> {
    const part = await this.#parts.worksheet(gridPage(spec, this.#footer()));
    const writer = new GridWriter(part, spec, this.#styles);
    await fill(writer);
    await writer.close();
  }

  /** Ends the workbook. Rejects when the disk refuses it. */
  close(): Promise<void> {
    return this.#parts.close({ title: safeText(this.#options.title), madeAt: this.#options.printedAt });
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
  writeWholeFile(path, use, (sink) =>
    withBookParts(sink, async (parts) => {
      const book = new WorkbookWriter(parts, options);
      await fill(book);
      await book.close();
    }),
  );
