/**
 * Reads the body of a payment order the way the service does: required fields must be there with the right type, fields
 * it does not know are ignored. Spec: "Payment order (request)".
 */
import { currencyOfNumber } from '../domain/currency.ts';
import { fromWire, type Money } from '../domain/money.ts';
import { isRouteId, type Rail, railOf } from './catalogue.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  fieldsOf,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  optional,
  type Rule,
  required,
  textOf,
} from './fields.ts';

/** A line that can be booked. */
export interface CheckedLine {
  readonly remitter: Fields | undefined;
  readonly recipient: Fields;
  readonly rail: Rail;
  readonly trace: string;
  readonly amount: Money;
  /** Numeric currency code as sent. */
  readonly ccy: number;
  readonly name: string;
  /** `primaryAccountNumber`: a phone or an account number. */
  readonly payee: string;
  /** `institutionIdentifier`: till, paybill or bank. */
  readonly institution: string | null;
}

/** An order that can be booked. */
export interface CheckedOrder {
  readonly id: string;
  readonly notes: string;
  readonly lines: readonly CheckedLine[];
}

/** An order, or what is wrong with each of its fields. */
export type OrderCheck =
  | { readonly ok: true; readonly order: CheckedOrder }
  | { readonly ok: false; readonly errors: FieldErrors };

const orderRules = required('text', 'originatorConversationId', 'paymentNotes');
const remitterRules: readonly Rule[] = [
  ...optional('text', 'name', 'address', 'phoneNumber', 'idType', 'idNumber', 'dateOfBirth', 'country', 'nationality'),
  ...optional('text', 'financialInstitution', 'sourceOfFunds', 'principalActivity'),
  { name: 'ccy', shape: 'integer' },
];
const recipientRules: readonly Rule[] = [
  ...required('text', 'name', 'primaryAccountNumber', 'purpose'),
  ...required('integer', 'ccy'),
  ...optional('text', 'address', 'emailAddress', 'phoneNumber', 'idType', 'idNumber', 'country'),
  { name: 'financialInstitution', shape: 'text', nullable: true },
  { name: 'institutionIdentifier', shape: 'text', nullable: true },
  { name: 'mccmnc', shape: 'text or an integer' },
];
const transactionRules: readonly Rule[] = [
  ...required('text', 'routeId', 'reference', 'systemTraceAuditNumber'),
  ...required('integer', 'channelType'),
  ...required('number', 'amount'),
  ...optional('text', 'accountNo', 'customerAccountNo'),
];

/** What every bank wants to know of the payer. Observed: the remitter is mandatory on bank transfers. */
const bankRemitterRules = required('text', 'name', 'phoneNumber', 'country', 'sourceOfFunds', 'principalActivity');

