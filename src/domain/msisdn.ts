/**
 * Phone numbers in international form. Characters are checked before the library sees them: it would silently drop a letter O
 * and yield another person's number.
 */

import { createRequire } from 'node:module';
import type { CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Brand } from './ids.ts';

/** E.164 with the plus sign: `+254712345678`. Only `parseMsisdn` makes one. */
export type Msisdn = Brand<string, 'Msisdn'>;

type MsisdnProblem = 'missing' | 'shortened' | 'characters' | 'stray' | 'length' | 'country' | 'landline';

export type ParsedMsisdn =
  | {
      readonly ok: true;
      readonly msisdn: Msisdn;
      readonly national: string;
      readonly country: string;
      /** True if the national number was typed without its leading zero and without the country code. */
      readonly isZeroLost: boolean;
      /** True if the number was typed without the country code, so that the same digits are another number abroad. */
      readonly isLocal: boolean;
    }
  | {
      readonly ok: false;
      readonly problem: MsisdnProblem;
      /** The character that cannot be part of a number, or what follows the number. */
      readonly part?: string;
      readonly digits: number;
    };

/** Countries whose mobile numbers have one simple form. The library would take fifty times as long for nearly every row. */
const simplePlans: Readonly<Record<string, { readonly code: string; readonly mobile: RegExp }>> = {
  KE: { code: '254', mobile: /^(?:7\d{8}|1[01]\d{7})$/ },
};

const SEPARATORS = /[ \u00a0\u2009\u202f().\-/]/g;

/**
 * `712345678.0`: a program that stores numbers with a fraction adds the tail. Only one point: in `0712.345.000`
 * points are separators.
 */
