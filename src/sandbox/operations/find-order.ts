/**
 * Looks up and rejects payment orders. Spec: "Payment order status record". Not everything comes back as it was sent.
 * Observed are the notes instead of the reference, another route id, no country, and a remitter of nulls if none was sent.
 */
import type { CurrencyCode } from '../../domain/currency.ts';
import { sha256 } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import { type Money, toWire } from '../../domain/money.ts';
import { type BookedPart, type BookedRequest, type ShownPart, shownPart, statusAt } from '../books/booked.ts';
import type { Bookkeeper } from '../books/bookkeeper.ts';
import { balanceOf } from '../books/wallets.ts';
import { codeOf, drawOf, guidOf } from '../draw.ts';
import { complain, type FieldErrors, hasErrors, textOf } from '../fields.ts';
import { json, notFoundReply, queryErrorReply, type Reply, serviceTime } from '../reply.ts';
import type { Scenario } from '../scenario.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { partEndTable } from '../settle.ts';
import { missingParameter, visible } from './requests.ts';

const TRACKING_LENGTH = 8;
const NO_GUID = '00000000-0000-0000-0000-000000000000';

const emptyRemitter = {
  name: null,
  address: null,
  emailAddress: null,
  phoneNumber: '',
  idType: null,
  idIssuePlace: null,
  idNumber: null,
  idIssueDate: null,
  idExpiryDate: null,
  dateOfBirth: null,
  country: null,
  nationality: null,
  ccy: null,
  amount: null,
  financialInstitution: null,
  institutionIdentifier: null,
  primaryAccountNumber: null,
  sourceOfFunds: null,
  principalActivity: null,
  state: null,
  city: null,
  postalCode: null,
  occupation: null,
  profession: null,
  relationship: null,
  fxRate: null,
};

const emptyRecipient = {
  name: null,
  address: null,
  emailAddress: null,
  phoneNumber: null,
  mccmnc: null,
  idType: null,
  idNumber: null,
  financialInstitution: null,
  institutionIdentifier: null,
  primaryAccountNumber: null,
  ccy: null,
  purpose: null,
  creditCustomerAccountId: null,
  state: null,
  city: null,
  postalCode: null,
  nationality: null,
  occupation: null,
  profession: null,
  relationship: null,
};

/** Returns the record of an order as of `at`. */
export function statusRecordOf(order: BookedRequest, books: Bookkeeper, at: number) {
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
        name: null,
        phoneNumber: null,
        financialInstitution: null,
        institutionIdentifier: null,
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
  if (hasErrors(errors)) return queryErrorReply(errors, call.at, context.random);
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
