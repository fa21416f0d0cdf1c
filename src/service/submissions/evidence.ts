/**
 * Evidence of the service compared with what was sent: which fields are compared, and what is kept of the service's texts.
 * Only fields that such a service has been seen to return faithfully are compared, and a field that is absent contradicts
 * nothing.
 */
import type { Fact } from '../../domain/fact.ts';
import type { OrderState } from '../../domain/order.ts';
import { shown as safe } from '../../domain/shown-text.ts';

/** Longest text of the service that is kept per field, in characters. */
const KEPT_CHARACTERS_MAX = 300;

/** Longest foreign id that is shown, in characters. */
const SHOWN_CHARACTERS_MAX = 40;

/** Returns the beginning of a name that the service gave, for a message. */
export const shown = (name: string): string => safe(name.slice(0, SHOWN_CHARACTERS_MAX));

/** Returns a text of the service as it is kept: bounded, and without invisible characters. */
export const kept = (text: string): string => safe(text.slice(0, KEPT_CHARACTERS_MAX));

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Reports whether the service holds another text than was sent, apart from signs and case. */
export function differs(held: string | null | undefined, sent: string | null | undefined): boolean {
  if (!held || !sent || held === sent) return false;
  return bare(held) !== bare(sent);
}

/** Returns a field of a report; nothing if the service left it out. */
export const given = <K extends string>(key: K, text: string | number | null | undefined): { [P in K]?: string } =>
  text === null || text === undefined || text === '' ? {} : ({ [key]: kept(String(text)) } as { [P in K]?: string }); // one key of type K

export const alarmAbout = ({ id }: OrderState, at: number, reason: string): Fact => ({
  type: 'order-alarmed',
  order: id,
  at,
  reason,
});

/** Returns the alarm for an answer about another order than the one that was asked about; `undefined` if it is about this order. */
export function otherOrder(state: OrderState, named: string, at: number): readonly Fact[] | undefined {
  if (named.toLowerCase() === state.id) return undefined;
  return news(state, [alarmAbout(state, at, `the service answered a look-up with another order (${shown(named)})`)]);
}

/** Returns the facts without alarms that were recorded before, so that these are not recorded again at every look-up. */
export const news = (state: OrderState, facts: readonly Fact[]): readonly Fact[] =>
  facts.filter((fact) => fact.type !== 'order-alarmed' || !state.alarms.includes(fact.reason));
