/** Who answers what. A new operation of the contract does not compile until it has its handler here. */
import type { OperationKey } from '../../contract/index.ts';
import type { Handler } from '../desk.ts';
import { findOrder } from './find-order.ts';
import { fetchCharges, findRoutes, getWalletBalance } from './look-ups.ts';
import { rejectOrder } from './reject-order.ts';
import { requestToken } from './request-token.ts';
import { submitOrder } from './submit-order.ts';

export const handlers = {
  requestToken,
  submitOrder,
  findOrder,
  rejectOrder,
  fetchCharges,
  getWalletBalance,
  findRoutes,
} as const satisfies Record<OperationKey, Handler>;