const FLOAT_TAIL = /^([^.]*\d)\.0+$/;
/** Most characters of a text that is looked at as a number, with separators; E.164 has at most 15 digits. */
const LONGEST_WRITTEN = 64;
/** A mark that a person set after a number: `(1)`, with more digits before it than a prefix has. */
const BRACKET_BEHIND = /\d(?:[^\d(]*\d){4,}[^\d(]*(\([^()]*\)?)$/;
/** A last group of one digit, `/1`: phone numbers are written in groups of two and more. */
const LONE_DIGIT = /\d\D+(\d)\D*$/;

/**
 * Reads a mobile number of `country` (ISO 3166 alpha-2): `0712 345 678`, `+254712345678`, `254712345678`, and `712345678`,
 * which is what a spreadsheet leaves of a number whose zero it dropped. Nothing that follows a number ever completes it: the
 * fraction of a float is removed first, and a bracket or a lone digit is `stray`.
 */
export function parseMsisdn(text: string, country: string): ParsedMsisdn {
  const whole = text.trim();
  if (whole.length > LONGEST_WRITTEN) return { ok: false, problem: 'length', digits: whole.replace(/\D/g, '').length };
  const trimmed = whole.replace(FLOAT_TAIL, '$1');
  if (trimmed === '') return { ok: false, problem: 'missing', digits: 0 };
  if (/^\d+(?:[.,]\d+)?E\+?\d+$/i.test(trimmed)) return { ok: false, problem: 'shortened', digits: 0 };
  const compact = trimmed.replace(SEPARATORS, '');
  const bad = /[^\d]/u.exec(compact.replace(/^\+/, ''));
  const digits = compact.replace(/\D/g, '').length;
  if (bad) return { ok: false, problem: 'characters', part: bad[0], digits };
  const stray = (BRACKET_BEHIND.exec(trimmed) ?? LONE_DIGIT.exec(trimmed))?.[1];
  if (stray !== undefined) return { ok: false, problem: 'stray', part: stray, digits };
  return simpleNumber(compact, country) ?? libraryNumber(compact, country, digits);
}

function simpleNumber(compact: string, country: string): ParsedMsisdn | undefined {
  const plan = simplePlans[country];
  if (!plan) return undefined;
  const bare = compact.replace(/^(?:\+|00)/, '');
  let national = bare;
  if (bare.startsWith(plan.code)) national = bare.slice(plan.code.length);
  // In international form, another country's code follows, so its digits are not a national number.
  else if (bare !== compact) return undefined;
  else if (bare.startsWith('0')) national = bare.slice(1);
  return plan.mobile.test(national) ? knownNumber(compact, `+${plan.code}${national}`, national, country) : undefined;
}

/** Returns a number that the caller has checked; that is why this may make the brand `Msisdn`. */
const knownNumber = (compact: string, msisdn: string, national: string, country: string): ParsedMsisdn => ({
  ok: true,
  msisdn: msisdn as Msisdn,
  national,
  country,
  isZeroLost: compact === national,
  isLocal: compact === national || compact === `0${national}`,
});

function libraryNumber(compact: string, country: string, digits: number): ParsedMsisdn {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneLibrary();
  if (!isSupportedCountry(country)) return { ok: false, problem: 'country', digits };
  const region: CountryCode = country;
  const international = compact.startsWith('00') ? `+${compact.slice(2)}` : compact;
  const parsed = parsePhoneNumberFromString(international, region);
  if (!parsed?.isValid()) return { ok: false, problem: isForeign(compact) ? 'country' : 'length', digits };
  if (parsed.country !== country) return { ok: false, problem: 'country', digits };
  const type = parsed.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return { ok: false, problem: 'landline', digits };
  return knownNumber(compact, parsed.number, parsed.nationalNumber, country);
}

/**
 * Digits in the code of a country whose number may lack its plus. Shorter codes also match the beginning of too many numbers
 * that are just too long.
 */
const FOREIGN_CODE_DIGITS = 3;

/** Reports whether digits are a complete number of another country without its plus: `255754123456` in Kenya. */
function isForeign(compact: string): boolean {
  const parsed = /^[1-9]\d+$/.test(compact) ? phoneLibrary().parsePhoneNumberFromString(`+${compact}`) : undefined;
  return parsed?.isValid() === true && parsed.countryCallingCode.length === FOREIGN_CODE_DIGITS;
}

/** Returns a phone number for logs and terminals, with only the first four and last three digits. */
export const maskedPhone = (text: string): string =>
  text.replace(/\d{7,}/g, (digits) => `${digits.slice(0, 4)}${'•'.repeat(digits.length - 7)}${digits.slice(-3)}`);

interface PhoneLibrary {
  readonly isSupportedCountry: typeof isSupportedCountry;
  readonly parsePhoneNumberFromString: typeof parsePhoneNumberFromString;
}

const require = createRequire(import.meta.url);

/**
 * Returns the phone number library, which Node.js loads on first use. An import would have to be awaited, and a number is read
 * synchronously within its row.
 */
const phoneLibrary = (): PhoneLibrary => require('libphonenumber-js/max'); // the types of the library itself

/** A run of letters and digits: a word of a name, a part of an account number. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** From these lengths on, the end of a number or the beginning of a word distinguishes it without giving it away. */
const NUMBER_MIN = 6;
const NUMBER_SHOWN = 3;
const NAME_MIN = 3;

/** Returns a name with the first letter of each word, or a number or account with its last three characters; the rest is masked. */
export const maskedText = (text: string): string =>
  text.replace(WORD, (word) => {
    const signs = Array.from(word);
    if (/\p{N}/u.test(word)) return dotted(signs, 0, signs.length < NUMBER_MIN ? 0 : NUMBER_SHOWN);
    return dotted(signs, signs.length < NAME_MIN ? 0 : 1, 0);
  });

const dotted = (signs: readonly string[], before: number, after: number): string =>
  [...signs.slice(0, before), '•'.repeat(signs.length - before - after), ...signs.slice(signs.length - after)].join('');

/** Fields of a row's event that say where, what kind and how much. No column of a sheet can get into them. */
const SAYS_NOTHING_OF_PEOPLE: ReadonlySet<string> = new Set([
  'type',
  'code',
  'level',
  'cell',
  'batch',
  'heading',
  'end',
]);

/** Evidence, which is not masked: half of all hashes contain as many digits in a row as a phone number. */
const EVIDENCE: ReadonlySet<string> = new Set(['hash', 'key', 'signature']);

/** Returns a text of an event for the log: everything about one row is masked, and phone numbers are masked everywhere. */
export function loggedText(text: string, name: string, isOfRow: boolean): string {
  if (EVIDENCE.has(name) && !isOfRow) return text;
  return isOfRow && !SAYS_NOTHING_OF_PEOPLE.has(name) ? maskedText(text) : maskedPhone(text);
}
