import type { LinkChange } from '../checked-request.ts';
import { hasErrors, namesOf, optional, required, textOf } from '../fields.ts';
import { json, notFoundReply, type Reply, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { linkRecordOf, linkRules, readLink } from './payment-link.ts';

const updateRules = [...required('text', 'id'), ...optional('text', 'shortCode'), ...linkRules];
const updateNames = namesOf(updateRules);

/** Spec: "Update payment link". */
export function updatePaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkLinkUpdate(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const link = context.books.request('create-payment-link', check.id);
  if (!link) return notFoundReply(check.id, 'Id', 'payment link');
  context.books.changeLink(call.received, call.body);
  return json(200, linkRecordOf(link, context));
}

/** The changed fields of a link; what the request leaves out stays as it is. */
export function checkLinkUpdate(received: unknown): LinkChange {
  const { fields, errors } = readLink(received, updateNames, updateRules);
  return hasErrors(errors) ? { ok: false, errors } : { ok: true, id: textOf(fields, 'id'), fields };
}
