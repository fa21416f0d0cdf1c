/** Spec: "Airtime purchase". How it is found again is not shown; the record follows that of a bill payment. */
import { add, toWire } from '../../domain/money.ts';
import type { BookedPart, BookedRequest } from '../books/register.ts';
import { receiptOf } from '../books/statement.ts';
import type { ShownStatus } from '../line-end.ts';
import { magicOf } from '../magic-endings.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findRequest, partStatusAt, requestStatusAt } from './find-request.ts';
import { acceptanceOf, takeRequest, type Way } from './take-request.ts';

const way: Way = {
  kind: 'buy-airtime',
  idField: 'originatorConversationId',
  currencyField: 'currencyCode',
  payeeField: 'phoneNumber',
  repeats: 'accept-then-9',
  magic: magicOf,
  accept: (booked, context) => acceptanceOf(booked, 'airtime purchase accepted', context),
};

/** Spec: "Airtime purchase". Taking it moves no money. */
export const buyAirtime = (call: Call, context: ServiceContext): Reply => takeRequest(way, call, context);

/** By `OriginatorConversationId`, at a path of our own. */
export const findAirtime = (call: Call, context: ServiceContext): Reply =>
  findRequest(
    { kind: 'buy-airtime', parameter: 'OriginatorConversationId', what: 'airtime purchase', record: airtimeRecordOf },
    call,
    context,
  );

/** One recipient: a flat record. Several: sums and the state that holds the purchase back, and each recipient. */
export function airtimeRecordOf(request: BookedRequest, at: number): object {
  const { parts, serviceId, id } = request;
  const known = { systemConversationId: serviceId, originatorConversationId: id };
  const [only] = parts;
  if (parts.length === 1 && only) return { ...known, ...recipientRecord(request, only, at) };
  const amounts = parts.flatMap(({ movement }) => movement?.amount ?? []);
  const total = amounts.slice(1).reduce(add, amounts[0] as (typeof amounts)[number]); // a purchase has a recipient
  const fees = parts.reduce((sum, { result }) => sum + (result?.fee ?? 0n), 0n);
  return {
    ...known,
    phoneNumber: null,
    amount: toWire(total),
    currencyCode: total.currency,
    ...statusFields(requestStatusAt(request, at)),
    receiptNumber: null,
    feeAmount: toWire({ minor: fees, currency: total.currency }),
    recipients: parts.map((part) => recipientRecord(request, part, at)),
  };
}

function recipientRecord(request: BookedRequest, part: BookedPart, at: number): object {
  const shown = partStatusAt(request, part, at);
  const amount = part.movement?.amount;
  const isShown = shown.code !== null && at >= request.shownAsDuplicateUntil;
  return {
    phoneNumber: part.payee,
    amount: amount ? toWire(amount) : 0,
    currencyCode: amount?.currency ?? null,
    ...statusFields(shown),
    receiptNumber: isShown ? receiptOf(part) : null,
    feeAmount: amount ? toWire({ minor: part.result?.fee ?? 0n, currency: amount.currency }) : 0,
  };
}

const statusFields = ({ status, text, code, says }: ShownStatus): object => ({
  status,
  transactionStatusDescription: text,
  resultCode: code,
  resultDesc: says,
});
