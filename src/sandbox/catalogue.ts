/**
 * What the practice service offers: its routes, their channels, and each route's graduated scale of charges. A route and a
 * channel type together name a rail; neither names one by itself. Spec: "Find Transaction Routes", "Charge record".
 */
import { type CurrencyCode, currencyOf } from '../domain/currency.ts';
import { invariant } from '../domain/invariant.ts';
import { type Money, parseAmount, toWire } from '../domain/money.ts';

/** A band of a scale, in minor units. Both limits are part of the band. */
interface Band {
  readonly from: bigint;
  readonly to: bigint;
  readonly charge: bigint;
}

/** Charges by amount: bands that begin at the smallest amount and follow one another without gap or overlap. */
export interface Scale {
  readonly transactionTypeId: string;
  readonly name: string;
  readonly currency: CurrencyCode;
  readonly bands: readonly Band[];
}

/** Builds a scale from pairs of upper limit and charge, both plain decimals of the currency. */
function scaleOf(
  transactionTypeId: string,
  name: string,
  code: string,
  limits: readonly (readonly [string, string])[],
): Scale {
  const currency = currencyOf(code);
  invariant(currency, `${code} is a currency`);
  const minorOf = (text: string): bigint => {
    const parsed = parseAmount(text, currency);
    invariant(parsed.ok, `${text} is an amount of ${code}`);
    return parsed.money.minor;
  };
  let next = 1n;
  const bands = limits.map(([limit, charge]): Band => {
    const band = { from: next, to: minorOf(limit), charge: minorOf(charge) };
    invariant(band.to >= band.from, `the limits of ${name} rise`);
    next = band.to + 1n;
    return band;
  });
  return { transactionTypeId, name, currency: currency.code, bands };
}

/** Returns what an amount costs, in minor units, or `undefined` if it is above the last band, which is the rail's limit. */
export const chargeOf = (scale: Scale, minor: bigint): bigint | undefined =>
  scale.bands.find((band) => minor >= band.from && minor <= band.to)?.charge;

/** Returns the largest amount that a rail carries, in minor units. */
export const mostOf = (scale: Scale): bigint => scale.bands.at(-1)?.to ?? 0n;

/** Returns a scale as the service sends it. Spec: "Charge record". */
export function chargeRecordOf(scale: Scale): object {
  const wire = (minor: bigint): number => toWire({ minor, currency: scale.currency } satisfies Money);
  const charges = scale.bands.map((band) => band.charge).sort((a, b) => Number(a - b));
  return {
    name: scale.name,
    minimumCharge: wire(charges.at(0) ?? 0n),
    maximumCharge: wire(charges.at(-1) ?? 0n),
    currencyName: scale.currency,
    graduatedScaleList: scale.bands.map((band) => ({
      value: wire(band.charge),
      rangeLowerLimit: wire(band.from),
      rangeUpperLimit: wire(band.to),
    })),
  };
}

/** A way that money can take: a route with one of its channels. */
export interface Rail {
  readonly routeId: string;
  /** Route id that a status record shows. It was observed to differ from the id that was sent. */
  readonly shownRouteId: string;
  readonly channelType: number;
  readonly description: string;
  readonly scale: Scale;
  /** The operation that the rail carries. */
  readonly use: 'submit-order' | 'buy-airtime' | 'pay-bill' | 'create-checkout';
  /** Parts of an order line that the transfer rules require on this rail. A remitter is observed to be required for banks. */
  readonly needs: readonly ('institutionIdentifier' | 'accountNo' | 'remitter' | 'mccmnc')[];
}

/** A route with its channels, which share one scale. */
interface RouteEntry {
  readonly id: string;
  readonly category: string;
  readonly categoryDescription: string;
  readonly integration: string;
  readonly country: string;
  readonly use: Rail['use'];
  readonly scale: Scale;
  readonly channels: readonly Pick<Rail, 'channelType' | 'description' | 'needs'>[];
}

/** The route that pays bills. */
export const BILL_ROUTE_ID = '5a0d0006-0c1e-4e0a-9a51-70726163746f';

