import { z } from 'zod';
import { acceptanceMessage } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();
const decimal = z.union([z.number(), text]).nullish();
/** The field tables say integer, and Find Bill Services returns identifiers as text: both are written and read. */
const serviceId = z.union([text, z.int()]);

/** Spec: "Bill service". */
const billService = z.looseObject({
  id: text,
  countryId: maybeText,
  currencyId: maybeText,
  serviceType: z.int().nullish(),
  serviceTypeDescription: maybeText,
  serviceCategory: z.int().nullish(),
  serviceCategoryDescription: maybeText,
  minAmount: z.number().nullish(),
  maxAmount: z.number().nullish(),
  enabled: z.boolean().nullish(),
  image: maybeText,
});

export type BillService = z.infer<typeof billService>;

export const findBillServices = defineOperation({
  name: 'find-bill-services',
  summary: 'Lists the bills that can be paid, with the route and the limits of each.',
  method: 'GET',
  path: '/v1/bill-services',
  reply: z.looseObject({
    billServiceGroup: z.array(z.looseObject({ route: text, billServices: z.array(billService) })),
  }),
  spec: 'Bill services',
  shape: 'spec',
  repeatable: true,
});

/** Spec: "Bill number (save)". The odd capital is the service's own. */
const billNumber = z.strictObject({
  serviceId,
  accountNumber: text,
  phoneNumber: text.optional(),
  transactionDesc: text.optional(),
  RemindMeDueDate: z.boolean().optional(),
});

export const saveBillNumber = defineOperation({
  name: 'save-bill-number',
  summary: 'Saves an account of a bill service, and says whose it is.',
  method: 'POST',
  path: '/v1/bill-numbers',
  body: billNumber,
  reply: z.looseObject({
    message: z.looseObject({
      appDomainName: maybeText,
      remarks: maybeText,
      serviceCode: maybeText,
      accountCustomerName: maybeText,
      customerName: maybeText,
      systemConversationId: maybeText,
      lastKnownBalance: decimal,
      dueDate: maybeText,
      verified: z.boolean().nullish(),
      timestamp: maybeText,
    }),
  }),
  spec: 'Bill number save',
  shape: 'spec',
  repeatable: false,
});

export const findBillNumber = defineOperation({
  name: 'find-bill-number',
  summary: 'Finds a saved bill number by service and account.',
  method: 'GET',
  path: '/v1/bill-numbers',
  query: z.strictObject({ serviceId, accountNumber: text }),
  reply: z.looseObject({
    serviceID: serviceId.nullish(),
    customerName: maybeText,
    accountNumber: text,
    phoneNumber: maybeText,
    enabled: z.boolean().nullish(),
    verified: z.boolean().nullish(),
    /** Without a time zone. */
    dueDate: maybeText,
  }),
  spec: 'Operations that appear in the menu without shape',
  shape: 'published',
  repeatable: true,
});

/**
 * The path of all requests about a bill payment. Only the `transactionType` says whether a request is a question or a
 * payment. Each type has its own operation with one literal, so that no parameter can turn a question into a payment.
 * Spec: "Bill payment".
 */
const BILLS = '/v1/bill-payments';
const transactionTypes = { query: 1, payment: 2, validation: 3 } as const;
const apartBy = (value: number): { readonly field: string; readonly value: number } => ({
  field: 'transactionType',
  value,
});

/** Spec: "Bill payment". */
export const billPayment = z.strictObject({
  routeId: text.optional(),
  serviceId,
  accountNumber: text,
  transactionType: z.literal(transactionTypes.payment),
  msisdn: text,
  transactionDesc: text,
  originatorConversationId: text,
  /** Whole units: the specification declares an integer. */
  amount: z.int().positive(),
  customerNames: text,
  /** ISO 3166 alpha-2. */
  countryCode: text,
  /** ISO 4217 alphabetic. */
  currencyCode: text,
  saveBillerNumber: z.boolean(),
  callBackUrl: text,
  narration: text.optional(),
});

export type BillPayment = z.infer<typeof billPayment>;

/** Fields in addition to those of every acceptance; the documented answers differ in which of them they have. */
const billFields = {
  dueDate: maybeText,
  dueAmount: decimal,
  currency: maybeText,
  customerName: maybeText,
  accountCustomerName: maybeText,
  active: maybeText,
  statusCode: z.int().nullish(),
  statusDescription: maybeText,
  responseCode: maybeText,
  responseDesc: maybeText,
};

export const payBill = defineOperation({
  name: 'pay-bill',
  summary: 'Pays a bill; the result comes to the callback address.',
  method: 'POST',
  path: BILLS,
  body: billPayment,
  apart: apartBy(transactionTypes.payment),
  reply: z.looseObject({ message: acceptanceMessage.extend(billFields) }),
  spec: 'Bill payment',
  shape: 'spec',
  repeatable: false,
});

/**
 * The body of a question about a bill. Amount, payer and identifier are allowed and never sent: without them, even a service
 * that took the question for a payment could not pay anything.
 */
const billQuestion = <Type extends number>(transactionType: Type) =>
  z.strictObject({
    routeId: text.optional(),
    serviceId,
    accountNumber: text,
    transactionType: z.literal(transactionType),
  });

/** The answer to a question about a bill is not documented. As far as it is known, it is an acceptance without an identifier. */
const billAnswer = z.looseObject({
  message: acceptanceMessage.extend({ ...billFields, originatorConversationId: maybeText }).nullish(),
});

export const queryBill = defineOperation({
  name: 'query-bill',
  summary: 'Asks what the account of a bill owes.',
  method: 'POST',
  path: BILLS,
  body: billQuestion(transactionTypes.query),
  apart: apartBy(transactionTypes.query),
  reply: billAnswer,
  spec: 'Bill payment',
  shape: 'published',
  repeatable: true,
});

export const validateBill = defineOperation({
  name: 'validate-bill',
  summary: 'Asks whether a bill can be paid.',
  method: 'POST',
  path: BILLS,
  body: billQuestion(transactionTypes.validation),
  apart: apartBy(transactionTypes.validation),
  reply: billAnswer,
  spec: 'Operations that appear in the menu without shape',
  shape: 'published',
  repeatable: true,
});

/** Observed and published record of a bill payment; its service and its payer have two names each. */
const billPaymentRecord = z.looseObject({
  systemConversationId: maybeText,
  originatorConversationId: text,
  serviceID: serviceId.nullish(),
  serviceCode: maybeText,
  accountNumber: maybeText,
  customerName: maybeText,
  customerNames: maybeText,
  /** Without a time zone. */
  datePaymentReceived: maybeText,
  amount: decimal,
  currencyCode: maybeText,
  receiptNumber: maybeText,
  status: z.int(),
  transactionStatusDescription: maybeText,
  statusCode: z.int().nullish(),
  statusDescription: maybeText,
});

export type BillPaymentRecord = z.infer<typeof billPaymentRecord>;

export const findBillPayment = defineOperation({
  name: 'find-bill-payment',
  summary: 'Finds a bill payment by its originatorConversationId.',
  method: 'GET',
  path: BILLS,
  query: z.strictObject({ OriginatorConversationId: text }),
  reply: billPaymentRecord,
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
});
