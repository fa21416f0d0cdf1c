import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyOf, currencyOfNumber } from '../../src/domain/currency.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import {
  add,
  balanceFromWire,
  changeText,
  decimalOf,
  exactFromWire,
  fromWire,
  groupedDecimalOf,
  type Money,
  moneyText,
  parseAmount,
  sameMoney,
  shareOf,
  sizeFromWire,
  subtract,
  toWire,
  zero,
} from '../../src/domain/money.ts';
import { amountIn, currency } from '../support/amounts.ts';

const LARGEST = 999_999_999_999_999n;

/** Amounts of currencies with no, two and three digits after the point, up to the largest that a wire number holds. */
const anyMoney = fc
  .record({
    code: fc.constantFrom('KES', 'UGX', 'TZS', 'RWF', 'USD', 'KWD', 'JPY'),
    minor: fc.oneof(
      fc.bigInt({ min: -LARGEST, max: LARGEST }),
      fc.bigInt({ min: 0n, max: 1000n }),
      fc.bigInt({ min: LARGEST - 1000n, max: LARGEST }),
    ),
  })
  .map(({ code, minor }): Money => ({ minor, currency: currency(code).code }));

test.each([
  [700n, 0n, 'KES 7.00 more'],
  [0n, 50n, 'KES 0.50 less'],
  [700n, 50n, 'KES 7.00 more and KES 0.50 less'],
])('sums that grew by %s and shrank by %s are said as "%s"', (more, less, text) => {
  const { code } = currency('KES');
  expect(changeText({ minor: more, currency: code }, { minor: less, currency: code })).toBe(text);
});

describe('a balance', () => {
  test.each([
    ['KES', 1000.0000000001, 100_000n],
    ['KES', 999.9999999, 100_000n],
    ['KES', 0.1 + 0.2, 30n],
    ['KES', 1e-9, 0n],
    ['KES', -1e-9, 0n],
    ['KES', -12.340000001, -1234n],
    ['KES', 12.3400049, 1234n],
    ['KES', 12.3399951, 1234n],
    ['KES', 0.00000499999999, 0n],
    ['KES', 0.000005, undefined],
    ['UGX', 4_999.9996, 5000n],
    ['KWD', 1.2345000001, undefined],
    ['KES', 12.340005, undefined],
    ['KES', 12.339995, undefined],
    ['UGX', 4_999.9995, undefined],
    ['KES', 12.345, undefined],
    ['KES', 1e17, undefined],
    ['KES', 1e21, undefined],
    ['KES', Number.NaN, undefined],
  ])('in %s of %d is read as %s minor units', (code, wire, minor) => {
    expect(balanceFromWire(wire, currency(code).code)?.minor).toBe(minor);
  });

  test('that is an amount is read as that amount, however large', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        expect(balanceFromWire(toWire(money), money.currency)).toEqual(money);
      }),
    );
  });

  test('that was added up in floating point is the sum of its amounts', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 100_000_000n }), { maxLength: 200 });
    fc.assert(
      fc.property(amounts, (minors) => {
        const code = currency('KES').code;
        const wire = minors.reduce((sum, minor) => sum + toWire({ minor, currency: code }), 0);
        expect(balanceFromWire(wire, code)?.minor).toBe(minors.reduce((sum, minor) => sum + minor, 0n));
      }),
    );
  });
});

describe('currencies', () => {
  test.each([
    ['KES', 404, 2],
    ['UGX', 800, 0],
    ['TZS', 834, 2],
    ['RWF', 646, 0],
    ['ETB', 230, 2],
    ['USD', 840, 2],
    ['KWD', 414, 3],
  ])('%s has the number %i and %i decimals', (code, numeric, exponent) => {
    expect(currencyOf(code)).toEqual({ code, numeric, exponent });
    expect(currencyOfNumber(numeric)?.code).toBe(code);
    expect(currencyOfNumber(String(numeric))?.code).toBe(code);
  });

  test('are found in any case, and with blanks around them', () => {
    for (const code of ['kes', ' KES ', '\tKes\n']) expect(currencyOf(code)?.code).toBe('KES');
  });

  test.each(['', 'KSH', 'KE', 'KESS', '404', 'toString'])('"%s" is no currency code', (code) => {
    expect(currencyOf(code)).toBeUndefined();
  });

  test.each(['', 'abc', '0', -404, Number.NaN])('%s is no currency number', (numeric) => {
    expect(currencyOfNumber(numeric)).toBeUndefined();
  });
});

