/** Express deposits. Requests and records are as observed. A completed deposit tops up the wallet. */

import { currencyOf } from '../../domain/currency.ts';
import { toWire } from '../../domain/money.ts';
import type { BookedRequest } from '../books/booked.ts';
import type { RequestCheck } from '../checked-request.ts';
import { complain, formOf, hasErrors, optional, positiveAmount, readForm, required, textOf } from '../fields.ts';
import { paymentMagic } from '../settle.ts';
import { acceptanceOf, finding, paymentOf, requestStatusAt, type Way } from './requests.ts';

/** Returns the number that the mobile operator gives a deposit. */
const merchantRequestId = ({ number }: BookedRequest): string => `29115-34620561-${number + 1}`;

/** Fields of a deposit, named as observed, capitals included. The payer's phone is asked for the money. */
const depositForm = formOf([
  ...required('text', 'ShortCode', 'PhoneNumber', 'TransactionDesc', 'OriginatorConversationId'),
  ...required('plain decimal as text', 'Amount'),
  ...required('web address', 'CallBackUrl'),
  ...optional('text', 'AccountNo', 'serviceCode', 'currency', 'firstName', 'lastName'),
  ...optional('web address', 'successRedirectUrl', 'failedRedirectUrl'),
  ...optional('text or an integer', 'type'),
]);
/** Largest deposit: ten million shillings in cents, far more than any phone deposits. */
const MOST_MINOR = 1_000_000_000n;
const DEFAULT_CURRENCY = 'KES';

/** Deposits, which move no money when they are accepted (observed). A repeated deposit is refused (published). */
export const depositWay: Way = {
  kind: 'request-deposit',
  read: checkDeposit,
  tells: depositCallbacksOf,
  idField: 'OriginatorConversationId',
  payeeField: 'PhoneNumber',
  repeats: 'refuse',
  magic: paymentMagic,
  accept: (booked, context) => acceptanceOf(booked, 'Express Deposit submission accepted', context),
};

/** Reads a deposit, in KES unless it names another currency. */
function checkDeposit(received: unknown): RequestCheck {
  const { fields, errors } = readForm(received, depositForm);
  const code = textOf(fields, 'currency') || DEFAULT_CURRENCY;
  if (!currencyOf(code)) complain(errors, 'currency', `The currency ${code} is not known.`);
  const amount = errors['Amount']
    ? undefined
    : positiveAmount(fields['Amount'], { code, most: MOST_MINOR }, 'Amount', errors);
  if (hasErrors(errors) || !amount) return { ok: false, errors };
  const name = `${textOf(fields, 'firstName')} ${textOf(fields, 'lastName')}`.trim();
  return {
    ok: true,
    request: {
      kind: 'request-deposit',
      id: textOf(fields, 'OriginatorConversationId'),
      callbackUrl: textOf(fields, 'CallBackUrl'),
      fields,
      parts: [{ payee: textOf(fields, 'PhoneNumber'), name, movement: { direction: 'in', amount } }],
    },
  };
}

/**
 * Returns both callback bodies in their order (observed): first what the provider says, in its own wrapping, then the
 * service's own final outcome.
 */
function depositCallbacksOf(request: BookedRequest, at: number): readonly object[] {
  const { code, says, text } = requestStatusAt(request, at);
  const { amount, receipt } = paymentOf(request, at);
  const wrapped = {
    MerchantRequestID: merchantRequestId(request),
    CheckoutRequestID: `ws_CO_${request.number + 1}`,
    ResultCode: Number(code ?? -1),
    ResultDesc: says ?? text,
  };
  const final = {
    OriginatorConversationId: request.id,
    SystemConversationId: request.serviceId,
    MerchantRequestID: merchantRequestId(request),
    PhoneNumber: textOf(request.fields, 'PhoneNumber'),
    PaymentAmount: receipt === null ? 0 : toWire(amount),
    Thirdpartyreceiptnumber: receipt,
    ResultCode: code,
    ResultDesc: says,
    Status: text,
  };
  return [{ Body: { StkCallback: wrapped } }, final];
}

/** Looks up a deposit by `OriginatorConversationId` (observed). */
export const findDeposit = finding({
  kind: 'request-deposit',
  parameter: 'OriginatorConversationId',
  what: 'express deposit',
  record: depositRecordOf,
});

function depositRecordOf(request: BookedRequest, at: number): object {
  const { serviceId, id, fields } = request;
  const shown = requestStatusAt(request, at);
  return {
    conversationId: serviceId,
    originatorConversationId: id,
    merchantRequestID: merchantRequestId(request),
    phoneNumber: textOf(fields, 'PhoneNumber'),
    mpesaReceiptNumber: paymentOf(request, at).receipt,
    resultCode: shown.code,
    resultDesc: shown.says,
    status: shown.text,
  };
}
