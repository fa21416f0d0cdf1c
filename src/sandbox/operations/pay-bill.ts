/** Spec: "Bill payment". Taking one moves no money. */
import { invariant } from '../../domain/invariant.ts';
import { exactFromWire, toWire } from '../../domain/money.ts';
import { BILL_COUNTRY, BILL_CURRENCY, billCurrency, billDueOf } from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/register.ts';
import { receiptOf } from '../books/statement.ts';
import { railFor } from '../catalogue.ts';
import type { RequestCheck } from '../checked-request.ts';
import { complain, type FieldErrors, type Fields, hasErrors, textOf, textOrNull } from '../fields.ts';
import { magicOf } from '../magic-endings.ts';
import type { Reply } from '../reply.ts';
import { BILL_ROUTE_ID } from '../route-table.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { dueFields, serviceOfRequest } from './bill-dues.ts';
import { POST_PAYMENT, paymentNames, paymentRules, readBill, serviceOf } from './bill-fields.ts';
import { requestStatusAt } from './find-request.ts';
import { acceptanceOf, takeRequest, type Way } from './take-request.ts';

/** What sets it apart from the other requests. */
export const billPaymentWay: Way = {
  kind: 'pay-bill',
  read: checkBillPayment,
  tells: (request, at) => [billCallbackOf(request, at)],
  idField: 'originatorConversationId',
  currencyField: 'currencyCode',
  payeeField: 'accountNumber',
  repeats: 'accept-then-9',
  magic: magicOf,
  accept: (booked, context) =>
    acceptanceOf(booked, 'bill payment accepted', context, {
      accountCustomerName: booked.holder,
      ...dueFields(serviceOfRequest(booked), textOf(booked.fields, 'accountNumber'), booked.takenAt),
    }),
};

/** Spec: "Bill payment". Taking it moves no money. */
export const payBill = (call: Call, context: ServiceContext): Reply => takeRequest(billPaymentWay, call, context);

/** Reads a payment, whose amount must lie within the limits of its service. */
function checkBillPayment(received: unknown): RequestCheck {
  const { fields, errors } = readBill(received, paymentNames, paymentRules);
  const service = serviceOf(fields, errors);
  checkPlace(fields, errors);
  const { amount, transactionType } = fields;
  if (typeof transactionType === 'number' && transactionType !== POST_PAYMENT) {
    complain(errors, 'transactionType', 'The transactionType field must be 1, 2 or 3.');
  }
  if (service && Number.isSafeInteger(amount) && (Number(amount) < service.least || Number(amount) > service.most)) {
    complain(errors, 'amount', `The amount must lie between ${service.least} and ${service.most}.`);
  }
  if (hasErrors(errors)) return { ok: false, errors };
  const rail = railFor('pay-bill', BILL_CURRENCY);
  const money = billCurrency && exactFromWire(Number(amount), billCurrency.code);
  invariant(rail && money, 'bills are paid by a rail, in whole units');
  return {
    ok: true,
    request: {
      kind: 'pay-bill',
      id: textOf(fields, 'originatorConversationId'),
      callbackUrl: textOf(fields, 'callBackUrl'),
      fields,
      parts: [
        {
          payee: textOf(fields, 'accountNumber'),
          name: textOf(fields, 'customerNames'),
          movement: { direction: 'out', amount: money, scale: rail.scale },
        },
      ],
    },
  };
}

function checkPlace(fields: Fields, errors: FieldErrors): void {
  const sent = (name: string): string => textOf(fields, name).toUpperCase();
  const routeId = sent('routeId');
  if (routeId !== '' && routeId !== BILL_ROUTE_ID.toUpperCase()) {
    complain(errors, 'routeId', 'The routeId is not that of the bill services.');
  }
  for (const [name, only] of [
    ['currencyCode', BILL_CURRENCY],
    ['countryCode', BILL_COUNTRY],
  ] as const) {
    if (sent(name) !== '' && sent(name) !== only) complain(errors, name, `The ${name} of this service is ${only}.`);
  }
}

/** Spec: "Bill payment", callback body. */
function billCallbackOf(request: BookedRequest, at: number): object {
  const { fields, parts, serviceId, id, holder } = request;
  const service = serviceOfRequest(request);
  const account = textOf(fields, 'accountNumber');
  const due = billDueOf(service, account, request.takenAt);
  const shown = requestStatusAt(request, at);
  const [part] = parts;
  return {
    originatorConversationId: id,
    systemConversationId: serviceId,
    accountNumber: account,
    accountCustomerName: holder,
    msisdn: textOf(fields, 'msisdn'),
    amount: part?.movement ? toWire(part.movement.amount) : 0,
    currencyCode: textOf(fields, 'currencyCode'),
    countryCode: textOf(fields, 'countryCode'),
    narration: textOrNull(fields, 'narration'),
    dueDate: due.date,
    dueAmount: due.amount,
    savebillNumber: fields['saveBillerNumber'] === true,
    callbackUrl: textOf(fields, 'callBackUrl'),
    billService: {
      serviceId: service.id,
      serviceCategory: service.category,
      serviceCategoryDescription: service.categoryName,
      serviceType: service.type,
      serviceTypeDescription: service.name,
    },
    billRequestOutcome: {
      status: shown.status,
      statusDesc: shown.text,
      responseCode: shown.code,
      responseDesc: shown.says,
      resultCode: shown.code,
      resultDesc: shown.says,
      thirdPartyPayload: {
        responseCode: shown.code,
        responseDesc: shown.says,
        reference: part ? receiptOf(part) : null,
        extraData: { RequestExtraData: null, ResponseExtraData: null },
      },
    },
  };
}
