/**
 * Bills: services, amounts due, saved numbers, enquiries, payments. Spec: "Bill services", "Bill number (save)", "Bill
 * payment".
 */

import { invariant } from '../../domain/invariant.ts';
import { exactFromWire, toWire } from '../../domain/money.ts';
import {
  BILL_COUNTRY,
  BILL_CURRENCY,
  type BillService,
  billDueOf,
  billServiceOf,
  billServiceRecords,
} from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/booked.ts';
import { BILL_ROUTE_ID, railFor } from '../catalogue.ts';
import type { RequestCheck } from '../checked-request.ts';
import {
  complain,
  type FieldErrors,
  type Fields,
  formOf,
  hasErrors,
  optional,
  readForm,
  required,
  textOf,
  textOrNull,
  wordOf,
} from '../fields.ts';
import {
  APP_DOMAIN_NAME,
  json,
  notFoundReply,
  type Reply,
  reasonReply,
  serviceTime,
  validationReply,
  zonelessTime,
} from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { magicOf, paymentMagic } from '../settle.ts';
import { acceptanceOf, finding, missingParameter, paymentOf, requestStatusAt, visible, type Way } from './requests.ts';

/** Fields of every request about an account. */
const accountRules = [...required('text or an integer', 'serviceId'), ...required('text', 'accountNumber')];

/** Fields that only a payment has. */
const paymentRules = [
  ...required('text', 'msisdn', 'transactionDesc', 'originatorConversationId', 'customerNames'),
  ...required('text', 'countryCode', 'currencyCode'),
  ...required('integer', 'transactionType', 'amount'),
  ...required('boolean', 'saveBillerNumber'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'routeId', 'narration'),
];
const paymentForm = formOf([...accountRules, ...paymentRules]);

/** Spec: "Bill payment", transaction types. */
const POST_PAYMENT = 2;

/** Returns the service that is named, or adds a complaint. */
function serviceOf(fields: Fields, errors: FieldErrors): BillService | undefined {
  const id = wordOf(fields, 'serviceId');
  if (id === '' || errors['serviceId']) return undefined;
  const service = billServiceOf(id);
  if (service?.enabled) return service;
  complain(errors, 'serviceId', `The service ${id} is ${service ? 'not enabled' : 'not known'}.`);
  return undefined;
}

/** Reports whether an account is invalid: its number ends in 0004. Spec: "Errors" 2. */
const isInvalidAccount = (account: string): boolean => magicOf(paymentMagic, account)?.submission === 'refused';

/** Returns the service of a bill that the books hold. */
function serviceOfRequest({ fields }: BookedRequest): BillService {
  const service = billServiceOf(wordOf(fields, 'serviceId'));
  invariant(service, 'the books hold bills of the catalogue only');
  return service;
}

/** Returns the fields of an acceptance that say what is due. Spec: "Bill payment". */
function dueFields(service: BillService, account: string, at: number): object {
  const due = billDueOf(service, account, at);
  return {
    dueDate: due.date,
    dueAmount: due.amount,
    currency: BILL_CURRENCY,
    active: 'true',
    statusCode: 0,
    statusDescription: 'Success',
  };
}

/** Lists the bill services. Spec: "Bill services". */
export const findBillServices = (): Reply => json(200, billServiceRecords());

const numberForm = formOf([
  ...accountRules,
  ...optional('text', 'phoneNumber', 'transactionDesc'),
  ...optional('boolean', 'RemindMeDueDate'),
]);

