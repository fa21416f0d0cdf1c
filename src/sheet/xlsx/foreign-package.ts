/** Packages that are no `.xlsx`: told apart by the parts they hold, each with what to do. */
import type { SheetLimits } from '../sheet-limits.ts';
import { saveAgain, unreadable } from '../unreadable.ts';
import type { Package } from './package.ts';
import { contentTypeNamespaces } from './vocabulary.ts';
import { xmlReader } from './xml.ts';

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

/** Throws the fault of a package that is not a workbook without macros. */
export async function refuseForeignPackage(pack: Package, limits: SheetLimits): Promise<void> {
  for (const { part, says, fix } of byPart) {
    if (pack.parts.some((name) => part.test(name))) throw unreadable(says, fix);
  }
  if (!pack.has(contentTypes)) throw unreadable('The file is a packed archive, not a workbook.', saveAgain);

  const xml = xmlReader(
    { part: contentTypes, namespaces: contentTypeNamespaces, root: 'Types', limits },
    {
      open(_, { ContentType: type = '' }) {
        if (/sheet\.binary/i.test(type)) throw unreadable(binary.says, binary.fix);
        if (/macroEnabled/i.test(type)) throw unreadable(macros.says, macros.fix);
      },
      close: ignore,
      text: ignore,
    },
  );
  for await (const chunk of pack.read(contentTypes)) xml.write(chunk);
  xml.end();
}

const ignore = (): void => undefined;
