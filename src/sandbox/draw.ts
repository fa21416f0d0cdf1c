/**
 * Repeatable chance: numbers that depend only on a text, so that the same order meets the same fate, no matter what else happens at
 * the same time and in which order requests arrive.
 */
import type { Random } from '../domain/clock.ts';
import { sha256 } from '../domain/ids.ts';

const HEX_DIGITS_PER_DRAW = 8;
const DRAW_RANGE = 2 ** 32;

/** Returns the `index`-th (0 to 7) number in [0, 1) of a digest that `sha256` made. */
export function drawOf(digest: string, index: number): number {
  const from = index * HEX_DIGITS_PER_DRAW;
  return Number.parseInt(digest.slice(from, from + HEX_DIGITS_PER_DRAW), 16) / DRAW_RANGE;
}

/** Returns a GUID that depends only on a text, written as the service writes its own. */
export const guidOf = (text: string): string => guidText(sha256(text));

/** Returns a GUID that cannot be foreseen. */
export const freshGuid = (random: Random): string => guidText(hexText(random, 32));

const guidText = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;

/** Returns `length` random hexadecimal digits. */
export function hexText(random: Random, length: number): string {
  let text = '';
  while (text.length < length)
    text += Math.floor(random() * DRAW_RANGE)
      .toString(16)
      .padStart(HEX_DIGITS_PER_DRAW, '0');
  return text.slice(0, length);
}

const ALPHABET_SIZE = 36n;
/** A prime that shares no factor with any power of 36, so that different numbers never have the same code. */
const STRIDE = 60_466_177_897n;

/** Returns an upper-case alphanumeric code of `length` characters that no other `sequence` (below 36^length) has. */
export function codeOf(sequence: number, length: number): string {
  const scattered = ((BigInt(sequence) + 1n) * STRIDE) % ALPHABET_SIZE ** BigInt(length);
  return scattered.toString(36).toUpperCase().padStart(length, '0');
}
