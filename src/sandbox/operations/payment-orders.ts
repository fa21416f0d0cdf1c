/**
 * Payment orders: accepts, looks up and rejects them. Spec: "Payment order submission", "Payment order (request)", "Payment
 * order status record". Required fields are as observed, and lengths are those of the published field table. The table's
 * limit of six characters for an institution is not enforced, because the text next to it asks for SWIFT codes there.
 *
 * Not everything comes back as it was sent. Observed are the notes instead of the reference, another route id, no country,
 * and a remitter of nulls if none was sent.
 */

import { type CurrencyCode, currencyOfNumber } from '../../domain/currency.ts';
import { sha256 } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import { type Money, toWire } from '../../domain/money.ts';
import { networks } from '../../domain/network.ts';
import { type BookedPart, type BookedRequest, type ShownPart, shownPart, statusAt } from '../books/booked.ts';
import type { Bookkeeper } from '../books/bookkeeper.ts';
import { balanceOf } from '../books/wallets.ts';
import { isRouteId, type Rail, railOf } from '../catalogue.ts';
import type { CheckedPart, CheckedRequest, OrderLine, RequestCheck } from '../checked-request.ts';
import { codeOf, drawOf, guidOf } from '../draw.ts';
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
  nulls,
  optional,
  positiveAmount,
  type Rule,
  required,
  textOf,
  textsUpTo,
  wordOf,
} from '../fields.ts';
import { json, notFoundReply, orderErrorReply, type Reply, serviceTime } from '../reply.ts';
import type { Scenario } from '../scenario.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { partEndTable, paymentMagic } from '../settle.ts';
import { acceptanceOf, missingParameter, visible, type Way } from './requests.ts';

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
  complain(errors, `${path}recipient.institutionIdentifier`, 'The institutionIdentifier is not a bank or SWIFT code.');
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
  complain(errors, `${path}recipient.primaryAccountNumber`, 'The primaryAccountNumber is not a mobile number.');
}

/** Payment orders, which move no money when they are accepted. Spec: "Payment order submission". */
export const orderWay: Way = {
  kind: 'submit-order',
  read: checkOrder,
  tells: (order, at, books) => [statusRecordOf(order, books, at)],
  idField: 'OriginatorConversationId',
  currencyField: (index) => `paymentOrderLines[${index}].recipient.ccy`,
  payeeField: 'PhoneNumber',
  repeats: 'accept-then-9',
  magic: paymentMagic,
  accept: (booked, context) => acceptanceOf(booked, 'order submission accepted', context),
  refuse: (errors, id, { at }, { random }) => orderErrorReply('BadRequest', id, errors, at, random),
  usedBefore: (id) => `duplicate originator conversation id '${id}'`,
};

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
  const order: CheckedRequest = { kind: 'submit-order', id, traces, fields, parts };
  // An order of which every line can be booked stays in the books, even if a later rule would refuse it.
  const held = parts.length > 0 && parts.length === sent.length ? order : undefined;
  if (hasErrors(found.mistyped)) return { ok: false, errors: found.mistyped, held };
  if (hasErrors(found.errors) || !held) return { ok: false, errors: found.errors, readId: id, held };
  return { ok: true, request: order };
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

const TRACKING_LENGTH = 8;
const NO_GUID = '00000000-0000-0000-0000-000000000000';

const emptyRemitter = {
  ...nulls('name', 'address', 'emailAddress'),
  phoneNumber: '',
  ...nulls('idType', 'idIssuePlace', 'idNumber', 'idIssueDate', 'idExpiryDate', 'dateOfBirth', 'country'),
  ...nulls('nationality', 'ccy', 'amount', 'financialInstitution', 'institutionIdentifier', 'primaryAccountNumber'),
  ...nulls('sourceOfFunds', 'principalActivity', 'state', 'city', 'postalCode', 'occupation', 'profession'),
  ...nulls('relationship', 'fxRate'),
};

const emptyRecipient = {
  ...nulls('name', 'address', 'emailAddress', 'phoneNumber', 'mccmnc', 'idType', 'idNumber', 'financialInstitution'),
  ...nulls('institutionIdentifier', 'primaryAccountNumber', 'ccy', 'purpose', 'creditCustomerAccountId', 'state'),
  ...nulls('city', 'postalCode', 'nationality', 'occupation', 'profession', 'relationship'),
};

/** Returns the record of an order as of `at`. */
function statusRecordOf(order: BookedRequest, books: Bookkeeper, at: number) {
  const { serviceId, id, fields, parts, shownAsDuplicateUntil } = order;
  const notes = textOf(fields, 'paymentNotes');
  return {
    id: guidOf(`record|${serviceId}`),
    conversationId: serviceId,
    originatorConversationId: id,
    remarks: notes,
    isProcessed: at < shownAsDuplicateUntil || parts.every(isFinal),
    orderLines: parts.map((part) => lineRecord(order, part, notes, books, at)),
  };
}

type StatusRecord = ReturnType<typeof statusRecordOf>;

/** Reports whether the status of a line is final. */
const isFinal = ({ result }: BookedPart): boolean => result !== undefined && partEndTable[result.end].final;

function lineRecord(order: BookedRequest, part: BookedPart, notes: string, books: Bookkeeper, at: number) {
  const { line, movement } = part;
  invariant(line && movement, 'a part of an order is a line that moves money');
  const { remitter, recipient, rail, trace } = line;
  const amount = toWire(movement.amount);
  return {
    remitter: remitter ? { ...emptyRemitter, ...remitter } : emptyRemitter,
    recipient: { ...emptyRecipient, ...recipient, country: null, amount },
    transaction: {
      routeId: rail.shownRouteId,
      channelType: rail.channelType,
      amount,
      reference: notes,
      systemTraceAuditNumber: trace,
      accountNo: null,
      type: 0,
      customerAccountNo: null,
      routeTransactionTypeId: NO_GUID,
    },
    transactionOutcome: {
      id: guidOf(`outcome|${order.serviceId}|${part.sequence}`),
      ...outcomeRecord(part, movement.amount, shownPart(order, part, at), books),
    },
  };
}

