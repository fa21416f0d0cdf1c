/**
 * The cells of a plain row, cut out of its text. That the row fits its pattern is known, so one look at each sign is enough; and no
 * object is made for a cell, because there are millions.
 */

const QUOTE = 34;
const SLASH = 47;
const ZERO = 48;
const GREATER = 62;
const LETTER_A = 65;
const LETTER_S = 115;
const LETTER_T = 116;
const LETTER_V = 118;

/** Characters of `<c r="`, ` s="`, `<v>`, `<is><t`, `</v></c>` and `</t></is></c>`. */
const CELL_START = 6;
const NEXT_ATTRIBUTE = 4;
const VALUE_START = 3;
const INLINE_START = 6;
const VALUE_END = 8;
const INLINE_END = 13;

/** Digits of the number of a shared text; there are fewer than a billion. */
const INDEX_DIGITS = 9;

/** One cell after the other, as it is stored. It shows one at a time. */
export class PlainCells {
  #text = '';
  #at = 0;
  #valueFrom = 0;
  #valueTo = 0;
  /** Counted from 1, as its letters say. */
  column = 0;
  /** As its digits say. */
  row = 0;
  address = '';
  style = 0;
  /** How it is stored; a number where it does not say. */
  stored = 'n';
  /** Whether it has a value, be it an empty one. */
  hasValue = false;

  /** Goes to the first cell of a row that fits the pattern of a plain one and begins somewhere behind a place. */
  open(text: string, from: number): void {
    this.#text = text;
    this.#at = text.indexOf('>', from) + 1;
  }

  /** Goes on to the next cell; false where the row has ended. */
  next(): boolean {
    const text = this.#text;
    // `<c` or `</row>`.
    if (text.charCodeAt(this.#at + 1) === SLASH) return false;
    let at = this.#readAddress(this.#at + CELL_START);
    this.style = 0;
    this.stored = 'n';
    if (text.charCodeAt(at + 1) === LETTER_S) at = this.#readStyle(at + NEXT_ATTRIBUTE);
    if (text.charCodeAt(at + 1) === LETTER_T) {
      const from = at + NEXT_ATTRIBUTE;
      at = text.indexOf('"', from);
      this.stored = text.slice(from, at);
      at += 1;
    }
    this.hasValue = text.charCodeAt(at) === GREATER;
    this.#at = this.hasValue ? this.#findValue(at + 1) : at + 2;
    return true;
  }

  /** The text of its value. */
  value(): string {
    return this.#text.slice(this.#valueFrom, this.#valueTo);
  }

  /** Its value as the number of a shared text; undefined where it is not a few digits alone. */
  index(): number | undefined {
    const length = this.#valueTo - this.#valueFrom;
    if (length === 0 || length > INDEX_DIGITS) return undefined;
    let index = 0;
    for (let at = this.#valueFrom; at < this.#valueTo; at += 1) {
      const digit = this.#text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return undefined;
      index = index * 10 + digit;
    }
    return index;
  }

  #readAddress(from: number): number {
    const text = this.#text;
    let at = from;
    let column = 0;
    let row = 0;
    let code = text.charCodeAt(at);
    for (; code >= LETTER_A; code = text.charCodeAt(at)) {
      column = column * 26 + (code - LETTER_A + 1);
      at += 1;
    }
    for (; code !== QUOTE; code = text.charCodeAt(at)) {
      row = row * 10 + (code - ZERO);
      at += 1;
    }
    this.column = column;
    this.row = row;
    this.address = text.slice(from, at);
    return at + 1;
  }

  #readStyle(from: number): number {
    const text = this.#text;
    let at = from;
    let style = 0;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      style = style * 10 + (code - ZERO);
      at += 1;
    }
    this.style = style;
    return at + 1;
  }

  /** Finds the value that begins here, and gives the place behind its cell. */
  #findValue(at: number): number {
    const text = this.#text;
    const isPlain = text.charCodeAt(at + 1) === LETTER_V;
    this.#valueFrom = isPlain ? at + VALUE_START : text.indexOf('>', at + INLINE_START) + 1;
    this.#valueTo = text.indexOf('<', this.#valueFrom);
    return this.#valueTo + (isPlain ? VALUE_END : INLINE_END);
  }
}
