/** A name as the words that are compared: without case, accents, titles, and what people write around names. */

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
export function nameWords(name: string): readonly string[] {
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
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !particles.has(word));
  return telling.length > 0 ? telling : words;
}

const saysSomething = (word: string): boolean =>
  word !== ONE_MASK && !(/^[\d*]+$/.test(word) && word.length > NUMBER_DIGITS_MAX);

export const isMasked = (word: string): boolean => word.includes(ONE_MASK);

/** What shows of a masked word, in order; the first part begins the word, the last one ends it. */
export const shownParts = (word: string): readonly string[] => word.split(ONE_MASK);
