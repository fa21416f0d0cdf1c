/** Tables of the operations. A new operation of the contract does not compile until it has a handler here. */
import type { OperationKey } from '../../service/contract/index.ts';
import type { RequestKind } from '../checked-request.ts';
import type { Handler } from '../service-context.ts';
import { checkHealth, fetchCharges, findRoutes, getWalletBalance, requestToken } from './account.ts';
import { airtimeWay, buyAirtime, findAirtime } from './airtime.ts';
import {
  billNumberRequest,
  billPaymentWay,
  findBillNumber,
  findBillPayment,
  findBillServices,
  payBill,
  queryBill,
  saveBillNumber,
  validateBill,
} from './bills.ts';
import { checkoutWay, createCheckout, queryCheckout } from './checkouts.ts';
import { depositWay, findDeposit, requestDeposit } from './deposits.ts';
import { createPaymentLink, findPaymentLink, paymentLinkRequest, updatePaymentLink } from './payment-links.ts';
import { findOrder, orderWay, rejectOrder, submitOrder } from './payment-orders.ts';
import type { KeptRequest } from './requests.ts';
import { accountWay, findAccountValidation, findKyc, personWay, validateAccount, validateKyc } from './validations.ts';

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

/** The requests that the books keep, by kind: how their bodies are read again, and what their callbacks say. */
export const keptRequests: Readonly<Record<RequestKind, KeptRequest>> = {
  'submit-order': orderWay,
  'create-checkout': checkoutWay,
  'buy-airtime': airtimeWay,
  'pay-bill': billPaymentWay,
  'save-bill-number': billNumberRequest,
  'validate-kyc': personWay,
  'validate-account': accountWay,
  'create-payment-link': paymentLinkRequest,
  'request-deposit': depositWay,
};
