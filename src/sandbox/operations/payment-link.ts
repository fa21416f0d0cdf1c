/** What the operations on payment links have in common: the fields of their requests, and the record, which is our own. */
import { currencyOf } from '../../domain/currency.ts';
import type { BookedRequest } from '../books/register.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  isFields,
  type namesOf,
  notAnObject,
  optional,
  type Rule,
  textOf,
  textOrNull,
} from '../fields.ts';
import { positiveAmount } from '../positive-amount.ts';
import { serviceTime } from '../reply.ts';
import type { ServiceContext } from '../service-context.ts';

/** Fields of a link that may be there when it is made and when it is changed. */
export const linkRules = [
  ...optional('text', 'firstName', 'lastName', 'emailAddress', 'phoneNumber', 'description'),
  ...optional('boolean', 'isAmountSpecified'),
  ...optional('number', 'amount'),
  ...optional('web address', 'redirectionSite'),
];

/** Currency of a link that names none. */
export const LINK_CURRENCY = 'KES';

/** The fields of a body under the names of the rules, and what is wrong with them. */
export function readLink(
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

/** A link as it is shown. */
export function linkRecordOf({ id, fields, takenAt }: BookedRequest, context: ServiceContext): object {
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
