/** Workbooks as bytes, from hand-written XML: what a test says is exactly what stands in the file. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Kept as it is instead of deflated. */
  readonly isStored?: boolean;
  /** What the headers claim instead of the truth. */
  readonly claims?: {
    readonly size?: number;
    readonly checksum?: number;
    readonly flags?: number;
    readonly localName?: string;
    /** Index of the part whose bytes this one uses as well. */
    readonly sharesBytesOf?: number;
  };
}

/** A zip archive of these parts; `entryCount` replaces the true count in the end record. */
export function zipBytes(parts: readonly ZipPart[], entryCount = parts.length): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, claims = {} } of parts) {
    const bytes = Buffer.from(content);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const shared = {
      flags: claims.flags ?? 0x0800,
      method: isStored ? 0 : 8,
      checksum: claims.checksum ?? crc32(bytes),
      packedSize: packed.length,
      size: claims.size ?? bytes.length,
    };
    const local = Buffer.concat([localHeader(shared, claims.localName ?? name), packed]);
    const at = claims.sharesBytesOf === undefined ? offset : (offsets[claims.sharesBytesOf] ?? 0);
    directory.push(directoryHeader(shared, name, at));
    offsets.push(at);
    if (claims.sharesBytesOf !== undefined) continue;
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entryCount, 0xffff), 8);
  end.writeUInt16LE(Math.min(entryCount, 0xffff), 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

interface PartHeader {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
}

function localHeader(part: PartHeader, name: string): Buffer {
  const text = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeShared(header, 6, part);
  header.writeUInt16LE(text.length, 26);
  return Buffer.concat([header, text]);
}

function directoryHeader(part: PartHeader, name: string, at: number): Buffer {
  const text = Buffer.from(name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  writeShared(header, 8, part);
  header.writeUInt16LE(text.length, 28);
  header.writeUInt32LE(at, 42);
  return Buffer.concat([header, text]);
}

function writeShared(header: Buffer, at: number, part: PartHeader): void {
  header.writeUInt16LE(part.flags, at);
  header.writeUInt16LE(part.method, at + 2);
  header.writeUInt32LE(part.checksum, at + 8);
  header.writeUInt32LE(part.packedSize, at + 12);
  header.writeUInt32LE(part.size, at + 16);
}

interface WorksheetSource {
  readonly name: string;
  /** Inside `<worksheet>`. */
  readonly xml: string;
  readonly state?: 'hidden' | 'veryHidden';
}

export interface WorkbookSource {
  /** One worksheet named Payouts with this inside `<worksheet>`, or several. */
  readonly sheets: string | readonly WorksheetSource[];
  /** `<si>` elements. */
  readonly strings?: string;
  /** Inside `<styleSheet>`. */
  readonly styles?: string;
  /** Whether dates count from 1904. */
  readonly from1904?: boolean;
  readonly more?: readonly ZipPart[];
  /** Replaces parts by name. */
  readonly instead?: Readonly<Record<string, string | Uint8Array>>;
}

export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const worksheetXml = (inside: string): string =>
  `${declaration}<worksheet xmlns="${mainNamespace}" xmlns:r="${office}">${inside}</worksheet>`;

/** A whole `.xlsx`, with the parts that Excel cannot do without. */
export const workbookBytes = (source: WorkbookSource): Buffer => zipBytes(workbookParts(source));

export function workbookParts({
  sheets,
  strings,
  styles,
  from1904 = false,
  more = [],
  instead = {},
}: WorkbookSource): ZipPart[] {
  const list = typeof sheets === 'string' ? [{ name: 'Payouts', xml: sheets }] : sheets;
  const parts = new Map<string, string | Uint8Array>([
    ['[Content_Types].xml', contentTypes],
    ['_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(list, from1904)],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...list.map((_, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
        ...(strings === undefined ? [] : [['rIdStrings', 'sharedStrings', 'sharedStrings.xml'] as const]),
        ...(styles === undefined ? [] : [['rIdStyles', 'styles', 'styles.xml'] as const]),
      ]),
    ],
    ...list.map(({ xml }, index) => [`xl/worksheets/sheet${index + 1}.xml`, worksheetXml(xml)] as const),
  ]);
  if (strings !== undefined) {
    parts.set('xl/sharedStrings.xml', `${declaration}<sst xmlns="${mainNamespace}">${strings}</sst>`);
  }
  if (styles !== undefined) {
    parts.set('xl/styles.xml', `${declaration}<styleSheet xmlns="${mainNamespace}">${styles}</styleSheet>`);
  }
  for (const [name, content] of Object.entries(instead)) parts.set(name, content);
  return [...[...parts].map(([name, content]) => ({ name, content })), ...more];
}

export const relationships = (targets: readonly (readonly [id: string, kind: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="${packaging}/relationships">${targets
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const contentTypes = `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`;

const workbookXml = (sheets: readonly WorksheetSource[], from1904: boolean): string =>
  `${declaration}<workbook xmlns="${mainNamespace}" xmlns:r="${office}">${from1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${sheets
    .map(
      ({ name, state }, index) =>
        `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
    )
    .join('')}</sheets></workbook>`;
