/**
 * Recognises the content of most cells: visible characters with single spaces between words. No rule about characters changes
 * or refuses such a text, so one look at each character is enough, and the rules are only applied to other texts.
 */

/** Reports whether a text is plain ASCII, which no Unicode normalisation changes. */
export const isPlainAscii = (text: string): boolean => isPlain(text, false);

/** Reports whether a text is plain ASCII and Latin letters with marks that NFC keeps as they are. */
export const isPlainLatin = (text: string): boolean => isPlain(text, true);

const SPACE = 0x20;
const DELETE = 0x7f;
const FIRST_LETTER = 0xc0;
const LAST_LETTER = 0x24f;

/** Reports whether a character is visible, and moves, hides or changes nothing around it. */
export const isInk = (code: number): boolean =>
  (code > SPACE && code < DELETE) || (code >= FIRST_LETTER && code <= LAST_LETTER);

function isPlain(text: string, withLetters: boolean): boolean {
  const { length } = text;
  let afterSpace = true;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) {
      if (afterSpace) return false;
      afterSpace = true;
    } else {
      if ((code < SPACE || code >= DELETE) && !(withLetters && isInk(code))) return false;
      afterSpace = false;
    }
  }
  return !afterSpace;
}

/** Returns a word of a cell as it is compared: only lower-case letters and digits, without accents, so that `Espèces` is `especes`. */
export const foldedWord = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the words of a heading in small letters without accents, each between blanks, so that whole words can be found. */
export const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

const OR = '\\s*(?:[/|]|or|ou|au)\\s*';
/** The answers that a heading asks for, at its end: `Hold (Y/N)`, `Approved? Yes/No`, `Suspendu (oui/non)`. */
const ANSWERS = new RegExp(
  `[\\s?:(\\[-](?:y${OR}n|yes${OR}no|no${OR}yes|true${OR}false|o${OR}n|oui${OR}non|ndi[iy]?o${OR}hapana)[)\\]]?\\W*$`,
  'iu',
);
/** Longest heading that is looked at. */
const QUESTION_MAX = 80;

/** Returns a heading without the answers that it asks for. */
export const withoutAnswers = (heading: string): string =>
  heading.length > QUESTION_MAX ? heading : heading.replace(ANSWERS, '');
