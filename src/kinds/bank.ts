import { longestOfRow } from '../domain/lengths.ts';
import { networkOfNumber } from '../domain/network.ts';
import type { PaymentOrderLine } from '../service/contract/payment-order.ts';
import { comparedAccount, strictAccount } from './account-column.ts';
import { type Column, optional, value, wrong } from './column.ts';
import { type Phone, phone, shared } from './columns.ts';
import { defineKind } from './kind.ts';
import { readAccount, readFreeText, readIdentifier, warnOfNumber } from './text-columns.ts';

/** ISO 9362: bank, country, place, and a branch of three characters if there is one. */
const SWIFT = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
/** A bank of two or three digits, with or without a branch of three. One or four digits have lost a zero. */
const NATIONAL = /^[0-9]{2,3}(?:[0-9]{3})?$/;

const bankCode: Column<string> = {
  id: 'bank_code',
  heading: 'Bank code',
  aliases: [
    'Bank Sort Code',
    'Sort Code',
    'SWIFT',
    'SWIFT Code',
    'BIC',
    'SWIFT/BIC',
    'Code banque',
    'Code SWIFT',
    'Msimbo wa Benki',
  ],
  help: 'The bank code in two or three digits, with or without the branch, or the SWIFT code.',
  example: '68',
  format: 'text',
  width: 12,
  required: true,
  decides: 'payment',
  calculated: 'refused',
  read(view) {
    const reading = readAccount(view, Number.POSITIVE_INFINITY, 'PB-CELL-MISSING');
    if (!reading.ok) return reading;
    const code = reading.value.replace(/[ -]/g, '').toUpperCase();
    return SWIFT.test(code) || NATIONAL.test(code) ? warnOfNumber(view, value(code)) : wrong(view, 'PB-BANK-CODE');
  },
};

export const bankName: Column<string> = {
  id: 'bank_name',
  heading: 'Bank name',
  aliases: ['Bank', 'Name of Bank', 'Banque', 'Nom de la banque', 'Benki', 'Jina la Benki', 'Banki'],
  help: 'The name of the bank. It is sent with the payment, but the bank code decides where the money goes.',
  example: 'Practice Bank',
  format: 'text',
  width: 20,
  required: true,
  read: (view) => readFreeText(view, longestOfRow.bankName, 'PB-CELL-MISSING'),
};

const text = { format: 'text', required: true } as const;

const address: Column<string> = {
  ...text,
  id: 'recipient_address',
  heading: 'Recipient address',
  aliases: ['Payee Address', 'Beneficiary Address', 'Adresse du bénéficiaire', 'Anwani ya Mpokeaji'],
  help: 'Where the recipient lives or works, if your provider asks for it.',
  example: 'Nairobi',
  width: 20,
  read: (view) => readFreeText(view, longestOfRow.address),
};

const email: Column<string> = {
  ...text,
  id: 'recipient_email',
  heading: 'Recipient email',
  aliases: ['Payee Email', 'Beneficiary Email', 'E-mail du bénéficiaire', 'Barua pepe ya Mpokeaji'],
  help: 'E-mail address of the recipient, if your provider asks for it.',
  example: 'accounts@example.com',
  width: 24,
  read: (view) => readFreeText(view, longestOfRow.email),
};

const idType: Column<string> = {
  ...text,
  id: 'recipient_id_type',
  heading: 'Recipient ID type',
  aliases: ['Payee ID Type', 'Beneficiary ID Type', "Type de pièce d'identité", 'Aina ya Kitambulisho'],
  help: 'The type of ID, in at most 13 characters, for example National ID or Passport.',
  example: 'National ID',
  width: 16,
  read: (view) => readFreeText(view, longestOfRow.idType),
};

const idNumber: Column<string> = {
  ...text,
  id: 'recipient_id_number',
  heading: 'Recipient ID number',
  aliases: ['Payee ID Number', 'Beneficiary ID Number', "N° de pièce d'identité", 'Namba ya Kitambulisho'],
  help: 'Number of an ID of the recipient, if your provider asks for it.',
  example: '12345678',
  width: 18,
  calculated: 'refused',
  read: (view) => readIdentifier(view, longestOfRow.idNumber, 'PB-CELL-MISSING', 'PB-ACCOUNT-LENGTH'),
};

/**
 * Details of a recipient that some services want in addition to name and account. All of these columns may be empty or absent. No
 * heading is as short as "Address" or "ID No": such headings are on payrolls for other reasons, and personal details must not
 * leave because a column happened to be there.
 */
