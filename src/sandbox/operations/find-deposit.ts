import type { BookedRequest } from '../books/register.ts';
import { textOf } from '../fields.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { merchantRequestId, receiptOfDeposit } from './deposit-record.ts';
import { findRequest, requestStatusAt } from './find-request.ts';

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
