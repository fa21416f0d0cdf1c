/** Whether the routes of the profile can carry payments, by the service's own list of what it has assigned. */

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

/** Routes of the account that a refusal names. */
const NAMED_MAX = 5;

/** Why the service lists no routes, and what to do about that. */
interface RoutesUntold {
  readonly untold: string;
  readonly fix: string;
}

/**
 * The routes that the service lists, or why it lists none. Its path was seen at every known service and is not published:
 * whoever answers in another way can still be paid with, and what else is asked shows whether the service is well. Fault
 * `unreachable` or `credentials` when it was not asked at all.
 */
export async function readRoutes(
  client: Client,
  signal?: AbortSignal,
): Promise<{ readonly routes: readonly AssignedRoute[] } | RoutesUntold> {
  const reply = await client.call(findRoutes, { ...(signal && { signal }) });
  if (reply.tag === 'accepted') return { routes: reply.value.routes };
  if (forbidsEverything(reply)) {
    return valueOrFault<ValueOf<typeof findRoutes>>(reply, 'its routes');
  }
  const untold = reasonOf(reply);
  if ('forbidden' in reply && reply.forbidden) {
    return {
      untold: `this account may not ask for them: ${untold}`,
      fix: 'Ask the provider for the permission to list routes.',
    };
  }
  return { untold, fix: 'Ask the provider for the address of its routes, and set paths.find-routes of the profile.' };
}

/** Whether nothing else would be answered either: no token, no connection, or a service that asks to wait. */
const forbidsEverything = (reply: Reply<unknown>): boolean =>
  reply.tag === 'not-sent' ||
  (reply.tag === 'throttled' && reply.retryAfterMs !== undefined) ||
  (reply.tag === 'unauthorised' && !reply.forbidden);

/** For how long a run asks for the routes again, in milliseconds: it goes on without them, and does not wait long for what it can miss. */
export const routesPatienceMs = (reply: Reply<unknown>): number =>
  forbidsEverything(reply) ? PATIENCE_MS : BRIEF_PATIENCE_MS;

/** What is wrong with a configured route, and which of its settings says so. */
interface RouteTrouble {
  readonly setting: keyof RouteSettings;
  readonly why: string;
}

/** Why a configured route cannot carry payments; undefined when it can. */
export function routeTrouble(route: RouteSettings, assigned: readonly AssignedRoute[]): RouteTrouble | undefined {
  const found = assigned.filter(({ id }) => sameId(id, route.routeId));
  if (found.length === 0) {
    return { setting: 'routeId', why: `the route ${route.routeId} is not assigned to this account` };
  }
  // A list with one entry for each channel names the route several times.
  const troubles = found.map((entry) => entryTrouble(route, entry));
  return troubles.includes(undefined) ? undefined : troubles[0];
}

/** A field that the entry does not have says nothing against the route. */
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

/** They are UUIDs, which people copy in either case. */
const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Throws a Fault `route-missing` naming every one of these routes that cannot carry payments, and the account's own. */
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
    `Correct ${settings.join(', ')}, or ask the provider. ${assignedText(wrong, assigned)} All its routes: paybatch api find-routes.`,
  );
}

/** The account's own routes that have a channel type that was asked for, or any where none has. */
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
  return `${entry.id} (channel type ${channels?.join(', ') || 'not told'}${country}${state})`;
}
