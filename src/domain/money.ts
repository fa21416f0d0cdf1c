/**
 * Money is a whole number of minor units with a currency. Nothing here, and nothing that uses this, computes money with
 * floating-point numbers. A number appears only in `toWire` and `exactFromWire`, which prove that no digit is lost, and in
 * `fromWire` and `balanceFromWire`, which prove that the digits they drop were not meant.
 */
import { type Currency, type CurrencyCode, currencyOf } from './currency.ts';
import { invariant } from './invariant.ts';

export interface Money {
  /** Minor units: cents of KES, whole shillings of UGX. Never negative in a payout; a difference can be negative. */
  readonly minor: bigint;
  readonly currency: CurrencyCode;
}

/** Why a text is not an amount. Each reason has its own sentence in the issue table. */
type AmountProblem = 'not-a-number' | 'too-precise' | 'too-large';

type ParsedAmount =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly problem: AmountProblem };

/** Largest number of minor units: a double holds 15 significant digits exactly. */
const LARGEST_MINOR = 999_999_999_999_999n;

const PLAIN_DECIMAL = /^(-?)(\d{1,24})(?:\.(\d{1,40}))?$/;
/** A plain decimal with more digits before its point than `PLAIN_DECIMAL` accepts. */
const MORE_DIGITS = /^-?\d{25,}(?:\.\d+)?$/;

/**
 * Reads a plain decimal (`1234.50`, no separators, an optional minus). Digits beyond those of the currency must be zeros: an
 * amount is never rounded.
 */
export function parseAmount(text: string, currency: Currency): ParsedAmount {
  const match = PLAIN_DECIMAL.exec(text);
  if (!match) return { ok: false, problem: MORE_DIGITS.test(text) ? 'too-large' : 'not-a-number' };
  const [, sign, whole, fraction = ''] = match;
  const kept = fraction.slice(0, currency.exponent).padEnd(currency.exponent, '0');
  if (/[1-9]/.test(fraction.slice(currency.exponent))) return { ok: false, problem: 'too-precise' };
  const minor = BigInt(`${whole}${kept}`);
  if (minor > LARGEST_MINOR) return { ok: false, problem: 'too-large' };
  return { ok: true, money: { minor: sign === '-' ? -minor : minor, currency: currency.code } };
}

