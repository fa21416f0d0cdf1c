/** A client id that replaced another one of the same account, in words for people. */
import { localDate } from './clock.ts';
import type { ClientChange } from './fact.ts';

/** A change of the client id, with its time in wall-clock milliseconds. */
export type DatedClientChange = ClientChange & { readonly at: number };

export const clientChangeText = ({ from, to, by, reason, at }: DatedClientChange, timezone: string): string =>
  `${to} replaced ${from} on ${localDate(at, timezone)}, by ${by}: ${reason}`;
