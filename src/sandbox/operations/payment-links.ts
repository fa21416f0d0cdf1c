/** Payment links. Their requests are as observed; the record is the practice service's own. */
import { currencyOf } from '../../domain/currency.ts';
import type { BookedRequest } from '../books/booked.ts';
import type { LinkChange, RequestCheck } from '../checked-request.ts';
import {
  complain,
  type Form,
  formOf,
  hasErrors,
  optional,
  positiveAmount,
  readForm,
  required,
  textOf,
  textOrNull,
} from '../fields.ts';
import { json, notFoundReply, type Reply, serviceTime, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { finding } from './requests.ts';

/** Fields that a link may have both when it is created and when it is changed. */
const linkRules = [
  ...optional('text', 'firstName', 'lastName', 'emailAddress', 'phoneNumber', 'description'),
  ...optional('boolean', 'isAmountSpecified'),
  ...optional('number', 'amount'),
  ...optional('web address', 'redirectionSite'),
];

/** Currency of a link that names none. */
const LINK_CURRENCY = 'KES';

/** Reads the fields of a link, with what is wrong with them. */
function readLink(received: unknown, form: Form): ReturnType<typeof readForm> {
  const { fields, errors } = readForm(received, form);
  const code = textOf(fields, 'currency') || LINK_CURRENCY;
  if (!currencyOf(code)) complain(errors, 'currency', `The currency ${code} is not known.`);
  if (typeof fields['amount'] === 'number') positiveAmount(fields['amount'], { code }, 'amount', errors);
  return { fields, errors };
}

/** Returns a link as it is shown. */
function linkRecordOf({ id, fields, takenAt }: BookedRequest): object {
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
    url: `https://practice.invalid/pay/${id}`,
    createdDate: serviceTime(takenAt),
  };
}

const createForm = formOf([
  ...required('text', 'shortCode'),
  ...linkRules,
  ...optional('text', 'accountReference', 'currency'),
  ...optional('text or an integer', 'paymentType'),
]);

/** Creates a payment link. The request is as observed; the answer is the practice service's own record. */
export function createPaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkLink(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  return json(200, linkRecordOf(context.books.take(check.request, [], call.received)));
}

/** Reads a new link. The service gives the link its identifier. */
export function checkLink(received: unknown): RequestCheck {
  const { fields, errors } = readLink(received, createForm);
  if (hasErrors(errors)) return { ok: false, errors };
  if (fields['isAmountSpecified'] === true && fields['amount'] === undefined) {
    return { ok: false, errors: { amount: ['The amount field is required.'] } };
  }
  return { ok: true, request: { kind: 'create-payment-link', id: '', fields, parts: [] } };
}

const updateForm = formOf([...required('text', 'id'), ...optional('text', 'shortCode'), ...linkRules]);

/** Changes a payment link. Spec: "Update payment link". */
export function updatePaymentLink(call: Call, context: ServiceContext): Reply {
  const check = checkLinkUpdate(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const link = context.books.request('create-payment-link', check.id);
  if (!link) return notFoundReply(check.id, 'Id', 'payment link');
  context.books.changeLink(call.received, call.body);
  return json(200, linkRecordOf(link));
}

/** Reads the changed fields of a link. Omitted fields stay as they are. */
export function checkLinkUpdate(received: unknown): LinkChange {
  const { fields, errors } = readLink(received, updateForm);
  return hasErrors(errors) ? { ok: false, errors } : { ok: true, id: textOf(fields, 'id'), fields };
}

/** Looks up a payment link by `Id` (observed). */
export const findPaymentLink = finding({
  kind: 'create-payment-link',
  parameter: 'Id',
  what: 'payment link',
  record: linkRecordOf,
});
