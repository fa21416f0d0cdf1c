import type { RequestCheck } from '../checked-request.ts';
import { hasErrors, namesOf, optional, required } from '../fields.ts';
import { json, type Reply, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import type { KeptRequest } from './kept-request.ts';
import { linkRecordOf, linkRules, readLink } from './payment-link.ts';

const createRules = [
  ...required('text', 'shortCode'),
  ...linkRules,
  ...optional('text', 'accountReference', 'currency'),
  ...optional('text or an integer', 'paymentType'),
];
const createNames = namesOf(createRules);

/** Observed request; the answer is our own record. */
export function createPaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkLink(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  return json(200, linkRecordOf(context.books.takeRequest(check.request, [], call.received), context));
}

/** It is done as soon as it is taken, and calls nobody back. */
export const paymentLinkRequest: KeptRequest = { read: checkLink };

/** Reads a new link; the service gives it its identifier. */
function checkLink(received: unknown): RequestCheck {
  const { fields, errors } = readLink(received, createNames, createRules);
  if (hasErrors(errors)) return { ok: false, errors };
  if (fields['isAmountSpecified'] === true && fields['amount'] === undefined) {
    return { ok: false, errors: { amount: ['The amount field is required.'] } };
  }
  return { ok: true, request: { kind: 'create-payment-link', id: '', fields, parts: [] } };
}
