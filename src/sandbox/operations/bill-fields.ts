/** What requests about bills have in common: their fields, the service, and the account. Spec: "Bill payment". */
import { type BillService, billServiceOf } from '../bill-catalogue.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  isFields,
  namesOf,
  notAnObject,
  optional,
  type Rule,
  required,
  wordOf,
} from '../fields.ts';
import { magicOf } from '../magic-endings.ts';

/** Fields of everything that is asked about an account. */
export const accountRules = [...required('text or an integer', 'serviceId'), ...required('text', 'accountNumber')];

/** Fields of a payment. A question may have the same ones. */
export const paymentRules = [
  ...accountRules,
  ...required('text', 'msisdn', 'transactionDesc', 'originatorConversationId', 'customerNames'),
  ...required('text', 'countryCode', 'currencyCode'),
  ...required('integer', 'transactionType', 'amount'),
  ...required('boolean', 'saveBillerNumber'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'routeId', 'narration'),
];
export const paymentNames = namesOf(paymentRules);

/** Spec: "Bill payment", transaction types. */
export const POST_PAYMENT = 2;

/** The fields of a body under the names of the rules, and what is wrong with them. */
export function readBill(
  received: unknown,
  names: ReturnType<typeof namesOf>,
  rules: readonly Rule[],
): { readonly fields: Fields; readonly errors: FieldErrors } {
  const fields = bound(received, names);
  const errors: FieldErrors = {};
  if (!isFields(fields)) return { fields: {}, errors: { ...notAnObject } };
  checkFields(fields, rules, '', errors);
  return { fields, errors };
}

/** The service that is named, or a complaint. */
export function serviceOf(fields: Fields, errors: FieldErrors): BillService | undefined {
  const id = wordOf(fields, 'serviceId');
  if (id === '' || errors['serviceId']) return undefined;
  const service = billServiceOf(id);
  if (service?.enabled) return service;
  complain(errors, 'serviceId', `The service ${id} is ${service ? 'not enabled' : 'not known'}.`);
  return undefined;
}

/** An account ending 0004 is invalid. Spec: "Errors" 2. */
export const isInvalidAccount = (account: string): boolean => magicOf(account)?.submission === 'refused';
