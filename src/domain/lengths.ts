/**
 * The longest texts that a payment can carry, in one place. Columns of a sheet, settings and flags are checked against them
 * before anything is sent. The provider publishes most of these lengths and does not say what it does with a longer text; a
 * name that it cuts would be another name. So nothing is ever cut here either: a text that is too long is reported.
 *
 * Lengths are counted in UTF-16 units, like JavaScript and Excel's LEN. A service that stores UTF-16 counts the same, and one
 * that counts characters counts no more, so a text that fits here fits there.
 */
import type { RemitterField } from './settings.ts';

/** Longest texts of a row of a sheet. */
export const longestOfRow = {
  // Published for payment orders.
  name: 64,
  address: 64,
  email: 64,
  /** With its plus: `+254712345678` has exactly 13 characters. */
  phone: 13,
  idType: 13,
  idNumber: 13,
  account: 50,
  /** `paymentNotes`. */
  note: 255,
  // Not published; what banks and operators commonly accept. ISO 20022 allows 35 for a reference (`EndToEndId`).
  reference: 35,
  purpose: 100,
  /** For a bill, or a deposit, for which 100 is published. */
  billNote: 100,
  bankName: 100,
  billService: 100,
} as const;

/** Longest texts of the fields of the remitter. All are published except the last five, which use the length of nearly all others. */
export const longestOfRemitter: Readonly<Record<RemitterField, number>> = {
  name: 128,
  address: 128,
  phoneNumber: 13,
  idType: 13,
  idNumber: 13,
  country: 50,
  nationality: 64,
  idIssuePlace: 64,
  idIssueDate: 64,
  idExpireDate: 64,
  financialInstitution: 64,
  sourceOfFunds: 64,
  principalActivity: 64,
  dateOfBirth: 64,
  email: 64,
  city: 64,
  postalCode: 64,
  state: 64,
  institutionIdentifier: 64,
};

/** Longest name of the organisation. It is the remitter of a rehearsal, and the notes of orders hold it with the id of the batch. */
export const LONGEST_ORGANISATION = longestOfRemitter.name;
