/** Spec: "Checkout order". A checkout that is paid tops the wallet up. */
import { currencyOfNumber } from '../../domain/currency.ts';
import { sha256 } from '../../domain/ids.ts';
import { add, exactFromWire, type Money, zero } from '../../domain/money.ts';
import { isRouteId, type Rail, railOf } from '../catalogue.ts';
import type { RequestCheck } from '../checked-request.ts';
import { drawOf } from '../draw.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  required,
  textOf,
} from '../fields.ts';
import { APP_DOMAIN_NAME, json, type Reply, serviceTime } from '../reply.ts';
import { mostOf } from '../scale.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { checkoutRecordOf } from './query-checkout.ts';
import { takeRequest, type Way } from './take-request.ts';

const rules = [
  ...required('text', 'originatorConversationId', 'checkoutRouteId', 'checkoutNotes', 'checkoutReference'),
  ...required('text', 'checkoutAccountNo'),
  ...required('integer', 'checkoutRouteChannelType', 'checkoutCcy'),
  ...required('time in ISO 8601', 'checkoutDueDate'),
  ...required('web address', 'checkoutReturnUrl', 'checkoutCancelUrl', 'checkoutCallbackUrl'),
];
const lineRules = [...required('text', 'sku', 'name'), ...required('number', 'price')];
const names = namesOf([...rules, ...lineRules], 'checkoutOrderLines');

/** How long a checkout can be paid: the half hour of a card session. */
const CHECKOUT_LIFE_MS = 1_800_000;

/**
 * A repeated checkout is refused in every scenario: two sessions under one reference could both be paid. No ending is
 * magic, because references are often numbered; a checkout can be ended by hand instead.
 */
export const checkoutWay: Way = {
  kind: 'create-checkout',
  read: checkCheckout,
  tells: (request, at) => [checkoutRecordOf(request, at)],
  idField: 'originatorConversationId',
  currencyField: 'checkoutCcy',
  magic: () => undefined,
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
          checkoutUrl: context.pageOf('checkout', booked.serviceId),
          checkoutExpiresAt: serviceTime(booked.takenAt + CHECKOUT_LIFE_MS),
        },
      },
    }),
};

/** Spec: "Checkout order". */
export const createCheckout = (call: Call, context: ServiceContext): Reply => takeRequest(checkoutWay, call, context);

/** Reads a checkout (spec: "Checkout order (request)"): every field of its table is asked for, and its total is the sum of its items. */
function checkCheckout(received: unknown): RequestCheck {
  const fields = bound(received, names);
  if (!isFields(fields)) return { ok: false, errors: notAnObject };
  const errors: FieldErrors = {};
  checkFields(fields, rules, '', errors);
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

/** The sum of the line items. */
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
    const { price } = item;
    if (!total || typeof price !== 'number') continue;
    const amount = exactFromWire(price, total.currency);
    if (amount && amount.minor > 0n) total = add(total, amount);
    else complain(errors, `${path}price`, `The price ${price} is not an amount of ${total.currency}.`);
  }
  return total;
}
