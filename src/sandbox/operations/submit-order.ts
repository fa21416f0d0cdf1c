/**
 * Accepts payment orders: reads them, and checks them against the rules of their rail and against the books. Spec: "Payment
 * order submission", "Payment order (request)". Required fields are as observed, and lengths are those of the published
 * field table. The table's limit of six characters for an institution is not enforced, because the text next to it asks for
 * SWIFT codes there.
 */

import { currencyOfNumber } from '../../domain/currency.ts';
import type { Money } from '../../domain/money.ts';
import { networks } from '../../domain/network.ts';
import { isRouteId, type Rail, railOf } from '../catalogue.ts';
import type { CheckedPart, CheckedRequest, OrderLine, RequestCheck } from '../checked-request.ts';
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
  positiveAmount,
  type Rule,
  required,
  textOf,
  textsUpTo,
  wordOf,
} from '../fields.ts';
import { orderRefusedReply } from '../reply.ts';
import { magicOf } from '../settle.ts';
import { statusRecordOf } from './find-order.ts';
import { acceptanceOf, taking, type Way } from './requests.ts';

const mandatory = (rules: readonly Rule[]): readonly Rule[] => rules.map((rule) => ({ ...rule, required: true }));

const orderRules = mandatory([...textsUpTo(100, 'originatorConversationId'), ...textsUpTo(255, 'paymentNotes')]);

const remitterRules: readonly Rule[] = [
  ...textsUpTo(128, 'name', 'address'),
  ...textsUpTo(13, 'phoneNumber', 'idType', 'idNumber'),
  ...textsUpTo(50, 'country'),
  ...textsUpTo(64, 'nationality', 'idIssuePlace', 'idIssueDate', 'idExpireDate', 'dateOfBirth'),
  ...textsUpTo(64, 'financialInstitution', 'sourceOfFunds', 'principalActivity'),
  ...optional('text', 'email', 'city', 'postalCode', 'state', 'institutionIdentifier'),
  ...optional('integer', 'ccy'),
];

