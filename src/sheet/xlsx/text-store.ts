/**
 * Many short texts, kept as a few long ones. A text that is handed out is cut out of a long one, which costs next to nothing
 * and keeps that one alive: they all live as long as the workbook is read.
 */
import { mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { unreadable } from '../unreadable.ts';
import { unescapeText } from './cell-text.ts';

/** A text never crosses the border of a block; the longest takes half of one. */
const BLOCK_CHARACTERS = 65_536;

const FIRST_TEXTS = 1024;

export class TextStore {
  readonly #limits: Pick<SheetLimits, 'sharedStringBytes' | 'sharedStrings'>;
  readonly #blocks: string[] = [];
  /** Texts of the block that is still open, and their characters. */
  #open: string[] = [];
  #used = 0;
  /** In UTF-8, a block that was begun counting as a full one. The engine takes up to twice that where letters are not Latin. */
  #bytes = 0;
  /** Place of each text among the characters of all blocks. */
  #starts = new Uint32Array(FIRST_TEXTS);
  #lengths = new Uint32Array(FIRST_TEXTS);
  count = 0;

  constructor(limits: Pick<SheetLimits, 'sharedStringBytes' | 'sharedStrings'>) {
    this.#limits = limits;
  }

  add(text: string): void {
    const { length } = text;
    if (this.#used + length > BLOCK_CHARACTERS) this.end();
    if (this.count >= this.#limits.sharedStrings) throw tooMany(`${this.#limits.sharedStrings} texts`);
    if (this.count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#lengths = grown(this.#lengths);
    }
    this.#starts[this.count] = this.#blocks.length * BLOCK_CHARACTERS + this.#used;
    this.#lengths[this.count] = length;
    if (length > 0) this.#open.push(text);
    this.#used += length;
    this.count += 1;
  }

  /** Ends the open block; to be called once no text follows. */
  end(): void {
    const block = this.#open.join('');
    this.#bytes += Math.max(Buffer.byteLength(block), BLOCK_CHARACTERS);
    const { sharedStringBytes } = this.#limits;
    if (this.#bytes > sharedStringBytes) throw tooMany(mebibytes(sharedStringBytes));
    this.#blocks.push(block);
    this.#open = [];
    this.#used = 0;
  }

  /** The text with this index, `undefined` when there is none. */
  get(index: number): string | undefined {
    const start = this.#starts[index];
    const length = this.#lengths[index];
    if (index >= this.count || start === undefined || length === undefined) return undefined;
    const from = start % BLOCK_CHARACTERS;
    const text = this.#blocks[Math.floor(start / BLOCK_CHARACTERS)]?.slice(from, from + length);
    // Unescaped only here: what an escape stands for may be longer in memory than it is written.
    return text === undefined ? undefined : unescapeText(text);
  }
}

function grown(from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

const tooMany = (limit: string) =>
  unreadable(`The texts of the workbook are more than ${limit}.`, 'Remove other worksheets, or split the sheet.');
