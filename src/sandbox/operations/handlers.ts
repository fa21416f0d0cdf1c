/** The tables of the operations. A new operation of the contract does not compile until it has its handler here. */
import type { OperationKey } from '../../contract/index.ts';
import type { RequestKind } from '../checked-request.ts';
import type { Handler } from '../service-context.ts';
import { queryBill, validateBill } from './ask-about-bill.ts';
import { airtimeWay, buyAirtime } from './buy-airtime.ts';
import { checkHealth } from './check-health.ts';
import { checkoutWay, createCheckout } from './create-checkout.ts';
import { createPaymentLink, paymentLinkRequest } from './create-payment-link.ts';
import { fetchCharges } from './fetch-charges.ts';
import { findAccountValidation } from './find-account-validation.ts';
import { findAirtime } from './find-airtime.ts';
import { findBillNumber } from './find-bill-number.ts';
import { findBillPayment } from './find-bill-payment.ts';
import { findBillServices } from './find-bill-services.ts';
import { findDeposit } from './find-deposit.ts';
import { findKyc } from './find-kyc.ts';
import { findOrder } from './find-order.ts';
import { findPaymentLink } from './find-payment-link.ts';
import { findRoutes } from './find-routes.ts';
import { getWalletBalance } from './get-wallet-balance.ts';
import type { KeptRequest } from './kept-request.ts';
import { billPaymentWay, payBill } from './pay-bill.ts';
import { queryCheckout } from './query-checkout.ts';
import { rejectOrder } from './reject-order.ts';
import { depositWay, requestDeposit } from './request-deposit.ts';
import { requestToken } from './request-token.ts';
import { billNumberRequest, saveBillNumber } from './save-bill-number.ts';
import { submitOrder } from './submit-order.ts';
import { updatePaymentLink } from './update-payment-link.ts';
import { accountWay, validateAccount } from './validate-account.ts';
import { personWay, validateKyc } from './validate-kyc.ts';

/** Who answers what, by operation. */
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

/** Whose requests the books keep: how they are read again, and what their callbacks say. */
export const keptRequests: Readonly<Record<RequestKind, KeptRequest>> = {
  'create-checkout': checkoutWay,
  'buy-airtime': airtimeWay,
  'pay-bill': billPaymentWay,
  'save-bill-number': billNumberRequest,
  'validate-kyc': personWay,
  'validate-account': accountWay,
  'create-payment-link': paymentLinkRequest,
  'request-deposit': depositWay,
};