describe('an amount and its decimal', () => {
  test('printing and reading give the same amount back', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        const parsed = parseAmount(decimalOf(money), currency(money.currency));
        expect(parsed).toEqual({ ok: true, money });
      }),
    );
  });

  test('every digit of a decimal counts, with zeros around it or without', () => {
    const digits = (minLength: number) =>
      fc.stringMatching(/^\d*$/, { size: 'small' }).filter((all) => all.length >= minLength && all.length <= 20);
    const codes = fc.constantFrom('KES', 'UGX', 'KWD');
    fc.assert(
      fc.property(
        codes,
        fc.constantFrom('', '-', '+'),
        digits(0),
        fc.constantFrom('', '.'),
        digits(0),
        (code, sign, whole, point, rest) => {
          const text = sign + whole + point + rest;
          const { exponent } = currency(code);
          const decimals = point === '' ? '' : rest;
          const all = point === '' ? whole + rest : whole;
          const isDecimal = sign !== '+' && all !== '' && (point === '' || rest !== '');
          const isExact = /^0*$/.test(decimals.slice(exponent));
          const minor = isDecimal && BigInt(all + decimals.slice(0, exponent).padEnd(exponent, '0'));
          const parsed = parseAmount(text, currency(code));
          expect(parsed.ok).toBe(
            isDecimal && isExact && typeof minor === 'bigint' && minor <= LARGEST && all.length <= 24,
          );
          if (parsed.ok) expect(parsed.money.minor).toBe(sign === '-' ? -minor : minor);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('the wire number of an amount is the same amount, and so is its text in JSON', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        expect(exactFromWire(toWire(money), money.currency)).toEqual(money);
        expect(fromWire(JSON.parse(JSON.stringify(toWire(money))), money.currency)).toEqual(money);
      }),
    );
  });

  test('different amounts have different wire numbers', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        const next = { ...money, minor: money.minor - 1n };
        fc.pre(next.minor > -LARGEST);
        expect(toWire(next)).not.toBe(toWire(money));
      }),
    );
  });

  test('an amount beyond fifteen digits has no wire number: that is a bug of the caller', () => {
    expect(() => toWire({ minor: LARGEST + 1n, currency: currency('KES').code })).toThrow(
      'the wire number of 10000000000000.00 is exact',
    );
  });

  test('an amount in a currency that nobody knows is a bug', () => {
    const money: Money = { minor: 1n, currency: 'KSH' as Money['currency'] };
    expect(() => decimalOf(money)).toThrow(
      new InvariantError('This must hold and does not: KSH is an ISO 4217 currency'),
    );
  });

  test.each([
    ['KES', '0', 0n, '0.00'],
    ['KES', '0.01', 1n, '0.01'],
    ['KES', '-0.05', -5n, '-0.05'],
    ['KES', '1234.5', 123_450n, '1234.50'],
    ['KES', '1234.500000', 123_450n, '1234.50'],
    ['KES', '000012', 1200n, '12.00'],
    ['KES', '9999999999999.99', LARGEST, '9999999999999.99'],
    ['UGX', '1500', 1500n, '1500'],
    ['UGX', '1500.00', 1500n, '1500'],
    ['UGX', '999999999999999', LARGEST, '999999999999999'],
    ['KWD', '1.234', 1234n, '1.234'],
  ])('in %s "%s" is %i minor units', (code, text, minor, printed) => {
    const money = amountIn(text, code);
    expect(money.minor).toBe(minor);
    expect(decimalOf(money)).toBe(printed);
  });

  test.each([
    ['KES', '1.005', 'too-precise'],
    ['KES', '0.001', 'too-precise'],
    ['KES', '1.0000000000000000000001', 'too-precise'],
    ['UGX', '1500.5', 'too-precise'],
    ['UGX', '0.01', 'too-precise'],
    ['KWD', '1.2345', 'too-precise'],
    ['KES', '10000000000000.00', 'too-large'],
    ['UGX', '1000000000000000', 'too-large'],
    ['KES', '999999999999999999999999', 'too-large'],
    ['KES', '1'.repeat(25), 'too-large'],
    ['KES', `-${'1'.repeat(25)}`, 'too-large'],
    ['KES', `${'1'.repeat(25)}.5`, 'too-large'],
    ['KES', `${'1'.repeat(25)}.55`, 'too-large'],
    ['KES', `x${'1'.repeat(25)}`, 'not-a-number'],
    ['KES', `${'1'.repeat(25)}x`, 'not-a-number'],
    ['KES', `${'1'.repeat(25)}.`, 'not-a-number'],
    ['KES', `${'1'.repeat(25)}.x`, 'not-a-number'],
    ['KES', 'x'.repeat(25), 'not-a-number'],
    ['KES', '', 'not-a-number'],
    ['KES', '.5', 'not-a-number'],
    ['KES', '5.', 'not-a-number'],
    ['KES', '+5', 'not-a-number'],
    ['KES', '1e3', 'not-a-number'],
    ['KES', '1,000', 'not-a-number'],
    ['KES', ' 5', 'not-a-number'],
    ['KES', '5\n', 'not-a-number'],
    ['KES', '０.5', 'not-a-number'],
    ['KES', '٥', 'not-a-number'],
    ['KES', '--5', 'not-a-number'],
    ['KES', '0x10', 'not-a-number'],
    ['KES', 'Infinity', 'not-a-number'],
  ])('in %s "%s" is refused as %s and never rounded', (code, text, problem) => {
    expect(parseAmount(text, currency(code))).toEqual({ ok: false, problem });
  });

  test('whatever is read prints as the decimal that was typed, but for zeros at its ends', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.stringMatching(/^\d{0,6}$/))
      .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));
    const bare = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
    fc.assert(
      fc.property(decimal, fc.constantFrom('KES', 'UGX', 'KWD'), (text, code) => {
        const parsed = parseAmount(text, currency(code));
        if (parsed.ok) expect(bare(decimalOf(parsed.money))).toBe(bare(text));
      }),
    );
  });
});

