import { z } from 'zod';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();

/** Spec: "Checkout order (request)". */
const checkoutOrder = z.strictObject({
  originatorConversationId: text,
  checkoutRouteId: text,
  checkoutRouteChannelType: z.int(),
  checkoutNotes: text,
  /** ISO 4217 numeric. */
  checkoutCcy: z.int(),
  /** ISO 8601, UTC. */
  checkoutDueDate: text,
  checkoutReturnUrl: text,
  checkoutCancelUrl: text,
  checkoutCallbackUrl: text,
  /** Unique, like the originatorConversationId. */
  checkoutReference: text,
  checkoutAccountNo: text,
  checkoutOrderLines: z.array(z.strictObject({ sku: text, name: text, price: z.number().positive() })).min(1),
});

export const createCheckout = defineOperation({
  name: 'create-checkout',
  summary: 'Opens a card checkout and gives the address where the payer pays.',
  method: 'POST',
  path: '/v1/checkout-order/new-order',
  body: checkoutOrder,
  reply: z.looseObject({
    message: z.looseObject({
      appDomainName: maybeText,
      originatorConversationId: text,
      timestamp: maybeText,
      checkoutSession: z.looseObject({
        /** `000`: created. */
        status: text,
        message: maybeText,
        checkoutId: maybeText,
        checkoutUrl: maybeText,
        checkoutExpiresAt: maybeText,
      }),
    }),
  }),
  spec: 'Checkout order',
  shape: 'spec',
  repeatable: false,
});

const amount = z.union([z.number(), text]).nullish();

/**
 * Spec: "Checkout record (callback body)". Names in the outcome are written in two ways: `status`, and on some pages
 * `Status`; both are kept as they come.
 */
export const checkoutRecord = z.looseObject({
  id: maybeText,
  originatorConversationId: text,
  conversationId: maybeText,
  checkoutId: maybeText,
  checkoutReference: maybeText,
  checkoutCurrencyCode: maybeText,
  checkoutTotalAmount: amount,
  checkoutFeeAmount: amount,
  checkoutOutcome: z.looseObject({ thirdPartyPayload: z.looseObject({}).nullish() }).nullish(),
});

export const queryCheckout = defineOperation({
  name: 'query-checkout',
  summary: 'Looks up the state of a checkout.',
  method: 'GET',
  path: '/v1/checkout-order/check-status',
  /** 1: the identifier is the originatorConversationId. */
  query: z.strictObject({ IdType: z.literal(1), Id: text }),
  reply: checkoutRecord,
  spec: 'Operations that appear in the menu without shape',
  shape: 'published',
  repeatable: true,
});
