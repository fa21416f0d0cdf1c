import { Fault } from './fault.ts';
import type { Brand } from './ids.ts';
import { iso4217 } from './iso-4217.ts';
import { chooseAmong } from './likeness.ts';

/** ISO 4217 alphabetic code, for example `KES`. Only `currencyOf` and `currencyOfNumber` make one. */
export type CurrencyCode = Brand<string, 'CurrencyCode'>;

export interface Currency {
  readonly code: CurrencyCode;
  /** ISO 4217 numeric code as the wire carries it, for example 404. Spec: "General conventions". */
  readonly numeric: number;
  /** Digits after the decimal point: 2 for KES, 0 for UGX. */
  readonly exponent: number;
}

const byCode = new Map<string, Currency>();
const byNumber = new Map<number, Currency>();
for (const { exponent, codes } of iso4217) {
  for (const [, code = '', digits] of codes.matchAll(/([A-Z]{3}) (\d{3})/g)) {
    // only this file may make the brand
    const currency: Currency = { code: code as CurrencyCode, numeric: Number(digits), exponent };
    byCode.set(code, currency);
    byNumber.set(currency.numeric, currency);
  }
}

/** The codes of all currencies. */
export const currencyCodes: readonly CurrencyCode[] = [...byCode.values()].map(({ code }) => code);

/** Returns the currency of an alphabetic code in any case; `undefined` if ISO 4217 does not know it. */
export const currencyOf = (code: string): Currency | undefined =>
  byCode.get(code) ?? byCode.get(code.trim().toUpperCase());

/** Returns the currency of a numeric code, as a number or as digits; `undefined` if unknown. */
export const currencyOfNumber = (numeric: number | string): Currency | undefined => byNumber.get(Number(numeric));

/** Words that people write for a currency in addition to its code. */
export const currencySymbols: Readonly<Record<string, readonly string[]>> = {
  KES: ['KSHS', 'KSH', 'SH'],
  UGX: ['USHS', 'USH', 'UG SHS'],
  TZS: ['TSHS', 'TSH', 'TZ SHS'],
  RWF: ['FRW', 'RF'],
  CDF: ['FC'],
  BIF: ['FBU'],
};

/** Codes suggested in place of an unknown one: those of the countries that are served. */
export const homeCurrencies: readonly string[] = ['KES', 'UGX', 'TZS', 'RWF', 'ETB', 'USD'];

/**
 * Returns the currency of a code that a person typed or configured. Throws a Fault `configuration`, with what was probably
 * meant, if there is none.
 */
export function currencyOrFault(code: string): Currency {
  const currency = currencyOf(code);
  if (currency) return currency;
  const written = code.trim().toUpperCase();
  const [meant] = Object.entries(currencySymbols).find(([, symbols]) => symbols.includes(written)) ?? [];
  throw new Fault(
    'configuration',
    `"${code.slice(0, 40)}" is not a currency.`,
    `${meant === undefined ? chooseAmong(code, homeCurrencies) : `Did you mean ${meant}?`} Nothing was sent.`,
  );
}