const recipientColumns = {
  address: optional(address),
  email: optional(email),
  idType: optional(idType),
  idNumber: optional(idNumber),
} as const;

/**
 * Remitter fields that two pages of the provider ask for in addition: the page on local transfers, and the page
 * on international ones.
 */
const ASKED_BY_BOTH = ['address', 'idType', 'idNumber', 'financialInstitution'] as const;
const ASKED_ABROAD = [
  'email',
  'idIssuePlace',
  'idIssueDate',
  'idExpireDate',
  'nationality',
  'dateOfBirth',
  'city',
  'postalCode',
] as const;

/** Returns the details of the recipient in the row. One page of the provider wants the network of the phone as well. */
function particularsOf(
  { phone: contact, address, email, idType, idNumber }: Particulars,
  country: string,
): Partial<PaymentOrderLine['recipient']> {
  const network = contact && networkOfNumber(contact.national, country);
  return {
    ...(address && { address }),
    ...(email && { emailAddress: email }),
    ...(contact && { phoneNumber: contact.msisdn }),
    ...(idType && { idType }),
    ...(idNumber && { idNumber }),
    ...(network && { mccmnc: network.mccmnc }),
  };
}

type Particulars = Readonly<Record<keyof typeof recipientColumns, string | undefined>> & {
  readonly phone: Phone | undefined;
};

export const bank = defineKind({
  name: 'bank',
  title: 'Bank account',
  summary: 'Money to an account at a bank, by the code of the bank and the account number.',
  spec: 'Operations that appear in the menu without shape (bank transfers)',
  words: [
    ...['bank transfer', 'bank deposit', 'direct deposit', 'direct credit', 'eft', 'rtgs', 'pesalink', 'swift'],
    ...['benki', 'banque', 'virement'],
    // The types of account of a bank, which stand in such a column of its lists.
    ...['savings', 'savings account', 'current', 'current account'],
  ],
  mark: 'bank_code',
  needsName: true,
  channelType: 21,
  submission: 'payment-order',
  columns: {
    ...shared,
    bankCode,
    bankName,
    accountNumber: strictAccount,
    phone: optional(phone),
    ...recipientColumns,
  },
  remitter: {
    always: ['name', 'phoneNumber', 'country', 'sourceOfFunds', 'principalActivity'],
    published: [
      { form: 'local transfers', fields: [...ASKED_BY_BOTH, 'institutionIdentifier'] },
      { form: 'international transfers', fields: [...ASKED_BY_BOTH, ...ASKED_ABROAD] },
    ],
  },
  pay: ({ bankCode: code, bankName: bankCalled, accountNumber: account, ...about }, context) => ({
    destination: `${bankCalled} (${code}), account ${account}`,
    // The SWIFT code of a head office may be written with or without its three X.
    payee: `${code.length === 11 ? code.replace(/XXX$/, '') : code}|${comparedAccount(account)}`,
    recipient: {
      ...particularsOf(about, context.country),
      financialInstitution: bankCalled,
      institutionIdentifier: code,
      primaryAccountNumber: account,
    },
    ...(context.remitter && { remitter: context.remitter }),
  }),
  examples: {
    good: [
      {
        about: 'a bank by its code, and an account with leading zeros',
        cells: {
          name: 'Otieno Traders',
          bank_code: '68',
          bank_name: 'Practice Bank',
          account_number: '0012345678901',
          amount: '45000',
        },
      },
      {
        about: 'a bank by its SWIFT code',
        cells: {
          name: 'Amani Supplies',
          bank_code: 'PRACKENA',
          bank_name: 'Practice Bank',
          account_number: '0112-345-678',
          amount: '12000.50',
        },
      },
    ],
    bad: [
      {
        about: 'a code of one digit, which has lost its zero',
        cells: { name: 'Otieno', bank_code: '1', bank_name: 'Practice Bank', account_number: '0012345', amount: '5' },
        code: 'PB-BANK-CODE',
      },
      {
        about: 'no name of the bank',
        cells: { name: 'Otieno', bank_code: '68', account_number: '0012345', amount: '5' },
        code: 'PB-CELL-MISSING',
      },
      {
        about: 'an account that a program shortened',
        cells: {
          name: 'Otieno',
          bank_code: '68',
          bank_name: 'Practice Bank',
          account_number: '1.1023E+12',
          amount: '5',
        },
        code: 'PB-NUMBER-FORM',
      },
    ],
  },
});
