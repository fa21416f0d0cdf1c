/**
 * The texts of our records. They are what `encodeRecord` would write, made without visiting every value: amounts are
 * the only bigints, and their places are known. This is on the path of every order.
 */
import type { LeftOut } from '../domain/left-out.ts';
import type { Money } from '../domain/money.ts';
import type { Payout } from '../domain/payout.ts';

/** With its amount as text. A spread keeps the place of a key that is then set again, so the keys stay in their order. */
export const tagged = <T extends { readonly amount: Money }>(value: T) => ({
  ...value,
  amount: { ...value.amount, minor: { $int: value.amount.minor.toString() } },
});

/** What no column of a row says of its payout. */
export type PayoutDetails = Pick<Payout, 'destination' | 'network' | 'note'>;

export const encodeDetails = ({ destination, network, note }: PayoutDetails): string =>
  JSON.stringify({ destination, network, note });

export const decodeDetails = (text: string): PayoutDetails => JSON.parse(text); // as it was encoded

/** What no column of a row says of its being left out. */
export const encodeReason = ({ reason }: LeftOut): string => JSON.stringify({ reason });

export const decodeReason = (text: string): string => (JSON.parse(text) as LeftOut).reason; // as it was encoded
