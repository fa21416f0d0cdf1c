/** Reads the shared strings of a workbook from its XML. */
import { mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { ownText, unescapeText } from './cell-text.ts';
import { isOn, spreadsheetNamespaces } from './vocabulary.ts';
import { type Attributes, readXml, type XmlHandler } from './xml.ts';

export interface SharedStrings {
  /** Returns the text with this index, or `undefined` if it does not exist. */
  readonly get: (index: number) => string | undefined;
  /** Reports whether a run of the text with this index is struck through. */
  readonly isStruck: (index: number) => boolean;
}

export const noSharedStrings: SharedStrings = { get: () => undefined, isStruck: () => false };

export async function readSharedStrings(
  part: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<SharedStrings> {
  const texts: string[] = [];
  const struck = new Set<number>();
  let bytes = 0;
  const add = (text: string, isStruck: boolean): void => {
    bytes += Buffer.byteLength(text);
    if (texts.length >= limits.sharedStrings) throw tooMany(`${limits.sharedStrings} texts`);
    if (bytes > limits.sharedStringBytes) throw tooMany(mebibytes(limits.sharedStringBytes));
    if (isStruck) struck.add(texts.length);
    texts.push(unescapeText(ownText(text)));
  };
  await readXml(
    chunks,
    { part, namespaces: spreadsheetNamespaces, root: 'sst', limits },
    stringItems(limits.cellCharacters, add),
  );
  return {
    get: (index) => texts[index],
    isStruck: (index) => struck.has(index),
  };
}

const tooMany = (limit: string) =>
  unreadable(`The texts of the workbook are more than ${limit}.`, 'Remove other worksheets, or split the sheet.');

/**
 * Handles `<si>` items: plain text, or the joined runs of a rich text. Phonetic runs are skipped, because they repeat the
 * text in another notation. Stray elements are refused: an item that one program counts and another does not would move every
 * later text to another cell.
 */
function stringItems(cellCharacters: number, add: (text: string, isStruck: boolean) => void): XmlHandler {
  const text = richText(cellCharacters);
  let isItem = false;
  let extensions = 0;
  return {
    open(name, attributes) {
      if (extensions > 0 || name === 'extLst') extensions += 1;
      else if (name === 'si' && !isItem) {
        isItem = true;
        text.start();
      } else if (isItem && name !== 'si') text.open(name, attributes);
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
        add(text.take(), text.isStruck());
      } else text.close(name);
    },
  };
}

const strayIn = (name: string) => damaged(`One of its texts holds the element <${name.slice(0, 20)}>.`);

/** Digits as they are shown above and below the line. */
const raisedDigits = { superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹', subscript: '₀₁₂₃₄₅₆₇₈₉' } as const;

/** Returns the text of a run as it is shown: a raised digit is a note, and no part of the number before it. */
function asShown(text: string, level: string | undefined): string {
  if (level !== 'superscript' && level !== 'subscript') return text;
  return text.replace(/[0-9]/g, (digit) => raisedDigits[level][Number(digit)] ?? digit);
}

/** Collects the `<t>` elements of one item, without those of phonetic runs (`rPh`). Inline strings use it, too. */
export function richText(cellCharacters: number) {
  let collected = '';
  let isText = false;
  let isPhonetic = false;
  /** Whether the parser is inside the properties of a run (`rPr`), which have their own elements and no text. */
  let isLook = false;
  let isStruckRun = false;
  let hasStruck = false;
  /** `vertAlign` of the run. */
  let level: string | undefined;
  return {
    start(): void {
      collected = '';
      isStruckRun = false;
      level = undefined;
      hasStruck = false;
    },
    open(name: string, attributes: Attributes): void {
      if (isText) throw strayIn(name);
      if (isLook) {
        if (name === 'strike') isStruckRun = isOn(attributes['val'] ?? '1');
        if (name === 'vertAlign') level = attributes['val'];
        return;
      }
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
      collected += asShown(piece, level);
      if (piece.trim() !== '') hasStruck ||= isStruckRun;
      if (collected.length > cellCharacters) throw tooLong(cellCharacters);
    },
    close(name: string): void {
      if (name === 'rPh') isPhonetic = false;
      else if (name === 'r') [isStruckRun, level] = [false, undefined];
      else if (name === 'rPr') isLook = false;
      else if (name === 't') isText = false;
    },
    take: (): string => collected,
    /**
     * Reports whether a visible run is struck through: the text then holds both what was struck out and what was written instead.
     */
    isStruck: (): boolean => hasStruck,
  };
}

export const tooLong = (cellCharacters: number) =>
  unreadable(
    `A cell holds more than ${cellCharacters} characters, which is more than a cell can hold.`,
    'Find the long text and shorten it.',
  );
