/**
 * Decides whether two names are those of the same person or business. The rule is pure: strict where money would go astray,
 * and lenient where people write the same name in two ways.
 *
 * 1. Case, accents, apostrophes, punctuation, titles, small words (wa, bin, arap, Ltd) and the order of words do not count.
 *    Words that one side writes apart and the other together are the same (Abdul Rahman, Abdulrahman).
 * 2. Every word of one name is paired with at most one word of the other. A pair is *same*; *near*: a slip of the pen, as
 *    `slipsBetween` counts them; *initial*: J for Jane; or *masked*: the visible part of a hidden word agrees.
 * 3. **match**: no word contradicts, and at least two words are the same, or all words are. So a middle name that one side
 *    leaves out or shortens to its initial is a match.
 * 4. **close-match**: no word contradicts, but less agrees: slips (at most two in all), initials, hidden words, or only one
 *    name. Also a name in which one word differs (after a marriage), if the first word and one more are the same.
 * 5. **no-match**: anything else. Words left over on *both* sides contradict each other.
 */
import { editsBetween } from './likeness.ts';

export type NameVerdict = 'match' | 'close-match' | 'no-match';

/** Most slips between two names. More make another name. */
const SLIPS_MAX = 2;

/** Shorter words have no slips, because Ali and Ari are two names. Words of the second length may have two slips. */
const ONE_SLIP_LETTERS = 4;
const TWO_SLIPS_LETTERS = 8;

interface Pairs {
  /** Pairs of the same word. */
  readonly same: number;
  /** Pairs with slips, and the number of slips in all of them. */
  readonly near: number;
  readonly slips: number;
  readonly initials: number;
  readonly masked: number;
  /** Words without a partner. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/** Compares the name in a sheet with the holder's name from the service. */
export function matchNames(sheetName: string, holderName: string): NameVerdict {
  const [one, other] = joined(nameWords(sheetName), nameWords(holderName));
  const [left, right] = [distinctiveWords(one), distinctiveWords(other)];
  const pairs = pairWords(left, right);
  if (pairs.left.length > 0 && pairs.right.length > 0) return renamed(pairs, left) ? 'close-match' : 'no-match';
  const isWhole = pairs.left.length === 0 && pairs.right.length === 0;
  const { same, near, slips, initials, masked } = pairs;
  const isPlain = near === 0 && masked === 0;
  if (isPlain && (same >= 2 || (same >= 1 && isWhole && initials === 0))) return 'match';
  if (slips > SLIPS_MAX) return 'no-match';
  const agreeing = same + near + initials + masked;
  return same > 0 || agreeing >= 2 || (isWhole && near + masked > 0) ? 'close-match' : 'no-match';
}

/**
 * Reports whether exactly one word of each name differs and all others are the same, including the first word of the sheet's
 * name.
 */
const renamed = ({ same, near, initials, masked, left, right }: Pairs, [first = '']: readonly string[]): boolean =>
  same >= 2 && near + initials + masked === 0 && left.length === 1 && right.length === 1 && !left.includes(first);

/** Returns both names, with words that one of them writes together written together in both. */
function joined(one: readonly string[], other: readonly string[]): readonly [readonly string[], readonly string[]] {
  const together = one.join('');
  // A name without any space: JANEWANJIKU.
  if (together === other.join('') && together !== '') return [[together], [together]];
  return [joinedLike(one, other), joinedLike(other, one)];
}

function joinedLike(words: readonly string[], model: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const pair = word + (words[at + 1] ?? '');
    const isJoined = pair !== word && model.includes(pair);
    result.push(isJoined ? pair : word);
    if (isJoined) at += 1;
  }
  return result;
}

/** Pairs the words of two names, the surest pairs first. */
function pairWords(sheet: readonly string[], holder: readonly string[]): Pairs {
  // A word with the most visible letters has the fewest partners, so it is paired first.
  const left = sheet.toSorted((a, b) => shownLetters(b) - shownLetters(a));
  const right = holder.toSorted((a, b) => shownLetters(b) - shownLetters(a));
  const take = (fits: (one: string, other: string) => boolean): number => {
    let taken = 0;
    for (const one of [...left]) {
      const at = right.findIndex((other) => fits(one, other));
      if (at < 0) continue;
      right.splice(at, 1);
      left.splice(left.indexOf(one), 1);
      taken += 1;
    }
    return taken;
  };
  const same = take((one, other) => one === other && one.length > 1 && !isMasked(one));
  const oneSlip = take((one, other) => slipsBetween(one, other) === 1);
  const twoSlips = take((one, other) => slipsBetween(one, other) === 2);
  const initials = take(isInitialOf);
  const masked = take(agreesWithMask);
  return { same, near: oneSlip + twoSlips, slips: oneSlip + 2 * twoSlips, initials, masked, left, right };
}

