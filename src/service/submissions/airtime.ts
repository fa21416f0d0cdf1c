/**
 * Airtime: one purchase for one phone. The specification does not show its record, from a look-up or from a callback
 * ("Airtime purchase", "Events"), and the path of its look-up is not known.
 */

import type { CallbackPlace, Fact } from '../../domain/fact.ts';
import type { OrderState } from '../../domain/order.ts';
import { type AirtimePurchase, airtimePurchase, buyAirtime, findAirtime } from '../contract/airtime.ts';
import { amountOf, factsOfSingle, LooseRecord } from './flat-record.ts';
import { callbackOf, lookUpBy, type Submission } from './submission.ts';

/** One phone that gets airtime, as a kind writes it. */
export interface AirtimeDraft {
  readonly submission: 'airtime';
  readonly recipient: AirtimePurchase['recipients'][number];
}

/** Digits at the end of a phone number that identify the subscriber, however the number begins. */
const SUBSCRIBER_DIGITS = 9;

/** Returns the facts that a record proves about a purchase. `callback`: the callback that brought the record; absent if a look-up did. */
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
  // Anyone who knows the address could have sent a callback. It is evidence of a payment only if it knows phone and amount, too.
  const isWhole = held !== undefined && state.lines.every((line) => amountOf(record, line) !== undefined);
  if (callback && !isWhole) return [];
  const otherPayee =
    held !== undefined && sent !== undefined && held !== sent ? 'the service holds another phone number' : undefined;
  return factsOfSingle(state, { record, otherPayee, ...(callback && { callback }) }, at);
}

/** Returns the last digits of a phone number; `undefined` for anything that is not a whole number, for example a masked one. */
function subscriberOf(phone: string | undefined): string | undefined {
  const plain = phone?.replace(/[\s+()-]/g, '') ?? '';
  return /^\d{9,15}$/.test(plain) ? plain.slice(-SUBSCRIBER_DIGITS) : undefined;
}

/** Airtime is sent once: no look-up can show whether a purchase exists, and its callback is the final outcome. */
export const airtime: Submission<'airtime', AirtimeDraft, AirtimeDraft> = {
  name: 'airtime',
  protocol: 'send-once',
  operation: buyAirtime,
  hasSeveralLines: false,
  namesCallback: true,
  settled: (draft) => draft,
  unsettled: (draft) => draft,
  bodyOf(id, [{ draft }], texts) {
    const recipients = [draft.recipient];
    return airtimePurchase.parse({ originatorConversationId: id, callbackURL: callbackOf(texts), recipients });
  },
  lookUp: lookUpBy(findAirtime, (id) => ({ OriginatorConversationId: id }), factsOfAirtime),
  factsOfCallback: factsOfAirtime,
};