/** Returns the plain decimal of an amount, with all digits of the currency: `1234.50`. The inverse of `parseAmount`. */
export function decimalOf(money: Money): string {
  const { exponent } = currencyRecord(money.currency);
  const sign = money.minor < 0n ? '-' : '';
  const digits = money.minor
    .toString()
    .slice(sign.length)
    .padStart(exponent + 1, '0');
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Returns an amount for people, without the currency: `1,234.50`. */
export const groupedDecimalOf = (money: Money): string =>
  decimalOf(money).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** Returns an amount for people, with its currency: `KES 1,234.50`. */
export const moneyText = (money: Money): string => `${money.currency} ${groupedDecimalOf(money)}`;

/** Says by how much sums grew and shrank, and nothing of a way in which none did. */
export const changeText = (more: Money, less: Money): string =>
  [
    ...(more.minor > 0n ? [`${moneyText(more)} more`] : []),
    ...(less.minor > 0n ? [`${moneyText(less)} less`] : []),
  ].join(' and ');

export const zero = (currency: CurrencyCode): Money => ({ minor: 0n, currency });

export function add(a: Money, b: Money): Money {
  invariant(a.currency === b.currency, `${a.currency} is not added to ${b.currency}`);
  return { minor: a.minor + b.minor, currency: a.currency };
}

export function subtract(a: Money, b: Money): Money {
  invariant(a.currency === b.currency, `${b.currency} is not subtracted from ${a.currency}`);
  return { minor: a.minor - b.minor, currency: a.currency };
}

/** Returns a percentage of a sum, rounded down to minor units. */
export const shareOf = ({ minor, currency }: Money, percent: number): Money => ({
  minor: (minor * BigInt(percent)) / 100n,
  currency,
});

export const sameMoney = (a: Money, b: Money): boolean => a.minor === b.minor && a.currency === b.currency;

/** Returns an amount as a JSON number. If printing that number does not yield the same decimal, that is a bug. */
export function toWire(money: Money): number {
  const decimal = decimalOf(money);
  const wire = Number(decimal);
  const back = exactFromWire(wire, money.currency);
  invariant(back !== undefined && sameMoney(back, money), `the wire number of ${decimal} is exact`);
  return wire;
}

/**
 * Returns the amount of a JSON number that was written to be read exactly, as in requests; `undefined` if its shortest
 * decimal is not an amount of the currency. A number in text form is read the same way.
 */
export function exactFromWire(wire: number | string, code: CurrencyCode): Money | undefined {
  const parsed = parseAmount(String(wire), currencyRecord(code));
  return parsed.ok ? parsed.money : undefined;
}

/** Decimals of a minor unit that are looked at to tell noise from digits that were meant. */
const NOISE_DECIMALS = 12;
const MINOR_UNIT = 10n ** BigInt(NOISE_DECIMALS);
/**
 * Largest error of an amount, in parts of 10^-12 minor units: less than a millionth of a minor unit, the noise
 * of one multiplication.
 */
const AMOUNT_NOISE = MINOR_UNIT / 1_000_000n - 1n;
/**
 * Largest error of a balance, in the same parts. Services add up many amounts, and the noise grows with each. From half a
 * thousandth of a minor unit on, the digits may be a charge, tax or interest.
 */
const BALANCE_NOISE = MINOR_UNIT / 2000n - 1n;
/** A number as JavaScript prints it below 1e21: a plain decimal, or a tiny number with an exponent. */
const PRINTED = /^(-?)(\d{1,24})(?:\.(\d{1,40}))?(?:e-(\d{1,3}))?$/;

/**
 * Returns the amount that a number of the service means, also in text form. Services compute in floating point, so
 * `1500.5000000000002` means the nearest amount, if that is nearer than a millionth of a minor unit. `undefined` if every
 * amount is further away: that is a real difference.
 */
export const fromWire = (wire: number | string, code: CurrencyCode): Money | undefined =>
  exactFromWire(wire, code) ?? nearestAmount(wire, code, AMOUNT_NOISE);

/** Returns the balance that a number of the service means. Like `fromWire`, but allows for the noise of adding up many amounts. */
export const balanceFromWire = (wire: number, code: CurrencyCode): Money | undefined =>
  exactFromWire(wire, code) ?? nearestAmount(wire, code, BALANCE_NOISE);

/** Returns a figure of the service in whole units, where only its size matters: without noise, or as it is if it is not an amount. */
export function sizeFromWire(wire: number | string, code: CurrencyCode): number {
  const money = fromWire(wire, code);
  return money ? Number(decimalOf(money)) : Number(wire);
}

/** Returns the amount that is within `noiseMost` parts (`NOISE_DECIMALS`) of a printed number. */
function nearestAmount(wire: number | string, code: CurrencyCode, noiseMost: bigint): Money | undefined {
  const match = PRINTED.exec(String(wire));
  if (!match) return undefined;
  const [, sign, whole, fraction = '', shift = 0] = match;
  const shiftedUp = currencyRecord(code).exponent + NOISE_DECIMALS - fraction.length - Number(shift);
  const digits = BigInt(`${whole}${fraction}`);
  const parts = shiftedUp >= 0 ? digits * 10n ** BigInt(shiftedUp) : digits / 10n ** BigInt(-shiftedUp);
  const minor = (parts + noiseMost) / MINOR_UNIT;
  const isNoise = (parts + noiseMost) % MINOR_UNIT <= 2n * noiseMost;
  if (!isNoise || minor > LARGEST_MINOR) return undefined;
  return { minor: sign === '-' ? -minor : minor, currency: code };
}

/** Returns the record of a currency code that was already checked. */
export function currencyRecord(code: CurrencyCode): Currency {
  const currency = currencyOf(code);
  invariant(currency, `${code} is an ISO 4217 currency`);
  return currency;
}
