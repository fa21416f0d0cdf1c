/** The table of all operations. Adding one is one file and one line here; the sandbox then owes a handler for it. */
import { fetchCharges } from './charges.ts';
import type { AnyOperation } from './operation.ts';
import { findOrder, rejectOrder, submitOrder } from './payment-order.ts';
import { findRoutes } from './routes.ts';
import { requestToken } from './token.ts';
import { getWalletBalance } from './wallet-balance.ts';

export const operations = {
  'request-token': requestToken,
  'submit-order': submitOrder,
  'find-order': findOrder,
  'reject-order': rejectOrder,
  'fetch-charges': fetchCharges,
  'get-wallet-balance': getWalletBalance,
  'find-routes': findRoutes,
} as const satisfies Record<string, AnyOperation>;

export type OperationName = keyof typeof operations;