const recipientRules: readonly Rule[] = [
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

const transactionRules: readonly Rule[] = [
  ...required('text', 'routeId', 'reference', 'systemTraceAuditNumber'),
  ...required('integer', 'channelType'),
  ...required('number', 'amount'),
  ...optional('text', 'accountNo', 'customerAccountNo'),
];

/** Every name in an order, for `bound`. */
const orderNames = namesOf(
  [...orderRules, ...remitterRules, ...recipientRules, ...transactionRules],
  'paymentOrderLines',
  'remitter',
  'recipient',
  'transaction',
  'metaDataList',
  'key',
  'value',
);

/** Fields about the payer that every bank requires. Observed: the remitter is mandatory on bank transfers. */
const bankRemitterRules = required('text', 'name', 'phoneNumber', 'country', 'sourceOfFunds', 'principalActivity');

/** A bank code, or a SWIFT code of 8 or 11 characters. */
const BANK_IDENTIFIER = /^(?:\d{2,7}|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$/i;

/** Checks that a line to a bank says who pays, and to which bank. */
function requireBank(remitter: Fields | undefined, recipient: Fields, path: string, errors: FieldErrors): void {
  if (remitter) checkFields(remitter, bankRemitterRules, `${path}remitter.`, errors);
  else complain(errors, `${path}remitter`, 'The remitter field is required.');
  const bank = textOf(recipient, 'institutionIdentifier');
  if (bank === '' || BANK_IDENTIFIER.test(bank)) return;
  complain(errors, `${path}recipient.institutionIdentifier`, 'The institutionIdentifier is no bank or SWIFT code.');
}

const networkCodes = new Set(networks.map(({ mccmnc }) => mccmnc));

/** A number with its country code, with or without a plus. */
const WALLET = /^\+?[1-9]\d{8,14}$/;

/**
 * Checks that a line to a wallet names its network, by a code of the list, and its phone number. Spec: "Mobile-wallet
 * transfer rules".
 */
function requireWallet(recipient: Fields, path: string, errors: FieldErrors): void {
  const network = wordOf(recipient, 'mccmnc');
  if (network === '') complain(errors, `${path}recipient.mccmnc`, 'The mccmnc field is required.');
  else if (!networkCodes.has(network)) {
    complain(errors, `${path}recipient.mccmnc`, `The mccmnc ${network.slice(0, 10)} is not on the list of networks.`);
  }
  const account = textOf(recipient, 'primaryAccountNumber');
  if (account === '' || WALLET.test(account)) return;
  complain(errors, `${path}recipient.primaryAccountNumber`, 'The primaryAccountNumber is no mobile number.');
}

/** How payment orders differ from other requests. */
export const orderWay: Way = {
  kind: 'submit-order',
  read: checkOrder,
  tells: (order, at, books) => [statusRecordOf(order, books, at)],
  idField: 'OriginatorConversationId',
  currencyField: (index) => `paymentOrderLines[${index}].recipient.ccy`,
  payeeField: 'PhoneNumber',
  repeats: 'accept-then-9',
  magic: magicOf,
  accept: (booked, context) => acceptanceOf(booked, 'order submission accepted', context),
  refuse: (errors, id, { at }, { random }) => orderRefusedReply(id, errors, at, random),
  usedBefore: (id) => `duplicate originator conversation id '${id}'`,
};

/** Accepts a payment order, which moves no money yet. Spec: "Payment order submission". */
export const submitOrder = taking(orderWay);

/** The complaints found while an order is read. */
interface Found {
  /** About fields of a wrong type. If there are any, the body is not read at all. */
  readonly mistyped: FieldErrors;
  /** About fields that are missing, too long or wrong in themselves. The order was then read, and is refused. */
  readonly errors: FieldErrors;
}

/**
 * Reads a whole order, collects every complaint, and returns the order as the books keep it. Required fields must be present
 * with the right type; unknown fields are ignored.
 */
function checkOrder(received: unknown): RequestCheck {
  const fields = bound(received, orderNames);
  if (!isFields(fields)) return { ok: false, errors: notAnObject };
  const found: Found = { mistyped: {}, errors: {} };
  checkFields(fields, orderRules, '', found.errors, found.mistyped);
  const sent = linesOf(fields['paymentOrderLines'], found);
  const parts = sent.flatMap((line, index) => checkLine(line, `paymentOrderLines[${index}].`, found) ?? []);
  const id = textOf(fields, 'originatorConversationId');
  const traces = parts.map(({ line }) => line.trace);
  // An order of which every line can be booked stays in the books, even if a later rule would refuse it.
  const isWhole = parts.length > 0 && parts.length === sent.length;
  const held: CheckedRequest = { kind: 'submit-order', id, traces, fields, parts };
  const orHeld = isWhole && { held };
  if (hasErrors(found.mistyped)) return { ok: false, errors: found.mistyped, ...orHeld };
  if (hasErrors(found.errors) || !isWhole) return { ok: false, errors: found.errors, readId: id, ...orHeld };
  return { ok: true, request: held };
}

function linesOf(sent: unknown, { mistyped, errors }: Found): readonly unknown[] {
  if (Array.isArray(sent) && sent.length > 0) return sent;
  const isMissing = sent === undefined || sent === null || Array.isArray(sent);
  complain(
    isMissing ? errors : mistyped,
    'paymentOrderLines',
    isMissing ? 'The paymentOrderLines field is required.' : 'The paymentOrderLines field must be a list.',
  );
  return [];
}

function checkLine(
  line: unknown,
  path: string,
  { mistyped, errors }: Found,
): (CheckedPart & { readonly line: OrderLine }) | undefined {
  const fields = isFields(line) ? line : {};
  const part = (name: string, rules: readonly Rule[], isNeeded: boolean): Fields | undefined => {
    const inner = fieldsOf(fields, name);
    if (fields[name] && !inner) complain(mistyped, `${path}${name}`, `The ${name} field must be an object.`);
    if (inner || isNeeded) checkFields(inner ?? {}, rules, `${path}${name}.`, errors, mistyped);
    return inner;
  };
  const remitter = part('remitter', remitterRules, false);
  const recipient = part('recipient', recipientRules, true) ?? {};
  const transaction = part('transaction', transactionRules, true) ?? {};
  checkMetaData(fields['metaDataList'], path, mistyped);
  const rail = checkRail(recipient, transaction, path, errors);
  if (rail?.needs.includes('remitter')) requireBank(remitter, recipient, path, errors);
  if (rail?.needs.includes('mccmnc')) requireWallet(recipient, path, errors);
  const amount = rail && checkAmount(recipient['ccy'], transaction['amount'], rail, path, errors);
  if (!rail || !amount) return undefined;
  return {
    payee: textOf(recipient, 'primaryAccountNumber'),
    name: textOf(recipient, 'name'),
    movement: { direction: 'out', amount, scale: rail.scale },
    line: { remitter, recipient, rail, trace: textOf(transaction, 'systemTraceAuditNumber') },
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
    if (name === 'remitter' || name === 'mccmnc') continue; // each has rules of its own
    const [owner, fields] = name === 'accountNo' ? ['transaction', transaction] : ['recipient', recipient];
    if (textOf(fields, name) === '') complain(errors, `${path}${owner}.${name}`, `The ${name} field is required.`);
  }
  return rail;
}

function checkAmount(ccy: unknown, wire: unknown, rail: Rail, path: string, errors: FieldErrors): Money | undefined {
  if (typeof ccy !== 'number' || typeof wire !== 'number') return undefined;
  if (currencyOfNumber(ccy)?.code !== rail.scale.currency) {
    complain(errors, `${path}recipient.ccy`, `The ccy ${ccy} is not served by this route.`);
    return undefined;
  }
  return positiveAmount(wire, { code: rail.scale.currency }, `${path}transaction.amount`, errors);
}
