/** A client id that took the place of another one of the same account, as people are told of it. */
import { localDate } from './clock.ts';
import type { ClientChange } from './fact.ts';

/** With its time in wall-clock milliseconds. */
export type DatedClientChange = ClientChange & { readonly at: number };

export const clientChangeText = ({ from, to, by, reason, at }: DatedClientChange, timezone: string): string =>
  `${to} in place of ${from} since ${localDate(at, timezone)}, by ${by}: ${reason}`;
