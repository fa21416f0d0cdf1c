/**
 * Which texts of a column stand there twice. Each text leaves a number of 52 bits; equal texts have equal
 * numbers. Different ones may have the same number as well: then somebody looks for nothing, and misses nothing.
 */
import { comparedName } from '../domain/staging.ts';
import type { Numbers } from './sorted-numbers.ts';

/** The numbers that are in a list more than once. */
export function repeatedIn(numbers: Numbers): ReadonlySet<number> {
  const repeated = new Set<number>();
  let before: number | undefined;
  for (const block of numbers.sorted()) {
    for (const number of block) {
      if (number === before) repeated.add(number);
      before = number;
    }
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
