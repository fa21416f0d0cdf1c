/** Checkouts. A paid checkout tops up the wallet. Spec: "Checkout order". */
import { currencyOfNumber } from '../../domain/currency.ts';
import { sha256 } from '../../domain/ids.ts';
import { add, type Money, toWire, zero } from '../../domain/money.ts';
import type { BookedRequest } from '../books/booked.ts';
import { isRouteId, mostOf, type Rail, railOf } from '../catalogue.ts';
import type { RequestCheck } from '../checked-request.ts';
import { drawOf, guidOf } from '../draw.ts';
import {
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  formOf,
  hasErrors,
  isFields,
  notAnObject,
  nulls,
  positiveAmount,
  readForm,
  required,
  textOf,
} from '../fields.ts';
import { APP_DOMAIN_NAME, json, notFoundReply, type Reply, serviceTime, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { missingParameter, paymentOf, visible, type Way } from './requests.ts';

const checkoutForm = formOf(
  [
    ...required('text', 'originatorConversationId', 'checkoutRouteId', 'checkoutNotes', 'checkoutReference'),
    ...required('text', 'checkoutAccountNo'),
    ...required('integer', 'checkoutRouteChannelType', 'checkoutCcy'),
    ...required('time in ISO 8601', 'checkoutDueDate'),
    ...required('web address', 'checkoutReturnUrl', 'checkoutCancelUrl', 'checkoutCallbackUrl'),
  ],
  'checkoutOrderLines',
  'sku',
  'name',
  'price',
);
const lineRules = [...required('text', 'sku', 'name'), ...required('number', 'price')];

/** How long a checkout can be paid, in milliseconds: half an hour, like a card session. */
const CHECKOUT_LIFE_MS = 1_800_000;

/**
 * How checkouts differ from other requests. A repeated checkout is refused in every scenario, because two sessions under one
 * reference could both be paid. No ending is magic, because references are often numbered; a checkout can be ended by hand
 * instead.
 */
export const checkoutWay: Way = {
  kind: 'create-checkout',
  read: checkCheckout,
  tells: (request, at) => [checkoutRecordOf(request, at)],
  idField: 'originatorConversationId',
  currencyField: () => 'checkoutCcy',
  magic: {},
  plan: (ordinary, key, { seed, knobs }) =>
    drawOf(sha256(`${seed}|wait|${key}`), 0) < knobs['checkout-wait']
      ? { queuedMs: CHECKOUT_LIFE_MS, endMs: CHECKOUT_LIFE_MS, end: 'timed-out' }
      : ordinary,
  accept: (booked, context) =>
    json(context.scenario().knobs['accept-status'], {
      message: {
        appDomainName: APP_DOMAIN_NAME,
        originatorConversationId: booked.id,
        timestamp: serviceTime(booked.takenAt),
        checkoutSession: {
          status: '000',
          message: 'Checkout created',
          checkoutId: booked.serviceId,
          checkoutUrl: `https://practice.invalid/checkout/${booked.serviceId}`,
          checkoutExpiresAt: serviceTime(booked.takenAt + CHECKOUT_LIFE_MS),
        },
      },
    }),
};

/**
 * Reads a checkout. Every field of its table is required, and its total is the sum of its items. Spec: "Checkout order
 * (request)".
 */
function checkCheckout(received: unknown): RequestCheck {
  if (!isFields(received)) return { ok: false, errors: notAnObject };
  const { fields, errors } = readForm(received, checkoutForm);
  const rail = checkRail(fields, errors);
  const total = totalOf(fields, errors);
  if (rail && total && total.minor > mostOf(rail.scale)) {
    complain(errors, 'checkoutOrderLines', 'The total is above the limit of this route.');
  }
  if (hasErrors(errors) || !total) return { ok: false, errors };
  const reference = textOf(fields, 'checkoutReference');
  return {
    ok: true,
    request: {
      kind: 'create-checkout',
      id: textOf(fields, 'originatorConversationId'),
      reference,
      callbackUrl: textOf(fields, 'checkoutCallbackUrl'),
      fields,
      parts: [{ payee: reference, name: '', movement: { direction: 'in', amount: total } }],
    },
  };
}

function checkRail(fields: Fields, errors: FieldErrors): Rail | undefined {
  const { checkoutRouteId: routeId, checkoutRouteChannelType: channelType, checkoutCcy: ccy } = fields;
  if (typeof routeId !== 'string' || typeof channelType !== 'number' || typeof ccy !== 'number') return undefined;
  const rail = railOf(routeId, channelType);
  if (rail?.use !== 'create-checkout') {
    const field = isRouteId(routeId) ? 'checkoutRouteChannelType' : 'checkoutRouteId';
    complain(errors, field, `The ${field} is not one of a card checkout of this client.`);
    return undefined;
  }
  if (currencyOfNumber(ccy)?.code === rail.scale.currency) return rail;
  complain(errors, 'checkoutCcy', `The ccy ${ccy} is not served by this route.`);
  return undefined;
}

/** Returns the sum of the line items, or `undefined` if it cannot be computed. */
function totalOf(fields: Fields, errors: FieldErrors): Money | undefined {
  const lines = fields['checkoutOrderLines'];
  if (!Array.isArray(lines) || lines.length === 0) {
    complain(errors, 'checkoutOrderLines', 'The checkoutOrderLines field is required.');
    return undefined;
  }
  const ccy = fields['checkoutCcy'];
  const currency = typeof ccy === 'number' ? currencyOfNumber(ccy)?.code : undefined;
  let total = currency && zero(currency);
  for (const [index, line] of lines.entries()) {
    const path = `checkoutOrderLines[${index}].`;
    const item = isFields(line) ? line : {};
    checkFields(item, lineRules, path, errors);
    if (!total || typeof item['price'] !== 'number') continue;
    const price = positiveAmount(item['price'], { code: total.currency }, `${path}price`, errors);
    if (price) total = add(total, price);
  }
  return total;
}

/** Published: `IdType` 1 means that `Id` is the originatorConversationId. The meaning of other numbers is not shown. */
const BY_OWN_ID = '1';

/** The result code of success, as this look-up writes it. */
const LONG_SUCCESS = '000';

/** Looks up a checkout. The names in the outcome of its record begin with capitals (published). */
export function queryCheckout(call: Call, context: ServiceContext): Reply {
  const type = call.query.get('idtype') ?? '';
  if (type === '') return missingParameter('IdType', context);
  if (type !== BY_OWN_ID)
    return validationReply({ IdType: [`The IdType field must be ${BY_OWN_ID}.`] }, context.random);
  const id = call.query.get('id') ?? '';
  if (id === '') return missingParameter('Id', context);
  const request = visible(context.books.request('create-checkout', id), call, context);
  if (!request) return notFoundReply(id, undefined, 'checkout');
  const { status, statusDesc, resultCode, resultDesc, thirdPartyPayload } = outcomeOf(request, call.at);
  const { responseCode, responseDesc, reference } = thirdPartyPayload;
  return json(200, {
    ...checkoutRecordOf(request, call.at),
    checkoutOutcome: {
      Status: status,
      StatusDesc: statusDesc,
      ResultCode: resultCode === '0' ? LONG_SUCCESS : resultCode,
      ResultDesc: resultDesc,
      ThirdPartyPayload: { ResponseCode: responseCode, ResponseDesc: responseDesc, Reference: reference },
    },
  });
}

const nobody = {
  ...nulls('firstName', 'lastName', 'address1', 'locality', 'administrativeArea', 'postalCode', 'country'),
  ...nulls('email', 'phoneNumber'),
};

const noDevice = {
  ...nulls('deviceType', 'ipAddress', 'userAgent', 'deviceId', 'sessionId', 'acceptHeader', 'language', 'timeZone'),
  screenHeight: 0,
  screenWidth: 0,
  colorDepth: 0,
  ...nulls('osName', 'osVersion', 'appVersion', 'sdkVersion', 'manufacturer', 'model'),
};

/** Returns the record of a checkout. Spec: "Checkout record (callback body)". */
export function checkoutRecordOf(request: BookedRequest, at: number): object {
  const { fields, serviceId, id } = request;
  const { amount } = paymentOf(request, at);
  return {
    id: guidOf(`record|${serviceId}`),
    originatorConversationId: id,
    conversationId: guidOf(`conversation|${serviceId}`),
    checkoutId: serviceId,
    checkoutReference: textOf(fields, 'checkoutReference'),
    checkoutRouteId: textOf(fields, 'checkoutRouteId'),
    checkoutRouteChannelType: fields['checkoutRouteChannelType'],
    checkoutNotes: textOf(fields, 'checkoutNotes'),
    checkoutCurrencyCode: String(currencyOfNumber(Number(fields['checkoutCcy']))?.numeric ?? ''),
    checkoutCurrencyName: amount.currency,
    checkoutDueDate: textOf(fields, 'checkoutDueDate'),
    checkoutReturnUrl: textOf(fields, 'checkoutReturnUrl'),
    checkoutCancelUrl: textOf(fields, 'checkoutCancelUrl'),
    checkoutCallbackUrl: textOf(fields, 'checkoutCallbackUrl'),
    checkoutAccountNo: textOf(fields, 'checkoutAccountNo'),
    checkoutTotalAmount: toWire(amount),
    checkoutFeeAmount: 0,
    billTo: nobody,
    deviceInfo: noDevice,
    checkoutOutcome: outcomeOf(request, at),
    checkoutRequestLines: fields['checkoutOrderLines'],
  };
}

function outcomeOf(request: BookedRequest, at: number) {
  const { status, text, code, says, receipt } = paymentOf(request, at);
  return {
    status,
    statusDesc: text,
    resultCode: code,
    resultDesc: says ?? text,
    thirdPartyPayload: { responseCode: code, responseDesc: says, reference: receipt },
  };
}
