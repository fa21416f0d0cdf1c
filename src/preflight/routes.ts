/** Checks whether the routes of the profile can carry payments, by the service's own list of assigned routes. */

import { Fault } from '../domain/fault.ts';
import type { RouteSettings, Settings } from '../domain/settings.ts';
import type { Client } from '../service/client/client.ts';
import { type Reply, reasonOf } from '../service/client/reply.ts';
import type { ValueOf } from '../service/contract/operation.ts';
import { findRoutes } from '../service/contract/routes.ts';
import { BRIEF_PATIENCE_MS, PATIENCE_MS } from './patient-client.ts';
import { valueOrFault } from './read-service.ts';

/** A route as the service lists it. */
export type AssignedRoute = ValueOf<typeof findRoutes>['routes'][number];

/** Most routes of the account that a refusal names. */
const NAMED_MAX = 5;

/** Why the service lists no routes, and what to do about it. */
interface RoutesUnknown {
  readonly unknown: string;
  readonly fix: string;
}

/**
 * Returns the routes that the service lists, or why it lists none. The path of this list was seen at every known service but
 * is not published. A service that answers otherwise can still be used for paying, and the other questions show whether it
 * works. Throws a Fault `unreachable` or `credentials` if the service could not be asked at all.
 */
export async function readRoutes(
  client: Client,
  signal?: AbortSignal,
): Promise<{ readonly routes: readonly AssignedRoute[] } | RoutesUnknown> {
  const reply = await client.call(findRoutes, { ...(signal && { signal }) });
  if (reply.tag === 'accepted') return { routes: reply.value.routes };
  if (forbidsEverything(reply)) {
    return valueOrFault<ValueOf<typeof findRoutes>>(reply, 'its routes');
  }
  const unknown = reasonOf(reply);
  if ('forbidden' in reply && reply.forbidden) {
    return {
      unknown: `this account is not allowed to list them: ${unknown}`,
      fix: 'Ask the provider for the permission to list routes.',
    };
  }
  return { unknown, fix: 'Ask the provider for the address of its routes, and set paths.find-routes of the profile.' };
}

/** Reports whether nothing else would be answered either: no token, no connection, or a service that asks to wait. */
const forbidsEverything = (reply: Reply<unknown>): boolean =>
  reply.tag === 'not-sent' ||
  (reply.tag === 'throttled' && reply.retryAfterMs !== undefined) ||
  (reply.tag === 'unauthorised' && !reply.forbidden);

/**
 * Returns how long a run repeats its question for routes, in milliseconds. The run can continue without routes, so it waits
 * briefly, unless nothing else would be answered either.
 */
export const routesPatienceMs = (reply: Reply<unknown>): number =>
  forbidsEverything(reply) ? PATIENCE_MS : BRIEF_PATIENCE_MS;

/** What is wrong with a configured route, and the setting that is wrong. */
interface RouteTrouble {
  readonly setting: keyof RouteSettings;
  readonly why: string;
}

/** Returns why a configured route cannot carry payments, or `undefined` if it can. */
export function routeTrouble(route: RouteSettings, assigned: readonly AssignedRoute[]): RouteTrouble | undefined {
  const found = assigned.filter(({ id }) => sameId(id, route.routeId));
  if (found.length === 0) {
    return { setting: 'routeId', why: `the route ${route.routeId} is not assigned to this account` };
  }
  // A list with one entry for each channel names a route several times.
  const troubles = found.map((entry) => entryTrouble(route, entry));
  return troubles.includes(undefined) ? undefined : troubles[0];
}

/**
 * Returns why an entry cannot carry payments of a route, or `undefined`. A field that the entry lacks does not count against
 * the route.
 */
function entryTrouble(route: RouteSettings, entry: AssignedRoute): RouteTrouble | undefined {
  if (entry.routeIsActive === false) return { setting: 'routeId', why: `the route ${route.routeId} is not active` };
  if (entry.categoryIsEnabled === false) {
    return { setting: 'routeId', why: `${entry.categoryDescription ?? 'its category'} is not enabled` };
  }
  const channels = channelsOf(entry);
  if (channels && !channels.includes(route.channelType)) {
    const why = `channel type ${route.channelType} is not one of the route's (${channels.join(', ') || 'none'})`;
    return { setting: 'channelType', why };
  }
  const { transactionTypeId } = entry;
  if (!transactionTypeId || sameId(transactionTypeId, route.transactionTypeId)) return undefined;
  return {
    setting: 'transactionTypeId',
    why: `its transactionTypeId is ${transactionTypeId}, not ${route.transactionTypeId}`,
  };
}

const channelsOf = ({ channelTypes }: AssignedRoute): readonly number[] | undefined =>
  channelTypes?.map(({ channelType }) => channelType);

/** Compares ids without case: they are UUIDs, which people copy in either case. */
const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Reports whether two routes are one rail: the same route of the account, with the same channel. */
export const sameRail = (one: RouteSettings, other: RouteSettings): boolean =>
  sameId(one.routeId, other.routeId) && one.channelType === other.channelType;

/** Throws a Fault `route-missing` that names every given route that cannot carry payments, and routes that the account has. */
export function requireRoutes(
  kinds: Iterable<string>,
  { routes, profile }: Pick<Settings, 'routes' | 'profile'>,
  assigned: readonly AssignedRoute[],
): void {
  const wrong = [...kinds].flatMap((kind) => {
    const route = routes[kind];
    const trouble = route && routeTrouble(route, assigned);
    return trouble ? [{ ...trouble, kind, channelType: route.channelType }] : [];
  });
  if (wrong.length === 0) return;
  const settings = wrong.map(({ kind, setting }) => `profiles.${profile}.routes.${kind}.${setting}`);
  throw new Fault(
    'route-missing',
    `${wrong.map(({ kind, why }) => `${kind}: ${why}`).join('; ')}. Nothing was sent.`,
    `Correct ${settings.join(', ')}, or ask the provider. ${assignedText(wrong, assigned)} All its routes: \`paybatch routes\`.`,
  );
}

/** Lists routes of the account that have one of the wrong routes' channel types, or any routes if none has. */
function assignedText(wrong: readonly { readonly channelType: number }[], assigned: readonly AssignedRoute[]): string {
  if (assigned.length === 0) return 'This account has no routes.';
  const asked = new Set(wrong.map(({ channelType }) => channelType));
  const fits = (entry: AssignedRoute): boolean => channelsOf(entry)?.some((channel) => asked.has(channel)) === true;
  const fitting = assigned.filter(fits);
  const named = (fitting.length > 0 ? fitting : assigned).slice(0, NAMED_MAX);
  return `This account has: ${named.map(entryText).join('; ')}.`;
}

function entryText(entry: AssignedRoute): string {
  const channels = entry.channelTypes?.map(({ channelType, channelDescription }) =>
    channelDescription ? `${channelType} ${channelDescription}` : String(channelType),
  );
  const state = entry.routeIsActive === false || entry.categoryIsEnabled === false ? ', not active' : '';
  const country = entry.country ? `, ${entry.country}` : '';
  return `${entry.id} (channel type ${channels?.join(', ') || 'not stated'}${country}${state})`;
}
