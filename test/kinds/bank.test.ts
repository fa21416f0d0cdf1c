import { describe, expect, test } from 'vitest';
import { kindOfRow } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, number, rowViewOf } from '../support/sheet-rows.ts';

const remitter = {
  name: 'Acme Ltd',
  phoneNumber: '+254700000000',
  country: 'KE',
  sourceOfFunds: 'Business',
  principalActivity: 'Trading',
};
const context = { country: 'KE', currency: currency('KES'), purpose: 'Wages', remitter };
const row = {
  type: 'bank',
  name: 'Otieno',
  bank_code: '68',
  bank_name: 'Practice Bank',
  account_number: '0012',
  amount: '5',
};
const bank = kindOfRow(rowViewOf(row)) as Kind;

/** The line that a row makes, or the codes of its errors. */
function lineOf(cells: Readonly<Record<string, CellChoice | undefined>>, over = {}) {
  const { issues, payable } = bank.read(rowViewOf({ ...row, ...cells }), { ...context, ...over });
  if (payable?.draft.submission === 'payment-order') return payable.draft.line;
  return issues.filter(({ level }) => level === 'error').map(({ code }) => code);
}
const payeeOf = (cells: Readonly<Record<string, CellChoice>>) =>
  bank.read(rowViewOf({ ...row, ...cells }), context).payable?.payout.payee;

describe('the code of a bank', () => {
  test.each<[CellChoice, string]>([
    ['68', '68'],
    ['07', '07'],
    ['011', '011'],
    ['68-000', '68000'],
    ['68 000', '68000'],
    ['011000', '011000'],
    [number('68'), '68'],
    ['PRACKENA', 'PRACKENA'],
    ['prackena', 'PRACKENA'],
    ['PRAC KE NA 001', 'PRACKENA001'],
  ])('%o is sent as %s', (code, sent) => {
    expect(lineOf({ bank_code: code })).toMatchObject({ recipient: { institutionIdentifier: sent } });
  });

  test.each<[CellChoice | undefined, string]>([
    ['7', 'PB-BANK-CODE'],
    ['6800', 'PB-BANK-CODE'],
    ['6800000', 'PB-BANK-CODE'],
    ['PRACKE', 'PB-BANK-CODE'],
    ['PRACKENAX', 'PB-BANK-CODE'],
    ['PRAC1ENA', 'PB-BANK-CODE'],
    ['PRАCKENA', 'PB-BANK-CODE'],
    ['Practice Bank', 'PB-BANK-CODE'],
    ['6.8E+4', 'PB-BANK-CODE'],
    [number('7'), 'PB-BANK-CODE'],
    [number('68.5'), 'PB-CELL-CHARS'],
    ['６８', 'PB-CELL-CHARS'],
    [undefined, 'PB-CELL-MISSING'],
  ])('%o is none: %s', (code, issue) => expect(lineOf({ bank_code: code })).toEqual([issue]));

  test('in a number cell is warned of, because a zero in front of it would be gone', () => {
    const { issues } = bank.read(rowViewOf({ ...row, bank_code: number('68') }), context);
    expect(issues.map(({ code, cell }) => [code, cell])).toEqual([['PB-ACCOUNT-NUMBER', 'C2']]);
  });

  test('of a head office is one payee, with its three X or without', () => {
    expect(payeeOf({ bank_code: 'PRACKENAXXX' })).toBe(payeeOf({ bank_code: 'PRACKENA' }));
    expect(payeeOf({ bank_code: 'PRACKENA001' })).not.toBe(payeeOf({ bank_code: 'PRACKENA' }));
  });
});

describe('the account at a bank', () => {
  test.each<[CellChoice, string]>([
    ['0100237788123', '0100237788123'],
    ['0112-345 678/01', '0112-345 678/01'],
    ['KE12ABCD3456', 'KE12ABCD3456'],
    [number('100237788123'), '100237788123'],
  ])('%o is sent exactly as %s', (account, sent) => {
    expect(lineOf({ account_number: account })).toMatchObject({ recipient: { primaryAccountNumber: sent } });
  });

  test.each<[CellChoice | undefined, string]>([
    [number('1002377881234567'), 'PB-ACCOUNT-DIGITS'],
    ['1.00237788123E+12', 'PB-CELL-CHARS'],
    ['1E+12', 'PB-CELL-CHARS'],
    ["'0100237788", 'PB-CELL-CHARS'],
    ['01002\u200b37788', 'PB-CELL-CHARS'],
    ['АВ0100', 'PB-CELL-CHARS'],
    ['01002*37788', 'PB-CELL-CHARS'],
    [undefined, 'PB-CELL-MISSING'],
  ])('%o is none: %s', (account, issue) => expect(lineOf({ account_number: account })).toEqual([issue]));

  test('is one payee with spaces and without', () => {
    expect(payeeOf({ account_number: '0112-345 678' })).toBe(payeeOf({ account_number: '0112345678' }));
  });
});

describe('who pays', () => {
  test('is told to the bank, with all that the configuration says', () => {
    const full = { ...remitter, address: 'Nairobi', idType: 'Passport', idNumber: 'A1', dateOfBirth: '1990/12/31' };
    expect(lineOf({}, { remitter: full })).toMatchObject({ remitter: { ...full, ccy: 404 } });
  });

  test.each(Object.keys(remitter))('must be known: without %s no row is paid, and the field is named', (field) => {
    const { [field as keyof typeof remitter]: _, ...rest } = remitter;
    const { issues, payable } = bank.read(rowViewOf(row), { ...context, remitter: rest as typeof remitter });
    expect(payable).toBeUndefined();
    expect(issues).toMatchObject([{ code: 'PB-REMITTER', parameters: { fields: `remitter.${field}` } }]);
  });
});
