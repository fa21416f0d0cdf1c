/** Rows with every column filled in: where each cell goes. */
import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { currency } from '../support/amounts.ts';
import { remitter } from '../support/remitter.ts';
import { rowViewOf } from '../support/sheets/sheet-rows.ts';
import { fullRowOf } from './cells-of-columns.ts';

const context = { country: 'KE', currency: currency('KES'), purpose: 'Wages', remitter };

const read = (kind: Kind) => kind.read(rowViewOf(fullRowOf(kind)), context);

const named = (wanted: string): Kind => {
  const kind = kinds.find(({ name }) => name === wanted);
  if (!kind) throw new Error(`${wanted} is a way of paying`);
  return kind;
};

const payoutOf = (wanted: string) => read(named(wanted)).payable?.payout;
const draftOf = (wanted: string) => read(named(wanted)).payable?.draft;
const shared = {
  reference: 'R-1',
  name: 'Jane Wanjiku',
  amount: { minor: 150_000n, currency: 'KES' },
  note: 'for May',
};
const recipient = { name: 'Jane Wanjiku', ccy: 404, country: 'KE', purpose: 'Rent' };
const transaction = { amount: 1500, reference: 'R-1' };

describe('a full row', () => {
  test('of a mobile wallet', () => {
    expect(payoutOf('wallet')).toEqual({
      ...shared,
      kind: 'wallet',
      destination: '+254712345678',
      payee: 'wallet|+254712345678',
      network: 'Safaricom',
    });
    const phone = '+254712345678';
    const wallet = { ...recipient, phoneNumber: phone, primaryAccountNumber: phone, mccmnc: '63902' };
    expect(draftOf('wallet')).toEqual({ submission: 'payment-order', line: { recipient: wallet, transaction } });
  });

  test('of a till', () => {
    expect(payoutOf('till')).toEqual({ ...shared, kind: 'till', destination: 'Till 512345', payee: 'till|512345' });
    expect(draftOf('till')).toEqual({
      submission: 'payment-order',
      line: {
        recipient: {
          ...recipient,
          financialInstitution: 'Mpesa',
          institutionIdentifier: '512345',
          primaryAccountNumber: '+254712345678',
        },
        transaction,
      },
    });
  });

  test('of a paybill', () => {
    expect(payoutOf('paybill')).toEqual({
      ...shared,
      kind: 'paybill',
      destination: 'Paybill 400200, account 00a23-4',
      payee: 'paybill|400200|00a23-4',
    });
    expect(draftOf('paybill')).toEqual({
      submission: 'payment-order',
      line: {
        recipient: {
          ...recipient,
          financialInstitution: 'Mpesa',
          institutionIdentifier: '400200',
          primaryAccountNumber: '00a23-4',
        },
        transaction: { ...transaction, accountNo: '00a23-4' },
      },
    });
  });

  test('of a bank account', () => {
    expect(payoutOf('bank')).toEqual({
      ...shared,
      kind: 'bank',
      destination: 'Practice Bank (68), account 00a23-4',
      payee: 'bank|68|00A234',
    });
    expect(draftOf('bank')).toEqual({
      submission: 'payment-order',
      line: {
        remitter: { ...remitter, ccy: 404 },
        recipient: {
          ...recipient,
          address: 'Nairobi',
          emailAddress: 'jane@example.com',
          phoneNumber: '+254712345678',
          idType: 'National ID',
          idNumber: '12345678',
          mccmnc: '63902',
          financialInstitution: 'Practice Bank',
          institutionIdentifier: '68',
          primaryAccountNumber: '00a23-4',
        },
        transaction,
      },
    });
  });

  test('of airtime', () => {
    expect(payoutOf('airtime')).toEqual({
      ...shared,
      kind: 'airtime',
      destination: 'Airtime +254712345678',
      payee: 'airtime|+254712345678',
      network: 'Safaricom',
    });
    expect(draftOf('airtime')).toEqual({
      submission: 'airtime',
      recipient: { currencyCode: 'KES', phoneNumber: '254712345678', amount: 1500, name: 'Jane Wanjiku' },
    });
  });

  test('of a bill', () => {
    expect(payoutOf('bill')).toEqual({
      ...shared,
      kind: 'bill',
      destination: 'City Water, account 00a23-4',
      payee: 'bill|CITY WATER|00A234',
    });
    const payment = {
      accountNumber: '00a23-4',
      msisdn: '254712345678',
      amount: 1500,
      transactionDesc: 'for May',
      customerNames: 'Jane Wanjiku',
      countryCode: 'KE',
      currencyCode: 'KES',
      narration: 'for May',
    };
    expect(draftOf('bill')).toEqual({ submission: 'bill-payment', service: 'City Water', payment });
  });
});
