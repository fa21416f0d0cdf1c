import { z } from 'zod';
import { acceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();

/**
 * Spec: "Payment order (request)", remitter fields, and those that the provider's pages list for banks. No shape limits the
 * length of a text, because bodies of earlier versions are read with these shapes, too; what is written is checked against
 * `domain/lengths.ts` first.
 */
export const remitter = z.strictObject({
  name: text.optional(),
  address: text.optional(),
  phoneNumber: text.optional(),
  idType: text.optional(),
  idNumber: text.optional(),
  idIssuePlace: text.optional(),
  /** yyyy/MM/dd, like every date here. */
  idIssueDate: text.optional(),
  idExpireDate: text.optional(),
  dateOfBirth: text.optional(),
  country: text.optional(),
  nationality: text.optional(),
  email: text.optional(),
  city: text.optional(),
  postalCode: text.optional(),
  state: text.optional(),
  ccy: z.int().optional(),
  financialInstitution: text.optional(),
  /** Code of the remitter's own bank. */
  institutionIdentifier: text.optional(),
  sourceOfFunds: text.optional(),
  principalActivity: text.optional(),
});

/** Spec: "Payment order (request)", recipient fields. */
const recipient = z.strictObject({
  name: text,
  address: text.optional(),
  emailAddress: text.optional(),
  phoneNumber: text.optional(),
  idType: text.optional(),
  idNumber: text.optional(),
  financialInstitution: text.nullable().optional(),
  primaryAccountNumber: text,
  institutionIdentifier: text.nullable().optional(),
  mccmnc: text.optional(),
  ccy: z.int(),
  country: text.optional(),
  purpose: text,
});

/** Spec: "Payment order (request)", transaction fields. */
const transaction = z.strictObject({
  routeId: text,
  channelType: z.int(),
  amount: z.number().positive(),
  reference: text,
  systemTraceAuditNumber: text,
  accountNo: text.optional(),
  /** The payer's own account, observed on bank transfers. */
  customerAccountNo: text.optional(),
});

export const paymentOrderLine = z.strictObject({
  remitter: remitter.optional(),
  recipient,
  transaction,
  metaDataList: z.array(z.strictObject({ key: text, value: text })).optional(),
});

export const paymentOrder = z.strictObject({
  originatorConversationId: text,
  paymentNotes: text,
  paymentOrderLines: z.array(paymentOrderLine).min(1),
});

export type Remitter = z.infer<typeof remitter>;
export type PaymentOrder = z.infer<typeof paymentOrder>;
export type PaymentOrderLine = z.infer<typeof paymentOrderLine>;

/** Spec: "Payment order submission". 202 has been observed as well as 200. */
export const submitOrder = defineOperation({
  name: 'submit-order',
  summary: 'Submits a payment order of one or more lines. Accepted means taken: no money has moved.',
  method: 'POST',
  path: '/v1/payment-order/new-order',
  body: paymentOrder,
  reply: acceptance,
  spec: 'Payment order submission',
  shape: 'spec',
  repeatable: false,
});

const maybeText = text.nullish();
const decimal = z.union([z.number(), text]);

const thirdPartyPayload = z.looseObject({
  thirdPartyResponseCode: maybeText,
  thirdPartyResponseCodeDescription: maybeText,
  thirdPartyResultCode: maybeText,
  thirdPartyResultCodeDescription: maybeText,
  thirdPartyReceiptNumber: maybeText,
});

/** Spec: "Payment order status record", transactionOutcome. Result fields have been seen null while pending. */
const transactionOutcome = z.looseObject({
  id: maybeText,
  paymentAmount: decimal.nullish(),
  feeAmount: decimal.nullish(),
  trackingNumber: maybeText,
  transactionStatus: z.number(),
  transactionStatusDescription: maybeText,
  workingAccountAvailableFunds: decimal.nullish(),
  utilityAccountAvailableFunds: decimal.nullish(),
  walletBalance: decimal.nullish(),
  transactionDate: maybeText,
  transactionCreditParty: maybeText,
  resultCode: z.union([text, z.number()]).nullish(),
  resultCodeDescription: maybeText,
  thirdPartyPayload: thirdPartyPayload.nullish(),
});

const statusLine = z.looseObject({
  remitter: z.looseObject({}).nullish(),
  recipient: z
    .looseObject({
      name: maybeText,
      primaryAccountNumber: maybeText,
      institutionIdentifier: maybeText,
      ccy: z.union([z.number(), text]).nullish(),
    })
    .nullish(),
  transaction: z.looseObject({ systemTraceAuditNumber: maybeText, amount: decimal.nullish() }).nullish(),
  transactionOutcome: transactionOutcome.nullish(),
});

export const statusRecord = z.looseObject({
  id: maybeText,
  conversationId: maybeText,
  originatorConversationId: text,
  remarks: maybeText,
  isProcessed: z.boolean().nullish(),
  orderLines: z.array(statusLine),
});

export type StatusRecord = z.infer<typeof statusRecord>;
export type StatusLine = z.infer<typeof statusLine>;

export const findOrder = defineOperation({
  name: 'find-order',
  summary: 'Looks up the state of an order and of each of its lines.',
  method: 'GET',
  path: '/v1/payment-order/check-status',
  query: z.strictObject({ IdType: z.literal('OriginatorConversationId'), Id: text }),
  reply: statusRecord,
  spec: 'Find payment order',
  shape: 'spec',
  repeatable: true,
});

/**
 * Spec: "Reject result record". `0`: rejected; `1`: not possible in its current status. The provider's pages show status 7
 * next to code 1, write the status as text, and name its description in two ways, so only a look-up shows what became of a
 * line.
 */
const rejectResult = z.looseObject({
  originatorConversationId: maybeText,
  transactionStatus: z.union([z.number(), text]).nullish(),
  transactionStatusDescription: maybeText,
  transactionDescription: maybeText,
  resultCode: z.union([text, z.number()]).nullish(),
  resultCodeDescription: maybeText,
});

export const rejectOrder = defineOperation({
  name: 'reject-order',
  summary: 'Asks the service to stop an order; only lines that are pending or queued can be stopped.',
  method: 'POST',
  path: '/v1/payment-order/reject-order',
  query: z.strictObject({ OriginatorConversationId: text }),
  reply: z.looseObject({ paymentOrderlines: z.array(rejectResult) }),
  spec: 'Reject order',
  shape: 'spec',
  repeatable: true,
});
