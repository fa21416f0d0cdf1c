/**
 * The holder's name in what a service says of an account: "254712345678 - JANE WANJIKU", the name alone, or either with a
 * part hidden. Spec: "Account validation status record" (`transactionCreditParty`: details of the validated account).
 */

/** What services write when they have no name to tell. */
const nothing = new Set(['null', 'nil', 'none', 'na', 'unknown', 'undefined', 'not available', 'not found', 'no name']);

/** Longest name that is kept, in characters; a longer text is no name. */
const NAME_CHARACTERS_MAX = 120;

/** An account number at the beginning or the end, with or without a space before the hyphen. */
const LEADING_ACCOUNT = /^[+\d*#•\s]{5,}\s*[-–—:|,/]\s*/u;
const TRAILING_ACCOUNT = /\s*[-–—:|,/]\s*[+\d*#•\s]{5,}$/u;

/** A word with more digits is an account, whatever letters are around them. */
const NAME_DIGITS_MAX = 3;

/** The name in the text, or undefined when it tells none. `account` is what was asked for. */
export function holderNameOf(text: string | null | undefined, account: string): string | undefined {
  const plain = (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const bare = plain.replace(LEADING_ACCOUNT, '').replace(TRAILING_ACCOUNT, '');
  const words = bare.split(' ').filter((word) => word !== account && !isNumber(word) && /[\p{L}\p{N}*•#]/u.test(word));
  // A separator that stood between account and name is no word; what it stood beside may still carry it.
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
