/**
 * What a record of an airtime purchase says, as facts, whether it was looked up or came by callback. Neither is shown by
 * the specification ("Airtime purchase", "Events").
 */
import { airtimePurchase } from '../contract/airtime.ts';
import type { CallbackPlace, Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import { amountOf, factsOfSingle, LooseRecord } from './observe-single.ts';

/** Digits at the end of a phone number that tell subscribers apart, however its beginning is written. */
const SUBSCRIBER_DIGITS = 9;

export function factsOfAirtime(
  state: OrderState,
  body: string,
  purchase: object,
  at: number,
  callback?: CallbackPlace,
): readonly Fact[] {
  const [recipient] = airtimePurchase.parse(JSON.parse(body)).recipients;
  const record = new LooseRecord(purchase);
  const held = subscriberOf(record.text('phoneNumber', 'msisdn'));
  const sent = subscriberOf(recipient?.phoneNumber);
  // Whoever knows the address could have sent a callback. It is a word on a payment only if it knows phone and amount, too.
  const isWhole = held !== undefined && state.lines.every((line) => amountOf(record, line) !== undefined);
  if (callback && !isWhole) return [];
  const otherPayee =
    held !== undefined && sent !== undefined && held !== sent ? 'the service holds another phone number' : undefined;
  return factsOfSingle(state, { record, otherPayee, ...(callback && { callback }) }, at);
}

/** Undefined for what is no whole phone number, a masked one for example. */
function subscriberOf(phone: string | undefined): string | undefined {
  const plain = phone?.replace(/[\s+()-]/g, '') ?? '';
  return /^\d{9,15}$/.test(plain) ? plain.slice(-SUBSCRIBER_DIGITS) : undefined;
}
