/** Who answers what. A new operation of the contract does not compile until it has its handler here. */
import type { OperationKey } from '../../contract/index.ts';
import type { Handler } from '../service-context.ts';
import { buyAirtime, findAirtime } from './airtime.ts';
import { findBillNumber, findBillServices, queryBill, saveBillNumber, validateBill } from './bill-numbers.ts';
import { findBillPayment, payBill } from './bill-payments.ts';
import { checkHealth } from './check-health.ts';
import { createCheckout, queryCheckout } from './checkouts.ts';
import { findDeposit, requestDeposit } from './deposits.ts';
import { findOrder } from './find-order.ts';
import { fetchCharges, findRoutes, getWalletBalance } from './look-ups.ts';
import { createPaymentLink, findPaymentLink, updatePaymentLink } from './payment-links.ts';
import { rejectOrder } from './reject-order.ts';
import { requestToken } from './request-token.ts';
import { submitOrder } from './submit-order.ts';
import { findAccountValidation, findKyc, validateAccount, validateKyc } from './validations.ts';

/** Handlers by operation. */
export const handlers = {
  requestToken,
  submitOrder,
  findOrder,
  rejectOrder,
  createCheckout,
  queryCheckout,
  buyAirtime,
  findAirtime,
  findBillServices,
  saveBillNumber,
  findBillNumber,
  queryBill,
  validateBill,
  payBill,
  findBillPayment,
  fetchCharges,
  getWalletBalance,
  validateKyc,
  findKyc,
  validateAccount,
  findAccountValidation,
  createPaymentLink,
  findPaymentLink,
  updatePaymentLink,
  requestDeposit,
  findDeposit,
  findRoutes,
  checkHealth,
} as const satisfies Record<OperationKey, Handler>;
