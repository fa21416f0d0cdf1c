/**
 * The longest texts that a payment may carry, in one place: columns of a sheet, settings and flags are held to them before
 * anything is sent. The provider publishes most of them and does not say what it does with more; a name that it cuts would be
 * another name. So nothing is ever cut here either: a text that is too long is told.
 *
 * Counted as JavaScript and Excel's LEN count: in UTF-16 units. A service that keeps its texts so counts the same, and one that
 * counts characters counts no more: what fits here fits there.
 */
import type { RemitterField } from './settings.ts';

/** Of what a row of a sheet says. */
export const longestOfRow = {
  // Published for payment orders.
  name: 64,
  address: 64,
  email: 64,
  /** With its plus: `+254712345678` has exactly so many. */
  phone: 13,
  idType: 13,
  idNumber: 13,
  account: 50,
  /** `paymentNotes`. */
  note: 255,
  // Not published; what banks and operators commonly take. ISO 20022 gives a reference (`EndToEndId`) 35.
  reference: 35,
  purpose: 100,
  /** Of a bill, or of a deposit, for which 100 is published. */
  billNote: 100,
  bankName: 100,
  billService: 100,
} as const;

/** Of each field of the remitter. Published but for the last five, which are held to what nearly all others have. */
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

/** Of the organisation: it is the remitter of a rehearsal, and stands with the id of the batch in the notes of its orders. */
export const LONGEST_ORGANISATION = longestOfRemitter.name;
