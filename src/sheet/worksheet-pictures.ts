/** Reads the pictures on a worksheet of a results workbook, with their alternative texts. */
import { openSheetFile } from './sheet-file.ts';
import { resultsLimits, type SheetLimits } from './sheet-limits.ts';
import { damaged } from './unreadable.ts';
import { openPackage, type Package } from './xlsx/package.ts';
import { type Relationship, relationshipsOf } from './xlsx/relationships.ts';
import { drawingNamespaces, isRelationship } from './xlsx/vocabulary.ts';
import { readWorkbook } from './xlsx/workbook.ts';
import { localName, readXml } from './xlsx/xml.ts';

export interface FoundPicture {
  readonly name: string;
  readonly description: string;
  /** Bytes of the image file; absent for a drawing that is not a picture, such as a shape or a chart. */
  readonly image?: Buffer;
}

/** Most bytes of an image. paybatch's own pictures have about 40 KB. */
const IMAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Most drawings on a worksheet; a worksheet with more counts as damaged. */
const DRAWINGS_MAX = 100;

/**
 * Returns the pictures from the first drawn to the last; empty if the worksheet does not exist or has none. Fault
 * `sheet-unreadable` if the file is not a workbook, or is damaged.
 */
export async function worksheetPictures(path: string, worksheet: string): Promise<readonly FoundPicture[]> {
  const limits = resultsLimits;
  const file = await openSheetFile(path, limits);
  try {
    const pack = await openPackage(file, limits);
    const { sheets } = await readWorkbook(pack, limits);
    const part = sheets.find(({ name }) => name === worksheet)?.part;
    const drawing = part && (await relationshipsOf(pack, part, limits)).find(isDrawing)?.part;
    if (drawing === undefined) return [];
    const images = await relationshipsOf(pack, drawing, limits);
    const found: FoundPicture[] = [];
    for (const { name, description, embedded } of await drawnIn(drawing, pack, limits)) {
      const target = images.find(({ id, type }) => id === embedded && isRelationship(type, 'image'))?.part;
      const image = target === undefined ? undefined : await bytesOf(target, pack);
      found.push({ name, description, ...(image && { image }) });
    }
    return found;
  } finally {
    await file.close();
  }
}

const isDrawing = ({ type }: Relationship): boolean => isRelationship(type, 'drawing');

interface Drawn {
  name: string;
  description: string;
  embedded: string;
}

/** Returns what each anchor of a drawing holds. Source: ECMA-376 part 1, 20.5. */
async function drawnIn(part: string, pack: Package, limits: SheetLimits): Promise<readonly Drawn[]> {
  const drawn: Drawn[] = [];
  await readXml(
    pack.read(part),
    { part, namespaces: drawingNamespaces, root: 'wsDr', limits },
    {
      open(name, attributes) {
        if (name.endsWith('Anchor')) {
          if (drawn.length === DRAWINGS_MAX) throw damaged(`${part} holds more than ${DRAWINGS_MAX} drawings.`);
          drawn.push({ name: '', description: '', embedded: '' });
        }
        const last = drawn.at(-1);
        if (!last) return;
        if (name === 'cNvPr') [last.name, last.description] = [attributes['name'] ?? '', attributes['descr'] ?? ''];
        const embed = Object.keys(attributes).find((key) => key.includes(':') && localName(key) === 'embed');
        if (name === 'blip' && embed !== undefined) last.embedded = attributes[embed] ?? '';
      },
    },
  );
  return drawn;
}

async function bytesOf(part: string, pack: Package): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of pack.read(part)) {
    bytes += chunk.length;
    if (bytes > IMAGE_BYTES_MAX) throw damaged(`${part} is larger than any picture of a worksheet.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
