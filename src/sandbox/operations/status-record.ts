/**
 * Spec: "Payment order status record". Not everything comes back as it was sent: observed are the notes in place of the
 * reference, another route id, no country, and a remitter of nulls when none was sent.
 */
import type { CurrencyCode } from '../../domain/currency.ts';
import { invariant } from '../../domain/invariant.ts';
import { toWire } from '../../domain/money.ts';
import type { Bookkeeper } from '../books/bookkeeper.ts';
import type { BookedLine, BookedOrder } from '../books/orders.ts';
import type { LineResult } from '../books/settling.ts';
import { receiptOf, statusAt } from '../books/statement.ts';
import { balanceOf } from '../books/wallets.ts';
import { codeOf, guidOf } from '../draw.ts';
import { type EndEntry, lineEndTable, type ShownStatus } from '../line-end.ts';
import { serviceTime } from '../reply.ts';
import { duplicateEndOf } from '../settle.ts';

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

/** The record of an order as it stands at `at`. */
export function statusRecordOf(order: BookedOrder, books: Bookkeeper, at: number) {
  const asDuplicate = at < order.shownAsDuplicateUntil ? duplicateEndOf(order.key) : undefined;
  return {
    id: guidOf(`record|${order.serviceId}`),
    conversationId: order.serviceId,
    originatorConversationId: order.id,
    remarks: order.notes,
    isProcessed: asDuplicate !== undefined || order.lines.every(isFinal),
    orderLines: order.lines.map((line) => lineRecord(order, line, books, at, asDuplicate)),
  };
}

export type StatusRecord = ReturnType<typeof statusRecordOf>;

/** Nothing follows for this line. */
const isFinal = (line: BookedLine): boolean => line.result !== undefined && lineEndTable[line.result.end].final;

function lineRecord(
  order: BookedOrder,
  line: BookedLine,
  books: Bookkeeper,
  at: number,
  asDuplicate: EndEntry | undefined,
) {
  const { wire } = line;
  const amount = toWire(wire.amount);
  return {
    remitter: wire.remitter ? { ...emptyRemitter, ...wire.remitter } : emptyRemitter,
    recipient: { ...emptyRecipient, ...wire.recipient, country: null, amount },
    transaction: {
      routeId: wire.rail.shownRouteId,
      channelType: wire.rail.channelType,
      amount,
      reference: order.notes,
      systemTraceAuditNumber: wire.trace,
      accountNo: null,
      type: 0,
      customerAccountNo: null,
      routeTransactionTypeId: NO_GUID,
    },
    transactionOutcome: outcomeRecord(line, asDuplicate ?? statusAt(line, at), asDuplicate ? undefined : line.result, {
      id: guidOf(`outcome|${order.serviceId}|${line.sequence}`),
      balance: walletBalance(books, wire.amount.currency),
    }),
  };
}

/** The result fields are null until there is a result, as observed. */
function outcomeRecord(
  line: BookedLine,
  shown: ShownStatus,
  result: LineResult | undefined,
  { id, balance }: { readonly id: string; readonly balance: bigint },
) {
  const { name, payee, amount } = line.wire;
  const { currency } = amount;
  const paid = result?.end === 'completed';
  return {
    id,
    paymentAmount: paid ? toWire(amount) : 0,
    feeAmount: toWire({ minor: result?.fee ?? 0n, currency }),
    trackingNumber: codeOf(line.sequence, TRACKING_LENGTH),
    transactionStatus: shown.status,
    transactionStatusDescription: shown.text,
    workingAccountAvailableFunds: 0,
    utilityAccountAvailableFunds: 0,
    walletBalance: toWire({ minor: result?.balance ?? balance, currency }),
    transactionDate: result ? serviceTime(result.at) : null,
    transactionCreditParty: paid ? `${payee} - ${name}` : null,
    resultCode: shown.code,
    resultCodeDescription: shown.says,
    thirdPartyPayload: {
      thirdPartyResponseCode: paid ? '0' : null,
      thirdPartyResponseCodeDescription: paid ? 'Accepted' : null,
      thirdPartyResultCode: result ? shown.code : null,
      thirdPartyResultCodeDescription: result ? shown.says : null,
      thirdPartyReceiptNumber: result ? receiptOf(line) : null,
    },
  };
}

function walletBalance(books: Bookkeeper, currency: CurrencyCode): bigint {
  const wallet = books.wallet(currency);
  invariant(wallet, `there is a wallet of ${currency}`);
  return balanceOf(wallet);
}
