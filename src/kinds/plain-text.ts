/**
 * What most cells hold: signs that everybody sees, with single spaces between words. No rule about characters changes or
 * refuses such a text, so it is known by one look at each character, and the rules are kept for the others.
 */

/** ASCII alone: no Unicode form changes it. */
export const isPlainAscii = (text: string): boolean => isPlain(text, false);

/** ASCII, and the Latin letters with marks that stand for themselves in NFC. */
export const isPlainLatin = (text: string): boolean => isPlain(text, true);

const SPACE = 0x20;
const DELETE = 0x7f;
const FIRST_LETTER = 0xc0;
const LAST_LETTER = 0x24f;

/** Whether a character is seen, and moves, hides or changes nothing around it. */
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

/** A word of a cell as it is compared: small letters and digits alone, without accents, so that `Espèces` is `especes`. */
export const foldedWord = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
