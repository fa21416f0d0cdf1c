/**
 * The shared strings of a workbook, kept as UTF-8 in blocks: what they cost is what is counted, and a text handed out is
 * a fresh string that keeps nothing else alive.
 */
import type { SheetLimits } from '../sheet-limits.ts';
import { mebibytes } from '../sheet-limits.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { unescapeText } from './cell-text.ts';
import { plainItemAt } from './plain-xml.ts';
import { spreadsheetNamespaces } from './vocabulary.ts';
import { type XmlHandler, xmlReader } from './xml.ts';

export interface SharedStrings {
  readonly count: number;
  /** The text with this index, `undefined` when there is none. */
  readonly get: (index: number) => string | undefined;
}

export const noSharedStrings: SharedStrings = { count: 0, get: () => undefined };

export async function readSharedStrings(
  part: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<SharedStrings> {
  const store = stringStore(limits);
  const options = { part, namespaces: spreadsheetNamespaces, root: 'sst', limits };
  const xml = xmlReader(options, stringItems(limits, store.add));
  for await (const chunk of chunks) xml.write(chunk);
  xml.end();
  return store;
}

/**
 * Hears `<si>` items: plain text, or the runs of a rich text joined; phonetic runs are another reading of the same. An
 * item that one program counts and another does not would move every text behind it to another cell.
 */
function stringItems({ cellCharacters }: SheetLimits, add: (text: string) => void): XmlHandler {
  const text = richText(cellCharacters);
  let isItem = false;
  let extensions = 0;
  return {
    whole: {
      endTag: '</si>',
      mayBegin: () => !isItem && extensions === 0,
      take(all, at) {
        const plain = plainItemAt(all, at);
        if (!plain) return undefined;
        if (plain.text.length > cellCharacters) throw tooLong(cellCharacters);
        add(plain.text);
        return plain.end;
      },
    },
    open(name) {
      if (extensions > 0 || name === 'extLst') extensions += 1;
      else if (name === 'si' && !isItem) {
        isItem = true;
        text.start();
      } else if (isItem && name !== 'si') text.open(name);
      else if (name !== 'sst') throw strayIn(name);
    },
    foreign(name) {
      if (isItem) text.foreign(name);
      else if (extensions === 0) throw strayIn(name);
    },
    text(piece) {
      if (extensions === 0) text.text(piece);
    },
    close(name) {
      if (extensions > 0) extensions -= 1;
      else if (name === 'si') {
        isItem = false;
        add(text.take());
      } else text.close(name);
    },
  };
}

const strayIn = (name: string) => damaged(`One of its texts holds the element <${name.slice(0, 20)}>.`);

/** Collects the `<t>` elements of one item, leaving out those of phonetic runs (`rPh`). Shared with inline strings. */
export function richText(cellCharacters: number) {
  let collected = '';
  let isText = false;
  let isPhonetic = false;
  /** Inside the look of a run, which has elements of its own and no text. */
  let isLook = false;
  return {
    start(): void {
      collected = '';
    },
    open(name: string): void {
      if (isText) throw strayIn(name);
      if (isLook) return;
      if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
      else if (name === 'rPr') isLook = true;
      else if (name !== 'r' && name !== 'phoneticPr') throw strayIn(name);
    },
    foreign(name: string): void {
      if (isText) throw strayIn(name);
    },
    text(piece: string): void {
      if (!isText) return;
      collected += piece;
      if (collected.length > cellCharacters) throw tooLong(cellCharacters);
    },
    close(name: string): void {
      if (name === 'rPh') isPhonetic = false;
      else if (name === 'rPr') isLook = false;
      else if (name === 't') isText = false;
    },
    take: (): string => collected,
  };
}

export const tooLong = (cellCharacters: number) =>
  unreadable(
    `A cell holds more than ${cellCharacters} characters, which is more than a cell can hold.`,
    'Find the long text and shorten it.',
  );

/** A string never crosses the border of a block; the longest takes a tenth of one. */
const blockBytes = 1024 * 1024;

/** In UTF-8, of a character of a string at most. */
const BYTES_OF_CHARACTER = 3;

function stringStore({ sharedStringBytes, sharedStrings }: SheetLimits) {
  const blocks: Buffer[] = [];
  let used = 0;
  let starts = new Float64Array(1024);
  let lengths = new Uint32Array(1024);
  let count = 0;

  return {
    get count() {
      return count;
    },
    add(text: string): void {
      // Near the end of a block alone a text has to be measured before it is written.
      const isSure = blocks.length > 0 && used + text.length * BYTES_OF_CHARACTER <= blockBytes;
      const wanted = isSure ? 0 : Buffer.byteLength(text);
      if (!isSure && (blocks.length === 0 || used + wanted > blockBytes)) {
        if ((blocks.length + 1) * blockBytes > sharedStringBytes) throw tooManyStrings(mebibytes(sharedStringBytes));
        blocks.push(Buffer.allocUnsafeSlow(Math.max(blockBytes, wanted)));
        used = 0;
      }
      if (count >= sharedStrings) throw tooManyStrings(`${sharedStrings} texts`);
      if (count === starts.length) {
        starts = grown(starts, new Float64Array(count * 2));
        lengths = grown(lengths, new Uint32Array(count * 2));
      }
      const length = blocks.at(-1)?.write(text, used) ?? 0;
      starts[count] = (blocks.length - 1) * blockBytes + used;
      lengths[count] = length;
      used += length;
      count += 1;
    },
    get(index: number): string | undefined {
      const start = starts[index];
      const length = lengths[index];
      if (index >= count || start === undefined || length === undefined) return undefined;
      const from = start % blockBytes;
      const text = blocks[Math.floor(start / blockBytes)]?.toString('utf8', from, from + length);
      // Unescaped only here: an escape can stand for half a character, which UTF-8 could not have kept.
      return text === undefined ? undefined : unescapeText(text);
    },
  };
}

function grown<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

const tooManyStrings = (limit: string) =>
  unreadable(`The texts of the workbook are more than ${limit}.`, 'Remove other worksheets, or split the sheet.');
