/**
 * Accepts payment orders: reads them, and checks them against the rules of their rail and against the books. Spec: "Payment
 * order submission", "Payment order (request)". Required fields are as observed, and lengths are those of the published
 * field table. The table's limit of six characters for an institution is not enforced, because the text next to it asks for
 * SWIFT codes there.
 */

import { currencyOfNumber } from '../../domain/currency.ts';
import { exactFromWire, type Money } from '../../domain/money.ts';
import { networks } from '../../domain/network.ts';
import type { BookedOrder } from '../books/booked.ts';
import { isRouteId, type Rail, railOf } from '../catalogue.ts';
import type { CheckedLine, CheckedOrder, OrderCheck } from '../checked-request.ts';
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
  textsUpTo,
  wordOf,
} from '../fields.ts';
import {
  APP_DOMAIN_NAME,
  droppedReply,
  json,
  orderRefusedReply,
  type Reply,
  serviceTime,
  validationReply,
} from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { magicOf, planLine, repetitionId } from '../settle.ts';

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

/** Accepts a payment order, which moves no money yet. Spec: "Payment order submission". */
export function submitOrder(call: Call, context: ServiceContext): Reply {
  const { id, order, mistyped, errors } = checkOrder(call.body);
  if (hasErrors(mistyped)) return validationReply(mistyped, context.random);
  const refused = (complaints: FieldErrors): Reply => orderRefusedReply(id, complaints, call.at, context.random);
  if (!order || hasErrors(errors)) return refused(errors);
  const struck = new Set(order.lines.map((line) => magicOf(line.payee)?.submission));
  if (struck.has('refused')) {
    return refused({ PhoneNumber: ['The PhoneNumber field is not a valid phone number.'] });
  }
  const booked = context.books.order(order.id);
  if (booked) return repeated(order, booked, call, context);
  if (struck.has('dropped-before') && context.books.posts(order.id) === 0) {
    context.books.lose(order.id);
    return droppedReply;
  }
  const unfit = unfitErrors(order, context);
  if (unfit) return refused(unfit);
  const taken = acceptance(take(order, call, context), context);
  return struck.has('dropped-after') ? droppedReply : taken;
}

/**
 * Answers an order whose id the books already hold. Spec: "Limits" says only that an id must be unique. Published is that a
 * repeated id is accepted, and that a duplicate outcome is reported instead of acting on it.
 */
function repeated(order: CheckedOrder, booked: BookedOrder, call: Call, context: ServiceContext): Reply {
  switch (context.scenario().duplicates ?? 'accept-then-9') {
    case 'execute':
    case 'hide': {
      // Each accepted repetition has an id of its own, as published for refused ones. The record shows the id of the first order.
      const again = take(order, call, context);
      return acceptance({ ...again, serviceId: repetitionId(again.key, context.books.posts(order.id)) }, context);
    }
    case 'replay':
      context.books.repeat(order.id, 'replayed');
      return acceptance(booked, context);
    case 'accept-then-9':
      context.books.repeat(order.id, 'accepted-as-9');
      return acceptance({ ...booked, serviceId: repetitionId(booked.key, context.books.posts(order.id)) }, context);
    default:
      context.books.repeat(order.id, 'refused');
      return orderRefusedReply(
        order.id,
        { OriginatorConversationId: [`duplicate originator conversation id '${order.id}'`] },
        call.at,
        context.random,
      );
  }
}

/**
 * Returns why the books cannot hold a well-formed order, or `undefined`: a trace number that is not unique, or a currency
 * without a wallet.
 */
function unfitErrors(order: CheckedOrder, context: ServiceContext): FieldErrors | undefined {
  const seen = new Set<string>();
  for (const [index, { trace, amount }] of order.lines.entries()) {
    if (!context.books.wallet(amount.currency)) {
      return { [`paymentOrderLines[${index}].recipient.ccy`]: [`There is no wallet in ${amount.currency}.`] };
    }
    if (seen.has(trace) || context.books.hasTrace(trace)) {
      context.books.repeat(order.id, 'refused');
      return { systemTraceAuditNumber: [`The systemTraceAuditNumber of line ${index + 1} must be unique.`] };
    }
    seen.add(trace);
  }
  return undefined;
}

function take(order: CheckedOrder, call: Call, context: ServiceContext): BookedOrder {
  const scenario = context.scenario();
  const plans = order.lines.map((line, index) => planLine(order.id, index, line.payee, scenario));
  return context.books.take(order, plans, call.received, context.orderCallbackUrl);
}

/** Returns the acceptance of an order. Spec: "Payment order acceptance response". */
const acceptance = (order: BookedOrder, context: ServiceContext): Reply =>
  json(context.scenario().knobs['accept-status'], {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      systemConversationId: order.serviceId,
      originatorConversationId: order.id,
      remarks: 'order submission accepted',
      timestamp: serviceTime(order.takenAt),
    },
  });

/** The complaints found while an order is read. */
type Found = Pick<OrderCheck, 'mistyped' | 'errors'>;

/**
 * Reads a whole order, collects every complaint, and returns the order as the books keep it. Required fields must be present
 * with the right type; unknown fields are ignored.
 */
export function checkOrder(received: unknown): OrderCheck {
  const body = bound(received, orderNames);
  if (!isFields(body)) return { id: '', mistyped: notAnObject, errors: {} };
  const found: Found = { mistyped: {}, errors: {} };
  checkFields(body, orderRules, '', found.errors, found.mistyped);
  const lines = linesOf(body['paymentOrderLines'], found).map((line, index) =>
    checkLine(line, `paymentOrderLines[${index}].`, found),
  );
  const booked = lines.flatMap((line) => line ?? []);
  const id = textOf(body, 'originatorConversationId');
  if (booked.length === 0 || booked.length < lines.length) return { id, ...found };
  return { id, ...found, order: { id, notes: textOf(body, 'paymentNotes'), lines: booked } };
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

function checkLine(line: unknown, path: string, { mistyped, errors }: Found): CheckedLine | undefined {
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
  const amount = exactFromWire(wire, rail.scale.currency);
  if (amount && amount.minor > 0n) return amount;
  complain(errors, `${path}transaction.amount`, `The amount ${wire} is not an amount of ${rail.scale.currency}.`);
  return undefined;
}
