/** Spec: "Bill payment" with its three transaction types, "Bill number (save)". */
import { invariant } from '../../domain/invariant.ts';
import { fromWire } from '../../domain/money.ts';
import { BILL_COUNTRY, BILL_CURRENCY, type BillService, billCurrency, billServiceOf } from '../bill-catalogue.ts';
import { railFor } from '../catalogue.ts';
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
  wordOf,
} from '../fields.ts';
import { BILL_ROUTE_ID } from '../route-table.ts';
import type { RequestCheck } from './checked-request.ts';

const accountRules = [...required('text or an integer', 'serviceId'), ...required('text', 'accountNumber')];
const numberRules = [
  ...accountRules,
  ...optional('text', 'phoneNumber', 'transactionDesc'),
  ...optional('boolean', 'RemindMeDueDate'),
];
const paymentRules = [
  ...accountRules,
  ...required('text', 'msisdn', 'transactionDesc', 'originatorConversationId', 'customerNames'),
  ...required('text', 'countryCode', 'currencyCode'),
  ...required('integer', 'transactionType', 'amount'),
  ...required('boolean', 'saveBillerNumber'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'routeId', 'narration'),
];
/** Mandatory for payments only, so all but service and account may be missing when a bill is validated. */
const validationRules: readonly Rule[] = [
  ...accountRules,
  ...paymentRules.slice(accountRules.length).map(({ name, shape }) => ({ name, shape })),
];
const numberNames = namesOf(numberRules);
const paymentNames = namesOf(paymentRules);

/** Spec: transaction types. */
const POST_PAYMENT = 2;

/** Reads a payment, whose amount must lie within the limits of its service. */
export function checkBillPayment(received: unknown): RequestCheck {
  const { fields, errors } = checked(received, paymentNames, paymentRules);
  const service = serviceOf(fields, errors);
  checkPlace(fields, errors);
  const { amount, transactionType } = fields;
  if (typeof transactionType === 'number' && transactionType !== POST_PAYMENT) {
    complain(errors, 'transactionType', 'The transactionType field must be 1, 2 or 3.');
  }
  if (service && Number.isSafeInteger(amount) && (Number(amount) < service.least || Number(amount) > service.most)) {
    complain(errors, 'amount', `The amount must lie between ${service.least} and ${service.most}.`);
  }
  if (hasErrors(errors)) return { ok: false, errors };
  const rail = railFor('pay-bill', BILL_CURRENCY);
  const money = billCurrency && fromWire(Number(amount), billCurrency.code);
  invariant(rail && money, 'bills are paid by a rail, in whole units');
  return {
    ok: true,
    request: {
      kind: 'pay-bill',
      id: textOf(fields, 'originatorConversationId'),
      callbackUrl: textOf(fields, 'callBackUrl'),
      fields,
      parts: [
        {
          payee: textOf(fields, 'accountNumber'),
          name: textOf(fields, 'customerNames'),
          movement: { direction: 'out', amount: money, scale: rail.scale },
        },
      ],
    },
  };
}

/** The identifier under which the books keep a bill number. */
export const billNumberId = (serviceId: string, account: string): string => `${serviceId}|${account}`;

/** Reads a bill number that is to be saved. */
export function checkBillNumber(received: unknown): RequestCheck {
  const { fields, errors } = checked(received, numberNames, numberRules);
  serviceOf(fields, errors);
  if (hasErrors(errors)) return { ok: false, errors };
  const id = billNumberId(wordOf(fields, 'serviceId'), textOf(fields, 'accountNumber'));
  return { ok: true, request: { kind: 'save-bill-number', id, fields, parts: [] } };
}

/** A bill that is asked about, or what is wrong with each field. */
export type BillCheck =
  | { readonly ok: true; readonly service: BillService; readonly account: string }
  | { readonly ok: false; readonly errors: FieldErrors };

/** A bill that is only asked about (types 1 and 3): service and account are what it takes. */
export function checkBillEnquiry(received: unknown): BillCheck {
  const { fields, errors } = checked(received, paymentNames, validationRules);
  const service = serviceOf(fields, errors);
  if (hasErrors(errors) || !service) return { ok: false, errors };
  return { ok: true, service, account: textOf(fields, 'accountNumber') };
}

function checked(
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

function serviceOf(fields: Fields, errors: FieldErrors): BillService | undefined {
  const id = wordOf(fields, 'serviceId');
  if (id === '' || errors['serviceId']) return undefined;
  const service = billServiceOf(id);
  if (service?.enabled) return service;
  complain(errors, 'serviceId', `The service ${id} is ${service ? 'not enabled' : 'not known'}.`);
  return undefined;
}

function checkPlace(fields: Fields, errors: FieldErrors): void {
  const sent = (name: string): string => textOf(fields, name).toUpperCase();
  const routeId = sent('routeId');
  if (routeId !== '' && routeId !== BILL_ROUTE_ID.toUpperCase()) {
    complain(errors, 'routeId', 'The routeId is not that of the bill services.');
  }
  for (const [name, only] of [
    ['currencyCode', BILL_CURRENCY],
    ['countryCode', BILL_COUNTRY],
  ] as const) {
    if (sent(name) !== '' && sent(name) !== only) complain(errors, name, `The ${name} of this service is ${only}.`);
  }
}
