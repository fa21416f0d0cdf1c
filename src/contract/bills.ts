import { z } from 'zod';
import { acceptanceMessage } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();
const decimal = z.union([z.number(), text]).nullish();
/** The field tables say integer, Find Bill Services gives identifiers as text: both are written and read. */
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
  host: 'api',
  reply: z.looseObject({
    billServiceGroup: z.array(z.looseObject({ route: text, billServices: z.array(billService) })),
  }),
  spec: 'Bill services',
  shape: 'spec',
  repeatable: true,
  authorised: true,
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
  host: 'api',
  body: billNumber,
  reply: z.looseObject({
    message: z.looseObject({
      appDomainName: maybeText,
      remarks: maybeText,
      serviceCode: maybeText,
      accountCustomerName: maybeText,
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
  authorised: true,
});

export const findBillNumber = defineOperation({
  name: 'find-bill-number',
  summary: 'Finds a saved bill number by service and account. The path is not known.',
  method: 'GET',
  host: 'api',
  query: z.record(text, text),
  reply: z.looseObject({}),
  spec: 'Operations that appear in the menu without shape',
  shape: 'unknown',
  repeatable: true,
  authorised: true,
});

/** Spec: "Bill payment". `transactionType` 2 posts a payment. */
export const billPayment = z.strictObject({
  routeId: text.optional(),
  serviceId,
  accountNumber: text,
  transactionType: z.literal(2),
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

export const payBill = defineOperation({
  name: 'pay-bill',
  summary: 'Pays a bill; the result comes to the callback address.',
  method: 'POST',
  path: '/v1/bill-payments',
  host: 'api',
  body: billPayment,
  reply: z.looseObject({
    message: acceptanceMessage.extend({
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
    }),
  }),
  spec: 'Bill payment',
  shape: 'spec',
  repeatable: false,
  authorised: true,
});

export const validateBill = defineOperation({
  name: 'validate-bill',
  summary: 'Asks whether a bill can be paid. The path is not known.',
  method: 'POST',
  host: 'api',
  body: z.record(text, z.unknown()),
  reply: z.looseObject({}),
  spec: 'Operations that appear in the menu without shape',
  shape: 'unknown',
  repeatable: true,
  authorised: true,
});

/** Observed record of a bill payment. */
const billPaymentRecord = z.looseObject({
  systemConversationId: maybeText,
  originatorConversationId: text,
  accountNumber: maybeText,
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
  path: '/v1/bill-payments',
  host: 'api',
  query: z.strictObject({ OriginatorConversationId: text }),
  reply: billPaymentRecord,
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
  authorised: true,
});
