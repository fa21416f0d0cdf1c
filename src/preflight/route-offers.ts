/**
 * The rails that an account's routes offer for a way of paying, named and with the fitting ones first, for a person who sets
 * up a profile.
 */
import { isCountryCalled } from '../domain/country.ts';
import type { RouteSettings } from '../domain/settings.ts';
import type { AssignedRoute } from './routes.ts';

/** A rail that could carry a way of paying: a route and one of its channel types. Neither means anything without the other. */
export interface RouteOffer {
  readonly route: RouteSettings;
  /** Name for people, in the service's own words: `M-Pesa · Mpesa · KENYA`. */
  readonly name: string;
  /** Whether the rail has the channel type of the way of paying, and the payer's country or no stated country. */
  readonly fits: boolean;
}

/** Returns every rail that is in use, fitting ones first. A route without a transaction type has no charges and is left out. */
export function offersFor(
  { channelType }: Pick<RouteSettings, 'channelType'>,
  country: string,
  assigned: readonly AssignedRoute[],
): readonly RouteOffer[] {
  const rails = new Map(assigned.flatMap(railsOf).map((rail) => [rail.key, rail]));
  const names = [...rails.values()].map(({ name }) => name);
  return [...rails.values()]
    .map(({ route, name, entry }) => ({
      route,
      name:
        names.filter((one) => one === name).length === 1 ? name : nameOf([name, entry.categoryDescription, entry.id]),
      fits: route.channelType === channelType && (!entry.country || isCountryCalled(country, entry.country)),
    }))
    .toSorted((a, b) => Number(b.fits) - Number(a.fits));
}

function railsOf(entry: AssignedRoute) {
  const { id, transactionTypeId, channelTypes } = entry;
  if (entry.routeIsActive === false || entry.categoryIsEnabled === false || !transactionTypeId) return [];
  return (channelTypes ?? []).map(({ channelType, channelDescription }) => ({
    // A list with one entry for each channel names a route several times.
    key: `${id.toLowerCase()} ${channelType}`,
    route: { routeId: id, channelType, transactionTypeId },
    name: nameOf([
      channelDescription ?? `channel type ${channelType}`,
      entry.routeIntergration ?? entry.routeIntegration,
      entry.country,
    ]),
    entry,
  }));
}

const nameOf = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ');
