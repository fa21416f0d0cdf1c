import currencyCodes from 'currency-codes';
import type { Brand } from './brand.ts';
import { Fault } from './fault.ts';
import { chooseAmong } from './likeness.ts';

/** ISO 4217 alphabetic code, for example `KES`. Made only by `currencyOf` and `currencyOfNumber`. */
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
for (const record of currencyCodes.data) {
  const currency: Currency = {
    code: record.code as CurrencyCode, // the owning file makes the brand
    numeric: Number(record.number),
    exponent: record.digits,
  };
  byCode.set(record.code, currency);
  byNumber.set(currency.numeric, currency);
}

/** The currency of an alphabetic code in any case, or undefined when ISO 4217 does not know it. */
export const currencyOf = (code: string): Currency | undefined =>
  byCode.get(code) ?? byCode.get(code.trim().toUpperCase());

/** The currency of a numeric code, given as a number or as digits; undefined when unknown. */
export const currencyOfNumber = (numeric: number | string): Currency | undefined => byNumber.get(Number(numeric));

/** What people write for a currency besides its code. */
export const currencySymbols: Readonly<Record<string, readonly string[]>> = {
  KES: ['KSHS', 'KSH', 'SH'],
  UGX: ['USHS', 'USH'],
  TZS: ['TSHS', 'TSH'],
};

/** Codes that are offered where one is not known: those of the countries that are served. */
export const homeCurrencies: readonly string[] = ['KES', 'UGX', 'TZS', 'RWF', 'ETB', 'USD'];

/** The currency of a code that somebody typed or configured. A Fault with what was probably meant when there is none. */
export function currencyOrFault(code: string): Currency {
  const currency = currencyOf(code);
  if (currency) return currency;
  const meant = homeCurrencies.find((home) => currencySymbols[home]?.includes(code.trim().toUpperCase()));
  throw new Fault(
    'configuration',
    `"${code.slice(0, 40)}" is not a currency.`,
    `${meant === undefined ? chooseAmong(code, homeCurrencies) : `Did you mean ${meant}?`} Nothing was sent.`,
  );
}
