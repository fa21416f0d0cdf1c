import { longestOfRow } from '../domain/lengths.ts';
import { comparedAccount, strictAccount } from './account-column.ts';
import { wholeUnitIssues } from './amount.ts';
import { type Column, optional } from './column.ts';
import { noteUpTo, phone, shared } from './columns.ts';
import { defineKind, phoneStandsIn } from './kind.ts';
import { readIdentifier } from './text-columns.ts';

const billService: Column<string> = {
  id: 'bill_service',
  heading: 'Bill service',
  // "Service", "Bill" and "Facture" alone are headings of notes, amounts and invoice numbers.
  aliases: ['Biller', 'Biller Name', 'Bill Service ID', 'Utility Company', 'Huduma ya Bili'],
  help: 'The biller: the name or identifier of the service, as the provider lists it.',
  example: 'Electricity prepaid',
  format: 'text',
  width: 24,
  required: true,
  decides: 'payment',
  read: (view) => readIdentifier(view, longestOfRow.billService, 'PB-CELL-MISSING'),
};

export const bill = defineKind({
  name: 'bill',
  title: 'Bill',
  summary: "A customer's bill at a service that the provider lists, in whole units of the currency.",
  spec: 'Bill payment',
  words: ['bills', 'bill payment', 'pay bills', 'utility', 'utility bill', 'biller', 'facture', 'bili'],
  mark: 'bill_service',
  businessAccount: true,
  needsName: true,
  channelType: 30,
  submission: 'bill-payment',
  columns: {
    ...shared,
    billService,
    accountNumber: strictAccount,
    phone: optional(phone),
    note: optional(noteUpTo(longestOfRow.billNote)),
  },
  // The specification requires the payer's phone. If the row has none, it is the remitter's.
  remitter: phoneStandsIn,
  check: ({ amount }, view) => wholeUnitIssues(amount, view('amount')),
  pay: ({ billService: service, accountNumber, phone: contact }, { remitter }) => ({
    destination: `${service}, account ${accountNumber}`,
    payee: `${service.toUpperCase().replace(/\s+/g, ' ')}|${comparedAccount(accountNumber)}`,
    bill: { service, accountNumber, msisdn: (contact?.msisdn ?? remitter?.phoneNumber ?? '').replace(/\D/g, '') },
  }),
  examples: {
    good: [
      {
        about: 'a service by its name',
        cells: {
          name: 'Main office',
          bill_service: 'Electricity prepaid',
          account_number: '37012345678',
          amount: '2500',
        },
      },
    ],
    bad: [
      {
        about: 'cents',
        cells: { name: 'Main office', bill_service: 'City water', account_number: '0012345', amount: '2500.50' },
        code: 'PB-AMOUNT-WHOLE',
      },
      {
        about: 'no account',
        cells: { name: 'Main office', bill_service: 'City water', amount: '2500' },
        code: 'PB-CELL-MISSING',
      },
      {
        about: 'an account that a program shortened',
        cells: { name: 'Main office', bill_service: 'City water', account_number: '3.7E+10', amount: '2500' },
        code: 'PB-NUMBER-FORM',
      },
    ],
  },
});
