import { describe, expect, test } from 'vitest';
import { longestOfRemitter } from '../../src/domain/lengths.ts';
import { columnDescriptions, kindOfRow } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { remitter as remitterShape } from '../../src/service/contract/payment-order.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, number, rowViewOf } from '../support/sheets/sheet-rows.ts';

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
  if (payable?.draft?.submission === 'payment-order') return payable.draft.line;
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
    ['6.8E+4', 'PB-NUMBER-FORM'],
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
    ['1.00237788123E+12', 'PB-NUMBER-FORM'],
    ['1E+12', 'PB-NUMBER-FORM'],
    ['1002377881.0', 'PB-NUMBER-FORM'],
    ['NULL', 'PB-PLACEHOLDER'],
    [number('0'), 'PB-PLACEHOLDER'],
    ['0100\ufffd7788', 'PB-CELL-CHARS'],
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
    const full = {
      ...remitter,
      ...{ address: 'Nairobi', idType: 'Passport', idNumber: 'A1', dateOfBirth: '1990/12/31', nationality: 'Kenyan' },
      ...{ email: 'pay@acme.example', idIssuePlace: 'Nairobi', idIssueDate: '2020/01/31', idExpireDate: '2030/01/31' },
      ...{
        city: 'Nairobi',
        postalCode: '00100',
        state: 'Nairobi',
        financialInstitution: 'Bank',
        institutionIdentifier: '68',
      },
    };
    expect(lineOf({}, { remitter: full })).toMatchObject({ remitter: { ...full, ccy: 404 } });
  });

  test.each(Object.keys(remitter))(
    'must be known: without %s nothing is made of a row, and the field is named',
    (field) => {
      const { [field as keyof typeof remitter]: _, ...rest } = remitter;
      const { issues, payable, lacks } = bank.read(rowViewOf(row), { ...context, remitter: rest as typeof remitter });
      expect([issues, lacks]).toEqual([[], [field]]);
      expect(payable?.draft).toBeUndefined();
    },
  );
});

test('every field that settings can say of who pays has its place in an order', () => {
  expect(Object.keys(longestOfRemitter).filter((field) => !(field in remitterShape.shape))).toEqual([]);
});

describe('who is paid', () => {
  const particulars = {
    recipient_address: 'Kisumu',
    recipient_email: 'otieno@example.test',
    recipient_id_type: 'National ID',
    recipient_id_number: number('22334455'),
    phone: '0722 345 678',
  };

  test('is told with all that the row says, and the network of the phone', () => {
    expect(lineOf(particulars)).toMatchObject({
      recipient: {
        address: 'Kisumu',
        emailAddress: 'otieno@example.test',
        idType: 'National ID',
        idNumber: '22334455',
        phoneNumber: '+254722345678',
        mccmnc: '63902',
      },
    });
  });

  test('is told without what the row does not say', () => {
    const line = lineOf({});
    expect('recipient' in line && Object.keys(line.recipient).sort()).toEqual(
      [
        'ccy',
        'country',
        'financialInstitution',
        'institutionIdentifier',
        'name',
        'primaryAccountNumber',
        'purpose',
      ].sort(),
    );
  });

  test('is not told from columns that payrolls have for other reasons', () => {
    const headings = ['Address', 'Email', 'ID No', 'ID Number', 'National ID', 'ID Type', 'Town'];
    const known = columnDescriptions().flatMap(({ id, heading, aliases }) => [id, heading, ...aliases]);
    const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
    expect(headings.filter((heading) => known.map(bare).includes(bare(heading)))).toEqual([]);
  });
});
