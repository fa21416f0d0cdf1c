/**
 * Which texts of a column stand there twice, in eight bytes a row. Each text is a number of 52 bits; equal texts have equal
 * numbers. Different ones may have the same number as well: then somebody looks for nothing, and misses nothing.
 */
import { comparedName } from '../domain/staging.ts';

/** Numbers held in one piece: a list that grows by copying would need its memory twice. */
const PIECE = 16_384;

/** A list of numbers that only grows. */
export class Numbers<A extends Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>> {
  readonly #make: (length: number) => A;
  readonly #pieces: A[] = [];
  #open: A;
  #used = 0;
  #isSorted = false;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#open = make(0);
  }

  add(number: A[number]): void {
    if (this.#used === this.#open.length) {
      this.#open = this.#make(PIECE);
      this.#pieces.push(this.#open);
      this.#used = 0;
    }
    this.#open[this.#used] = number;
    this.#used += 1;
    this.#isSorted = false;
  }

  get length(): number {
    const held = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    return held - this.#open.length + this.#used;
  }

  /** All of them, the smallest first, until one is added: the list itself, because a second one would take as much again. */
  sorted(): A {
    if (this.#isSorted) return this.#open;
    const all = this.#make(this.length);
    let at = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      const isOpen = index === this.#pieces.length - 1;
      const bytes = bytesOf(piece).subarray(0, (isOpen ? this.#used : piece.length) * all.BYTES_PER_ELEMENT);
      bytesOf(all).set(bytes, at);
      at += bytes.length;
      // Freed now: there are four such lists, and the engine would hold all of it to the end.
      piece.buffer.transfer(0);
    }
    all.sort();
    // What is added later begins a piece of its own.
    this.#pieces.splice(0, this.#pieces.length, all);
    this.#open = all;
    this.#used = all.length;
    this.#isSorted = true;
    return all;
  }
}

const bytesOf = ({ buffer }: Float64Array | BigInt64Array): Uint8Array => new Uint8Array(buffer);

/** The numbers that are in a list more than once. */
export function repeatedIn(numbers: Numbers<Float64Array<ArrayBuffer>>): ReadonlySet<number> {
  const sorted = numbers.sorted();
  const repeated = new Set<number>();
  for (let at = 1; at < sorted.length; at++) {
    const number = sorted[at];
    if (number !== undefined && number === sorted[at - 1]) repeated.add(number);
  }
  return repeated;
}

const FIRST_SEED = 0xde_ad_be_ef;
const SECOND_SEED = 0x41_c6_ce_57;
const HIGH = 2 ** 32;
const HIGH_BITS = 20;
/** Two numbers below it have a sum that is exact. */
const MODULUS = 2 ** 52;

/** The number of a text. */
export function numberOfText(text: string): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x9e_37_79_b1);
    second = Math.imul(second ^ code, 0x5f_35_64_95);
  }
  return mixed(first, second);
}

function mixed(first: number, second: number): number {
  const low = Math.imul(first ^ (first >>> 16), 0x85_eb_ca_6b) ^ Math.imul(second ^ (second >>> 13), 0xc2_b2_ae_35);
  const high = Math.imul(second ^ (second >>> 16), 0x85_eb_ca_6b) ^ Math.imul(first ^ (first >>> 13), 0xc2_b2_ae_35);
  return (high >>> (32 - HIGH_BITS)) * HIGH + (low >>> 0);
}

const ASCII_MAX = 0x7f;

/** The number of a name as it is compared: the same for two names of which `comparedName` makes the same text. */
export function numberOfName(name: string): number {
  for (let at = 0; at < name.length; at++)
    if (name.charCodeAt(at) > ASCII_MAX) return numberOfWords(comparedName(name));
  return numberOfWords(name);
}

/** Sums up the words, so that their order does not matter. Of ASCII, whatever is no letter and no digit parts them. */
function numberOfWords(text: string): number {
  let sum = 0;
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  let isWord = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? lowerCase(text.charCodeAt(at)) : 0;
    if (code !== 0) {
      first = Math.imul(first ^ code, 0x9e_37_79_b1);
      second = Math.imul(second ^ code, 0x5f_35_64_95);
      isWord = true;
    } else if (isWord) {
      sum = (sum + mixed(first, second)) % MODULUS;
      first = FIRST_SEED;
      second = SECOND_SEED;
      isWord = false;
    }
  }
  return sum;
}

/** A letter or a digit, in lower case; 0 for what parts words. */
function lowerCase(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code;
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return (code >= 0x30 && code <= 0x39) || code > ASCII_MAX ? code : 0;
}