const shownLetters = (word: string): number => shownParts(word).join('').length;

const isInitialOf = (one: string, other: string): boolean =>
  !isMasked(one) && !isMasked(other) && (one.length === 1 || other.length === 1) && one[0] === other[0];

/** Reports whether the visible parts of a masked word are in the other word, in their places. */
function agreesWithMask(one: string, other: string): boolean {
  if (isMasked(one) === isMasked(other)) return one === other;
  const [masked, word] = isMasked(one) ? [one, other] : [other, one];
  const [beginning = '', ...rest] = shownParts(masked);
  const ending = rest.pop() ?? '';
  if (!word.startsWith(beginning) || !word.endsWith(ending)) return false;
  let at = beginning.length;
  for (const part of rest) {
    at = word.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return at <= word.length - ending.length;
}

/**
 * Returns the number of slips of the pen between two words: letters missing, added, changed or swapped with their neighbour.
 * Returns `undefined` for equal words and for different ones: more slips than their length allows, a digit, or another first
 * letter (Otieno is a man, Atieno a woman), except for C and K, which sound the same.
 */
export function slipsBetween(one: string, other: string): number | undefined {
  const longer = Math.max(one.length, other.length);
  const allowed = longer >= TWO_SLIPS_LETTERS ? 2 : longer >= ONE_SLIP_LETTERS ? 1 : 0;
  if (allowed === 0 || Math.min(one.length, other.length) < 2 || Math.abs(one.length - other.length) > allowed)
    return undefined;
  if (/[\d*]/.test(one + other) || soundOf(one) !== soundOf(other)) return undefined;
  const slips = editsBetween(one, other, allowed);
  return slips > 0 && slips <= allowed ? slips : undefined;
}

const soundOf = (word: string): string => (word.startsWith('c') ? 'k' : (word[0] ?? ''));

/** Letters that Unicode decomposition does not take apart. */
const ligatures: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };

/** Apostrophes belong to their word: Ng'ang'a, O'Brien. The okina and modifier letters are typed instead of them. */
const APOSTROPHE = /['’‘`´ʼʻʹ]/g;

/** Characters that a service shows instead of those it hides. */
const MASK = '*•●·#…';
const ONE_MASK = '*';
const MASKS = new RegExp(`[${MASK}]|\\.{3,}`, 'gu');
/** One x is a letter, but three of them in a row are a mask: JXXX. */
const X_MASK = /x{3,}/g;

const WORD = /[\p{L}\p{N}*]+/gu;

/** Titles, which come before a name and are not part of it: English, Swahili, French, and what pay sheets add. */
const titles = new Set(
  'mr mrs ms miss mx dr prof eng hon rev pst bw bi bwana bibi mzee sheikh alhaji mme mlle'.split(' '),
);

/** Small words that one source writes and the other leaves out. They do not distinguish people. */
const particles = new Set(
  'wa arap ole bin binti bint ibn al el ap van de da la and ltd limited co company plc llc inc'.split(' '),
);

/** Most digits of a number in a name. Longer numbers are phones, accounts or staff numbers. */
const NUMBER_DIGITS_MAX = 4;

/** Most words of a name that are compared. No name has more, and the work must stay small, no matter what a service answers. */
const WORDS_MAX = 12;
const CHARACTERS_MAX = 300;

/** Returns the words of a name in order, in lower case, with hidden characters as `*`. */
function nameWords(name: string): readonly string[] {
  const plain = name
    .slice(0, CHARACTERS_MAX)
    .replace(MASKS, ONE_MASK)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđłı]/g, (letter) => ligatures[letter] ?? letter)
    .replace(APOSTROPHE, '')
    .replace(X_MASK, ONE_MASK);
  const words = (plain.match(WORD) ?? []).map((word) => word.replace(/\*+/g, ONE_MASK)).filter(saysSomething);
  while (words.length > 1 && titles.has(words[0] ?? '')) words.shift();
  return words.slice(0, WORDS_MAX);
}

/** Returns the words that distinguish people, or all words if none does. */
function distinctiveWords(words: readonly string[]): readonly string[] {
  const distinctive = words.filter((word) => !particles.has(word));
  return distinctive.length > 0 ? distinctive : words;
}

const saysSomething = (word: string): boolean =>
  word !== ONE_MASK && !(/^[\d*]+$/.test(word) && word.length > NUMBER_DIGITS_MAX);

const isMasked = (word: string): boolean => word.includes(ONE_MASK);

/** Returns the visible parts of a masked word, in order. The first part begins the word, and the last one ends it. */
const shownParts = (word: string): readonly string[] => word.split(ONE_MASK);
