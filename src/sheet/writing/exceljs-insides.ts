/**
 * The only file that uses internals of exceljs, mostly of its streaming writer. That writer releases rows from memory as it
 * writes them, but its public interface offers no back-pressure, no pictures, no links within a workbook, and no merged
 * ranges over rows that it has already released. Each use below says what it is for. All of them hold for exceljs 4.4.0,
 * which is why that version is pinned; the tests of the writers would fail without any one of them.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Cell, CellModel, DataValidation, stream, ValueType, Worksheet } from 'exceljs';
import { invariant } from '../../domain/invariant.ts';
import type { Sink } from '../../files/whole-file.ts';
import { drawingRelationsXml, drawingXml, RELATIONS, type SheetPicture } from './drawing.ts';

type Book = stream.xlsx.WorkbookWriter;

/** A named range; `localSheetId` counts worksheets from 0 and is present if the name belongs to one of them. */
interface DefinedName {
  readonly name: string;
  readonly localSheetId?: number;
  readonly ranges: readonly string[];
}

/** The members of a streaming workbook that the types of exceljs leave out. */
interface BookInsides {
  /** Every part goes into the zip through `append`. */
  readonly zip: { append(content: unknown, entry: { readonly name: string; readonly date?: Date }): unknown };
  _definedNames: { readonly model: readonly DefinedName[] };
  readonly styles: {
    readonly map: { readonly numFmt: { toXml(format: { readonly id: number; readonly formatCode: string }): string } };
    readonly index: { readonly numFmt: Record<string, number> };
    readonly model: { readonly numFmts: string[] };
  };
}

/** The members of a streaming worksheet that the types of exceljs leave out. */
interface SheetInsides {
  readonly id: number;
  readonly stream: { readonly pipes: readonly Writable[]; write(text: string): unknown };
  readonly _merges: string[];
  /** Number of the first row that is still in memory. */
  _rowZero: number;
  readonly _sheetRelsWriter: {
    readonly _hyperlinks: { readonly address: string; readonly target: string }[];
    addRelationship(relation: { readonly Type: string; readonly Target: string }): string;
  };
  _writeLegacyData(): void;
}

const bookInsides = (book: Book): BookInsides => book as unknown as BookInsides; // the types of exceljs leave these members out
const sheetInsides = (sheet: Worksheet): SheetInsides => sheet as unknown as SheetInsides; // as above

const CONTENT_TYPES = '[Content_Types].xml';
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';

/** Compression level of zlib. The default, 6, takes half as long again to pack a worksheet, and makes it a tenth smaller. */
const PACKING = 3;

/** Number of rows between two waits for the file: about 100 KB of XML. */
export const ROWS_PER_WAIT = 64;

/** The time of each part: the first that a zip can hold. Two workbooks that say the same are then the same bytes. */
export const NO_TIME = new Date(1980, 0, 1);

/** A workbook that is written into a sink, worksheet by worksheet. */
export class StreamedBook {
  readonly book: Book;
  readonly #signal: AbortSignal;
  /** Declarations of the parts that this class adds, for the list of content types. */
  readonly #declared: string[] = [];
  readonly #names: DefinedName[] = [];

