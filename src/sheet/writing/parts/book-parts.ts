/**
 * The parts of a workbook: worksheets as they are filled, then what names and describes them. Source: ECMA-376 part 1, sections
 * 12.3 (SpreadsheetML) and 15.2 (properties), and part 2 (packages).
 */
import type { Sink } from '../../../files/whole-file.ts';
import { ZipWriter } from '../../../files/zip-writer.ts';
import { type BookProperties, officePropertiesXml, packagePropertiesXml } from './properties.ts';
import { Relations } from './relations.ts';
import { StyleSheet } from './style-sheet.ts';
import type { WorksheetPage } from './worksheet-page.ts';
import { WorksheetPart } from './worksheet-part.ts';
import { namespaces, XML_HEAD, xmlAttribute, xmlText } from './xml.ts';

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const PACKAGE = 'application/vnd.openxmlformats-package';

/** Parts whose extension does not say what they are. */
const contentTypes = {
  workbook: `${SPREADSHEET}.sheet.main+xml`,
  worksheet: `${SPREADSHEET}.worksheet+xml`,
  styles: `${SPREADSHEET}.styles+xml`,
  notes: `${SPREADSHEET}.comments+xml`,
  drawing: 'application/vnd.openxmlformats-officedocument.drawing+xml',
  packageProperties: `${PACKAGE}.core-properties+xml`,
  officeProperties: 'application/vnd.openxmlformats-officedocument.extended-properties+xml',
} as const;

/** What the others are, by extension. */
const extensions = {
  rels: `${PACKAGE}.relationships+xml`,
  xml: 'application/xml',
  vml: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  png: 'image/png',
} as const;

/** Level of zlib. Its usual one, 6, takes half as long again to pack a worksheet, and makes it a tenth smaller. */
const PACKING = 3;

/** A workbook under way. */
export class BookParts {
  readonly styles = new StyleSheet();
  readonly #zip: ZipWriter;
  readonly #pages: WorksheetPage[] = [];
  readonly #types: string[] = [];
  /** Names of ranges, and what of a worksheet is printed. */
  readonly #names: string[] = [];
  #images = 0;

  constructor(sink: Sink) {
    this.#zip = new ZipWriter(sink, { level: PACKING });
  }

  /** Begins a worksheet. The one before has to be closed. */
  async worksheet(page: WorksheetPage): Promise<WorksheetPart> {
    this.#pages.push(page);
    const number = this.#pages.length;
    const name = `xl/worksheets/sheet${number}.xml`;
    this.#declare(name, 'worksheet');
    if (page.titleRow !== undefined) this.printName('Print_Titles', `$${page.titleRow}:$${page.titleRow}`);
    return new WorksheetPart(this, page, number, await this.#zip.begin(name));
  }

  /** Gives a range of a worksheet a name that formulas and rules can use. */
  name(name: string, place: string): void {
    this.#names.push(`<definedName name="${name}">${xmlText(place)}</definedName>`);
  }

  /** Says what of the latest worksheet is printed: a range, or rows that every page begins with. */
  printName(name: 'Print_Area' | 'Print_Titles', range: string): void {
    const index = this.#pages.length - 1;
    const quoted = (this.#pages[index]?.name ?? '').replaceAll("'", "''");
    this.#names.push(
      `<definedName name="_xlnm.${name}" localSheetId="${index}">${xmlText(`'${quoted}'!${range}`)}</definedName>`,
    );
  }

  /** Writes a part wholly. */
  async add(name: string, content: string | Uint8Array, type?: keyof typeof contentTypes): Promise<void> {
    if (type !== undefined) this.#declare(name, type);
    await this.#zip.add(name, [typeof content === 'string' ? Buffer.from(content) : content]);
  }

  /** Adds a PNG file, and gives its name. */
  async addImage(png: Uint8Array): Promise<string> {
    const name = `image${this.#images++}.png`;
    await this.add(`xl/media/${name}`, png);
    return name;
  }

  /** Writes what names and describes the worksheets, and ends the file. */
  async close(properties: BookProperties): Promise<void> {
    const [whole, book] = [new Relations(), new Relations()];
    whole.add(`${namespaces.relations}/officeDocument`, 'xl/workbook.xml');
    whole.add(`${namespaces.packageRelations}/metadata/core-properties`, 'docProps/core.xml');
    whole.add(`${namespaces.relations}/extended-properties`, 'docProps/app.xml');
    const ids = this.#pages.map((_, index) =>
      book.add(`${namespaces.relations}/worksheet`, `worksheets/sheet${index + 1}.xml`),
    );
    book.add(`${namespaces.relations}/styles`, 'styles.xml');
    await this.add('xl/workbook.xml', this.#workbookXml(ids), 'workbook');
    await this.add('xl/_rels/workbook.xml.rels', book.xml());
    await this.add('xl/styles.xml', this.styles.xml(), 'styles');
    await this.add('docProps/core.xml', packagePropertiesXml(properties), 'packageProperties');
    await this.add('docProps/app.xml', officePropertiesXml(this.#pages.map(({ name }) => name)), 'officeProperties');
    await this.add('_rels/.rels', whole.xml());
    await this.add('[Content_Types].xml', this.#contentTypesXml());
    await this.#zip.end();
  }

  /** Gives up. */
  stop(): void {
    this.#zip.stop();
  }

  #declare(name: string, type: keyof typeof contentTypes): void {
    this.#types.push(`<Override PartName="/${name}" ContentType="${contentTypes[type]}"/>`);
  }

  #workbookXml(ids: readonly string[]): string {
    const sheets = this.#pages.map(
      ({ name, hidden }, index) =>
        `<sheet name="${xmlAttribute(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="${ids[index]}"/>`,
    );
    const names = this.#names.length === 0 ? '' : `<definedNames>${this.#names.join('')}</definedNames>`;
    // Programs calculate formulas anew on opening, unless they know the name of who wrote the results beside them.
    return `${XML_HEAD}<workbook xmlns="${namespaces.main}" xmlns:r="${namespaces.relations}"><fileVersion appName="xl" lastEdited="5" lowestEdited="5" rupBuild="9303"/><workbookPr filterPrivacy="1"/><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets>${names}<calcPr calcId="171027"/></workbook>`;
  }

  #contentTypesXml(): string {
    const known = Object.entries(extensions).map(
      ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
    );
    return `${XML_HEAD}<Types xmlns="${namespaces.packageTypes}">${known.join('')}${this.#types.join('')}</Types>`;
  }
}

/** Makes a workbook through `make`. Whatever goes wrong, nothing of it is left to be packed. */
export async function withBookParts(sink: Sink, make: (parts: BookParts) => Promise<void>): Promise<void> {
  const parts = new BookParts(sink);
  try {
    await make(parts);
  } finally {
    parts.stop();
  }
}
