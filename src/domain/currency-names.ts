/** How people write a currency next to figures: signs, abbreviations and words. The cells and headings of a sheet are compared with them. */
import { type CurrencyCode, currencyCodes, currencyOf, currencySymbols, homeCurrencies } from './currency.ts';

/**
 * Signs for a currency next to figures: those of the neighbours of the countries that are served, and others that
 * people there meet.
 */
const currencySigns: Readonly<Record<string, readonly string[]>> = {
  BWP: ['P'],
  ETB: ['BR'],
  INR: ['RS'],
  MWK: ['MK', 'K'],
  XAF: ['FCFA', 'CFA'],
  XOF: ['FCFA', 'CFA'],
  ZAR: ['R'],
  ZMW: ['ZK', 'K'],
};

/**
 * What people call a currency in words, in any case; among them the countries whose shilling is meant. `Sum` and `Real` are not
 * here: in a sheet they are other words.
 */
const currencyWords: Readonly<Record<string, readonly string[]>> = {
  ETB: ['BIRR'],
  EUR: ['EURO', 'EUROS'],
  GBP: ['POUND', 'POUNDS', 'STERLING'],
  GHS: ['CEDI', 'CEDIS'],
  INR: ['RUPEE', 'RUPEES'],
  KES: ['KENYA', 'KENYAN'],
  MWK: ['KWACHA'],
  NGN: ['NAIRA'],
  RWF: ['FRANC', 'FRANCS'],
  TZS: ['TANZANIA', 'TANZANIAN'],
  UGX: ['UGANDA', 'UGANDAN'],
  USD: ['DOLLAR', 'DOLLARS', 'DOLA'],
  XAF: ['FRANC', 'FRANCS'],
  XOF: ['FRANC', 'FRANCS'],
  ZAR: ['RAND'],
  ZMW: ['KWACHA'],
};

/** Matches a word for the shilling of a country, such as `KSH` or `USH`. */
const SHILLING = /SH$/;
const shillingNames: readonly string[] = ['SH', 'SHS', 'SHILLING', 'SHILLINGS'];

/** Returns the names of a currency next to figures, in capitals: its code, its signs, its words. */
export function namesOf(code: CurrencyCode): ReadonlySet<string> {
  const known = namesByCode.get(code);
  if (known) return known;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
  const sign =
    parts
      .formatToParts(0)
      .find(({ type }) => type === 'currency')
      ?.value.toUpperCase() ?? code;
  const words = [currencySymbols, currencySigns, currencyWords].flatMap((names) => names[code] ?? []);
  const shillings = words.some((word) => SHILLING.test(word)) ? shillingNames : [];
  // `US$`, `GH₵`: letters of the country may precede a sign.
  const sole = sign.match(/\p{Sc}/u)?.[0] ?? sign;
  const names = new Set([code, sign, sole, `${code.slice(0, 2)}${sole}`, ...words, ...shillings]);
  namesByCode.set(code, names);
  return names;
}

/** Built once per currency, because every amount of a sheet may be compared with them. */
const namesByCode = new Map<CurrencyCode, ReadonlySet<string>>();

/**
 * Returns the names of a currency that mean no other one: `KSH` and `FRW`, but not `SH`, the shilling of several countries, or
 * `$`.
 */
export function soleNamesOf(code: CurrencyCode): ReadonlySet<string> {
  const known = soleNamesByCode.get(code);
  if (known) return known;
  const others = currencyCodes.filter((other) => other !== code);
  const sole = new Set([...namesOf(code)].filter((name) => others.every((other) => !namesOf(other).has(name))));
  soleNamesByCode.set(code, sole);
  return sole;
}

const soleNamesByCode = new Map<CurrencyCode, ReadonlySet<string>>();

/** Reports whether a text names this currency and can mean no other: `KES`, `Ksh.`, `Kenya shillings`. */
export function isCurrencyCalled(text: string, code: CurrencyCode): boolean {
  const capitals = text.toUpperCase();
  if (capitals === code) return true;
  const words = capitals
    .replace(/(?<=\p{L})\./gu, '')
    .trim()
    .split(/\s+/);
  const [own, sole] = [namesOf(code), soleNamesOf(code)];
  return words.some((word) => sole.has(word)) && words.every((word) => own.has(word));
}

/** Returns the currency that a word names and no other: `Birr`, `FBU`, `BIF`; `undefined` if it names none, or several. */
export const currencyOfName = (word: string): CurrencyCode | undefined =>
  isCurrencyName(word) ? currencyCodes.find((code) => soleNamesOf(code).has(word.toUpperCase())) : undefined;

/**
 * Returns the currency of a sign such as `$`, `US$` or `₦`; `undefined` if it is the sign of none. Where several have it, one
 * of the countries that are served comes first, and then the one that English writes with nothing else.
 */
export function currencyOfSign(sign: string): CurrencyCode | undefined {
  const having = currencyCodes.filter((code) => namesOf(code).has(sign));
  return (
    having.find((code) => homeCurrencies.includes(code)) ?? having.find((code) => isSoleSign(sign, code)) ?? having[0]
  );
}

const isSoleSign = (sign: string, currency: CurrencyCode): boolean =>
  new Intl.NumberFormat('en', { style: 'currency', currency })
    .formatToParts(0)
    .some(({ type, value }) => type === 'currency' && value === sign);

/**
 * Reports whether a word next to figures names some currency. Codes must be in capitals, except those of the countries that
 * are served (`bob` is not the boliviano); signs made of letters must begin with a capital. Words for a shilling of no
 * particular country do not count.
 */
export function isCurrencyName(word: string): boolean {
  const capitals = word.toUpperCase();
  if (
    /\p{Sc}/u.test(word) ||
    (word === capitals && currencyOf(word) !== undefined) ||
    homeCurrencies.includes(capitals)
  )
    return true;
  const isNamed = (names: Readonly<Record<string, readonly string[]>>): boolean =>
    Object.values(names).some((words) => words.includes(capitals) && !shillingNames.includes(capitals));
  return isNamed(currencySymbols) || isNamed(currencyWords) || (/^\p{Lu}/u.test(word) && isNamed(currencySigns));
}
