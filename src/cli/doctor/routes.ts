/** The routes of the profile against those that the service has assigned. A run does not read this list: it costs money. */

import type { ValueOf } from '../../contract/operation.ts';
import { findRoutes } from '../../contract/routes.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import { valueOrFault } from '../../preflight/read-service.ts';
import { type Check, ok, problem, warning } from './check.ts';

type Assigned = ValueOf<typeof findRoutes>['routes'][number];

export const routes: Check = {
  name: 'routes',
  title: 'Routes',
  async look(workplace) {
    const configured = Object.entries(workplace.settings.routes);
    const { profileName } = workplace.loaded;
    if (configured.length === 0) {
      return problem(
        'route-missing',
        `No route is configured in the profile "${profileName}": nothing can be paid.`,
        'Add routes (routeId, channelType, transactionTypeId) to the profile; the provider has their ids.',
      );
    }
    const reply = await workplace.ask(async (client) => {
      const given = await client.call(findRoutes, { signal: workplace.signal });
      if (given.tag === 'not-sent' || given.tag === 'unauthorised') valueOrFault(given, 'its routes');
      return given;
    });
    const names = configured.map(([kind]) => kind).join(', ');
    if (reply.tag !== 'accepted') {
      // Nobody documents its path; whether a transaction type is known shows in its charges too.
      return warning(
        `The assigned routes could not be read (${reply.reason}), so those of ${names} were not compared.`,
        'Ask the provider for the address of its routes, and set paths.find-routes of the profile.',
      );
    }
    const wrong = configured.flatMap(([kind, route]) => {
      const why = routeTrouble(route, reply.value.routes);
      return why === undefined ? [] : [`${kind}: ${why}`];
    });
    const figures = { configured: configured.length, assigned: reply.value.routes.length };
    if (wrong.length > 0) {
      const remedy =
        'Correct the routes of the profile, or ask the provider to assign them; see paybatch api find-routes.';
      return problem('route-missing', `${wrong.join('; ')}.`, remedy, figures);
    }
    return ok(`Assigned and active: ${names}.`, figures);
  },
};

/** Why a configured route cannot carry payments; undefined when it can. */
export function routeTrouble(route: RouteSettings, assigned: readonly Assigned[]): string | undefined {
  const found = assigned.find(({ id }) => sameId(id, route.routeId));
  if (!found) return `the route ${route.routeId} is not assigned to this account`;
  if (found.routeIsActive === false) return `the route ${route.routeId} is not active`;
  if (found.categoryIsEnabled === false) return `${found.categoryDescription ?? 'its category'} is not enabled`;
  const channels = found.channelTypes?.map(({ channelType }) => channelType);
  if (channels && !channels.includes(route.channelType)) {
    return `channel type ${route.channelType} is not one of the route's (${channels.join(', ') || 'none'})`;
  }
  const { transactionTypeId } = found;
  if (!transactionTypeId || sameId(transactionTypeId, route.transactionTypeId)) return undefined;
  return `its transactionTypeId is ${transactionTypeId}, not ${route.transactionTypeId}`;
}

/** They are UUIDs, which people copy in either case. */
const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
