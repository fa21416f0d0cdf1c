import { z } from 'zod';
import { acceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();
const optionalText = text.optional();

/** Observed request; names as seen, capitals included. The provider's pages have the same fields, all in capitals. */
const expressDeposit = z.strictObject({
  ShortCode: text,
  /** A plain decimal as text. */
  Amount: text.regex(/^\d+(\.\d+)?$/),
  PhoneNumber: text,
  AccountNo: optionalText,
  TransactionDesc: text,
  OriginatorConversationId: text,
  CallBackUrl: text,
  /** Seen as a number, published as text. */
  type: z.union([z.int(), text]).optional(),
  successRedirectUrl: optionalText,
  failedRedirectUrl: optionalText,
  serviceCode: optionalText,
  currency: optionalText,
  firstName: optionalText,
  lastName: optionalText,
});

export const requestDeposit = defineOperation({
  name: 'request-deposit',
  summary: "Asks a payer's phone for a deposit into the wallet.",
  method: 'POST',
  path: '/v1/express-deposit',
  body: expressDeposit,
  reply: acceptance,
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: false,
});

export const findDeposit = defineOperation({
  name: 'find-deposit',
  summary: 'Asks for the result of a deposit.',
  method: 'GET',
  path: '/v1/express-deposit/check-status',
  query: z.strictObject({ OriginatorConversationId: text }),
  reply: z.looseObject({
    conversationId: maybeText,
    originatorConversationId: text,
    merchantRequestID: maybeText,
    phoneNumber: maybeText,
    mpesaReceiptNumber: maybeText,
    resultCode: maybeText,
    resultDesc: maybeText,
    status: maybeText,
  }),
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
});
