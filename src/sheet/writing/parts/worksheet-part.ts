/**
 * A worksheet on its way into the zip. Rows are XML as soon as they come, and leave as soon as there is a chunk of them; what has to
 * stand below the rows waits: merged ranges, notes, links, breaks. Order of elements: ECMA-376 part 1, section 18.3.1.99.
 */
import type { ZipMember } from '../../../files/zip-writer.ts';
import { type Highlight, highlightsXml, type InputRule, inputRulesXml } from './conditions.ts';
import { drawingRelations, drawingXml, type SheetPicture } from './drawing.ts';
import { type CellNote, noteBoxesXml, notesXml } from './notes.ts';
import { Relations } from './relations.ts';
import { headXml, printXml, type WorksheetPage } from './worksheet-page.ts';
import { listXml, namespaces, xmlAttribute } from './xml.ts';

/** Characters of rows that are gathered before they are packed. */
const CHUNK_CHARACTERS = 64 * 1024;

/** The last column that spreadsheet programs know, counted from 0. */
const LAST_COLUMN = 16_383;

/** Takes parts that a worksheet refers to. */
export interface PartStore {
  add(name: string, content: string, type?: 'notes' | 'drawing'): Promise<void>;
  /** Takes a PNG file, and gives its name. */
  addImage(png: Uint8Array): Promise<string>;
}

export interface RowLooks {
  /** In points; left to the spreadsheet program when not given. */
  readonly height?: number | undefined;
  readonly hidden?: boolean;
}

export class WorksheetPart {
  readonly #store: PartStore;
  readonly #page: WorksheetPage;
  /** Counted from 1; part of the names of its parts. */
  readonly #number: number;
  readonly #member: ZipMember;
  readonly #relations = new Relations();
  readonly #merged: string[] = [];
  readonly #notes: CellNote[] = [];
  readonly #links: string[] = [];
  readonly #breaks: number[] = [];
  readonly #pictures: SheetPicture[] = [];
  readonly #rules: InputRule[] = [];
  readonly #highlights: Highlight[] = [];
  #filtered: string | undefined;
  #isProtected = false;
  #waiting: string;

  constructor(store: PartStore, page: WorksheetPage, number: number, member: ZipMember) {
    this.#store = store;
    this.#page = page;
    this.#number = number;
    this.#member = member;
    this.#waiting = headXml(page);
  }

  /** Writes a row; rows come from the top down. Where it gives a promise, more of them are to wait for it. */
  row(number: number, cells: string, { height, hidden }: RowLooks = {}): Promise<void> | undefined {
    const looks = `${height === undefined ? '' : ` ht="${height}" customHeight="1"`}${hidden ? ' hidden="1"' : ''}`;
    this.#waiting += `<row r="${number}"${looks}>${cells}</row>`;
    return this.#waiting.length < CHUNK_CHARACTERS ? undefined : this.#pack();
  }

  merge(range: string): void {
    this.#merged.push(range);
  }

  note(note: CellNote): void {
    this.#notes.push(note);
  }

  /** Makes a cell lead to a place of this workbook: `'June'!C14`. */
  link(address: string, place: string): void {
    this.#links.push(`<hyperlink ref="${address}" location="${xmlAttribute(place)}"/>`);
  }

  /** A printed page ends below the row. */
  breakBelow(row: number): void {
    this.#breaks.push(row);
  }

  /** Puts filter buttons on the first row of a range. */
  filter(range: string): void {
    this.#filtered = range;
  }

  picture(picture: SheetPicture): void {
    this.#pictures.push(picture);
  }

  allow(rule: InputRule): void {
    this.#rules.push(rule);
  }

  highlight(highlight: Highlight): void {
    this.#highlights.push(highlight);
  }

  /** Nobody changes it by accident; there is no password. */
  protect(): void {
    this.#isProtected = true;
  }

  /** Ends the worksheet, and writes the parts that it refers to. */
  async close(): Promise<void> {
    this.#waiting += this.#tailXml();
    await this.#pack();
    await this.#member.end();
    if (this.#pictures.length > 0) await this.#addDrawing();
    if (this.#notes.length > 0) {
      await this.#store.add(`xl/comments${this.#number}.xml`, notesXml(this.#notes), 'notes');
      await this.#store.add(`xl/drawings/vmlDrawing${this.#number}.vml`, noteBoxesXml(this.#notes));
    }
    if (this.#relations.isEmpty) return;
    await this.#store.add(`xl/worksheets/_rels/sheet${this.#number}.xml.rels`, this.#relations.xml());
  }

  #pack(): Promise<void> | undefined {
    const chunk = Buffer.from(this.#waiting);
    this.#waiting = '';
    return this.#member.write(chunk);
  }

  #tailXml(): string {
    const breaks = this.#breaks.map((row) => `<brk id="${row}" max="${LAST_COLUMN}" man="1"/>`);
    return [
      '</sheetData>',
      this.#isProtected ? '<sheetProtection sheet="1"/>' : '',
      this.#filtered === undefined ? '' : `<autoFilter ref="${this.#filtered}"/>`,
      listXml(
        'mergeCells',
        this.#merged.map((range) => `<mergeCell ref="${range}"/>`),
      ),
      highlightsXml(this.#highlights),
      inputRulesXml(this.#rules),
      this.#links.length === 0 ? '' : `<hyperlinks>${this.#links.join('')}</hyperlinks>`,
      printXml(this.#page),
      breaks.length === 0
        ? ''
        : `<rowBreaks count="${breaks.length}" manualBreakCount="${breaks.length}">${breaks.join('')}</rowBreaks>`,
      this.#pictures.length === 0 ? '' : `<drawing r:id="${this.#relate('drawing', `drawing${this.#number}.xml`)}"/>`,
      this.#notes.length === 0 ? '' : this.#noteRelations(),
      '</worksheet>',
    ].join('');
  }

  #noteRelations(): string {
    this.#relations.add(`${namespaces.relations}/comments`, `../comments${this.#number}.xml`);
    return `<legacyDrawing r:id="${this.#relate('vmlDrawing', `vmlDrawing${this.#number}.vml`)}"/>`;
  }

  #relate(type: string, drawing: string): string {
    return this.#relations.add(`${namespaces.relations}/${type}`, `../drawings/${drawing}`);
  }

  async #addDrawing(): Promise<void> {
    const name = `drawing${this.#number}.xml`;
    const images: string[] = [];
    for (const { png } of this.#pictures) images.push(await this.#store.addImage(png));
    await this.#store.add(`xl/drawings/${name}`, drawingXml(this.#pictures), 'drawing');
    await this.#store.add(`xl/drawings/_rels/${name}.rels`, drawingRelations(images).xml());
  }
}
