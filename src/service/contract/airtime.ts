import { z } from 'zod';
import { acceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();

/**
 * Spec: "Airtime purchase", in the nested description, which public clients were seen to send. The flat description in the
 * same section has other names for the same fields.
 */
export const airtimePurchase = z.strictObject({
  originatorConversationId: text,
  callbackURL: text,
  recipients: z
    .array(
      z.strictObject({
        /** ISO 4217 alphabetic. */
        currencyCode: text,
        /** International, without a plus. */
        phoneNumber: text,
        amount: z.number().positive(),
        name: text,
      }),
    )
    .min(1),
});

export type AirtimePurchase = z.infer<typeof airtimePurchase>;

export const buyAirtime = defineOperation({
  name: 'buy-airtime',
  summary: 'Buys airtime for one or more phones; the result comes to the callback address.',
  method: 'POST',
  path: '/v1/airtime-purchase',
  body: airtimePurchase,
  reply: acceptance,
  spec: 'Airtime purchase',
  shape: 'spec',
  repeatable: false,
});

export const findAirtime = defineOperation({
  name: 'find-airtime',
  summary: 'Finds airtime purchases by their originatorConversationId. The path is not known.',
  method: 'GET',
  query: z.record(text, text),
  reply: z.looseObject({}),
  spec: 'Operations that appear in the menu without shape',
  shape: 'unknown',
  repeatable: true,
});
