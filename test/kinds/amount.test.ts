import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import { amountOf, readAmount, wholeUnitIssues } from '../../src/kinds/amount.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { amountIn, currency } from '../support/amounts.ts';
import { type CellChoice, number, viewOf } from '../support/sheets/sheet-rows.ts';

/** The decimal that is read, or the code of the issue. */
function readAs(choice: CellChoice | undefined, code = 'KES'): string {
  const reading = readAmount(viewOf(choice), { country: 'KE', currency: currency(code), purpose: 'Pay' });
  if (reading.ok) return decimalOf(reading.value);
  expect(issueMessage(reading.issue).replace(reading.issue.value, '…')).not.toMatch(/\{| {2}/);
  return reading.issue.code;
}

describe('an amount that was typed', () => {
  test.each([
    ['1500', '1500.00'],
    ['1500.5', '1500.50'],
    ['1500.50', '1500.50'],
    ['1500.5000', '1500.50'],
    ['0.01', '0.01'],
    ['0001', '1.00'],
    ['1,234.50', '1234.50'],
    ['1,500.00', '1500.00'],
    ['12,345,678', '12345678.00'],
    ['12,345,678.90', '12345678.90'],
    ['1.234,50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1 234.50', '1234.50'],
    ['1\u00a0234,50', '1234.50'],
    ['1.234.567', '1234567.00'],
    ['12 500', '12500.00'],
    [' 1500 ', '1500.00'],
    ['\u00a01500\u200b', '1500.00'],
    ['KSh 1,500.00/=', '1500.00'],
    ['Ksh. 1500', '1500.00'],
    ['Ksh.1500', '1500.00'],
    ['KES 1500', '1500.00'],
    ['kes1500', '1500.00'],
    ['1500 KES', '1500.00'],
    ['1500 Kshs', '1500.00'],
    ['1500/=', '1500.00'],
    ['KSh 1,500/=', '1500.00'],
    ['1,500/-', '1500.00'],
    ['1500/-', '1500.00'],
    ['9999999999999.99', '9999999999999.99'],
  ])('"%s" is KES %s', (text, decimal) => expect(readAs(text)).toBe(decimal));

  test.each([
    ['1.500', 'PB-AMOUNT-AMBIGUOUS'],
    ['1,500', 'PB-AMOUNT-AMBIGUOUS'],
    ['15,000', 'PB-AMOUNT-AMBIGUOUS'],
    ['150.000', 'PB-AMOUNT-AMBIGUOUS'],
    ['KES 1.500', 'PB-AMOUNT-AMBIGUOUS'],
    ['-1,500', 'PB-AMOUNT-AMBIGUOUS'],
    ['', 'PB-AMOUNT-MISSING'],
    ['   ', 'PB-AMOUNT-MISSING'],
    ['\u200b', 'PB-AMOUNT-MISSING'],
    ['0', 'PB-AMOUNT-ZERO'],
    ['0.00', 'PB-AMOUNT-ZERO'],
    ['-0', 'PB-AMOUNT-ZERO'],
    ['-5', 'PB-AMOUNT-ZERO'],
    ['- 5', 'PB-AMOUNT-ZERO'],
    ['-1,234.50', 'PB-AMOUNT-ZERO'],
    ['KES -5', 'PB-AMOUNT-ZERO'],
    ['1500.001', 'PB-AMOUNT-DECIMALS'],
    ['0.005', 'PB-AMOUNT-AMBIGUOUS'],
    ['1234.0999999999999', 'PB-AMOUNT-DECIMALS'],
    ['0.30000000000000004', 'PB-AMOUNT-DECIMALS'],
    ['1,234.567', 'PB-AMOUNT-DECIMALS'],
    ['(100)', 'PB-AMOUNT-TEXT'],
    ['100-', 'PB-AMOUNT-TEXT'],
    ['+100', 'PB-AMOUNT-TEXT'],
    ['--5', 'PB-AMOUNT-TEXT'],
    ['−5', 'PB-AMOUNT-TEXT'],
    ['1500,50', 'PB-AMOUNT-MARK'],
    ['1,50', 'PB-AMOUNT-MARK'],
    ['1,5000', 'PB-AMOUNT-TEXT'],
    ['1,2345,678', 'PB-AMOUNT-TEXT'],
    ['1,234,56', 'PB-AMOUNT-TEXT'],
    ['1234,567.00', 'PB-AMOUNT-TEXT'],
    ['1.234,567.00', 'PB-AMOUNT-TEXT'],
    ["1'500", 'PB-AMOUNT-TEXT'],
    ['1  500', 'PB-AMOUNT-TEXT'],
    ['1 50', 'PB-AMOUNT-TEXT'],
    ['1 500 000,5.0', 'PB-AMOUNT-TEXT'],
    ['1_500', 'PB-AMOUNT-TEXT'],
    ['.5', 'PB-AMOUNT-TEXT'],
    ['5.', 'PB-AMOUNT-TEXT'],
    ['KES .50', 'PB-AMOUNT-TEXT'],
    ['Ksh..50', 'PB-AMOUNT-TEXT'],
    ['KES', 'PB-AMOUNT-TEXT'],
    ['KES KES 5', 'PB-AMOUNT-TEXT'],
    ['KES 5 KES', 'PB-AMOUNT-TEXT'],
    ['15 KES 00', 'PB-AMOUNT-TEXT'],
    ['$100', 'PB-AMOUNT-TEXT'],
    ['USD 100', 'PB-AMOUNT-TEXT'],
    ['UGX 100', 'PB-AMOUNT-TEXT'],
    ['100 USD', 'PB-AMOUNT-TEXT'],
    ['100%', 'PB-AMOUNT-TEXT'],
    ['1.5k', 'PB-AMOUNT-TEXT'],
    ['1.5E3', 'PB-AMOUNT-TEXT'],
    ['0x10', 'PB-AMOUNT-TEXT'],
    ['1500 only', 'PB-AMOUNT-TEXT'],
    ['fifteen hundred', 'PB-AMOUNT-TEXT'],
    ['O', 'PB-AMOUNT-TEXT'],
    ['15OO', 'PB-AMOUNT-TEXT'],
    ['１５００', 'PB-AMOUNT-TEXT'],
    ['١٥٠٠', 'PB-AMOUNT-TEXT'],
    ['1500²', 'PB-AMOUNT-TEXT'],
    ['15\u200b00', 'PB-AMOUNT-TEXT'],
    ['=1500', 'PB-AMOUNT-TEXT'],
    ['2026-11-20', 'PB-AMOUNT-TEXT'],
    ['1/2', 'PB-AMOUNT-TEXT'],
    ['10000000000000', 'PB-AMOUNT-LARGE'],
    // Longer than anybody writes an amount: not looked at closely, because that takes seconds.
    [`1${',000'.repeat(30)}`, 'PB-AMOUNT-TEXT'],
  ])('"%s" is refused: %s', (text, code) => expect(readAs(text)).toBe(code));

  test.each([
    ['1500', '1500'],
    ['USh 1,500,000', '1500000'],
    ['1500.00', '1500'],
    ['1500.5', 'PB-AMOUNT-DECIMALS'],
    ['1,500', '1500'],
    ['1.500', 'PB-AMOUNT-AMBIGUOUS'],
    ['0,500', 'PB-AMOUNT-AMBIGUOUS'],
    ['KSh 1500', 'PB-AMOUNT-TEXT'],
  ])('in Uganda "%s" is %s', (text, read) => expect(readAs(text, 'UGX')).toBe(read));

  test.each([
    ['KES', 'KES 15, Ksh 15, KSHS. 15, Sh.15, 15 sh, Shs 15, 15 Shs.'],
    ['UGX', 'UGX 15, USh 15, ushs. 15, 15 USH, Shs. 15'],
    ['TZS', 'TZS 15, TSh 15, tshs. 15, 15 TSH, 15 shs'],
    ['RWF', 'RWF 15, 15rwf'],
  ])('may name its own currency, here %s, as people write it: %s', (code, texts) => {
    for (const text of texts.split(', ')) expect(readAs(text, code), text).toMatch(/^15(\.00)?$/);
  });

  test.each([
    ['KES', 'USh 15, TSh 15, RF 15, $ 15'],
    ['RWF', 'Shs 15'],
    ['UGX', 'Sh 15, KSh 15, TSh 15'],
    ['TZS', 'Sh 15, KSh 15, USh 15'],
  ])('of %s never has the name of another: %s', (code, texts) => {
    for (const text of texts.split(', ')) expect(readAs(text, code), text).toBe('PB-AMOUNT-TEXT');
  });

  test.each([
    ['1500', 'KES', true],
    ['1500.50', 'KES', false],
    ['0.01', 'KES', false],
    ['1501', 'UGX', true],
    ['150.000', 'KWD', true],
    ['150.100', 'KWD', false],
    ['150.001', 'KWD', false],
  ])('of %s %s is in whole units: %s', (decimal, code, isWhole) => {
    const found = wholeUnitIssues(amountIn(decimal, code), viewOf(decimal));
    expect(found).toMatchObject(
      isWhole ? [] : [{ code: 'PB-AMOUNT-WHOLE', cell: 'A2', parameters: { currency: code } }],
    );
    expect(found).toHaveLength(isWhole ? 0 : 1);
  });

  test('that is read as anything holds the digits that were typed, in their order', () => {
    const typed = fc.stringMatching(/^[0-9][0-9., ]{0,14}[0-9]$/);
    const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');
    fc.assert(
      fc.property(typed, (text) => {
        const reading = readAmount(viewOf(text), { country: 'KE', currency: currency('KES'), purpose: '' });
        if (!reading.ok) return;
        const [shorter = '', longer = ''] = [digitsOf(text), digitsOf(decimalOf(reading.value))].sort(
          (a, b) => a.length - b.length,
        );
        expect(longer.startsWith(shorter)).toBe(true);
        expect(longer.slice(shorter.length)).toMatch(/^0*$/);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an amount in a number cell', () => {
  test.each([
    ['1500', '1500.00'],
    ['1234.0999999999999', '1234.10'],
    ['0.30000000000000004', '0.30'],
    ['1.5E3', '1500.00'],
    ['1.5e+03', '1500.00'],
    ['12E-1', '1.20'],
    ['9999999999999.99', '9999999999999.99'],
    ['1500.0000000000002', '1500.00'],
    ['1.500', '1.50'],
    ['-5', 'PB-AMOUNT-ZERO'],
    ['0', 'PB-AMOUNT-ZERO'],
    ['-0', 'PB-AMOUNT-ZERO'],
    ['1E-400', 'PB-AMOUNT-ZERO'],
    ['1500.001', 'PB-AMOUNT-DECIMALS'],
    ['1500.005', 'PB-AMOUNT-DECIMALS'],
    ['5E-3', 'PB-AMOUNT-DECIMALS'],
    ['33.333333333333336', 'PB-AMOUNT-DECIMALS'],
    ['1E300', 'PB-AMOUNT-LARGE'],
    ['1E400', 'PB-AMOUNT-TEXT'],
    ['1E13', 'PB-AMOUNT-LARGE'],
    ['1,500', 'PB-AMOUNT-TEXT'],
    ['NaN', 'PB-AMOUNT-TEXT'],
    ['٥', 'PB-AMOUNT-TEXT'],
  ])('that holds %s is %s', (stored, read) => expect(readAs(number(stored))).toBe(read));

  test('is exact for every amount up to 15 digits, however a program wrote the double', () => {
    const minors = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
    fc.assert(
      fc.property(minors, fc.constantFrom('KES', 'UGX', 'KWD'), (minor, code) => {
        const decimal = decimalOf({ minor, currency: currency(code).code });
        const double = Number(decimal);
        for (const stored of [decimal, String(double), double.toPrecision(17), double.toExponential(16)]) {
          expect(readAs(number(stored), code)).toBe(decimal);
        }
      }),
    );
  });
});

describe('an amount that the file does not hold', () => {
  test.each<[string, CellChoice | undefined, string]>([
    ['no cell', undefined, 'PB-AMOUNT-MISSING'],
    ['a date', { type: 'date', text: '45992' }, 'PB-CELL-DATE'],
    ['TRUE', { type: 'boolean', text: '1' }, 'PB-AMOUNT-TEXT'],
    ['an error', { type: 'error', text: '#N/A' }, 'PB-CELL-ERROR'],
    ['an error of a formula', { type: 'error', text: '#REF!', formula: 'cached' }, 'PB-CELL-ERROR'],
    ['a formula that was never calculated', { type: 'number', formula: 'missing' }, 'PB-FORMULA-NO-VALUE'],
    ['a merged range', { type: 'number', text: '1500', merged: true }, 'PB-MERGED'],
    ['a cell under a merged range', { merged: true }, 'PB-MERGED'],
  ])('%s', (_, choice, code) => expect(readAs(choice)).toBe(code));

  test('but the stored result of a formula is one', () => {
    expect(readAs({ type: 'number', text: '1500', formula: 'cached' })).toBe('1500.00');
    expect(readAs({ type: 'text', text: '1,234.50', formula: 'cached' })).toBe('1234.50');
  });
});

describe('the figure of a total row', () => {
  test.each([
    ['45000', 'number'],
    ['KES 45,000.00', 'text'],
    ['45 000,00', 'text'],
  ] as const)('"%s" is read like an amount', (text, type) => {
    expect(amountOf(text, type, { currency: currency('KES') })).toEqual(amountIn('45000'));
  });

  test.each([
    ['45,000', 'text'],
    ['', 'text'],
    ['many', 'text'],
    ['45,000', 'number'],
    ['0.001', 'number'],
  ] as const)('"%s" says nothing that could be compared', (text, type) => {
    expect(amountOf(text, type, { currency: currency('KES') })).toBeUndefined();
  });
});
