/**
 * Whether two names are those of the same person or business. A pure rule, strict where money would go astray and lenient
 * where people write the same name in two ways:
 *
 * 1. Case, accents, apostrophes, punctuation, titles, small words (wa, bin, arap, Ltd) and the order of words say nothing.
 *    Words that one side writes apart and the other together are the same (Abdul Rahman, Abdulrahman).
 * 2. Every word of one name is paired with at most one word of the other. A pair is *same*; *near*: a slip of the pen, as
 *    `slipsBetween` counts them; *initial*: J for Jane; or *masked*: what shows of a hidden word agrees.
 * 3. **match**: no word contradicts, and at least two words are the same, or all that there are. So a middle name that one
 *    side leaves out or shortens to its initial is a match.
 * 4. **close-match**: no word contradicts, but what agrees is less: slips (at most two in all), initials, hidden words, or one
 *    name alone. Also a name of which one word is another (after a marriage), when the first word and one more are the same.
 * 5. **no-match**: anything else. Words left over on *both* sides contradict each other.
 */

export type NameVerdict = 'match' | 'close-match' | 'no-match';

/** More slips than these are another name. */
const SLIPS_MAX = 2;

/** Shorter words have no slips: Ali and Ari are two names. Words of the second length may have two. */
const ONE_SLIP_LETTERS = 4;
const TWO_SLIPS_LETTERS = 8;

interface Pairs {
  /** Pairs of the same word. */
  readonly same: number;
  /** Pairs with slips, and the slips in all of them. */
  readonly near: number;
  readonly slips: number;
  readonly initials: number;
  readonly masked: number;
  /** Words without a partner. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/** Compares the name of a sheet with the holder's name as the service tells it. */
export function matchNames(sheetName: string, holderName: string): NameVerdict {
  const [one, other] = joined(nameWords(sheetName), nameWords(holderName));
  const [left, right] = [tellingWords(one), tellingWords(other)];
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

/** One word of each name is another, and the rest is the same, the first word of the sheet among it. */
const renamed = ({ same, near, initials, masked, left, right }: Pairs, [first = '']: readonly string[]): boolean =>
  same >= 2 && near + initials + masked === 0 && left.length === 1 && right.length === 1 && !left.includes(first);

/** Words that one side writes together, together on both sides. */
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
  // The word that shows most is paired first: it has the fewest partners.
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

/** Whether what shows of a hidden word stands in the other one, in its places. */
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
 * Slips of the pen between two words: letters missing, added, changed or swapped with their neighbour. Undefined when they
 * are two words: more slips than their length allows, a digit, or another first letter (Otieno is a man, Atieno a woman), but
 * for C and K, which sound the same.
 */
export function slipsBetween(one: string, other: string): number | undefined {
  const longer = Math.max(one.length, other.length);
  const allowed = longer >= TWO_SLIPS_LETTERS ? 2 : longer >= ONE_SLIP_LETTERS ? 1 : 0;
  if (allowed === 0 || Math.min(one.length, other.length) < 2 || Math.abs(one.length - other.length) > allowed)
    return undefined;
  if (/[\d*]/.test(one + other) || soundOf(one) !== soundOf(other)) return undefined;
  const slips = editDistance(one, other);
  return slips > 0 && slips <= allowed ? slips : undefined;
}

const soundOf = (word: string): string => (word.startsWith('c') ? 'k' : (word[0] ?? ''));

/** Optimal string alignment distance. The words are short, so all of the table is computed. */
function editDistance(one: string, other: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + changed,
          row > 1 && column > 1 && isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return above[other.length] ?? 0;
}

/** Letters that no decomposition takes apart. */
const ligatures: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };

/** Apostrophes belong to their word: Ng'ang'a, O'Brien. Okina and modifier letters are typed for them. */
const APOSTROPHE = /['’‘`´ʼʻʹ]/g;

/** Characters that a service puts in the place of those it hides. */
const MASK = '*•●·#…';
const ONE_MASK = '*';
const MASKS = new RegExp(`[${MASK}]|\\.{3,}`, 'gu');
/** JXXX: an x is a letter, three of them in a row are a mask. */
const X_MASK = /x{3,}/g;

const WORD = /[\p{L}\p{N}*]+/gu;

/** Said before a name, and no part of it: English, Swahili, French, and what pay sheets add. */
const titles = new Set(
  'mr mrs ms miss mx dr prof eng hon rev pst bw bi bwana bibi mzee sheikh alhaji mme mlle'.split(' '),
);

/** Small words that one source writes and the other leaves out; they tell no two people apart. */
const particles = new Set(
  'wa arap ole bin binti bint ibn al el ap van de da la and ltd limited co company plc llc inc'.split(' '),
);

/** Numbers longer than this are phones, accounts or staff numbers, never part of a name. */
const NUMBER_DIGITS_MAX = 4;

/** Words beyond these are not compared: no name has more, and the work must stay small whatever a service answers. */
const WORDS_MAX = 12;
const CHARACTERS_MAX = 300;

/** The words of a name in their order, lower case; hidden characters stand as `*`. */
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

/** The words that tell people apart; all of them, when none does. */
function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !particles.has(word));
  return telling.length > 0 ? telling : words;
}

const saysSomething = (word: string): boolean =>
  word !== ONE_MASK && !(/^[\d*]+$/.test(word) && word.length > NUMBER_DIGITS_MAX);

const isMasked = (word: string): boolean => word.includes(ONE_MASK);

/** What shows of a masked word, in order; the first part begins the word, the last one ends it. */
const shownParts = (word: string): readonly string[] => word.split(ONE_MASK);
