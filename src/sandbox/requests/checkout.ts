/** Spec: "Checkout order (request)". Every field of its table is asked for. */
import { currencyOfNumber } from '../../domain/currency.ts';
import { add, fromWire, type Money, zero } from '../../domain/money.ts';
import { isRouteId, type Rail, railOf } from '../catalogue.ts';
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
import { mostOf } from '../scale.ts';
import type { RequestCheck } from './checked-request.ts';

const rules = [
  ...required('text', 'originatorConversationId', 'checkoutRouteId', 'checkoutNotes', 'checkoutReference'),
  ...required('text', 'checkoutAccountNo'),
  ...required('integer', 'checkoutRouteChannelType', 'checkoutCcy'),
  ...required('time in ISO 8601', 'checkoutDueDate'),
  ...required('web address', 'checkoutReturnUrl', 'checkoutCancelUrl', 'checkoutCallbackUrl'),
];
const lineRules = [...required('text', 'sku', 'name'), ...required('number', 'price')];
const names = namesOf([...rules, ...lineRules], 'checkoutOrderLines');

/** Reads a checkout, whose total is the sum of its items. */
export function checkCheckout(received: unknown): RequestCheck {
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
    const amount = fromWire(price, total.currency);
    if (amount && amount.minor > 0n) total = add(total, amount);
    else complain(errors, `${path}price`, `The price ${price} is not an amount of ${total.currency}.`);
  }
  return total;
}
