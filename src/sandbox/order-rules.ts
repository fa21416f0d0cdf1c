/**
 * What each field of a payment order must be. Spec: "Payment order (request)"; which are required is as observed, and lengths are
 * those of the published field table. The six characters that it gives an institution are not held: the text beside it wants
 * SWIFT codes there.
 */
import { networks } from '../domain/network.ts';
import {
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  namesOf,
  optional,
  type Rule,
  required,
  textOf,
  textsUpTo,
  wordOf,
} from './fields.ts';

const mandatory = (rules: readonly Rule[]): readonly Rule[] => rules.map((rule) => ({ ...rule, required: true }));

export const orderRules = mandatory([...textsUpTo(100, 'originatorConversationId'), ...textsUpTo(255, 'paymentNotes')]);

export const remitterRules: readonly Rule[] = [
  ...textsUpTo(128, 'name', 'address'),
  ...textsUpTo(13, 'phoneNumber', 'idType', 'idNumber'),
  ...textsUpTo(50, 'country'),
  ...textsUpTo(64, 'nationality', 'idIssuePlace', 'idIssueDate', 'idExpireDate', 'dateOfBirth'),
  ...textsUpTo(64, 'financialInstitution', 'sourceOfFunds', 'principalActivity'),
  ...optional('text', 'email', 'city', 'postalCode', 'state', 'institutionIdentifier'),
  ...optional('integer', 'ccy'),
];

export const recipientRules: readonly Rule[] = [
  ...mandatory([...textsUpTo(64, 'name'), ...textsUpTo(50, 'primaryAccountNumber')]),
  ...required('text', 'purpose'),
  ...required('integer', 'ccy'),
  ...textsUpTo(64, 'address', 'emailAddress'),
  ...textsUpTo(13, 'phoneNumber', 'idType', 'idNumber'),
  ...textsUpTo(3, 'country'),
  { name: 'financialInstitution', shape: 'text', nullable: true },
  { name: 'institutionIdentifier', shape: 'text', nullable: true },
  { name: 'mccmnc', shape: 'text or an integer' },
];

export const transactionRules: readonly Rule[] = [
  ...required('text', 'routeId', 'reference', 'systemTraceAuditNumber'),
  ...required('integer', 'channelType'),
  ...required('number', 'amount'),
  ...optional('text', 'accountNo', 'customerAccountNo'),
];

/** Every name of an order, for `bound`. */
export const orderNames = namesOf(
  [...orderRules, ...remitterRules, ...recipientRules, ...transactionRules],
  'paymentOrderLines',
  'remitter',
  'recipient',
  'transaction',
  'metaDataList',
  'key',
  'value',
);

/** What every bank wants to know of the payer. Observed: the remitter is mandatory on bank transfers. */
const bankRemitterRules = required('text', 'name', 'phoneNumber', 'country', 'sourceOfFunds', 'principalActivity');

/** A bank code, or a SWIFT code of 8 or 11 characters. */
const BANK_IDENTIFIER = /^(?:\d{2,7}|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$/i;

/** A line to a bank says who pays, and to which bank. */
export function requireBank(remitter: Fields | undefined, recipient: Fields, path: string, errors: FieldErrors): void {
  if (remitter) checkFields(remitter, bankRemitterRules, `${path}remitter.`, errors);
  else complain(errors, `${path}remitter`, 'The remitter field is required.');
  const bank = textOf(recipient, 'institutionIdentifier');
  if (bank === '' || BANK_IDENTIFIER.test(bank)) return;
  complain(errors, `${path}recipient.institutionIdentifier`, 'The institutionIdentifier is no bank or SWIFT code.');
}

const networkCodes = new Set(networks.map(({ mccmnc }) => mccmnc));

/** A number with its country's code, with a plus or without. */
const WALLET = /^\+?[1-9]\d{8,14}$/;

/** A line to a wallet names its network, by a code of the list, and its phone number. Spec: "Mobile-wallet transfer rules". */
export function requireWallet(recipient: Fields, path: string, errors: FieldErrors): void {
  const network = wordOf(recipient, 'mccmnc');
  if (network === '') complain(errors, `${path}recipient.mccmnc`, 'The mccmnc field is required.');
  else if (!networkCodes.has(network)) {
    complain(errors, `${path}recipient.mccmnc`, `The mccmnc ${network.slice(0, 10)} is not on the list of networks.`);
  }
  const account = textOf(recipient, 'primaryAccountNumber');
  if (account === '' || WALLET.test(account)) return;
  complain(errors, `${path}recipient.primaryAccountNumber`, 'The primaryAccountNumber is no mobile number.');
}
