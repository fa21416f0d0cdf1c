import { expect, test } from 'vitest';
import {
  currencyCodes,
  currencyOf,
  currencyOfNumber,
  currencyOrFault,
  homeCurrencies,
} from '../../src/domain/currency.ts';
import { Fault } from '../../src/domain/fault.ts';

function refused(code: string): Fault {
  try {
    currencyOrFault(code);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error(`${code} is a currency`);
}

test('every currency is known by its code, once', () => {
  expect(currencyCodes.map((code) => currencyOf(code)?.code)).toEqual(currencyCodes);
  expect(new Set(currencyCodes).size).toBe(currencyCodes.length);
  expect(currencyCodes).toEqual(expect.arrayContaining([...homeCurrencies, 'EUR', 'JPY']));
});

test.each(['KES', 'kes', ' KES '])('"%s" is the currency of Kenya', (code) => {
  expect(currencyOrFault(code)).toMatchObject({ code: 'KES', exponent: 2 });
});

test.each([
  ['KSHS', 'KES'],
  [' ksh ', 'KES'],
  ['Sh', 'KES'],
  ['USHS', 'UGX'],
  ['ush', 'UGX'],
  ['TSHS', 'TZS'],
  ['tsh', 'TZS'],
])('"%s" is what people write for %s, and no code', (code, meant) => {
  expect(refused(code)).toMatchObject({
    code: 'configuration',
    message: `"${code}" is not a currency.`,
    remedy: `Did you mean ${meant}? Nothing was sent.`,
  });
});

test('what nobody means is told with the currencies of the countries that are served', () => {
  const { message, remedy } = refused('Q'.repeat(60));
  expect(message).toBe(`"${'Q'.repeat(40)}" is not a currency.`);
  for (const code of ['KES', 'UGX', 'TZS', 'RWF', 'ETB', 'USD']) expect(remedy).toContain(code);
  expect(remedy).toMatch(/ Nothing was sent\.$/);
});

test('the table agrees with Intl, but for cents that nobody uses any more', () => {
  const digits = (code: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? -1;
  const known = Intl.supportedValuesOf('currency').flatMap((code) => currencyOf(code) ?? []);
  expect(known.length).toBeGreaterThan(140);
  const fewer = known.filter(({ code, exponent }) => digits(code) < exponent).map(({ code }) => code);
  // `Intl` follows everyday use, and so may lose the cents of one more with the next Node.js; the table may not.
  expect(fewer).toEqual(expect.arrayContaining(['IDR', 'SOS']));
  expect(homeCurrencies.filter((code) => digits(code) !== currencyOf(code)?.exponent)).toEqual([]);
  expect(known.filter(({ code, exponent }) => digits(code) > exponent && !code.startsWith('X'))).toEqual([]);
});

test.each([
  [404, 'KES', 2],
  ['008', 'ALL', 2],
  [800, 'UGX', 0],
  [788, 'TND', 3],
])('the number %s is that of %s', (number, code, exponent) => {
  expect(currencyOfNumber(number)).toEqual({ code, numeric: Number(number), exponent });
});
