/** What an issue of a cell says beside its code: the parameters that fill its message, and the place. */
import { describe, expect, test } from 'vitest';
import { type Column, emptyView } from '../../src/kinds/column.ts';
import { network, phone, shared } from '../../src/kinds/columns.ts';
import { readAccount, readDigits, readIdentifier, visible, warnOfNumber } from '../../src/kinds/text-columns.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, number, viewOf } from '../support/sheets/sheet-rows.ts';

const kenya = { country: 'KE', currency: currency('KES'), purpose: 'Pay' };
const { reference, name, amount, currency: currencyColumn, purpose, note } = shared;

type Parameters = Readonly<Record<string, unknown>>;

/** The issue of a reading, or its warning: code and parameters, without the heading that each has. */
function told(
  column: Column<unknown>,
  choice: CellChoice,
  context: object = {},
): readonly [string, Parameters] | undefined {
  const reading = column.read(viewOf(choice), { ...kenya, ...context });
  const found = reading.ok ? reading.warnings?.[0] : reading.issue;
  if (!found) return undefined;
  const { heading, ...parameters } = found.parameters;
  const { cell, row } = found;
  expect({ heading, cell, row }).toEqual({ heading: 'Cell', cell: 'A2', row: 2 });
  return [found.code, parameters];
}

describe('a phone', () => {
  test.each<[CellChoice, string, Parameters]>([
    ['', 'PB-PHONE-MISSING', {}],
    ['712345678', 'PB-PHONE-ZERO', { count: 1, read: '+254712345678' }],
    [number('712345678'), 'PB-PHONE-ZERO', { count: 1, read: '+254712345678' }],
    [number('-712345678'), 'PB-PHONE-CHARS', { character: '-' }],
    [number('712345678.5'), 'PB-PHONE-CHARS', { character: '.' }],
    ['071234567O', 'PB-PHONE-CHARS', { character: 'O' }],
    ['0712\u200b345678', 'PB-PHONE-CHARS', { character: 'U+200B' }],
    ['0712345678 / 0733000111', 'PB-PHONE-TWO', {}],
    ['0712345678 or 0733000111', 'PB-PHONE-TWO', {}],
    ['07123456780733000111', 'PB-PHONE-TWO', {}],
    ['0712 345 678 0733 000 111', 'PB-PHONE-TWO', {}],
    ['7.12E+08', 'PB-PHONE-EXP', {}],
    ['+256772123456', 'PB-PHONE-COUNTRY', { country: 'KE' }],
    ['0202345678', 'PB-PHONE-LANDLINE', {}],
    ['071234567', 'PB-PHONE-LENGTH', { digits: 9, example: '0712 345 678' }],
    [{ type: 'date', text: '45992' }, 'PB-CELL-DATE', {}],
  ])('%o: %s', (choice, code, parameters) => expect(told(phone, choice)).toEqual([code, parameters]));

  test.each(['0712345678', '+254712345678', '254712345678', number('254712345678')])(
    '%o is told of nothing',
    (choice) => expect(told(phone, choice)).toBeUndefined(),
  );

  test.each([
    ['UG', '0772 123 456'],
    ['TZ', '0754 123 456'],
    ['RW', 'with its country code'],
  ])('that is too short in %s is shown one that is not: %s', (country, example) => {
    expect(told(phone, '07', { country })?.[1]).toMatchObject({ digits: 2, example });
  });

  test('is not two numbers for a comma or a word in between, unless both are numbers', () => {
    for (const text of ['0712345678 or later', '07123,45678', '0712345678 & sons']) {
      expect(told(phone, text)?.[0], text).toBe('PB-PHONE-CHARS');
    }
    for (const sign of [',', ';', '|', '&', '\n', ' and ', ' na ', ' au ', ' ou ', ' et ', ' OR ']) {
      expect(told(phone, `0712345678${sign}0733000111`)?.[0], sign).toBe('PB-PHONE-TWO');
    }
  });
});

