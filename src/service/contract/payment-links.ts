import { z } from 'zod';
import { defineOperation } from './operation.ts';

const text = z.string();
const optionalText = text.optional();
/** Spec: "Payment link (update request)". The fields of the record in the answers to create and find are not shown. */
const linkRecord = z.looseObject({});

const linkFields = {
  firstName: optionalText,
  lastName: optionalText,
  emailAddress: optionalText,
  phoneNumber: optionalText,
  description: optionalText,
  isAmountSpecified: z.boolean().optional(),
  amount: z.number().positive().optional(),
  /** Where the payer is sent after success. */
  redirectionSite: optionalText,
};

export const createPaymentLink = defineOperation({
  name: 'create-payment-link',
  summary: 'Creates a link through which somebody can pay in.',
  method: 'POST',
  path: '/v1/payment-link/create-payment-link',
  body: z.strictObject({
    /** Identifies the collecting account. */
    shortCode: text,
    ...linkFields,
    accountReference: optionalText,
    paymentType: z.union([text, z.int()]).optional(),
    currency: optionalText,
  }),
  reply: linkRecord,
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: false,
});

export const findPaymentLink = defineOperation({
  name: 'find-payment-link',
  summary: 'Finds a payment link by its identifier.',
  method: 'GET',
  path: '/v1/payment-link/get-payment-link',
  query: z.strictObject({ Id: text }),
  reply: linkRecord,
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
});

export const updatePaymentLink = defineOperation({
  name: 'update-payment-link',
  summary: 'Changes a payment link.',
  method: 'PUT',
  path: '/v1/payment-link/update-payment-link',
  body: z.strictObject({ id: text, shortCode: optionalText, ...linkFields }),
  reply: linkRecord,
  spec: 'Update payment link',
  shape: 'spec',
  repeatable: true,
});
