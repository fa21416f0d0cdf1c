import { describe, expect, test } from 'vitest';
import { kindOfRow } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, rowViewOf } from '../support/sheets/sheet-rows.ts';

const context = {
  country: 'KE',
  currency: currency('KES'),
  purpose: 'Wages',
  remitter: { phoneNumber: '+254 700-000 000' },
};
type Cells = Readonly<Record<string, CellChoice | undefined>>;

function read(cells: Cells, over: object = {}) {
  const view = rowViewOf(cells);
  const { issues, payable, lacks } = (kindOfRow(view) as Kind).read(view, { ...context, ...over });
  const codes = issues.map(({ code, cell }) => `${code} ${cell}`);
  return { codes, lacks, payout: payable?.payout, draft: payable?.draft };
}

const airtime = { type: 'airtime', name: 'Jane', phone: '0712345678', amount: '50' };
const bill = { type: 'bill', name: 'Office', bill_service: 'City Water', account_number: '0012-3', amount: '50' };

describe.each([
  ['airtime', airtime],
  ['a bill', bill],
])('%s', (_, row) => {
  test.each(['50.00', '50', '1,000.00'])('is paid in whole units: %s', (amount) => {
    expect(read({ ...row, amount }).codes).toEqual([]);
  });

  test.each(['50.01', '0.50'])('is never rounded: %s is refused at its cell', (amount) => {
    const { codes, payout } = read({ ...row, amount });
    expect(codes).toEqual([expect.stringMatching(/^PB-AMOUNT-WHOLE [A-Z]2$/)]);
    expect(payout).toBeUndefined();
  });
});

describe('airtime', () => {
  test('in a currency without decimals has whole units anyway', () => {
    const over = { country: 'UG', currency: currency('UGX') };
    const { draft } = read({ ...airtime, phone: '0772123456', amount: '5000' }, over);
    expect(draft).toEqual({
      submission: 'airtime',
      recipient: { currencyCode: 'UGX', phoneNumber: '256772123456', amount: 5000, name: 'Jane' },
    });
  });

  test('is another payee than the wallet of the same phone', () => {
    const { type: _, ...untyped } = airtime;
    expect(read(untyped).payout?.payee).toBe('wallet|+254712345678');
    expect(read(airtime).payout).toMatchObject({
      payee: 'airtime|+254712345678',
      destination: 'Airtime +254712345678',
      network: 'Safaricom',
    });
  });

  test('is warned of when the network is not the one of the number', () => {
    expect(read({ ...airtime, network: 'Airtel' }).codes).toEqual([expect.stringContaining('PB-NETWORK-DIFFERS')]);
  });
});

describe('a bill', () => {
  const msisdnOf = (cells: Cells, over?: object) => {
    const { draft } = read({ ...bill, ...cells }, over);
    return draft?.submission === 'bill-payment' ? draft.payment.msisdn : undefined;
  };

  test('carries the phone of its row, or else that of the remitter, as digits', () => {
    expect(msisdnOf({ phone: '0722 345 678' })).toBe('254722345678');
    expect(msisdnOf({})).toBe('254700000000');
  });

  test('without any phone lacks that of the remitter, and nothing is made of it', () => {
    const { codes, lacks, draft } = read(bill, { remitter: {} });
    expect([codes, lacks, draft]).toEqual([[], ['phoneNumber'], undefined]);
    expect(msisdnOf({ phone: '0722345678' }, { remitter: undefined })).toBe('254722345678');
  });

  test('takes a note of 100 characters, where a payment order takes 255', () => {
    expect(read({ ...bill, note: 'x'.repeat(100) }).codes).toEqual([]);
    expect(read({ ...bill, note: 'x'.repeat(101) }).codes).toEqual([expect.stringContaining('PB-TEXT-LENGTH')]);
  });

  test('is one payee however service and account are written', () => {
    const one = read(bill).payout?.payee;
    expect(read({ ...bill, bill_service: 'CITY  water', account_number: '00123' }).payout?.payee).toBe(one);
    expect(read({ ...bill, account_number: '123' }).payout?.payee).not.toBe(one);
  });

  test('says its note for what it is, or else its purpose, or else that of the batch', () => {
    const said = (cells: Cells) => {
      const { draft } = read({ ...bill, ...cells });
      if (draft?.submission !== 'bill-payment') throw new Error('a bill makes a bill payment');
      const { narration, transactionDesc } = draft.payment;
      expect(transactionDesc).toBe(narration);
      return narration;
    };
    expect(said({ purpose: 'Water', note: 'October' })).toBe('October');
    expect(said({ purpose: 'Water' })).toBe('Water');
    expect(said({})).toBe('Wages');
  });

  test('beside a phone and without a type is not clear: the phone could be a wallet', () => {
    const { type: _, ...untyped } = bill;
    expect(kindOfRow(rowViewOf(untyped))).toHaveProperty('name', 'bill');
    expect(kindOfRow(rowViewOf({ ...untyped, phone: '0712345678' }))).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
  });
});