describe('numbers from the wire', () => {
  test.each([
    ['KES', 1500, '1500.00'],
    ['KES', '1500.50', '1500.50'],
    ['KES', 0.1, '0.10'],
    ['KES', -0, '0.00'],
    ['KES', 9_999_999_999_999.99, '9999999999999.99'],
    ['KES', 1500.5000000000002, '1500.50'],
    ['KES', '1500.5000000000002', '1500.50'],
    ['KES', 1500.4999999999998, '1500.50'],
    ['KES', 0.1 + 0.2, '0.30'],
    ['KES', 1.1 * 1.1 * 100, '121.00'],
    ['KES', 33.000000000004, '33.00'],
    ['KES', -1e-13, '0.00'],
    ['KES', '1e-13', '0.00'],
    ['KES', 0.0099999999999999, '0.01'],
    ['KES', 12.3400000099, '12.34'],
    ['KES', 12.3399999901, '12.34'],
    ['UGX', 4_999.9999999, '5000'],
    ['KWD', 1.2340000001, '1.234'],
  ])('in %s %s is the amount %s that it is nearest to', (code, wire, decimal) => {
    const money = fromWire(wire, currency(code).code);
    expect(money && decimalOf(money)).toBe(decimal);
  });

  test.each([
    ['KES', 1500.501],
    ['KES', 12.34000001],
    ['KES', 12.33999999],
    ['KES', 1e-7],
    ['KES', '1e-8'],
    ['KES', 99.999],
    ['UGX', 4_999.999999],
    ['KWD', 1.2345],
    ['KES', 1e21],
    ['KES', 1e17],
    ['KES', '1e3'],
    ['KES', Number.NaN],
    ['KES', Number.POSITIVE_INFINITY],
    ['KES', ''],
    ['KES', 'null'],
    ['KES', '1 500'],
    ['KES', '1,500'],
  ])('in %s %s is no amount: the difference is real', (code, wire) => {
    expect(fromWire(wire, currency(code).code)).toBeUndefined();
  });

  test('what somebody wrote to be read exactly has no noise', () => {
    for (const wire of [0.1 + 0.2, 1500.5000000000002, 1e-13]) {
      expect(exactFromWire(wire, currency('KES').code)).toBeUndefined();
    }
  });

  test('an amount that was computed with a rate and back is the same amount', () => {
    const amounts = fc.bigInt({ min: 1n, max: 1_000_000_000n });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 2, max: 1000 }), (minor, rate) => {
        const money: Money = { minor, currency: currency('KES').code };
        expect(fromWire((toWire(money) / rate) * rate, money.currency)).toEqual(money);
      }),
    );
  });
});

