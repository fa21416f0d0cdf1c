/**
 * The only file that reaches into exceljs, mostly into its streaming writer. Its rows leave memory as they come, but from outside it
 * offers no back-pressure, no pictures, no links within a workbook and no merged ranges over rows that have left. Each reach below says
 * what it is for. All of them hold for exceljs 4.4.0, which is why that version is pinned; the tests of the writers would miss each of them.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Cell, CellModel, DataValidation, stream, ValueType, Worksheet } from 'exceljs';
import { invariant } from '../../domain/invariant.ts';
import type { Sink } from '../../files/whole-file.ts';
import { drawingRelationsXml, drawingXml, RELATIONS, type SheetPicture } from './drawing.ts';

type Book = stream.xlsx.WorkbookWriter;

/** A name of a range; `localSheetId` counts worksheets from 0 and is given where the name belongs to one of them. */
interface DefinedName {
  readonly name: string;
  readonly localSheetId?: number;
  readonly ranges: readonly string[];
}

/** What the types of exceljs leave out of a streaming workbook. */
interface BookInsides {
  /** Everything goes into the zip through `append`. */
  readonly zip: { append(content: unknown, entry: { readonly name: string }): unknown };
  _definedNames: { readonly model: readonly DefinedName[] };
  readonly styles: {
    readonly map: { readonly numFmt: { toXml(format: { readonly id: number; readonly formatCode: string }): string } };
    readonly index: { readonly numFmt: Record<string, number> };
    readonly model: { readonly numFmts: string[] };
  };
}

/** What they leave out of a streaming worksheet. */
interface SheetInsides {
  readonly id: number;
  readonly stream: { readonly pipes: readonly Writable[]; write(text: string): unknown };
  readonly _merges: string[];
  /** Number of the first row that has not left yet. */
  _rowZero: number;
  readonly _sheetRelsWriter: {
    readonly _hyperlinks: { readonly address: string; readonly target: string }[];
    addRelationship(relation: { readonly Type: string; readonly Target: string }): string;
  };
  _writeLegacyData(): void;
}

const bookInsides = (book: Book): BookInsides => book as unknown as BookInsides; // the types of exceljs do not have them
const sheetInsides = (sheet: Worksheet): SheetInsides => sheet as unknown as SheetInsides; // as above

const CONTENT_TYPES = '[Content_Types].xml';
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';

/** Level of zlib. Its usual one, 6, takes half as long again to pack a worksheet, and makes it a tenth smaller. */
const PACKING = 3;

/** Rows between two waits for the file: some 100 KB of XML. */
export const ROWS_PER_WAIT = 64;

/** A workbook that is written into a sink worksheet by worksheet. */
export class StreamedBook {
  readonly book: Book;
  readonly #signal: AbortSignal;
  /** Parts of ours, as the list of content types declares them. */
  readonly #declared: string[] = [];
  readonly #names: DefinedName[] = [];

  private constructor(book: Book, signal: AbortSignal) {
    this.book = book;
    this.#signal = signal;
    const insides = bookInsides(book);
    // exceljs does not escape the apostrophe of a worksheet's name in the names of print areas, so these names are made here.
    insides._definedNames = { model: this.#names };
    const append = insides.zip.append.bind(insides.zip);
    insides.zip.append = (content, entry) => {
      const isTypes = entry.name === CONTENT_TYPES && typeof content === 'string';
      return append(isTypes ? content.replace('</Types>', `${this.#declared.join('')}</Types>`) : content, entry);
    };
  }

  static async open({ stream: target, signal }: Sink): Promise<StreamedBook> {
    // Loaded here alone: it is the largest package of all, and most commands write no workbook.
    const { default: exceljs } = await import('exceljs');
    const options = { stream: target, useStyles: true, zip: { zlib: { level: PACKING } } };
    return new StreamedBook(new exceljs.stream.xlsx.WorkbookWriter(options), signal);
  }

  /** Says what of the worksheet that was added last is printed: a range, or rows that every page begins with. */
  printName(name: 'Print_Area' | 'Print_Titles', sheet: Worksheet, range: string): void {
    const quoted = sheet.name.replaceAll("'", "''");
    this.#names.push({
      name: `_xlnm.${name}`,
      localSheetId: sheetInsides(sheet).id - 1,
      ranges: [`'${quoted}'!${range}`],
    });
  }

  /**
   * Gives a number format the number by which programs know it, as the file does that it comes from: exceljs finds numbers by itself, and
   * only some of them. It is called ahead of the first style with the format.
   */
  reserveFormat(formatCode: string, id: number): void {
    const { styles } = bookInsides(this.book);
    if (styles.index.numFmt[formatCode] !== undefined) return;
    styles.index.numFmt[formatCode] = id;
    styles.model.numFmts.push(styles.map.numFmt.toXml({ id, formatCode }));
  }

  /**
   * Lays pictures over the cells of a worksheet that is not ended yet. The streaming writer knows none, and the plain one writes no
   * alternative text. What a worksheet says of notes comes just after its drawing.
   */
  putPictures(sheet: Worksheet, pictures: readonly SheetPicture[]): void {
    if (pictures.length === 0) return;
    const insides = sheetInsides(sheet);
    const { zip } = bookInsides(this.book);
    const name = `drawing${insides.id}.xml`;
    const files = pictures.map(({ png }) => {
      const id = this.book.addImage({ buffer: Buffer.from(png) as never, extension: 'png' }); // its types know an older Buffer
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

  /** Ends the workbook. Rejects when the sink refuses it. */
  async commit(): Promise<void> {
    this.#signal.throwIfAborted();
    await Promise.race([this.book.commit(), once(this.#signal, 'abort')]);
    this.#signal.throwIfAborted();
  }

  /**
   * Waits until all rows so far have been taken over for packing. The streaming writer ignores back-pressure: without this wait a whole
   * worksheet would pile up in memory before its zip. The answer to an empty write comes after all others. Rejects when the sink refuses.
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

/** Makes a cell lead to a place of this workbook: `'June'!C14`. exceljs's own links of the streaming writer lead to other files. */
export function putLink(sheet: Worksheet, address: string, target: string): void {
  sheetInsides(sheet)._sheetRelsWriter._hyperlinks.push({ address, target });
}

/** Has `addRow` go on with this row, once all before it have left. exceljs would make each of a million empty rows between. */
export function skipToRow(sheet: Worksheet, row: number): void {
  sheetInsides(sheet)._rowZero = row;
}

/** Merges a range, `A1:C1`, whose rows may have left already; exceljs's own way would hold all of them back. */
export function putMergedRange(sheet: Worksheet, range: string): void {
  sheetInsides(sheet)._merges.push(range);
}

/** What a range of cells takes; anything else is answered with a box. */
export type InputRule = DataValidation;

/** Gives a whole range of cells a rule. From outside exceljs takes rules cell by cell. */
export function putInputRule(sheet: Worksheet, range: string, rule: InputRule): void {
  const { dataValidations } = sheet as unknown as { dataValidations: { add(range: string, rule: InputRule): void } };
  dataValidations.add(range, rule);
}

/** How exceljs calls a cell that holds a number. */
const NUMBER_CELL: ValueType.Number = 2;

/** Fills a cell with a number that keeps the digits of the file: its double would have others. */
export function putDigits(cell: Cell, digits: string): void {
  const { address, style } = cell.model;
  cell.model = { address, style, type: NUMBER_CELL, value: digits } as CellModel; // the rest is for other types
}
