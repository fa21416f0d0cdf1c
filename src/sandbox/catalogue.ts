/**
 * What the practice service offers: its rails, and the graduated scale of charges of each. A route and a channel type
 * together name a rail; neither does alone. Spec: "Find Transaction Routes", "Charge record".
 */
import { type Rail, routeTable } from './route-table.ts';
import type { Scale } from './scale.ts';

export type { Rail } from './route-table.ts';
export { chargeOf, chargeRecordOf, type Scale } from './scale.ts';

/** Every rail of every route. */
export const rails: readonly Rail[] = routeTable.flatMap((route) =>
  route.channels.map((channel) => ({
    ...channel,
    routeId: route.id,
    shownRouteId: route.id.replace('5a0d', '5a0e'),
    use: route.use,
    scale: route.scale,
  })),
);

const railKey = (routeId: string, channelType: number): string => `${routeId.toLowerCase()}|${channelType}`;
const railByKey = new Map(rails.map((rail) => [railKey(rail.routeId, rail.channelType), rail]));
const routeIds = new Set(routeTable.map((route) => route.id));

/** The rail of a route and a channel type, or undefined. */
export const railOf = (routeId: string, channelType: number): Rail | undefined =>
  railByKey.get(railKey(routeId, channelType));

/** Whether a route of that identifier exists. */
export const isRouteId = (text: string): boolean => routeIds.has(text.toLowerCase());

/** The rail that carries an operation in a currency, or undefined. Orders name theirs; the others have one each. */
export const railFor = (use: Exclude<Rail['use'], 'submit-order'>, currency: string): Rail | undefined =>
  rails.find((rail) => rail.use === use && rail.scale.currency === currency);

/** The scale of a transaction type, or undefined. */
export const scaleOfType = (transactionTypeId: string): Scale | undefined =>
  routeTable.find((route) => route.scale.transactionTypeId === transactionTypeId.toLowerCase())?.scale;

/** Observed shape of the route catalogue, with the service's own spelling. */
export const routeRecords = (): object => ({
  routes: routeTable.map((route) => ({
    id: route.id,
    category: route.category,
    categoryDescription: route.categoryDescription,
    transactionTypeId: route.scale.transactionTypeId,
    categoryIsEnabled: true,
    routeIntergration: route.integration,
    country: route.country,
    routeIsActive: true,
    channelTypes: route.channels.map((channel) => ({
      channelType: channel.channelType,
      channelDescription: channel.description,
    })),
  })),
});
