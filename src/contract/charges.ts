import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Spec: "Charge record". Each band gives the charge of the amounts from its lower to its upper limit. */
const chargeRecord = z.looseObject({
  name: z.string().nullish(),
  minimumCharge: z.number().nullish(),
  maximumCharge: z.number().nullish(),
  currencyName: z.string().nullish(),
  graduatedScaleList: z.array(
    z.looseObject({ value: z.number(), rangeLowerLimit: z.number(), rangeUpperLimit: z.number() }),
  ),
});

export type ChargeRecord = z.infer<typeof chargeRecord>;

export const fetchCharges = defineOperation({
  name: 'fetch-charges',
  summary: 'Reads the charges of a transaction type by amount.',
  method: 'GET',
  path: '/v1/charge/fetch-charges',
  host: 'api',
  query: z.strictObject({ transactionTypeId: z.string() }),
  reply: chargeRecord,
  spec: 'Charges',
  shape: 'spec',
  repeatable: true,
  authorised: true,
});