describe('a figure of which only the size matters', () => {
  test.each<[number | string, number]>([
    [1500.5, 1500.5],
    ['1500.50', 1500.5],
    [1500.5000000000002, 1500.5],
    [-3, -3],
    [0.001, 0.001],
    [1e30, 1e30],
  ])('%s is %s', (wire, size) => {
    expect(sizeFromWire(wire, currency('KES').code)).toBe(size);
  });

  test('is no number where none came', () => {
    expect(sizeFromWire('much', currency('KES').code)).toBeNaN();
  });
});

describe('arithmetic and words', () => {
  test('sums and differences are exact however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: LARGEST }), { maxLength: 50 }), (minors) => {
        const kes = currency('KES').code;
        const all = minors.map((minor): Money => ({ minor, currency: kes }));
        const sum = all.reduce(add, zero(kes));
        expect(sum.minor).toBe(minors.reduce((a, b) => a + b, 0n));
        expect(all.reduce(subtract, sum)).toEqual(zero(kes));
      }),
    );
  });

  test('shillings of two countries are never added, subtracted or equal', () => {
    const [kenyan, tanzanian] = [amountIn('5', 'KES'), amountIn('5', 'TZS')];
    expect(() => add(kenyan, tanzanian)).toThrow('KES is not added to TZS');
    expect(() => subtract(kenyan, tanzanian)).toThrow('TZS is not subtracted from KES');
    expect(sameMoney(kenyan, tanzanian)).toBe(false);
    expect(sameMoney(kenyan, amountIn('5.00', 'KES'))).toBe(true);
    expect(sameMoney(kenyan, amountIn('5.01', 'KES'))).toBe(false);
  });

  test.each([
    ['KES', '0', '0.00'],
    ['KES', '999.99', '999.99'],
    ['KES', '1000', '1,000.00'],
    ['KES', '-1234567.5', '-1,234,567.50'],
    ['UGX', '1234567', '1,234,567'],
    ['KWD', '1234.567', '1,234.567'],
    ['CLF', '1234567.8901', '1,234,567.8901'],
    ['CLF', '-0.8901', '-0.8901'],
  ])('%s %s is told to people as %s', (code, decimal, grouped) => {
    expect(groupedDecimalOf(amountIn(decimal, code))).toBe(grouped);
    expect(moneyText(amountIn(decimal, code))).toBe(`${code} ${grouped}`);
  });
});

test.each([
  [10_050n, 1, 100n],
  [199n, 50, 99n],
  [250n, 100, 250n],
  [250n, 0, 0n],
])('%i minor units at %i percent are %i, rounded down', (minor, percent, share) => {
  const { currency: code } = amountIn('1');
  expect(shareOf({ minor, currency: code }, percent)).toEqual({ minor: share, currency: code });
});
