/** Tables of the operations. A new operation of the contract does not compile until it has a handler here. */
import type { OperationKey } from '../../service/contract/index.ts';
import type { RequestKind } from '../checked-request.ts';
import type { Handler } from '../service-context.ts';
import { checkHealth, fetchCharges, findRoutes, getWalletBalance, requestToken } from './account.ts';
import { airtimeWay, findAirtime } from './airtime.ts';
import {
  billPaymentWay,
  checkBillNumber,
  findBillNumber,
  findBillPayment,
  findBillServices,
  queryBill,
  saveBillNumber,
  validateBill,
} from './bills.ts';
import { checkoutWay, queryCheckout } from './checkouts.ts';
import { depositWay, findDeposit } from './deposits.ts';
import { checkLink, createPaymentLink, findPaymentLink, updatePaymentLink } from './payment-links.ts';
import { findOrder, orderWay, rejectOrder } from './payment-orders.ts';
import { type KeptRequest, taking } from './requests.ts';
import { accountWay, findAccountValidation, findKyc, personWay } from './validations.ts';

/** Handlers by operation. */
export const handlers = {
  requestToken,
  submitOrder: taking(orderWay),
  findOrder,
  rejectOrder,
  createCheckout: taking(checkoutWay),
  queryCheckout,
  buyAirtime: taking(airtimeWay),
  findAirtime,
  findBillServices,
  saveBillNumber,
  findBillNumber,
  queryBill,
  validateBill,
  payBill: taking(billPaymentWay),
  findBillPayment,
  fetchCharges,
  getWalletBalance,
  validateKyc: taking(personWay),
  findKyc,
  validateAccount: taking(accountWay),
  findAccountValidation,
  createPaymentLink,
  findPaymentLink,
  updatePaymentLink,
  requestDeposit: taking(depositWay),
  findDeposit,
  findRoutes,
  checkHealth,
} as const satisfies Record<OperationKey, Handler>;

/**
 * The requests that the books keep, by kind: how their bodies are read again, and what their callbacks say. Without a
 * callback are those that are complete as soon as they are accepted.
 */
export const keptRequests: Readonly<Record<RequestKind, KeptRequest>> = {
  'submit-order': orderWay,
  'create-checkout': checkoutWay,
  'buy-airtime': airtimeWay,
  'pay-bill': billPaymentWay,
  'save-bill-number': { read: checkBillNumber },
  'validate-kyc': personWay,
  'validate-account': accountWay,
  'create-payment-link': { read: checkLink },
  'request-deposit': depositWay,
};