describe('a network', () => {
  test.each([
    ['KE', 'Safaricom, Airtel Kenya, Telkom Kenya, Faiba, Equitel'],
    ['RW', 'MTN Rwanda, Airtel Rwanda'],
  ])('that nobody knows in %s is told with those that are: %s', (country, networks) => {
    expect(told(network, 'Nokia', { country })).toEqual(['PB-NETWORK-UNKNOWN', { networks }]);
  });

  test('is not asked for in a country whose networks are not known', () => {
    expect(told(network, 'Vodacom', { country: 'CD' })).toEqual(['PB-NETWORK-COUNTRY', { country: 'CD' }]);
  });
});

describe('an amount', () => {
  test.each<[CellChoice, string, Parameters]>([
    ['', 'PB-AMOUNT-MISSING', {}],
    ['0', 'PB-AMOUNT-ZERO', {}],
    ['many', 'PB-AMOUNT-TEXT', {}],
    ['1.005', 'PB-AMOUNT-AMBIGUOUS', { mark: 'comma' }],
    ['1,005', 'PB-AMOUNT-AMBIGUOUS', { mark: 'point' }],
    ['100,50', 'PB-AMOUNT-MARK', { found: ',', expected: '.', mark: 'comma' }],
    ['10000000000000', 'PB-AMOUNT-LARGE', {}],
    ['1.0005', 'PB-AMOUNT-DECIMALS', { currency: 'KES', exponent: 2 }],
    [{ type: 'date', text: '45992' }, 'PB-CELL-DATE', {}],
  ])('%o: %s', (choice, code, parameters) => expect(told(amount, choice)).toEqual([code, parameters]));

  test('with the mark that the column has not is told with both', () => {
    const marks = { found: '.', expected: ',', mark: 'point' };
    expect(told(amount, '100.50', { decimals: 'comma' })).toEqual(['PB-AMOUNT-MARK', marks]);
    expect(told(amount, '1500', { decimals: 'comma' })).toBeUndefined();
  });

  test('in another currency than the batch is told with that of the batch', () => {
    expect(told(currencyColumn, 'ugx')).toEqual(['PB-CURRENCY', { currency: 'KES' }]);
    expect(told(currencyColumn, 'kes')).toBeUndefined();
  });
});

describe('a text', () => {
  const long = (length: number): string => 'x'.repeat(length);
  test.each<[string, Column<unknown>, CellChoice, string, Parameters]>([
    ['name', name, '', 'PB-NAME-MISSING', {}],
    ['name', name, { type: 'boolean', text: '1' }, 'PB-CELL-BOOLEAN', {}],
    ['name', name, { type: 'date', text: '45992' }, 'PB-CELL-DATE', {}],
    ['name', name, long(65), 'PB-TEXT-LENGTH', { length: 65, limit: 64 }],
    ['name', name, 'Jane\u0007W', 'PB-CELL-CHARS', { character: 'U+0007' }],
    ['name', name, 'Jane\rW', 'PB-CELL-CHARS', { character: 'U+000D' }],
    ['name', name, 'J\u0430ne', 'PB-NAME-SCRIPTS', { character: '\u0430 (U+0430)' }],
    ['name', name, 'Jane\u202eW', 'PB-TEXT-HIDDEN', { count: 1, characters: 'U+202E', sent: 'JaneW' }],
    ['name', name, '\ufeffJane \ufe0fW', 'PB-TEXT-HIDDEN', { count: 2, characters: 'U+FEFF, U+FE0F', sent: 'Jane W' }],
    [
      'name',
      name,
      'a\u200b\u200c\u200d\u2060\u2061\u2062',
      'PB-TEXT-HIDDEN',
      {
        count: 6,
        characters: 'U+200B, U+200C, U+200D, U+2060, U+2061, …',
        sent: 'a',
      },
    ],
    ['name', name, 'Jane\u2028\vW', 'PB-TEXT-HIDDEN', { count: 2, characters: 'U+2028, U+000B', sent: 'Jane W' }],
    ['name', name, '=1+1', 'PB-NAME-FORMULA', { character: '=', sent: '=1+1' }],
    ['name', name, '\uff20SUM', 'PB-NAME-FORMULA', { character: '\uff20', sent: '\uff20SUM' }],
    ['reference', reference, 'EMP\ufe001', 'PB-CELL-CHARS', { character: 'U+FE00' }],
    ['note', note, 'a\u2066b', 'PB-TEXT-HIDDEN', { count: 1, characters: 'U+2066', sent: 'ab' }],
    ['purpose', purpose, 'a\u0085b', 'PB-CELL-CHARS', { character: 'U+0085' }],
    ['note', note, long(256), 'PB-TEXT-LENGTH', { length: 256, limit: 255 }],
    ['reference', reference, 'EMP\u200b1', 'PB-CELL-CHARS', { character: 'U+200B' }],
    ['reference', reference, { type: 'boolean', text: '1' }, 'PB-CELL-BOOLEAN', {}],
    ['reference', reference, { type: 'date', text: '45992' }, 'PB-CELL-DATE', {}],
    ['reference', reference, number('1.5'), 'PB-CELL-CHARS', { character: '.' }],
    ['reference', reference, number('-7'), 'PB-CELL-CHARS', { character: '-' }],
    ['reference', reference, number('1234567890123456'), 'PB-ACCOUNT-DIGITS', {}],
  ])('as a %s %#: %o', (_, column, choice, code, parameters) => {
    expect(told(column, choice)).toEqual([code, parameters]);
  });

  test.each(['Jane\tW', 'Jane\nW', 'Jane\r\nW', 'Jane \u00a0 W'])('%o is one with a space', (text) => {
    expect(name.read(viewOf(text), kenya)).toEqual({ ok: true, value: 'Jane W' });
  });

  test('of one alphabet is no danger, nor one without our letters', () => {
    for (const text of ['Jane', '\u0418\u0432\u0430\u043d', 'Zo\u00eb', '12'])
      expect(told(name, text), text).toBeUndefined();
    expect(told(name, 'J\u03b1ne')?.[1]).toEqual({ character: '\u03b1 (U+03B1)' });
  });
});

