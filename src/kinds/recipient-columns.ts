/**
 * What some services want to know of a recipient beside name and account. No heading is as short as "Address" or "ID No": those
 * stand on payrolls for other reasons, and nobody's particulars may leave because a column happened to be there.
 */
import { longestOfRow } from '../domain/lengths.ts';
import { type Column, optional } from './column.ts';
import { readFreeText, readIdentifier } from './text-columns.ts';

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
  help: 'What the ID number is from, in 13 characters: National ID, Passport.',
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

/** All of them may be left empty, and may be missing. */
export const recipientColumns = {
  address: optional(address),
  email: optional(email),
  idType: optional(idType),
  idNumber: optional(idNumber),
} as const;
