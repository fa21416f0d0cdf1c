/** How people write amounts, and the currencies above them: what a text proves by itself, and what it leaves open. */
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import type { DecimalMark } from '../../src/domain/number-format.ts';
import { amountOf, currencyHeading, writtenAs } from '../../src/kinds/amount.ts';
import { currency } from '../support/amounts.ts';

const kes = currency('KES');

describe('an amount', () => {
  test.each(['7', '007', '1500', '1 500', '12 500 000', '123\u00a0500', 'KSh 1500', '-5', '1500/='])(
    '"%s" has no sign: it is the same either way',
    (text) => expect(writtenAs(text, kes)).toEqual({ tag: 'bare' }),
  );

  test.each([
    ['1.5', 'point'],
    ['1500.50', 'point'],
    ['12 500.50', 'point'],
    ['1 234 567.50', 'point'],
    ['1,500.50', 'point'],
    ['123,456,789.1', 'point'],
    ['1,234,567', 'point'],
    ['123,456,789', 'point'],
    ['1,500/=', 'point'],
    ['12,500,000/-', 'point'],
    ['150,000/=', 'point'],
    ['1.500,50', 'comma'],
    ['12 500,50', 'comma'],
    ['123\u00a0456\u00a0789,5', 'comma'],
    ['1.234.567', 'comma'],
    ['123.456.789', 'comma'],
    ['1.234.567,5', 'comma'],
  ])('"%s" proves the %s', (text, mark) => expect(writtenAs(text, kes)).toEqual({ tag: 'proof', mark }));

  test.each(['100,5', '100,50', '1500,50', '0,5'])('"%s" has cents after a comma, which is no proof', (text) =>
    expect(writtenAs(text, kes)).toEqual({ tag: 'comma-cents' }),
  );

  test.each<[string, string, DecimalMark, readonly DecimalMark[]]>([
    ['1,500', 'KES', 'comma', ['point']],
    ['1.500', 'KES', 'point', ['comma']],
    ['0.500', 'KES', 'point', []],
    ['150.000', 'KES', 'point', ['comma']],
    ['1,500', 'KWD', 'comma', ['comma', 'point']],
    ['1.500', 'KWD', 'point', ['point', 'comma']],
    ['0,500', 'KWD', 'comma', ['comma']],
  ])('"%s" of %s is open: its sign is the %s, and it fits %j', (text, code, sign, fits) => {
    expect(writtenAs(text, currency(code))).toEqual({ tag: 'open', sign, fits });
  });

  test.each([
    '1,500.50x',
    'x1,500.50',
    '1,500.50.1',
    '1,234,567x',
    'x1,234,567',
    '1234,567,890',
    '1.234.567x',
    '1234.567.890',
    '12,50,000',
    '1500 500.50',
    '1 500.50.5',
    '1500 500',
    '1,500,50',
    '100,50/=',
    '100,505,5',
    '01,500,000/=x',
    '1/=500',
    '0x10',
    '',
    '.',
  ])('"%s" is none', (text) => expect(writtenAs(text, kes)).toBeUndefined());
});

describe('an amount beside the payouts', () => {
  const read = (text: string, decimals?: DecimalMark, code = 'KES', type: 'text' | 'number' = 'text') => {
    const found = amountOf(text, type, { currency: currency(code), ...(decimals && { decimals }) });
    return found && decimalOf(found);
  };

  test.each([
    ['1.500', 'comma', '1500.00'],
    ['1,500', 'point', '1500.00'],
    ['-1,500', 'point', '-1500.00'],
    ['1.500', 'point', undefined],
    ['0,500', 'comma', undefined],
    ['100,50', 'comma', '100.50'],
    ['100,50', 'point', undefined],
    ['100.50', 'comma', undefined],
    ['1.250,5', 'comma', '1250.50'],
    ['1\u00a0250,5', 'comma', '1250.50'],
    ['1 500', 'comma', '1500.00'],
    ['-KES 5', 'point', undefined],
    ['KES -5', 'point', '-5.00'],
  ] as const)('"%s" in a column with the %s is %s', (text, decimals, amount) => {
    expect(read(text, decimals)).toBe(amount);
  });

  test('that is open is none where nothing decides, and one that proves its mark is read by it', () => {
    expect(['1,500', '1.500', '100,50'].map((text) => read(text))).toEqual([undefined, undefined, undefined]);
    expect(['1.250,50', '1,250.50', '12'].map((text) => read(text))).toEqual(['1250.50', '1250.50', '12.00']);
    expect(read('1,500', 'comma', 'KWD')).toBe('1.500');
  });

  test('in a number cell is what the file holds, whatever the column has', () => {
    expect(read('1.5', 'comma', 'KES', 'number')).toBe('1.50');
    expect(read('1,5', 'comma', 'KES', 'number')).toBeUndefined();
  });
});

describe('a heading', () => {
  test.each([
    ['Amount (KES)', 'KES', 'Amount '],
    ['Net Pay [ ugx ]', 'UGX', 'Net Pay '],
    ['Betrag (EUR)', 'EUR', 'Betrag '],
    ['Montant USD', 'USD', 'Montant '],
    ['Pay KSh', 'KES', 'Pay '],
    ['Ksh. Amount', 'KES', ' Amount'],
    ['Salary (Ushs.)', 'UGX', 'Salary '],
    ['Malipo TSHS', 'TZS', 'Malipo '],
    ['rwf', 'RWF', ''],
    ['Pay ETB net', 'ETB', 'Pay  net'],
  ])('"%s" names %s', (heading, code, rest) => {
    expect(currencyHeading(heading)).toEqual({ currency: code, rest });
  });

  test.each([
    'Amount',
    'Amount SH',
    'Pay EUR',
    'Amount (THE)',
    'Pushups',
    'Kshort',
    'Amount (KE)',
    'Amount (KESH)',
    '',
  ])('"%s" names no currency', (heading) => expect(currencyHeading(heading)).toBeUndefined());
});
