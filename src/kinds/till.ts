import { type Column, optional } from './column.ts';
import { phone, shared } from './columns.ts';
import { defineKind, phoneStandsIn } from './kind.ts';
import { readDigits } from './text-columns.ts';

const tillNumber: Column<string> = {
  id: 'till_number',
  heading: 'Till number',
  aliases: [
    'Till',
    'Till No',
    'Till Number (Buy Goods)',
    'Till No (Buy Goods)',
    'Buy Goods',
    'Buy Goods Till',
    'Buy Goods Till No',
    'Buy Goods Till Number',
    'Buy Goods No',
    'Buy Goods Number',
    'Merchant Till',
    'M-PESA Till',
    'Lipa na M-PESA Till',
    'M-PESA Till No',
    'M-PESA Till Number',
  ],
  help: 'Five to nine digits, as the business shows it.',
  example: '512345',
  format: 'text',
  width: 13,
  required: true,
  decides: 'payment',
  calculated: 'refused',
  read: (view) => readDigits(view, 5, 9, 'PB-TILL'),
};

export const till = defineKind({
  name: 'till',
  title: 'Business till',
  summary: 'Money to a business by its till (buy goods) number.',
  spec: 'Business transfer rules',
  words: ['buy goods', 'till number', 'tillnumber', 'merchant till', 'buygoods'],
  mark: 'till_number',
  contact: 'phone',
  channelType: 13,
  submission: 'payment-order',
  columns: { ...shared, tillNumber, phone: optional(phone) },
  // The specification requires a phone number. If the row has none, it is the payer's own.
  remitter: phoneStandsIn,
  pay: ({ tillNumber: number, phone: contact }, { remitter }) => ({
    destination: `Till ${number}`,
    payee: number,
    recipient: {
      financialInstitution: 'Mpesa',
      institutionIdentifier: number,
      primaryAccountNumber: contact?.msisdn ?? remitter?.phoneNumber ?? '',
    },
  }),
  examples: {
    good: [
      { about: 'a till', cells: { name: 'Mama Mboga Ltd', till_number: '512345', amount: '2500' } },
      {
        about: 'a till with a contact',
        cells: { name: 'Duka Moja', till_number: '5123456', phone: '0712345678', amount: '99.99' },
      },
    ],
    bad: [
      { about: 'too few digits', cells: { name: 'Duka', till_number: '512', amount: '5' }, code: 'PB-TILL' },
      { about: 'letters', cells: { name: 'Duka', till_number: '51234A', amount: '5' }, code: 'PB-TILL' },
    ],
  },
});
