/** Payment links: the update request is the specification's, the create request has been observed. */
import { currencyOf } from '../../domain/currency.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  optional,
  type Rule,
  required,
  textOf,
} from '../fields.ts';
import type { RequestCheck } from './checked-request.ts';
import { positiveAmount } from './money.ts';

const linkRules = [
  ...optional('text', 'firstName', 'lastName', 'emailAddress', 'phoneNumber', 'description'),
  ...optional('boolean', 'isAmountSpecified'),
  ...optional('number', 'amount'),
  ...optional('web address', 'redirectionSite'),
];
const createRules = [
  ...required('text', 'shortCode'),
  ...linkRules,
  ...optional('text', 'accountReference', 'currency'),
  ...optional('text or an integer', 'paymentType'),
];
const updateRules = [...required('text', 'id'), ...optional('text', 'shortCode'), ...linkRules];
const createNames = namesOf(createRules);
const updateNames = namesOf(updateRules);
/** Currency of a link that names none. */
export const LINK_CURRENCY = 'KES';

/** Reads a new link; the service gives it its identifier. */
export function checkLink(received: unknown): RequestCheck {
  const { fields, errors } = checked(received, createNames, createRules);
  if (hasErrors(errors)) return { ok: false, errors };
  if (fields['isAmountSpecified'] === true && fields['amount'] === undefined) {
    return { ok: false, errors: { amount: ['The amount field is required.'] } };
  }
  return { ok: true, request: { kind: 'create-payment-link', id: '', fields, parts: [] } };
}

/** A change of a link, or what is wrong with each of its fields. */
export type UpdateCheck =
  | { readonly ok: true; readonly id: string; readonly fields: Fields }
  | { readonly ok: false; readonly errors: FieldErrors };

/** The changed fields of a link; what the request leaves out stays as it is. */
export function checkLinkUpdate(received: unknown): UpdateCheck {
  const { fields, errors } = checked(received, updateNames, updateRules);
  return hasErrors(errors) ? { ok: false, errors } : { ok: true, id: textOf(fields, 'id'), fields };
}

function checked(
  received: unknown,
  names: ReturnType<typeof namesOf>,
  rules: readonly Rule[],
): { readonly fields: Fields; readonly errors: FieldErrors } {
  const fields = bound(received, names);
  if (!isFields(fields)) return { fields: {}, errors: notAnObject };
  const errors: FieldErrors = {};
  checkFields(fields, rules, '', errors);
  const code = textOf(fields, 'currency') || LINK_CURRENCY;
  if (!currencyOf(code)) complain(errors, 'currency', `The currency ${code} is not known.`);
  if (typeof fields['amount'] === 'number') positiveAmount(fields['amount'], { code }, 'amount', errors);
  return { fields, errors };
}
