/** Payment links. Spec: "Update payment link"; the rest is observed, and the record is our own. */
import type { BookedRequest } from '../books/register.ts';
import { textOf, textOrNull } from '../fields.ts';
import { json, notFoundReply, type Reply, serviceTime, validationReply } from '../reply.ts';
import { checkRequest } from '../requests/check-request.ts';
import { checkLinkUpdate, LINK_CURRENCY } from '../requests/payment-link.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { missingParameter, visible } from './find-request.ts';

/** Observed request; the answer is our own record. */
export function createPaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkRequest('create-payment-link', call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  return json(200, linkRecordOf(context.books.takeRequest(check.request, [], call.received), context));
}

/** Observed, by `Id`. */
export function findPaymentLink(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('id') ?? '';
  if (id === '') return missingParameter('Id', context);
  const link = visible(context.books.request('create-payment-link', id), call, context);
  return link ? json(200, linkRecordOf(link, context)) : notFoundReply(id, 'Id', 'payment link');
}

/** Spec: "Update payment link". */
export function updatePaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkLinkUpdate(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const link = context.books.request('create-payment-link', check.id);
  if (!link) return notFoundReply(check.id, 'Id', 'payment link');
  context.books.changeLink(call.received, call.body);
  return json(200, linkRecordOf(link, context));
}

function linkRecordOf({ id, fields, takenAt }: BookedRequest, context: ServiceContext): object {
  return {
    id,
    shortCode: textOf(fields, 'shortCode'),
    firstName: textOrNull(fields, 'firstName'),
    lastName: textOrNull(fields, 'lastName'),
    emailAddress: textOrNull(fields, 'emailAddress'),
    phoneNumber: textOrNull(fields, 'phoneNumber'),
    accountReference: textOrNull(fields, 'accountReference'),
    description: textOrNull(fields, 'description'),
    isAmountSpecified: fields['isAmountSpecified'] === true,
    amount: fields['amount'] ?? null,
    currency: textOf(fields, 'currency') || LINK_CURRENCY,
    redirectionSite: textOrNull(fields, 'redirectionSite'),
    url: context.pageOf('pay', id),
    createdDate: serviceTime(takenAt),
  };
}
