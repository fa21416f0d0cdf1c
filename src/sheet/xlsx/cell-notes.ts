/**
 * The notes of a worksheet (Excel's "comments"): what people write about a cell, and see when the pointer rests on it. Excel
 * repeats threaded comments there, so that older programs show them.
 */
import type { SheetLimits } from '../sheet-limits.ts';
import type { Package } from './package.ts';
import { relationshipsOf } from './relationships.ts';
import { isRelationship, spreadsheetNamespaces } from './vocabulary.ts';
import { readXml } from './xml.ts';

/** The texts of notes by the addresses of their cells. */
export type CellNotes = ReadonlyMap<string, string>;

/** Most notes that are kept, and most characters of each. A sheet has a few of a sentence or two. */
const NOTES_MAX = 20_000;
const NOTE_CHARACTERS_MAX = 1_000;

/** What Excel writes before the text of a threaded comment, and before any other: the name of whoever wrote it. */
const BEFORE_TEXT = /^\[Threaded comment\][\s\S]*?\n\s*Comment:\s*|^[^\n:]{1,60}:\s*\n\s*/;

/** Returns the notes of a worksheet; none if it has no part for them. */
export async function readNotes(pack: Package, worksheet: string, limits: SheetLimits): Promise<CellNotes> {
  const notes = new Map<string, string>();
  const relationship = (await relationshipsOf(pack, worksheet, limits)).find(({ type }) =>
    isRelationship(type, 'comments'),
  );
  const part = relationship?.part;
  if (part === undefined || !pack.has(part)) return notes;
  let address = '';
  let text = '';
  let isText = false;
  await readXml(
    pack.read(part),
    { part, namespaces: spreadsheetNamespaces, root: 'comments', limits },
    {
      open(name, { ref = '' }) {
        if (name === 'comment') [address, text] = [ref, ''];
        isText = name === 't';
      },
      text(piece) {
        if (isText && text.length < NOTE_CHARACTERS_MAX) text += piece;
      },
      close(name) {
        isText = false;
        if (name === 'comment' && notes.size < NOTES_MAX) notes.set(address, text.replace(BEFORE_TEXT, ''));
      },
    },
  );
  return notes;
}
