/**
 * Reads the workbook part: which worksheets the workbook has, and which parts are needed to read them. `choose-worksheet.ts`
 * decides which worksheet holds the payments.
 */
import type { SheetLimits } from '../sheet-limits.ts';
import { damaged, saveAgain, unreadable } from '../unreadable.ts';
import type { Package } from './package.ts';
import { type Relationship, relationshipsOf } from './relationships.ts';
import { isRelationship, type RelationshipKind, spreadsheetNamespaces } from './vocabulary.ts';
import { localName, readXml } from './xml.ts';

export interface WorkbookSheet {
  readonly name: string;
  readonly isVisible: boolean;
  /** Name of the worksheet's part; `undefined` for a sheet that is only a chart or is in another file. */
  readonly part: string | undefined;
}

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
  /** Whether the dates of the workbook count from 1904. */
  readonly from1904: boolean;
}

export async function readWorkbook(pack: Package, limits: SheetLimits): Promise<Workbook> {
  const part = partOf(await relationshipsOf(pack, '', limits), 'officeDocument');
  if (part === undefined) throw unreadable('The file is a packed archive, not a workbook.', saveAgain);
  const relationships = await relationshipsOf(pack, part, limits);
  const sheets: WorkbookSheet[] = [];
  let from1904 = false;
  await readXml(
    pack.read(part),
    { part, namespaces: spreadsheetNamespaces, root: 'workbook', limits },
    {
      open(name, attributes) {
        if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet') return;
        // `r:id`, with any prefix: no other attribute of a sheet has a prefix and this local name.
        const key = Object.keys(attributes).find((found) => found.includes(':') && localName(found) === 'id');
        const target = relationships.find(({ id }) => key !== undefined && id === attributes[key]);
        if (target === undefined) throw damaged(`The worksheet "${attributes['name']}" is missing.`);
        sheets.push({
          name: attributes['name'] ?? '',
          isVisible: (attributes['state'] ?? 'visible') === 'visible',
          part: isRelationship(target.type, 'worksheet') ? target.part : undefined,
        });
      },
    },
  );
  if (sheets.length === 0) throw damaged('It has no worksheet.');
  return {
    sheets,
    sharedStrings: partOf(relationships, 'sharedStrings'),
    styles: partOf(relationships, 'styles'),
    from1904,
  };
}

const partOf = (relationships: readonly Relationship[], kind: RelationshipKind): string | undefined =>
  relationships.find(({ type }) => isRelationship(type, kind))?.part;