describe('an account', () => {
  const account: Column<string> = {
    ...phone,
    read: (view) => readAccount(view, 20, 'PB-CELL-MISSING'),
  };
  test.each<[CellChoice, string, Parameters]>([
    ['', 'PB-CELL-MISSING', {}],
    ["'0012", 'PB-CELL-CHARS', { character: "'" }],
    ['12\u00b2', 'PB-CELL-CHARS', { character: '\u00b2' }],
    ['\u0661\u0662', 'PB-CELL-CHARS', { character: '\u0661' }],
    ['x'.repeat(21), 'PB-ACCOUNT-LENGTH', { length: 21, limit: 20 }],
  ])('%o: %s', (choice, code, parameters) => expect(told(account, choice)).toEqual([code, parameters]));

  test('in a number cell is warned of, and in a text cell is not', () => {
    const warned = (choice: CellChoice) => {
      const view = viewOf(choice);
      const reading = warnOfNumber(view, readIdentifier(view, 20, 'PB-CELL-MISSING'));
      return reading.ok ? reading.warnings?.[0]?.code : reading.issue.code;
    };
    expect([warned(number('12')), warned('12'), warned(number('1.5'))]).toEqual([
      'PB-ACCOUNT-NUMBER',
      undefined,
      'PB-CELL-CHARS',
    ]);
  });

  test('of a business has so many digits, with spaces and hyphens between them', () => {
    const digits = (text: string) => {
      const reading = readDigits(viewOf(text), 5, 7, 'PB-TILL');
      return reading.ok ? reading.value : reading.issue.code;
    };
    expect(['1234', '12 34-5', '1234567', '12345678', '12.345', ''].map(digits)).toEqual([
      'PB-TILL',
      '12345',
      '1234567',
      'PB-TILL',
      'PB-TILL',
      'PB-CELL-MISSING',
    ]);
  });

  test('shows a character, or the number of one that nobody could see', () => {
    expect(['x', '\u00a0', '\u200b', '\u0007', ' '].map(visible)).toEqual([
      'x',
      'U+00A0',
      'U+200B',
      'U+0007',
      'U+0020',
    ]);
  });
});

test('a cell that a sheet does not have is empty, at the place where its row would hold it', () => {
  expect(emptyView(7, 3, 'Phone')).toEqual({ row: 7, address: 'C7', heading: 'Phone' });
  expect(emptyView(7, undefined, 'Phone')).toEqual({ row: 7, address: '', heading: 'Phone' });
});
