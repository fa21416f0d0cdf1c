/** The graduated scale: what the service charges for one payout. Spec: "Charge record". */

import { type CurrencyCode, currencyOf } from '../domain/currency.ts';
import { Fault } from '../domain/fault.ts';
import { currencyRecord, fromWire, type Money, moneyText } from '../domain/money.ts';
import type { ChargeRecord } from '../service/contract/charges.ts';

/** One band: the charge of every amount from `lower` to `upper`, both included, in minor units. */
interface Band {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly charge: bigint;
}

export interface Scale {
  readonly currency: CurrencyCode;
  /** Ascending by lower limit. */
  readonly bands: readonly Band[];
}

const REMEDY = 'Ask the provider to correct the charges of this route; nothing is sent on a guessed charge.';

const unusable = (message: string): Fault => new Fault('charges-unusable', message, REMEDY);

/** Reads a charge record. Throws a Fault `charges-unusable` if its figures contradict each other. */
export function scaleOf(record: ChargeRecord, currency: CurrencyCode): Scale {
  const name = record.name ?? 'the route';
  // The specification calls the field a name, but only a code can be compared.
  const stated = currencyOf(record.currencyName ?? '');
  if (stated && stated.code !== currency) {
    throw unusable(`The charges of ${name} are in ${stated.code}, not ${currency}.`);
  }
  const minor = (figure: number, what: string): bigint => {
    const money = fromWire(figure, currency);
    if (!money || money.minor < 0n) throw unusable(`The charges of ${name} have an unusable ${what}: ${figure}.`);
    return money.minor;
  };
  const bands = record.graduatedScaleList.map((entry): Band => {
    const band = {
      lower: minor(entry.rangeLowerLimit, 'lower limit'),
      upper: minor(entry.rangeUpperLimit, 'upper limit'),
      charge: minor(entry.value, 'charge'),
    };
    if (band.lower > band.upper) throw unusable(`The charges of ${name} have a band that ends before it begins.`);
    if (outside(band.charge, record, minor)) {
      throw unusable(`The charges of ${name} have a charge of ${entry.value} outside their own minimum and maximum.`);
    }
    return band;
  });
  if (bands.length === 0) throw unusable(`The charges of ${name} are empty.`);
  return { currency, bands: bands.sort((a, b) => (a.lower < b.lower ? -1 : 1)) };
}

function outside(charge: bigint, record: ChargeRecord, minor: (figure: number, what: string) => bigint): boolean {
  const { minimumCharge, maximumCharge } = record;
  if (typeof minimumCharge === 'number' && charge < minor(minimumCharge, 'minimum')) return true;
  return typeof maximumCharge === 'number' && charge > minor(maximumCharge, 'maximum');
}

/**
 * Returns the charge of one payout, in the scale's currency. An amount between two bands that are at most one whole unit
 * apart (1–100, 101–500) is charged as the more expensive of them, because it is unknown how the service rounds. Throws a Fault
 * `charges-unusable`, and never returns zero, for an amount that no band holds or that bands with different charges hold.
 */
export function chargeOf(scale: Scale, amount: Money): Money {
  const holding = scale.bands.filter(({ lower, upper }) => lower <= amount.minor && amount.minor <= upper);
  const [first] = holding;
  if (!first) {
    const gap = gapAround(scale, amount);
    if (gap) return { minor: gap.charge, currency: scale.currency };
    throw unusable(`No charge band holds ${moneyText(amount)}; the scale has a gap there or ends before it.`);
  }
  const differing = holding.find(({ charge }) => charge !== first.charge);
  if (differing) throw unusable(`Two charge bands with different charges hold ${moneyText(amount)}.`);
  return { minor: first.charge, currency: scale.currency };
}

/** A space between two bands that holds no whole amount, and the charge inside it. All in minor units. */
interface Gap {
  /** Limits of the bands on both sides of the gap. */
  readonly below: bigint;
  readonly above: bigint;
  /** The higher charge of the two bands. */
  readonly charge: bigint;
}

/**
 * Returns the gap of a scale in whole units that holds the amount, or `undefined` for an amount in a band, in a wider gap,
 * or outside all bands.
 */
export function gapAround({ bands, currency }: Scale, amount: Money): Gap | undefined {
  const before = bands.filter(({ upper }) => upper < amount.minor);
  const after = bands.filter(({ lower }) => lower > amount.minor);
  const below = largestOf(before.map(({ upper }) => upper));
  // The bands are in ascending order of their lower limits.
  const above = after[0]?.lower;
  const isHeld = before.length + after.length < bands.length;
  if (below === undefined || above === undefined || isHeld) return undefined;
  if (above - below > 10n ** BigInt(currencyRecord(currency).exponent)) return undefined;
  const neighbours = [
    ...before.filter(({ upper }) => upper === below),
    ...after.filter(({ lower }) => lower === above),
  ];
  return { below, above, charge: largestOf(neighbours.map(({ charge }) => charge)) ?? 0n };
}

const largestOf = (values: readonly bigint[]): bigint | undefined => values.toSorted((a, b) => (a < b ? 1 : -1))[0];

/** An amount is just above an edge if it exceeds the band below by at most this share of itself: 1/50. */
const EDGE_SHARE = 50n;

/**
 * Returns what would be saved if the amount stayed in the band below its own, or `undefined` if it is not just above that
 * edge.
 */
export function edgeSaving(scale: Scale, amount: Money): Money | undefined {
  const at = scale.bands.findIndex(({ lower, upper }) => lower <= amount.minor && amount.minor <= upper);
  const below = scale.bands[at - 1];
  const own = scale.bands[at];
  if (!below || !own || below.charge >= own.charge) return undefined;
  const excess = amount.minor - below.upper;
  if (excess * EDGE_SHARE > amount.minor) return undefined;
  return { minor: own.charge - below.charge, currency: scale.currency };
}
