/**
 * Finds the holder's name in what a service says about an account: "254712345678 - JANE WANJIKU", the name by itself, or
 * either with a part hidden. Spec: "Account validation status record" (`transactionCreditParty`: details of the validated
 * account).
 */

/** What services write when they have no name. */
const nothing = new Set(['null', 'nil', 'none', 'na', 'unknown', 'undefined', 'not available', 'not found', 'no name']);

/** Longest name that is kept, in characters. The rest is cut off. */
const NAME_CHARACTERS_MAX = 120;

/** An account number at the beginning or the end, with or without spaces around the separator. */
const LEADING_ACCOUNT = /^[+\d*#•\s]{5,}\s*[-–—:|,/]\s*/u;
const TRAILING_ACCOUNT = /\s*[-–—:|,/]\s*[+\d*#•\s]{5,}$/u;

/** Most digits of a word in a name. A word with more is an account, regardless of the letters around them. */
const NAME_DIGITS_MAX = 3;

/** Returns the name in the text, or `undefined` if there is none. `account`: the account that was asked about. */
export function holderNameOf(text: string | null | undefined, account: string): string | undefined {
  const plain = (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const bare = plain.replace(LEADING_ACCOUNT, '').replace(TRAILING_ACCOUNT, '');
  const words = bare.split(' ').filter((word) => word !== account && !isNumber(word) && /[\p{L}\p{N}*•#]/u.test(word));
  // A separator between account and name is not a word, but may still be attached to its neighbour.
  const name = words.join(' ').replace(/^[-–—:|,/\s]+|[-–—:|,/\s]+$/gu, '');
  const folded = name
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, '')
    .trim();
  if (folded === '' || nothing.has(folded)) return undefined;
  return name.slice(0, NAME_CHARACTERS_MAX).trim();
}

const isNumber = (word: string): boolean =>
  (word.match(/\d/g) ?? []).length > NAME_DIGITS_MAX ||
  (/\d/.test(word) && /[*•#]/u.test(word) && !/\p{L}/u.test(word));
