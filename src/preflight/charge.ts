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
  /**
   * The amounts between two bands that are at most one whole unit apart (1–100, 101–500), with the charge of the more expensive
   * of the two, because it is unknown how the service rounds.
   */
  readonly gaps: readonly Band[];
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
  bands.sort((a, b) => (a.lower < b.lower ? -1 : 1));
  return { currency, bands, gaps: gapsBetween(bands, 10n ** BigInt(currencyRecord(currency).exponent)) };
}

/** Returns the gaps of at most one whole `unit` between bands that ascend by their lower limit. */
function gapsBetween(bands: readonly Band[], unit: bigint): readonly Band[] {
  const gaps: Band[] = [];
  let [reached = 0n] = bands.map(({ upper }) => upper);
  for (const { lower, upper } of bands) {
    if (lower > reached + 1n && lower - reached <= unit) {
      const neighbours = bands.filter((band) => band.upper === reached || band.lower === lower);
      const [dearest] = neighbours.toSorted((a, b) => (a.charge < b.charge ? 1 : -1));
      gaps.push({ lower: reached + 1n, upper: lower - 1n, charge: dearest?.charge ?? 0n });
    }
    if (upper > reached) reached = upper;
  }
  return gaps;
}

function outside(charge: bigint, record: ChargeRecord, minor: (figure: number, what: string) => bigint): boolean {
  const { minimumCharge, maximumCharge } = record;
  if (typeof minimumCharge === 'number' && charge < minor(minimumCharge, 'minimum')) return true;
  return typeof maximumCharge === 'number' && charge > minor(maximumCharge, 'maximum');
}

const holds =
  ({ minor }: Money) =>
  ({ lower, upper }: Band): boolean =>
    lower <= minor && minor <= upper;

/**
 * Returns the charge of one payout, in the scale's currency. Throws a Fault `charges-unusable`, and never returns zero, for an
 * amount that no band and no gap holds, or that bands with different charges hold.
 */
export function chargeOf(scale: Scale, amount: Money): Money {
  const [first, ...others] = scale.bands.filter(holds(amount));
  const found = first ?? gapAround(scale, amount);
  if (!found) throw unusable(`No charge band holds ${moneyText(amount)}; the scale has a gap there or ends before it.`);
  if (others.some(({ charge }) => charge !== found.charge)) {
    throw unusable(`Two charge bands with different charges hold ${moneyText(amount)}.`);
  }
  return { minor: found.charge, currency: scale.currency };
}

/** Returns the gap of a scale that holds the amount; `undefined` for an amount in a band, in a wider gap, or outside all bands. */
export const gapAround = ({ gaps }: Scale, amount: Money): Band | undefined => gaps.find(holds(amount));

/** An amount is just above an edge if it exceeds the band below by at most this share of itself: 1/50. */
const EDGE_SHARE = 50n;

/**
 * Returns what would be saved if the amount stayed in the band below its own, or `undefined` if it is not just above that
 * edge.
 */
export function edgeSaving(scale: Scale, amount: Money): Money | undefined {
  const at = scale.bands.findIndex(holds(amount));
  const below = scale.bands[at - 1];
  const own = scale.bands[at];
  if (!below || !own || below.charge >= own.charge) return undefined;
  const excess = amount.minor - below.upper;
  if (excess * EDGE_SHARE > amount.minor) return undefined;
  return { minor: own.charge - below.charge, currency: scale.currency };
}
