/** Recognises packages that are not `.xlsx` by the parts that they hold, and says what to do with each. */
import type { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { saveAgain, unreadable } from '../unreadable.ts';
import type { Package } from './package.ts';
import { relationshipsOf } from './relationships.ts';
import { contentTypeNamespaces, isRelationship } from './vocabulary.ts';
import { readXml } from './xml.ts';

const contentTypes = '[Content_Types].xml';

const macros = {
  says: 'The workbook holds macros (.xlsm).',
  fix: 'Save it as an Excel workbook without macros (.xlsx) and run that file.',
};
const binary = {
  says: 'The workbook is in the binary Excel format (.xlsb).',
  fix: 'Open it in Excel, choose Save as, Excel workbook (.xlsx), and run that file.',
};

const byPart: readonly { readonly part: RegExp; readonly says: string; readonly fix: string }[] = [
  { part: /^xl\/workbook\.bin$/i, ...binary },
  { part: /(?:^|\/)vbaProject\.bin$/i, ...macros },
  { part: /^word\//i, says: 'The file is a Word document, not a sheet.', fix: 'Put the rows into a spreadsheet.' },
  { part: /^ppt\//i, says: 'The file is a presentation, not a sheet.', fix: 'Put the rows into a spreadsheet.' },
  {
    part: /^Index(?:\/Document\.iwa|\.zip)$/,
    says: 'The file is from Apple Numbers.',
    fix: 'In Numbers choose File, Export to, Excel, and run that file.',
  },
  {
    part: /^content\.xml$/,
    says: 'The file is an OpenDocument sheet (.ods).',
    fix: 'Open it in LibreOffice or Excel, choose Save as, Excel workbook (.xlsx), and run that file.',
  },
];

/** Names of sheets that may be inside a zip archive. The remedy is to run the sheet itself. */
const PACKED_SHEET = /\.(?:xlsx|xlsm|xls|csv|tsv|ods)$/i;

/** Throws a Fault `sheet-unreadable` unless the package is a workbook without macros. */
export async function refuseForeignPackage(pack: Package, limits: SheetLimits): Promise<void> {
  for (const { part, says, fix } of byPart) {
    if (pack.parts.some((name) => part.test(name))) throw unreadable(says, fix);
  }
  if (!pack.has(contentTypes)) throw packedArchive(pack);
  const types = await contentTypesOf(pack, limits);
  const main = (await relationshipsOf(pack, '', limits)).find(({ type }) => isRelationship(type, 'officeDocument'));
  // A content type for an ending concerns only parts with that ending, and programs declare endings that no part has.
  const ending = main?.part?.split('.').at(-1)?.toLowerCase();
  for (const { type, ofEnding } of types) {
    if (ofEnding !== undefined && ofEnding !== ending) continue;
    if (/sheet\.binary/i.test(type)) throw unreadable(binary.says, binary.fix);
    if (/macroEnabled/i.test(type)) throw unreadable(macros.says, macros.fix);
  }
}

function packedArchive({ parts }: Package): Fault {
  const sheet = parts.find((part) => PACKED_SHEET.test(part));
  return sheet === undefined
    ? unreadable('The file is a packed archive, not a workbook.', saveAgain)
    : unreadable(
        `The file is a zip archive with the sheet ${shown(sheet)} inside.`,
        'Unpack it, and run the sheet that comes out.',
      );
}

interface ContentType {
  readonly type: string;
  /** Ending of the parts that have this type, in lower case; absent if it is the type of one single part. */
  readonly ofEnding?: string;
}

async function contentTypesOf(pack: Package, limits: SheetLimits): Promise<readonly ContentType[]> {
  const found: ContentType[] = [];
  await readXml(
    pack.read(contentTypes),
    { part: contentTypes, namespaces: contentTypeNamespaces, root: 'Types', limits },
    {
      open(name, { ContentType: type = '', Extension: ending }) {
        const ofEnding = name === 'Default' && ending !== undefined ? { ofEnding: ending.toLowerCase() } : {};
        found.push({ type, ...ofEnding });
      },
    },
  );
  return found;
}
