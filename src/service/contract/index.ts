/** The table of all operations. Adding one takes one file and one line here; the sandbox then owes it a handler. */
import { findAccountValidation, validateAccount } from './account-validation.ts';
import { buyAirtime, findAirtime } from './airtime.ts';
import {
  findBillNumber,
  findBillPayment,
  findBillServices,
  payBill,
  queryBill,
  saveBillNumber,
  validateBill,
} from './bills.ts';
import { fetchCharges } from './charges.ts';
import { createCheckout, queryCheckout } from './checkout.ts';
import { findDeposit, requestDeposit } from './express-deposit.ts';
import { checkHealth } from './health.ts';
import { findKyc, validateKyc } from './kyc.ts';
import type { AnyOperation } from './operation.ts';
import { createPaymentLink, findPaymentLink, updatePaymentLink } from './payment-links.ts';
import { findOrder, rejectOrder, submitOrder } from './payment-order.ts';
import { findRoutes } from './routes.ts';
import { requestToken } from './token.ts';
import { getWalletBalance } from './wallet-balance.ts';

export const operations = {
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
} as const satisfies Record<string, AnyOperation>;

export type OperationKey = keyof typeof operations;
