/** Observed: express deposits. A deposit that completes tops the wallet up. */
import { toWire } from '../../domain/money.ts';
import type { BookedRequest } from '../books/register.ts';
import { receiptOf } from '../books/statement.ts';
import { textOf } from '../fields.ts';
import { magicOf } from '../magic-endings.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findRequest, requestStatusAt } from './find-request.ts';
import { acceptanceOf, takeRequest, type Way } from './take-request.ts';

// Published: a repeated deposit is refused.
const way: Way = {
  kind: 'request-deposit',
  idField: 'OriginatorConversationId',
  payeeField: 'PhoneNumber',
  repeats: 'refuse',
  magic: magicOf,
  accept: (booked, context) => acceptanceOf(booked, 'Express Deposit submission accepted', context),
};

/** Observed. Taking it moves no money. */
export const requestDeposit = (call: Call, context: ServiceContext): Reply => takeRequest(way, call, context);

/** Observed, by `OriginatorConversationId`. */
export const findDeposit = (call: Call, context: ServiceContext): Reply =>
  findRequest(
    {
      kind: 'request-deposit',
      parameter: 'OriginatorConversationId',
      what: 'express deposit',
      record: depositRecordOf,
    },
    call,
    context,
  );

const merchantRequestId = ({ number }: BookedRequest): string => `29115-34620561-${number + 1}`;

const receiptOfDeposit = ({ parts }: BookedRequest): string | null => {
  const paid = parts.find(({ result }) => result?.end === 'completed');
  return paid ? receiptOf(paid) : null;
};

function depositRecordOf(request: BookedRequest, at: number): object {
  const { serviceId, id, fields } = request;
  const shown = requestStatusAt(request, at);
  return {
    conversationId: serviceId,
    originatorConversationId: id,
    merchantRequestID: merchantRequestId(request),
    phoneNumber: textOf(fields, 'PhoneNumber'),
    mpesaReceiptNumber: at >= request.shownAsDuplicateUntil ? receiptOfDeposit(request) : null,
    resultCode: shown.code,
    resultDesc: shown.says,
    status: shown.text,
  };
}

/** Observed: first what the provider says, in its own wrapping, then the service's own final word. */
export function depositCallbacksOf(request: BookedRequest, at: number): readonly object[] {
  const { code, says, text } = requestStatusAt(request, at);
  const amount = request.parts[0]?.movement?.amount;
  const wrapped = {
    MerchantRequestID: merchantRequestId(request),
    CheckoutRequestID: `ws_CO_${request.number + 1}`,
    ResultCode: Number(code ?? -1),
    ResultDesc: says ?? text,
  };
  const final = {
    OriginatorConversationId: request.id,
    SystemConversationId: request.serviceId,
    MerchantRequestID: merchantRequestId(request),
    PhoneNumber: textOf(request.fields, 'PhoneNumber'),
    PaymentAmount: receiptOfDeposit(request) !== null && amount ? toWire(amount) : 0,
    Thirdpartyreceiptnumber: receiptOfDeposit(request),
    ResultCode: code,
    ResultDesc: says,
    Status: text,
  };
  return [{ Body: { StkCallback: wrapped } }, final];
}
