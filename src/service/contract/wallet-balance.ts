import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Spec: "Wallet balance record". `status` is `00` for success. */
const walletBalance = z.looseObject({
  customerAccountBalanceList: z
    .array(
      z.looseObject({
        status: z.string().nullish(),
        message: z.string().nullish(),
        balance: z.number(),
        type: z.int().nullish(),
      }),
    )
    .nullish(),
  status: z.string(),
  balance: z.number(),
});

export const getWalletBalance = defineOperation({
  name: 'get-wallet-balance',
  summary: 'Reads what the wallet of a currency holds.',
  method: 'GET',
  path: '/v1/customer-accounts/get-wallet-balance',
  alsoAt: ['/v1/customer-accounts/get-wallet-balance-by-id'],
  query: z.strictObject({ ccy: z.string() }),
  reply: walletBalance,
  spec: 'Wallet balance',
  shape: 'spec',
  repeatable: true,
});
