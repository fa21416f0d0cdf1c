/** Texts about people as a log keeps them: enough to recognise whom one knows already, too little to learn of anybody. */
import { maskedPhone } from './msisdn.ts';

/** Letters and digits that stand together: a word of a name, a part of an account number. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** From here on, an end of a number or a beginning of a word tells it from others and does not give it away. */
const NUMBER_MIN = 6;
const NUMBER_SHOWN = 3;
const NAME_MIN = 3;

/** A name with the first letter of each word, and a number or account with the last three of its characters. */
export const maskedText = (text: string): string =>
  text.replace(WORD, (word) => {
    const signs = Array.from(word);
    if (/\p{N}/u.test(word)) return dotted(signs, 0, signs.length < NUMBER_MIN ? 0 : NUMBER_SHOWN);
    return dotted(signs, signs.length < NAME_MIN ? 0 : 1, 0);
  });

const dotted = (signs: readonly string[], before: number, after: number): string =>
  [...signs.slice(0, before), '•'.repeat(signs.length - before - after), ...signs.slice(signs.length - after)].join('');

/** Of what is about one row, these say where, what kind and how much; no column of a sheet can get into them. */
const SAYS_NOTHING_OF_PEOPLE: ReadonlySet<string> = new Set([
  'type',
  'code',
  'level',
  'cell',
  'batch',
  'heading',
  'end',
]);

/** Evidence: half of all hashes hold as many digits in a row as a phone number. */
const EVIDENCE: ReadonlySet<string> = new Set(['hash', 'key', 'signature']);

/** A text of an event as the log keeps it: whatever is about one row is masked, and phone numbers wherever they stand. */
export function loggedText(text: string, name: string, isOfRow: boolean): string {
  if (EVIDENCE.has(name) && !isOfRow) return text;
  return isOfRow && !SAYS_NOTHING_OF_PEOPLE.has(name) ? maskedText(text) : maskedPhone(text);
}
