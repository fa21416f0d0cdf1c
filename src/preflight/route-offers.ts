/** What an account's routes offer to a way of paying, for who sets up a profile: its rails by name, the fitting ones first. */
import { isCountryCalled } from '../domain/country.ts';
import type { RouteSettings } from '../domain/settings.ts';
import type { AssignedRoute } from './routes.ts';

/** A rail that could carry a way of paying: a route and one of its channel types, which mean nothing without each other. */
export interface RouteOffer {
  readonly route: RouteSettings;
  /** For people, in the service's own words: `M-Pesa · Mpesa · KENYA`. */
  readonly name: string;
  /** Its channel type is the one that is known for the way of paying, and its country is that of the payer, or is not told. */
  readonly fits: boolean;
}

/** A way of paying, as far as routes tell them apart. */
export interface RoutedKind {
  readonly channelType: number;
}

/** Every rail that is in use, those that fit first. One without a transaction type has no charges, and is none of them. */
export function offersFor(
  { channelType }: RoutedKind,
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
    // A list with one entry for each channel names the route several times.
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