/** Saves a bill number. Saving an account again replaces what was saved. */
export function saveBillNumber(call: Call, context: ServiceContext): Reply {
  const check = checkBillNumber(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  if (isInvalidAccount(textOf(check.request.fields, 'accountNumber'))) {
    return reasonReply('The account number is invalid.', call.at);
  }
  const booked = context.books.take(check.request, [], call.received);
  return json(200, {
    message: { appDomainName: APP_DOMAIN_NAME, remarks: 'Bill number saved', ...numberRecord(booked) },
  });
}

/** Returns the identifier under which the books keep a bill number. */
const billNumberId = (serviceId: string, account: string): string => `${serviceId}|${account}`;

/** Reads a bill number that is to be saved. */
export function checkBillNumber(received: unknown): RequestCheck {
  const { fields, errors } = readForm(received, numberForm);
  serviceOf(fields, errors);
  if (hasErrors(errors)) return { ok: false, errors };
  const id = billNumberId(wordOf(fields, 'serviceId'), textOf(fields, 'accountNumber'));
  return { ok: true, request: { kind: 'save-bill-number', id, fields, parts: [] } };
}

function numberRecord(request: BookedRequest): object {
  const service = serviceOfRequest(request);
  const due = billDueOf(service, textOf(request.fields, 'accountNumber'), request.takenAt);
  return {
    serviceCode: null,
    accountCustomerName: request.holder,
    systemConversationId: request.serviceId,
    lastKnownBalance: due.amount,
    dueDate: due.date,
    verified: true,
    timestamp: serviceTime(request.takenAt),
  };
}

/** Looks up a saved bill number. Published, with the parameters `serviceId` and `accountNumber`. */
export function findBillNumber(call: Call, context: ServiceContext): Reply {
  const service = call.query.get('serviceid') ?? '';
  const account = call.query.get('accountnumber') ?? '';
  if (service === '') return missingParameter('serviceId', context);
  if (account === '') return missingParameter('accountNumber', context);
  const request = visible(context.books.request('save-bill-number', billNumberId(service, account)), call, context);
  if (!request) return notFoundReply(account, 'accountNumber', 'bill number');
  return json(200, {
    serviceID: Number(service),
    customerName: request.holder,
    accountNumber: account,
    phoneNumber: textOrNull(request.fields, 'phoneNumber'),
    enabled: true,
    verified: true,
    dueDate: `${billDueOf(serviceOfRequest(request), account, request.takenAt).date} 00:00:00`,
  });
}

/** Fields of an enquiry. Those of a payment may be there, too. */
const enquiryForm = formOf([...accountRules, ...paymentRules.map(({ name, shape }) => ({ name, shape }))]);

/** Answers an enquiry of transaction type 1. */
export const queryBill = (call: Call, context: ServiceContext): Reply => answerAbout('bill found', call, context);
/** Answers an enquiry of transaction type 3. */
export const validateBill = (call: Call, context: ServiceContext): Reply =>
  answerAbout('bill validated', call, context);

/** Answers with what an account owes, and keeps nothing. */
function answerAbout(remarks: string, call: Call, context: ServiceContext): Reply {
  const { fields, errors } = readForm(call.body, enquiryForm);
  const service = serviceOf(fields, errors);
  if (hasErrors(errors) || !service) return validationReply(errors, context.random);
  const account = textOf(fields, 'accountNumber');
  if (isInvalidAccount(account)) return reasonReply('The account number is invalid.', call.at);
  return json(200, {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      remarks,
      accountNumber: account,
      accountCustomerName: context.books.holderOf(account),
      ...dueFields(service, account, call.at),
      timestamp: serviceTime(call.at),
    },
  });
}

/** Bill payments, which move no money when they are accepted. Spec: "Bill payment". */
export const billPaymentWay: Way = {
  kind: 'pay-bill',
  read: checkBillPayment,
  tells: (request, at) => [billCallbackOf(request, at)],
  idField: 'originatorConversationId',
  currencyField: () => 'currencyCode',
  payeeField: 'accountNumber',
  repeats: 'accept-then-9',
  magic: paymentMagic,
  accept: (booked, context) =>
    acceptanceOf(booked, 'bill payment accepted', context, {
      accountCustomerName: booked.holder,
      ...dueFields(serviceOfRequest(booked), textOf(booked.fields, 'accountNumber'), booked.takenAt),
    }),
};

