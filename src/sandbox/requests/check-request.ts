/** The reading of every kind of request. The journal keeps bodies as they came, and reads them again with this. */
import { checkAirtime } from './airtime.ts';
import { checkBillNumber, checkBillPayment } from './bills.ts';
import type { RequestCheck, RequestKind } from './checked-request.ts';
import { checkCheckout } from './checkout.ts';
import { checkDeposit } from './deposit.ts';
import { checkLink } from './payment-link.ts';
import { checkAccount, checkPerson } from './validations.ts';

const checks: Readonly<Record<RequestKind, (body: unknown) => RequestCheck>> = {
  'create-checkout': checkCheckout,
  'buy-airtime': checkAirtime,
  'pay-bill': checkBillPayment,
  'save-bill-number': checkBillNumber,
  'validate-kyc': checkPerson,
  'validate-account': checkAccount,
  'create-payment-link': checkLink,
  'request-deposit': checkDeposit,
};

/** All kinds. */
export const requestKinds = Object.keys(checks) as readonly RequestKind[]; // the table's own keys

/** Reads the body of a request, or says what is wrong with each field. */
export const checkRequest = (kind: RequestKind, body: unknown): RequestCheck => checks[kind](body);