/** A bank code, or a SWIFT code of 8 or 11 characters. */
const BANK_IDENTIFIER = /^(?:\d{2,7}|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$/i;

const names = namesOf(
  [...orderRules, ...remitterRules, ...recipientRules, ...transactionRules],
  'paymentOrderLines',
  'remitter',
  'recipient',
  'transaction',
  'metaDataList',
  'key',
  'value',
);

/** Checks the whole order and reports every complaint, or gives it back as the books keep it. */
export function checkOrder(received: unknown): OrderCheck {
  const errors: FieldErrors = {};
  const body = bound(received, names);
  if (!isFields(body)) return { ok: false, errors: notAnObject };
  checkFields(body, orderRules, '', errors);
  const sent = body['paymentOrderLines'];
  const lines: CheckedLine[] = [];
  if (!Array.isArray(sent) || sent.length === 0) {
    complain(errors, 'paymentOrderLines', 'The paymentOrderLines field is required.');
  } else {
    for (const [index, line] of sent.entries()) {
      const checked = checkLine(line, `paymentOrderLines[${index}].`, errors);
      if (checked) lines.push(checked);
    }
  }
  if (hasErrors(errors)) return { ok: false, errors };
  return {
    ok: true,
    order: { id: textOf(body, 'originatorConversationId'), notes: textOf(body, 'paymentNotes'), lines },
  };
}

function checkLine(line: unknown, path: string, errors: FieldErrors): CheckedLine | undefined {
  const fields = isFields(line) ? line : {};
  const remitter = fieldsOf(fields, 'remitter');
  const recipient = fieldsOf(fields, 'recipient') ?? {};
  const transaction = fieldsOf(fields, 'transaction') ?? {};
  if (fields['remitter'] && !remitter) complain(errors, `${path}remitter`, 'The remitter field must be an object.');
  if (remitter) checkFields(remitter, remitterRules, `${path}remitter.`, errors);
  checkFields(recipient, recipientRules, `${path}recipient.`, errors);
  checkFields(transaction, transactionRules, `${path}transaction.`, errors);
  checkMetaData(fields['metaDataList'], path, errors);
  const rail = checkRail(recipient, transaction, path, errors);
  if (rail?.needs.includes('remitter')) checkBank(remitter, recipient, path, errors);
  const amount = rail && checkAmount(recipient['ccy'], transaction['amount'], rail, path, errors);
  if (!rail || !amount) return undefined;
  return {
    remitter,
    recipient,
    rail,
    amount,
    trace: textOf(transaction, 'systemTraceAuditNumber'),
    ccy: Number(recipient['ccy']),
    name: textOf(recipient, 'name'),
    payee: textOf(recipient, 'primaryAccountNumber'),
    institution: textOf(recipient, 'institutionIdentifier') || null,
  };
}

function checkMetaData(list: unknown, path: string, errors: FieldErrors): void {
  if (list === undefined) return;
  const isPair = (pair: unknown): boolean =>
    isFields(pair) && typeof pair['key'] === 'string' && typeof pair['value'] === 'string';
  if (Array.isArray(list) && list.every(isPair)) return;
  complain(errors, `${path}metaDataList`, 'The metaDataList field must be a list of key and value.');
}

function checkRail(recipient: Fields, transaction: Fields, path: string, errors: FieldErrors): Rail | undefined {
  const { routeId, channelType } = transaction;
  if (typeof routeId !== 'string' || routeId === '' || typeof channelType !== 'number') return undefined;
  const rail = railOf(routeId, channelType);
  if (!rail) {
    const field = isRouteId(routeId) ? 'channelType' : 'routeId';
    complain(errors, `${path}transaction.${field}`, `The ${field} is not assigned to this client.`);
    return undefined;
  }
  if (rail.use !== 'submit-order') {
    complain(errors, `${path}transaction.channelType`, 'The channelType does not carry payment orders.');
    return undefined;
  }
  for (const name of rail.needs) {
    if (name === 'remitter') continue;
    const [owner, fields] = name === 'accountNo' ? ['transaction', transaction] : ['recipient', recipient];
    if (textOf(fields, name) === '') complain(errors, `${path}${owner}.${name}`, `The ${name} field is required.`);
  }
  return rail;
}

function checkBank(remitter: Fields | undefined, recipient: Fields, path: string, errors: FieldErrors): void {
  if (remitter) checkFields(remitter, bankRemitterRules, `${path}remitter.`, errors);
  else complain(errors, `${path}remitter`, 'The remitter field is required.');
  const bank = textOf(recipient, 'institutionIdentifier');
  if (bank === '' || BANK_IDENTIFIER.test(bank)) return;
  complain(errors, `${path}recipient.institutionIdentifier`, 'The institutionIdentifier is no bank or SWIFT code.');
}

function checkAmount(ccy: unknown, wire: unknown, rail: Rail, path: string, errors: FieldErrors): Money | undefined {
  if (typeof ccy !== 'number' || typeof wire !== 'number') return undefined;
  if (currencyOfNumber(ccy)?.code !== rail.scale.currency) {
    complain(errors, `${path}recipient.ccy`, `The ccy ${ccy} is not served by this route.`);
    return undefined;
  }
  const amount = fromWire(wire, rail.scale.currency);
  if (amount && amount.minor > 0n) return amount;
  complain(errors, `${path}transaction.amount`, `The amount ${wire} is not an amount of ${rail.scale.currency}.`);
  return undefined;
}