/** Returns the outcome of a line. The result fields are null until there is a result, as observed. */
function outcomeRecord(
  { name, payee, sequence }: BookedPart,
  amount: Money,
  { status, text, code, says, result, receipt }: ShownPart,
  books: Bookkeeper,
) {
  const { currency } = amount;
  const paid = result?.end === 'completed';
  return {
    paymentAmount: paid ? toWire(amount) : 0,
    feeAmount: toWire({ minor: result?.fee ?? 0n, currency }),
    trackingNumber: codeOf(sequence, TRACKING_LENGTH),
    transactionStatus: status,
    transactionStatusDescription: text,
    workingAccountAvailableFunds: 0,
    utilityAccountAvailableFunds: 0,
    walletBalance: toWire({ minor: result?.balance ?? walletBalance(books, currency), currency }),
    transactionDate: result ? serviceTime(result.at) : null,
    transactionCreditParty: paid ? `${payee} - ${name}` : null,
    resultCode: code,
    resultCodeDescription: says,
    thirdPartyPayload: {
      thirdPartyResponseCode: paid ? '0' : null,
      thirdPartyResponseCodeDescription: paid ? 'Accepted' : null,
      thirdPartyResultCode: result ? code : null,
      thirdPartyResultCodeDescription: result ? says : null,
      thirdPartyReceiptNumber: receipt,
    },
  };
}

function walletBalance(books: Bookkeeper, currency: CurrencyCode): bigint {
  const wallet = books.wallet(currency);
  invariant(wallet, `there is a wallet of ${currency}`);
  return balanceOf(wallet);
}

/**
 * Reports whether the look-up of an order at that time gets a sparse status record. Such a record was observed: it had no
 * balances, no date and no party, and null for what it could not say.
 */
const isSparse = ({ seed, knobs: { sparse } }: Scenario, key: string, at: number): boolean =>
  sparse > 0 && drawOf(sha256(`${seed}|sparse|${key}|${at}`), 0) < sparse;

/**
 * Returns a record of the same state with fewer fields. In every status, the fields that the specification calls texts and
 * that no client can need are null.
 */
const sparseRecord = ({ orderLines, ...record }: StatusRecord): object => ({
  ...record,
  remarks: null,
  orderLines: orderLines.map(({ recipient, transaction, transactionOutcome, ...line }) => {
    const { id, paymentAmount, feeAmount, transactionStatus, resultCode, thirdPartyPayload } = transactionOutcome;
    return {
      ...line,
      recipient: {
        ...recipient,
        ...nulls('name', 'phoneNumber', 'financialInstitution', 'institutionIdentifier'),
      },
      transaction: { ...transaction, reference: null },
      transactionOutcome: {
        id,
        paymentAmount,
        feeAmount,
        trackingNumber: null,
        transactionStatus,
        transactionStatusDescription: null,
        resultCode,
        resultCodeDescription: null,
        thirdPartyPayload: {
          thirdPartyResultCode: null,
          thirdPartyResultCodeDescription: null,
          thirdPartyReceiptNumber: thirdPartyPayload.thirdPartyReceiptNumber,
        },
      },
    };
  }),
});

const ID_TYPE = 'OriginatorConversationId';

/** Returns the lines of an order without those of its repetitions. */
const firstLines = ({ parts }: BookedRequest): readonly BookedPart[] =>
  parts.filter(({ line }, index) => parts.findIndex((other) => other.line?.trace === line?.trace) === index);

/** Looks up a payment order. Both parameters are required. Spec: "Find payment order". */
export function findOrder(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('id') ?? '';
  const idType = call.query.get('idtype') ?? '';
  const errors: FieldErrors = {};
  if (idType === '') complain(errors, 'IdType', 'The IdType field is required.');
  else if (idType !== ID_TYPE) complain(errors, 'IdType', `The IdType field must be ${ID_TYPE}.`);
  if (id === '') complain(errors, 'Id', 'The Id field is required.');
  if (hasErrors(errors)) return orderErrorReply(400, '', errors, call.at, context.random);
  const order = visible(context.books.request('submit-order', id), call, context);
  if (!order) return notFoundReply(id);
  const scenario = context.scenario();
  const shown = scenario.duplicates === 'hide' ? { ...order, parts: firstLines(order) } : order;
  const record = statusRecordOf(shown, context.books, call.at);
  return json(200, isSparse(scenario, order.key, call.at) ? sparseRecord(record) : record);
}

/**
 * Rejects a payment order. Every line that is Pending or Queued becomes Rejected and answers `0`; any other line stays as it
 * is and answers `1`. Refusals have HTTP 200. Spec: "Reject order".
 */
export function rejectOrder(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('originatorconversationid') ?? '';
  if (id === '') return missingParameter(ID_TYPE, context);
  const order = context.books.request('submit-order', id);
  if (!order) return notFoundReply(id);
  const rejected = new Set(context.books.decide(order, 'withdrawn'));
  const paymentOrderlines = order.parts.map((part, index) => {
    const done = rejected.has(index);
    const shown = statusAt(part, call.at);
    return {
      originatorConversationId: id,
      transactionStatus: shown.status,
      transactionStatusDescription: shown.text,
      resultCode: done ? '0' : '1',
      resultCodeDescription: done ? 'Success' : 'The transaction cannot be rejected on its current status.',
    };
  });
  return json(200, { paymentOrderlines });
}
