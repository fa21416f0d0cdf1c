/** Payment links. Spec: "Update payment link"; the rest is observed, and the record is our own. */
import type { BookedRequest } from '../books/register.ts';
import type { Call, Desk } from '../desk.ts';
import { textOf, textOrNull } from '../fields.ts';
import { json, notFoundReply, type Reply, serviceTime, validationReply } from '../reply.ts';
import { checkRequest } from '../requests/check-request.ts';
import { checkLinkUpdate, LINK_CURRENCY } from '../requests/payment-link.ts';
import { missingParameter, visible } from './find-request.ts';

/** Observed request; the answer is our own record. */
export function createPaymentLink(call: Call, desk: Desk): Reply {
  const check = checkRequest('create-payment-link', call.body);
  if (!check.ok) return validationReply(check.errors, desk.random);
  return json(200, linkRecordOf(desk.books.takeRequest(check.request, [], call.received), desk));
}

/** Observed, by `Id`. */
export function findPaymentLink(call: Call, desk: Desk): Reply {
  const id = call.query.get('id') ?? '';
  if (id === '') return missingParameter('Id', desk);
  const link = visible(desk.books.request('create-payment-link', id), call, desk);
  return link ? json(200, linkRecordOf(link, desk)) : notFoundReply(id, 'Id', 'payment link');
}

/** Spec: "Update payment link". */
export function updatePaymentLink(call: Call, desk: Desk): Reply {
  const check = checkLinkUpdate(call.body);
  if (!check.ok) return validationReply(check.errors, desk.random);
  const link = desk.books.request('create-payment-link', check.id);
  if (!link) return notFoundReply(check.id, 'Id', 'payment link');
  desk.books.changeLink(call.received, call.body);
  return json(200, linkRecordOf(link, desk));
}

function linkRecordOf({ id, fields, takenAt }: BookedRequest, desk: Desk): object {
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
    url: desk.pageOf('pay', id),
    createdDate: serviceTime(takenAt),
  };
}
