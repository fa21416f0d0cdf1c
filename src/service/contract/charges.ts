import { z } from 'zod';
import { defineOperation } from './operation.ts';

/**
 * A number, or a number as text (`"15.00"`), which is how services write other amounts. A text of at most 15 digits becomes a
 * number without loss.
 */
const figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,11}(?:\.\d{1,4})?$/)
    .transform(Number),
]);

/** Spec: "Charge record". Each band states the charge of the amounts from its lower to its upper limit. */
const chargeRecord = z.looseObject({
  name: z.string().nullish(),
  minimumCharge: figure.nullish(),
  maximumCharge: figure.nullish(),
  currencyName: z.string().nullish(),
  graduatedScaleList: z.array(z.looseObject({ value: figure, rangeLowerLimit: figure, rangeUpperLimit: figure })),
});

export type ChargeRecord = z.infer<typeof chargeRecord>;

export const fetchCharges = defineOperation({
  name: 'fetch-charges',
  summary: 'Reads the charges of a transaction type by amount.',
  method: 'GET',
  path: '/v1/charge/fetch-charges',
  query: z.strictObject({ transactionTypeId: z.string() }),
  reply: chargeRecord,
  spec: 'Charges',
  shape: 'spec',
  repeatable: true,
});
