/** Bill payments. Spec: "Bill payment"; how one is found again is observed. */
import { toWire } from '../../domain/money.ts';
import { billDueOf } from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/register.ts';
import { receiptOf } from '../books/statement.ts';
import { textOf, textOrNull, wordOf } from '../fields.ts';
import { magicOf } from '../magic-endings.ts';
import { json, notFoundReply, type Reply, zonelessTime } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { dueFields, serviceOfRequest } from './bill-dues.ts';
import { findRequest, requestStatusAt, visible } from './find-request.ts';
import { acceptanceOf, takeRequest, type Way } from './take-request.ts';

/** Spec: "Bill payment", transaction types. */
const POST_PAYMENT = 2;

const way: Way = {
  kind: 'pay-bill',
  idField: 'originatorConversationId',
  currencyField: 'currencyCode',
  payeeField: 'accountNumber',
  repeats: 'accept-then-9',
  magic: magicOf,
  accept: (booked, context) =>
    acceptanceOf(booked, 'bill payment accepted', context, {
      accountCustomerName: booked.holder,
      ...dueFields(serviceOfRequest(booked), textOf(booked.fields, 'accountNumber'), booked.takenAt),
    }),
};

/** Spec: "Bill payment". Taking it moves no money. */
export const payBill = (call: Call, context: ServiceContext): Reply => takeRequest(way, call, context);

/** Observed, by either identifier. */
export function findBillPayment(call: Call, context: ServiceContext): Reply {
  const made = call.query.get('systemconversationid');
  if (made !== undefined && made !== '' && !call.query.get('originatorconversationid')) {
    const request = visible(context.books.made('pay-bill', made), call, context);
    return request
      ? json(200, billRecordOf(request, call.at))
      : notFoundReply(made, 'SystemConversationId', 'bill payment');
  }
  return findRequest(
    { kind: 'pay-bill', parameter: 'OriginatorConversationId', what: 'bill payment', record: billRecordOf },
    call,
    context,
  );
}

/** Observed and published record of a bill payment, and the fee. */
function billRecordOf(request: BookedRequest, at: number): object {
  const { fields, parts, serviceId, id, holder } = request;
  const shown = requestStatusAt(request, at);
  const part = parts.findLast(({ result }) => result?.end === 'completed') ?? parts[0];
  const isShown = at >= request.shownAsDuplicateUntil;
  const paid = isShown && part?.result?.end === 'completed' ? part.result : undefined;
  const account = textOf(fields, 'accountNumber');
  const due = billDueOf(serviceOfRequest(request), account, request.takenAt);
  return {
    systemConversationId: serviceId,
    originatorConversationId: id,
    serviceID: Number(wordOf(fields, 'serviceId')),
    accountNumber: account,
    msisdn: textOf(fields, 'msisdn'),
    amount: part?.movement ? toWire(part.movement.amount) : 0,
    datePaymentReceived: paid ? zonelessTime(paid.at).slice(0, -3).replace('T', ' ') : null,
    customerName: holder,
    customerNames: textOf(fields, 'customerNames'),
    countryCode: textOf(fields, 'countryCode'),
    currencyCode: textOf(fields, 'currencyCode'),
    transactionType: POST_PAYMENT,
    dueAmount: due.amount,
    dueDate: due.date,
    narration: textOrNull(fields, 'narration'),
    receiptNumber: paid && part ? receiptOf(part) : null,
    receiverNarration: null,
    status: shown.status,
    transactionStatusDescription: shown.text,
    statusCode: shown.code === null ? null : Number(shown.code),
    statusDescription: shown.says,
    totalRecordsPendingAck: 0,
    totalRecordsPendingQuery: 0,
    active: 'true',
    callbackURL: textOf(fields, 'callBackUrl'),
    byPassCustomerValidation: false,
    feeAmount: feeOf(request),
  };
}

function feeOf({ parts }: BookedRequest): number {
  const currency = parts[0]?.movement?.amount.currency;
  const minor = parts.reduce((sum, { result }) => sum + (result?.fee ?? 0n), 0n);
  return currency ? toWire({ minor, currency }) : 0;
}

/** Spec: "Bill payment", callback body. */
export function billCallbackOf(request: BookedRequest, at: number): object {
  const { fields, parts, serviceId, id, holder } = request;
  const service = serviceOfRequest(request);
  const account = textOf(fields, 'accountNumber');
  const due = billDueOf(service, account, request.takenAt);
  const shown = requestStatusAt(request, at);
  const [part] = parts;
  return {
    originatorConversationId: id,
    systemConversationId: serviceId,
    accountNumber: account,
    accountCustomerName: holder,
    msisdn: textOf(fields, 'msisdn'),
    amount: part?.movement ? toWire(part.movement.amount) : 0,
    currencyCode: textOf(fields, 'currencyCode'),
    countryCode: textOf(fields, 'countryCode'),
    narration: textOrNull(fields, 'narration'),
    dueDate: due.date,
    dueAmount: due.amount,
    savebillNumber: fields['saveBillerNumber'] === true,
    callbackUrl: textOf(fields, 'callBackUrl'),
    billService: {
      serviceId: service.id,
      serviceCategory: service.category,
      serviceCategoryDescription: service.categoryName,
      serviceType: service.type,
      serviceTypeDescription: service.name,
    },
    billRequestOutcome: {
      status: shown.status,
      statusDesc: shown.text,
      responseCode: shown.code,
      responseDesc: shown.says,
      resultCode: shown.code,
      resultDesc: shown.says,
      thirdPartyPayload: {
        responseCode: shown.code,
        responseDesc: shown.says,
        reference: part ? receiptOf(part) : null,
        extraData: { RequestExtraData: null, ResponseExtraData: null },
      },
    },
  };
}