/** All routes, as Find Transaction Routes lists them. */
const routeTable: readonly RouteEntry[] = [
  {
    id: '5a0d0001-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1001-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Kenya', 'KES', [
      ['100', '0'],
      ['1500', '5'],
      ['5000', '9'],
      ['20000', '11'],
      ['250000', '13'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0002-0c1e-4e0a-9a51-70726163746f',
    category: '6',
    categoryDescription: 'Business Transfers',
    integration: 'Practice Mobile Money',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1002-0c1e-4e0a-9a51-70726163746f', 'Business transfer, Kenya', 'KES', [
      ['100', '0'],
      ['1000', '10'],
      ['5000', '22.50'],
      ['20000', '40'],
      ['100000', '62'],
      ['999999', '75'],
    ]),
    channels: [
      { channelType: 13, description: 'Business till', needs: ['institutionIdentifier'] },
      { channelType: 14, description: 'Business paybill', needs: ['institutionIdentifier', 'accountNo'] },
    ],
  },
  {
    id: '5a0d0003-0c1e-4e0a-9a51-70726163746f',
    category: '1',
    categoryDescription: 'Bank Transfer',
    integration: 'Practice Bank',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1003-0c1e-4e0a-9a51-70726163746f', 'Bank transfer, Kenya', 'KES', [
      ['10000', '30'],
      ['50000', '45'],
      ['200000', '65'],
      ['10000000', '100'],
    ]),
    channels: [{ channelType: 21, description: 'Bank account', needs: ['institutionIdentifier', 'remitter'] }],
  },
  {
    id: '5a0d0004-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'UGANDA',
    use: 'submit-order',
    scale: scaleOf('5a0d1004-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Uganda', 'UGX', [
      ['5000', '100'],
      ['60000', '350'],
      ['500000', '1000'],
      ['7000000', '1500'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0005-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'TANZANIA',
    use: 'submit-order',
    scale: scaleOf('5a0d1005-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Tanzania', 'TZS', [
      ['10000', '250'],
      ['100000', '600'],
      ['5000000', '1200'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0009-0c1e-4e0a-9a51-70726163746f',
    category: '1',
    categoryDescription: 'Bank Transfer',
    integration: 'Practice Bank',
    country: 'UGANDA',
    use: 'submit-order',
    scale: scaleOf('5a0d1009-0c1e-4e0a-9a51-70726163746f', 'Bank transfer, Uganda', 'UGX', [
      ['1000000', '3000'],
      ['20000000', '6500'],
      ['1000000000', '15000'],
    ]),
    channels: [{ channelType: 21, description: 'Bank account', needs: ['institutionIdentifier', 'remitter'] }],
  },
  {
    id: '5a0d0008-0c1e-4e0a-9a51-70726163746f',
    category: '2',
    categoryDescription: 'Airtime Purchase',
    integration: 'Practice Airtime',
    country: 'KENYA',
    use: 'buy-airtime',
    scale: scaleOf('5a0d1008-0c1e-4e0a-9a51-70726163746f', 'Airtime, Kenya', 'KES', [
      ['100', '0'],
      ['1000', '1'],
      ['10000', '2.50'],
    ]),
    channels: [{ channelType: 7, description: 'Airtime purchase', needs: [] }],
  },
  {
    id: BILL_ROUTE_ID,
    category: '4',
    categoryDescription: 'Bill Payments',
    integration: 'Practice Billers',
    country: 'KENYA',
    use: 'pay-bill',
    scale: scaleOf('5a0d1006-0c1e-4e0a-9a51-70726163746f', 'Bill payment, Kenya', 'KES', [
      ['500', '5'],
      ['5000', '15'],
      ['50000', '30'],
      ['250000', '50'],
    ]),
    channels: [{ channelType: 30, description: 'Bill payment', needs: [] }],
  },
  {
    id: '5a0d0007-0c1e-4e0a-9a51-70726163746f',
    category: '10',
    categoryDescription: 'Card Payment',
    integration: 'Practice Cards',
    country: 'KENYA',
    use: 'create-checkout',
    scale: scaleOf('5a0d1007-0c1e-4e0a-9a51-70726163746f', 'Card checkout, Kenya', 'KES', [['1000000', '0']]),
    channels: [{ channelType: 158, description: 'Card checkout', needs: [] }],
  },
];

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

/** Returns the rail of a route and a channel type, or `undefined`. */
export const railOf = (routeId: string, channelType: number): Rail | undefined =>
  railByKey.get(railKey(routeId, channelType));

/** Reports whether a route with that identifier exists. */
export const isRouteId = (text: string): boolean => routeIds.has(text.toLowerCase());

/**
 * Returns the rail that carries an operation in a currency, or `undefined`. Orders name their rail; each other operation has
 * one per currency.
 */
export const railFor = (use: Exclude<Rail['use'], 'submit-order'>, currency: string): Rail | undefined =>
  rails.find((rail) => rail.use === use && rail.scale.currency === currency);

/** Returns the scale of a transaction type, or `undefined`. */
export const scaleOfType = (transactionTypeId: string): Scale | undefined =>
  routeTable.find((route) => route.scale.transactionTypeId === transactionTypeId.toLowerCase())?.scale;

/** Returns the route catalogue in the observed shape, with the service's own spelling. */
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
