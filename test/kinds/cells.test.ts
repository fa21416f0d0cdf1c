import { describe, expect, test } from 'vitest';
import { optional, type Reading, trimmed } from '../../src/kinds/column.ts';
import { network, phone, shared } from '../../src/kinds/columns.ts';
import { plainDecimal, wholeDigits } from '../../src/kinds/number-cell.ts';
import { readAccount, readDigits, readFreeText, readIdentifier } from '../../src/kinds/text-columns.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, number, viewOf } from '../support/sheets/sheet-rows.ts';

const kenya = { country: 'KE', currency: currency('KES'), purpose: 'Pay' };

/** The value that was read, or the code of the issue, whose message must be whole. */
function told<T>(reading: Reading<T>): T | string {
  if (reading.ok) return reading.value;
  expect(issueMessage(reading.issue).replace(reading.issue.value, '…')).not.toMatch(/\{| {2}/);
  return reading.issue.code;
}

/** Cells that no column can use. */
const damaged: readonly (readonly [string, CellChoice, string])[] = [
  ['an error', { type: 'error', text: '#N/A' }, 'PB-CELL-ERROR'],
  ['an error as the result of a formula', { type: 'error', text: '#REF!', formula: 'cached' }, 'PB-CELL-ERROR'],
  ['a formula that was never calculated', { formula: 'missing' }, 'PB-FORMULA-NO-VALUE'],
  ['the first cell of a merged range', { text: '0712345678', merged: true }, 'PB-MERGED'],
  ['a covered cell of a merged range', { merged: true }, 'PB-MERGED'],
];

describe('a cell that is damaged', () => {
  const columns = [...Object.values(shared), phone, optional(phone), network, optional(network)];
  test.each(damaged)('is refused by every column, optional or not: %s', (_, choice, code) => {
    for (const column of columns) expect(told<unknown>(column.read(viewOf(choice), kenya)), column.id).toBe(code);
  });
});

describe('what nobody can see', () => {
  test.each(['\u00a0', '\u200b', '\u200e', '\u2060', '\ufeff', '\u00ad', '\t', '\r\n', '\u3000'])(
    '%o is taken off both ends of a cell',
    (mark) => expect(trimmed(viewOf(`${mark}EMP 1${mark} ${mark}`))).toBe('EMP 1'),
  );

  test.each<[string, string]>([
    ['Jane\u00a0 \u00a0Wanjiku', 'Jane Wanjiku'],
    ['Jane\u200bWanjiku', 'JaneWanjiku'],
    ['Jane \u200b Wanjiku', 'Jane Wanjiku'],
    ['Jane\n\tWanjiku', 'Jane Wanjiku'],
    ['\u202eJane\u202c', 'Jane'],
    ['Jose\u0301', 'Jos\u00e9'],
    ['Ｊane', 'Ｊane'],
  ])('%o is the name %o', (text, name) => expect(told(readFreeText(viewOf(text), 100))).toBe(name));

  test.each(['\u202b', '\u202e', '\u2067'])(
    '%o around a phone, an amount or an account refuses it, because the sheet shows other digits',
    (turn) => {
      const around = (text: string) => viewOf(`${turn}${text}${turn < '\u2066' ? '\u202c' : '\u2069'}`);
      expect(told<unknown>(phone.read(around('0765432170'), kenya))).toBe('PB-PHONE-CHARS');
      expect(told<unknown>(shared.amount.read(around('0054'), kenya))).toBe('PB-AMOUNT-TEXT');
      expect(told(shared.reference.read(around('21'), kenya))).toBe('PB-CELL-CHARS');
      expect(told(readAccount(around('0012345'), 20, 'PB-BANK-CODE'))).toBe('PB-CELL-CHARS');
      expect(told(readDigits(around('512345'), 5, 7, 'PB-TILL'))).toBe('PB-CELL-CHARS');
      const name = shared.name.read(around('Jane'), kenya);
      expect(name).toMatchObject({ ok: true, value: 'Jane', warnings: [{ code: 'PB-TEXT-HIDDEN' }] });
    },
  );

  test('leaves no name', () => {
    expect(told(shared.name.read(viewOf('\u200b'), kenya))).toBe('PB-NAME-MISSING');
    expect(told(shared.name.read(viewOf('\u0007'), kenya))).toBe('PB-CELL-CHARS');
    expect(told(shared.name.read(viewOf('Jane \u0007Wanjiku'), kenya))).toBe('PB-CELL-CHARS');
    expect(told(shared.name.read(viewOf({ type: 'boolean', text: 'TRUE' }), kenya))).toBe('PB-CELL-BOOLEAN');
    expect(told(shared.name.read(viewOf(undefined), kenya))).toBe('PB-NAME-MISSING');
  });

  test.each(['EMP\u200b1', 'EMP\u00ad1', 'EMP\u202e1', 'EMP\t1', 'EMP\u00001', 'EMP\ufeff1', 'EMP\ue0001'])(
    '%o is no reference',
    (text) => expect(told(readIdentifier(viewOf(text), 35, 'PB-NAME-MISSING'))).toBe('PB-CELL-CHARS'),
  );

  test('is named by its number', () => {
    const reading = readIdentifier(viewOf('EMP\u200b1'), 35, 'PB-NAME-MISSING');
    expect(!reading.ok && reading.issue.parameters).toEqual({ heading: 'Cell', character: 'U+200B' });
    const typed = phone.read(viewOf('0712\u200b345678'), kenya);
    expect(!typed.ok && typed.issue.parameters).toEqual({ heading: 'Cell', character: 'U+200B' });
  });
});

describe('a free text', () => {
  test.each<[CellChoice | undefined, string]>([
    [undefined, ''],
    ['=HYPERLINK("x")', '=HYPERLINK("x")'],
    ['x'.repeat(5), 'xxxxx'],
    ['x'.repeat(6), 'PB-TEXT-LENGTH'],
    [number('2026'), '2026'],
    [{ type: 'date', text: '46174' }, 'PB-CELL-DATE'],
  ])('%o is %s', (choice, text) => {
    const longest = typeof choice === 'string' && choice.startsWith('=') ? 100 : 5;
    expect(told(readFreeText(viewOf(choice), longest))).toBe(text);
  });
});

describe('a reference', () => {
  const read = (choice: CellChoice | undefined) => told(readIdentifier(viewOf(choice), 10, 'PB-NAME-MISSING'));
  test.each<[CellChoice | undefined, string]>([
    ['EMP-001', 'EMP-001'],
    [' EMP-001\u00a0', 'EMP-001'],
    ['EMP\u00a01', 'EMP 1'],
    ['ＥＭＰ１', 'EMP1'],
    ['Jose\u0301', 'Jos\u00e9'],
    ['007', '007'],
    [number('7'), '7'],
    [number('7.0'), '7'],
    [number('1.5E3'), '1500'],
    [number('123456789012345'), '123456789012345'],
    [number('1234567890123456'), 'PB-ACCOUNT-DIGITS'],
    [number('1.23456789012345E20'), 'PB-ACCOUNT-DIGITS'],
    [number('7.5'), 'PB-CELL-CHARS'],
    [number('-7'), 'PB-CELL-CHARS'],
    [{ type: 'date', text: '45992' }, 'PB-CELL-DATE'],
    [{ type: 'boolean', text: '1' }, 'PB-CELL-BOOLEAN'],
    ['', 'PB-NAME-MISSING'],
    [undefined, 'PB-NAME-MISSING'],
    ['x'.repeat(11), 'PB-TEXT-LENGTH'],
  ])('%o is %s', (choice, text) => expect(read(choice)).toBe(text));
});

describe('an account', () => {
  const read = (choice: CellChoice | undefined) => told(readAccount(viewOf(choice), 34, 'PB-PAYBILL-ACCOUNT'));
  test.each<[CellChoice | undefined, string]>([
    ['0012345', '0012345'],
    ['ACC-12/7', 'ACC-12/7'],
    ['Flat 4', 'Flat 4'],
    ['Flat\u00a04', 'Flat 4'],
    ['Njeri\u0303', 'Njer\u0129'],
    [number('12345'), '12345'],
    [number('2.5E9'), '2500000000'],
    [number('1234567890123456'), 'PB-ACCOUNT-DIGITS'],
    [number('12345.5'), 'PB-CELL-CHARS'],
    ['12345²', 'PB-CELL-CHARS'],
    ['12345①', 'PB-CELL-CHARS'],
    ['１２３４５', 'PB-CELL-CHARS'],
    ['١٢٣٤٥', 'PB-CELL-CHARS'],
    ['Ⅻ', 'PB-CELL-CHARS'],
    ['12345½', 'PB-CELL-CHARS'],
    ['ＡB12', 'PB-CELL-CHARS'],
    ['123\u200b45', 'PB-CELL-CHARS'],
    ['123\n45', 'PB-CELL-CHARS'],
    ["'0012345", 'PB-CELL-CHARS'],
    ["O'Neill 7", "O'Neill 7"],
    [{ type: 'boolean', text: '1' }, 'PB-CELL-BOOLEAN'],
    [{ type: 'date', text: '45992' }, 'PB-CELL-DATE'],
    [undefined, 'PB-PAYBILL-ACCOUNT'],
    ['\u200b', 'PB-PAYBILL-ACCOUNT'],
    ['9'.repeat(35), 'PB-ACCOUNT-LENGTH'],
  ])('%o is %s', (choice, text) => expect(read(choice)).toBe(text));
});

describe('a business number of five to nine digits', () => {
  const read = (choice: CellChoice | undefined) => told(readDigits(viewOf(choice), 5, 9, 'PB-TILL'));
  test.each<[CellChoice | undefined, string]>([
    ['51234', '51234'],
    ['512 345-678', '512345678'],
    ['00512', '00512'],
    [number('512345'), '512345'],
    [number('5.12345E5'), '512345'],
    ['5123', 'PB-TILL'],
    ['5123456789', 'PB-TILL'],
    ['51234A', 'PB-TILL'],
    ['51234.0', 'PB-TILL'],
    ['+51234', 'PB-TILL'],
    ['51234\n', '51234'],
    ['51234/51235', 'PB-TILL'],
    [number('512345.5'), 'PB-CELL-CHARS'],
    [number('-512345'), 'PB-CELL-CHARS'],
    ['51234²', 'PB-CELL-CHARS'],
    ['５１２３４', 'PB-CELL-CHARS'],
    ['٥١٢٣٤', 'PB-CELL-CHARS'],
    ['51234\u200b5', 'PB-CELL-CHARS'],
    ['', 'PB-CELL-MISSING'],
    [undefined, 'PB-CELL-MISSING'],
  ])('%o is %s', (choice, text) => expect(read(choice)).toBe(text));
});

describe('a phone', () => {
  const read = (choice: CellChoice | undefined): string => {
    const reading = phone.read(viewOf(choice), kenya);
    return reading.ok ? reading.value.msisdn : String(told(reading));
  };
  test.each<[CellChoice | undefined, string]>([
    ['0712 345 678', '+254712345678'],
    ['\u200e0712345678\u200f', '+254712345678'],
    [number('712345678'), '+254712345678'],
    [number('7.12345678E8'), '+254712345678'],
    [number('254712345678'), '+254712345678'],
    [number('2.54712345678E11'), '+254712345678'],
    [number('712345678.0'), '+254712345678'],
    [number('7.12E+08'), '+254712000000'],
    [number('1.23E20'), 'PB-PHONE-LENGTH'],
    [number('many'), 'PB-PHONE-CHARS'],
    ['7.12E+08', 'PB-PHONE-EXP'],
    [number('71234567.8'), 'PB-PHONE-CHARS'],
    [number('-712345678'), 'PB-PHONE-CHARS'],
    [number('2547123456781234'), 'PB-PHONE-LENGTH'],
    ['071234567O', 'PB-PHONE-CHARS'],
    ['0712345678 / 0733111222', 'PB-PHONE-TWO'],
    ['0712345678/0733111222', 'PB-PHONE-TWO'],
    ['0712345678, 0733111222', 'PB-PHONE-TWO'],
    ['0712345678 or 0733111222', 'PB-PHONE-TWO'],
    ['0712 345 678 0733 111 222', 'PB-PHONE-TWO'],
    ['0712345678 ext 5', 'PB-PHONE-CHARS'],
    ['0202345678', 'PB-PHONE-LANDLINE'],
    ['+256772123456', 'PB-PHONE-COUNTRY'],
    ['٠٧١٢٣٤٥٦٧٨', 'PB-PHONE-CHARS'],
    [{ type: 'date', text: '45992' }, 'PB-CELL-DATE'],
    ['', 'PB-PHONE-MISSING'],
    [undefined, 'PB-PHONE-MISSING'],
  ])('%o is %s', (choice, msisdn) => expect(read(choice)).toBe(msisdn));

  test('of a country without an example is told to be written whole', () => {
    const reading = phone.read(viewOf('07'), { ...kenya, country: 'ET' });
    expect(told(reading)).toBe('PB-PHONE-LENGTH');
  });
});

describe('the other columns', () => {
  test('a network is found by its name or its code, and the known ones are told otherwise', () => {
    const read = (choice: CellChoice) => told(network.read(viewOf(choice), kenya));
    expect(read('M-PESA')).toMatchObject({ mccmnc: '63902' });
    expect(read(number('63903'))).toMatchObject({ mccmnc: '63903' });
    expect(read('Nokia')).toBe('PB-NETWORK-UNKNOWN');
  });

  test.each<[CellChoice | undefined, string | undefined]>([
    ['KES', 'KES'],
    [' kes\u00a0', 'KES'],
    [undefined, undefined],
    ['USD', 'PB-CURRENCY'],
    ['KSh', 'KES'],
    ['Sh', 'PB-CURRENCY'],
    [number('404'), 'PB-CURRENCY'],
  ])('the currency %o is %s', (choice, code) => expect(told(shared.currency.read(viewOf(choice), kenya))).toBe(code));

  test('an optional column that is left empty reads as nothing', () => {
    for (const column of [shared.reference, shared.note, shared.purpose, optional(phone), optional(network)]) {
      expect(column.required).toBe(false);
      expect(told<unknown>(column.read(viewOf(undefined), kenya))).toBeUndefined();
      expect(told<unknown>(column.read(viewOf(' \u200b '), kenya))).toBeUndefined();
    }
  });
});

describe('a number that a spreadsheet stored', () => {
  test.each([
    ['2.54712345678E11', '254712345678'],
    ['1234.0999999999999', '1234.1'],
    ['0.30000000000000004', '0.3'],
    ['1E21', '1000000000000000000000'],
    ['1E-7', '0.0000001'],
    ['-1.5', '-1.5'],
    ['0', '0'],
    ['000', '0'],
    ['1e2', '100'],
    ['', undefined],
    ['1,5', undefined],
    ['.5', undefined],
    ['1e', undefined],
    ['1E9999', undefined],
    ['1E999', undefined],
    ['Infinity', undefined],
    [' 5', undefined],
  ])('%o says %s', (stored, plain) => expect(plainDecimal(stored)).toBe(plain));

  test.each([
    ['712345678', '712345678'],
    ['123456789012345', '123456789012345'],
    ['1234567890123456', undefined],
    ['1.5', undefined],
    ['-5', undefined],
    ['x', undefined],
  ])('%o has the whole digits %s', (stored, digits) => expect(wholeDigits(stored)).toBe(digits));
});