  private constructor(book: Book, signal: AbortSignal) {
    this.book = book;
    this.#signal = signal;
    const insides = bookInsides(book);
    // exceljs does not escape an apostrophe in a worksheet's name when it names print areas, so these names are built here.
    insides._definedNames = { model: this.#names };
    const append = insides.zip.append.bind(insides.zip);
    insides.zip.append = (content, entry) => {
      const isTypes = entry.name === CONTENT_TYPES && typeof content === 'string';
      return append(isTypes ? content.replace('</Types>', `${this.#declared.join('')}</Types>`) : content, entry);
    };
  }

  static async open({ stream: target, signal }: Sink): Promise<StreamedBook> {
    // Loaded only when needed: exceljs is the largest package of all, and most commands write no workbook.
    const { default: exceljs } = await import('exceljs');
    const options = { stream: target, useStyles: true, zip: { zlib: { level: PACKING } } };
    const { WorkbookWriter } = exceljs.stream.xlsx;
    class TimelessBook extends WorkbookWriter {
      /** Adds the first part, while the book is being constructed. */
      override addThemes(): Promise<void> {
        const { zip } = bookInsides(this);
        const append = zip.append.bind(zip);
        zip.append = (content, entry) => append(content, { ...entry, date: NO_TIME });
        return super.addThemes();
      }
    }
    return new StreamedBook(new TimelessBook(options), signal);
  }

  /** Sets what is printed of a worksheet: a range, or rows that every page begins with. */
  printName(name: 'Print_Area' | 'Print_Titles', sheet: Worksheet, range: string): void {
    const quoted = sheet.name.replaceAll("'", "''");
    this.#names.push({
      name: `_xlnm.${name}`,
      localSheetId: sheetInsides(sheet).id - 1,
      ranges: [`'${quoted}'!${range}`],
    });
  }

  /**
   * Registers a number format under its built-in number, which the file that it comes from uses. exceljs assigns numbers
   * itself and knows only some of the built-in ones. Must be called before the first style that uses the format.
   */
  reserveFormat(formatCode: string, id: number): void {
    const { styles } = bookInsides(this.book);
    if (styles.index.numFmt[formatCode] !== undefined) return;
    styles.index.numFmt[formatCode] = id;
    styles.model.numFmts.push(styles.map.numFmt.toXml({ id, formatCode }));
  }

  /**
   * Puts pictures over the cells of a worksheet that has not ended yet. The streaming writer supports no pictures, and the
   * plain one writes no alternative text. The drawing is written just before the worksheet's reference to its notes, because
   * that order is required.
   */
  putPictures(sheet: Worksheet, pictures: readonly SheetPicture[]): void {
    if (pictures.length === 0) return;
    const insides = sheetInsides(sheet);
    const { zip } = bookInsides(this.book);
    const name = `drawing${insides.id}.xml`;
    const files = pictures.map(({ png }) => {
      const id = this.book.addImage({ buffer: Buffer.from(png) as never, extension: 'png' }); // exceljs's types know an older Buffer
      return `image${id}.png`;
    });
    this.#declared.push(`<Override PartName="/xl/drawings/${name}" ContentType="${DRAWING_TYPE}"/>`);
    zip.append(drawingXml(pictures), { name: `xl/drawings/${name}` });
    zip.append(drawingRelationsXml(files), { name: `xl/drawings/_rels/${name}.rels` });
    const drawing = { Type: `${RELATIONS}/drawing`, Target: `../drawings/${name}` };
    const relation = insides._sheetRelsWriter.addRelationship(drawing);
    const writeNotes = insides._writeLegacyData.bind(sheet);
    insides._writeLegacyData = () => {
      insides.stream.write(`<drawing r:id="${relation}"/>`);
      writeNotes();
    };
  }

  /** Ends the workbook. Rejects if the sink fails. */
  async commit(): Promise<void> {
    this.#signal.throwIfAborted();
    await Promise.race([this.book.commit(), once(this.#signal, 'abort')]);
    this.#signal.throwIfAborted();
  }

  /**
   * Waits until all rows so far have been taken over for packing. The streaming writer ignores back-pressure: without this
   * wait, a whole worksheet would pile up in memory ahead of its zip. The callback of an empty write comes after those of all
   * earlier writes. Rejects if the sink fails.
   */
  async drained(sheet: Worksheet): Promise<void> {
    this.#signal.throwIfAborted();
    const { pipes } = sheetInsides(sheet).stream;
    invariant(pipes.length > 0, 'exceljs pipes a worksheet into its zip from the start');
    for (const pipe of pipes) {
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => reject(this.#signal.reason);
        this.#signal.addEventListener('abort', stop, { once: true });
        pipe.write('', () => {
          this.#signal.removeEventListener('abort', stop);
          resolve();
        });
      });
    }
  }
}

/** Links a cell to a place in this workbook, such as `'June'!C14`. The streaming writer's own links lead to other files. */
export function putLink(sheet: Worksheet, address: string, target: string): void {
  sheetInsides(sheet)._sheetRelsWriter._hyperlinks.push({ address, target });
}

/**
 * Makes `addRow` continue with this row, once all rows before it have been released. exceljs would create each of a million
 * empty rows in between.
 */
export function skipToRow(sheet: Worksheet, row: number): void {
  sheetInsides(sheet)._rowZero = row;
}

/** Merges a range, such as `A1:C1`, whose rows may already be released; the method of exceljs would keep all of them in memory. */
export function putMergedRange(sheet: Worksheet, range: string): void {
  sheetInsides(sheet)._merges.push(range);
}

/** Rule for the values that a range of cells accepts; a spreadsheet program answers any other value with a message box. */
export type InputRule = DataValidation;

/** Applies a rule to a whole range of cells. The public interface of exceljs accepts rules only cell by cell. */
export function putInputRule(sheet: Worksheet, range: string, rule: InputRule): void {
  const { dataValidations } = sheet as unknown as { dataValidations: { add(range: string, rule: InputRule): void } };
  dataValidations.add(range, rule);
}

/** exceljs's type of a cell that holds a number. */
const NUMBER_CELL: ValueType.Number = 2;

/** Fills a cell with a number that keeps the digits of the file; converted to a double, it could have other digits. */
export function putDigits(cell: Cell, digits: string): void {
  const { address, style } = cell.model;
  cell.model = { address, style, type: NUMBER_CELL, value: digits } as CellModel; // the other members are for other types of cells
}
