/**
 * Phone numbers in international form. Characters are checked before the library is asked: it would drop a letter O
 * silently and pay somebody else's number.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Brand } from './brand.ts';
import { phoneLibrary } from './phone-library.ts';

/** E.164 with the plus sign: `+254712345678`. Made only by `parseMsisdn`. */
export type Msisdn = Brand<string, 'Msisdn'>;

export type MsisdnProblem = 'missing' | 'shortened' | 'characters' | 'length' | 'country' | 'landline';

export type ParsedMsisdn =
  | { readonly ok: true; readonly msisdn: Msisdn; readonly national: string; readonly country: string }
  | { readonly ok: false; readonly problem: MsisdnProblem; readonly character?: string; readonly digits: number };

/** Countries whose mobile numbers have one simple form: the fast path for nearly every row. */
const simplePlans: Readonly<
  Record<string, { readonly code: string; readonly digits: number; readonly mobile: RegExp; readonly typed: RegExp }>
> = {
  KE: {
    code: '254',
    digits: 9,
    mobile: /^(?:7\d{8}|1[01]\d{7})$/,
    // Without separators, and so without a question: most numbers of a payroll.
    typed: /^(?:\+?254|0)?(?:7\d{8}|1[01]\d{7})$/,
  },
};

const SEPARATORS = /[ \u00a0().\-/]/g;

/**
 * Reads a mobile number of `country` (ISO 3166 alpha-2): `0712 345 678`, `+254712345678`, `254712345678`, and
 * `712345678`, which is what a spreadsheet leaves of a number whose zero it dropped.
 */
export function parseMsisdn(text: string, country: string): ParsedMsisdn {
  const plan = simplePlans[country];
  if (plan?.typed.test(text)) {
    const national = text.slice(-plan.digits);
    return { ok: true, msisdn: `+${plan.code}${national}` as Msisdn, national, country };
  }
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'missing', digits: 0 };
  if (/^\d+(?:[.,]\d+)?E\+?\d+$/i.test(trimmed)) return { ok: false, problem: 'shortened', digits: 0 };
  const compact = trimmed.replace(SEPARATORS, '');
  const bad = /[^\d]/u.exec(compact.replace(/^\+/, ''));
  const digits = compact.replace(/\D/g, '').length;
  if (bad) return { ok: false, problem: 'characters', character: bad[0], digits };
  return simpleNumber(compact, country) ?? libraryNumber(compact, country, digits);
}

function simpleNumber(compact: string, country: string): ParsedMsisdn | undefined {
  const plan = simplePlans[country];
  if (!plan) return undefined;
  const bare = compact.replace(/^(?:\+|00)/, '');
  let national = bare;
  if (bare.startsWith(plan.code)) national = bare.slice(plan.code.length);
  // Written internationally, another country's code follows: its digits are not a national number.
  else if (bare !== compact) return undefined;
  else if (bare.startsWith('0')) national = bare.slice(1);
  if (!plan.mobile.test(national)) return undefined;
  return { ok: true, msisdn: `+${plan.code}${national}` as Msisdn, national, country };
}

function libraryNumber(compact: string, country: string, digits: number): ParsedMsisdn {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneLibrary();
  if (!isSupportedCountry(country)) return { ok: false, problem: 'country', digits };
  const region: CountryCode = country;
  const international = compact.startsWith('00') ? `+${compact.slice(2)}` : compact;
  const parsed = parsePhoneNumberFromString(international, region);
  if (!parsed?.isPossible()) return { ok: false, problem: 'length', digits };
  if (parsed.country !== country) {
    return { ok: false, problem: parsed.isValid() ? 'country' : 'length', digits };
  }
  if (!parsed.isValid()) return { ok: false, problem: 'length', digits };
  const type = parsed.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return { ok: false, problem: 'landline', digits };
  return { ok: true, msisdn: parsed.number as string as Msisdn, national: parsed.nationalNumber, country };
}

/** A phone number for logs and terminals: first four and last three digits only. */
export const maskedPhone = (text: string): string =>
  text.replace(/\d{7,}/g, (digits) => `${digits.slice(0, 4)}${'•'.repeat(digits.length - 7)}${digits.slice(-3)}`);
