/** Who answers what. A new operation of the contract does not compile until it has its handler here. */
import type { OperationName } from '../../contract/index.ts';
import type { Handler } from '../desk.ts';
import { findOrder } from './find-order.ts';
import { fetchCharges, findRoutes, getWalletBalance } from './look-ups.ts';
import { rejectOrder } from './reject-order.ts';
import { requestToken } from './request-token.ts';
import { submitOrder } from './submit-order.ts';

export const handlers = {
  'request-token': requestToken,
  'submit-order': submitOrder,
  'find-order': findOrder,
  'reject-order': rejectOrder,
  'fetch-charges': fetchCharges,
  'get-wallet-balance': getWalletBalance,
  'find-routes': findRoutes,
} as const satisfies Record<OperationName, Handler>;