/** Reads a payment. Its amount must be within the limits of its service. */
function checkBillPayment(received: unknown): RequestCheck {
  const { fields, errors } = readForm(received, paymentForm);
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
  const money = rail && exactFromWire(Number(amount), rail.scale.currency);
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

/** Returns the callback body of a bill payment. Spec: "Bill payment", callback body. */
function billCallbackOf(request: BookedRequest, at: number): object {
  const { fields, serviceId, id, holder } = request;
  const service = serviceOfRequest(request);
  const account = textOf(fields, 'accountNumber');
  const due = billDueOf(service, account, request.takenAt);
  const shown = requestStatusAt(request, at);
  const { amount, receipt } = paymentOf(request, at);
  return {
    originatorConversationId: id,
    systemConversationId: serviceId,
    accountNumber: account,
    accountCustomerName: holder,
    msisdn: textOf(fields, 'msisdn'),
    amount: toWire(amount),
    currencyCode: textOf(fields, 'currencyCode'),
    countryCode: textOf(fields, 'countryCode'),
    narration: textOrNull(fields, 'narration'),
    dueDate: due.date,
    dueAmount: due.amount,
    savebillNumber: fields['saveBillerNumber'] === true,
    callbackUrl: textOf(fields, 'callBackUrl'),
    billService: {
      serviceId: service.id,
      serviceCategory: service.category,
      serviceCategoryDescription: service.categoryName,
      serviceType: service.type,
      serviceTypeDescription: service.name,
    },
    billRequestOutcome: {
      status: shown.status,
      statusDesc: shown.text,
      responseCode: shown.code,
      responseDesc: shown.says,
      resultCode: shown.code,
      resultDesc: shown.says,
      thirdPartyPayload: {
        responseCode: shown.code,
        responseDesc: shown.says,
        reference: receipt,
        extraData: { RequestExtraData: null, ResponseExtraData: null },
      },
    },
  };
}

const findByOwnId = finding({
  kind: 'pay-bill',
  parameter: 'OriginatorConversationId',
  what: 'bill payment',
  record: billRecordOf,
});

/** Looks up a bill payment by either identifier (observed). */
export function findBillPayment(call: Call, context: ServiceContext): Reply {
  const made = call.query.get('systemconversationid') ?? '';
  if (made === '' || call.query.get('originatorconversationid')) return findByOwnId(call, context);
  const request = visible(context.books.made('pay-bill', made), call, context);
  return request
    ? json(200, billRecordOf(request, call.at))
    : notFoundReply(made, 'SystemConversationId', 'bill payment');
}

/** Returns the observed and published record of a bill payment, with the fee in addition. */
function billRecordOf(request: BookedRequest, at: number): object {
  const { fields, serviceId, id, holder } = request;
  const shown = requestStatusAt(request, at);
  const { amount, result, receipt } = paymentOf(request, at);
  const account = textOf(fields, 'accountNumber');
  const due = billDueOf(serviceOfRequest(request), account, request.takenAt);
  return {
    systemConversationId: serviceId,
    originatorConversationId: id,
    serviceID: Number(wordOf(fields, 'serviceId')),
    accountNumber: account,
    msisdn: textOf(fields, 'msisdn'),
    amount: toWire(amount),
    datePaymentReceived: result && receipt ? zonelessTime(result.at).slice(0, -3).replace('T', ' ') : null,
    customerName: holder,
    customerNames: textOf(fields, 'customerNames'),
    countryCode: textOf(fields, 'countryCode'),
    currencyCode: textOf(fields, 'currencyCode'),
    transactionType: POST_PAYMENT,
    dueAmount: due.amount,
    dueDate: due.date,
    narration: textOrNull(fields, 'narration'),
    receiptNumber: receipt,
    receiverNarration: null,
    status: shown.status,
    transactionStatusDescription: shown.text,
    statusCode: shown.code === null ? null : Number(shown.code),
    statusDescription: shown.says,
    totalRecordsPendingAck: 0,
    totalRecordsPendingQuery: 0,
    active: 'true',
    callbackURL: textOf(fields, 'callBackUrl'),
    byPassCustomerValidation: false,
    feeAmount: toWire({ minor: result?.fee ?? 0n, currency: amount.currency }),
  };
}
