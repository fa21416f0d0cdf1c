import { longestOfRow } from '../domain/lengths.ts';
import { accountColumn } from './account-column.ts';
import type { Column } from './column.ts';
import { shared } from './columns.ts';
import { defineKind } from './kind.ts';
import { readAccount, readDigits, warnOfNumber } from './text-columns.ts';

const paybillNumber: Column<string> = {
  id: 'paybill_number',
  heading: 'Paybill number',
  aliases: ['Paybill', 'Paybill No', 'Pay Bill', 'Business No', 'Business Number', 'Short Code', 'Bank Paybill Number'],
  help: 'Five to seven digits, as the business shows it.',
  example: '400200',
  format: 'text',
  width: 15,
  required: true,
  decides: 'payment',
  calculated: 'refused',
  read: (view) => readDigits(view, 5, 7, 'PB-PAYBILL'),
};

const accountNumber: Column<string> = {
  ...accountColumn,
  read: (view) => warnOfNumber(view, readAccount(view, longestOfRow.account, 'PB-PAYBILL-ACCOUNT')),
};

export const paybill = defineKind({
  name: 'paybill',
  title: 'Business paybill',
  summary: 'Money to an account at a business by its paybill number.',
  spec: 'Business transfer rules',
  words: ['pay bill', 'paybill number', 'business number'],
  mark: 'paybill_number',
  businessAccount: true,
  channelType: 14,
  submission: 'payment-order',
  columns: { ...shared, paybillNumber, accountNumber },
  pay: ({ paybillNumber: number, accountNumber: account }) => ({
    destination: `Paybill ${number}, account ${account}`,
    payee: `${number}|${account}`,
    recipient: { financialInstitution: 'Mpesa', institutionIdentifier: number, primaryAccountNumber: account },
    accountNo: account,
  }),
  examples: {
    good: [
      {
        about: 'an account with leading zeros',
        cells: { name: 'Nairobi Water', paybill_number: '400200', account_number: '0012345', amount: '3200' },
      },
    ],
    bad: [
      {
        about: 'no account',
        cells: { name: 'Nairobi Water', paybill_number: '400200', amount: '3200' },
        code: 'PB-PAYBILL-ACCOUNT',
      },
      {
        about: 'an account that a program calculated with',
        cells: { name: 'Nairobi Water', paybill_number: '400200', account_number: '1234567890.0', amount: '3200' },
        code: 'PB-NUMBER-FORM',
      },
      {
        about: 'an account that nobody filled in',
        cells: { name: 'Nairobi Water', paybill_number: '400200', account_number: 'N/A', amount: '3200' },
        code: 'PB-PLACEHOLDER',
      },
      {
        about: 'a paybill of four digits',
        cells: { name: 'Nairobi Water', paybill_number: '4002', account_number: '1', amount: '3200' },
        code: 'PB-PAYBILL',
      },
    ],
  },
});
