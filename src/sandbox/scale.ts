/** Graduated scales of charges: what an amount costs. Spec: "Charge record". */
import { type CurrencyCode, currencyOf } from '../domain/currency.ts';
import { invariant } from '../domain/invariant.ts';
import { type Money, parseAmount, toWire } from '../domain/money.ts';

/** A band of a scale in minor units, both limits inside. */
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

/** A scale from pairs of upper limit and charge, both plain decimals of the currency. */
export function scaleOf(
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

/** What an amount costs in minor units; undefined when it lies above the last band, which is the rail's limit. */
export const chargeOf = (scale: Scale, minor: bigint): bigint | undefined =>
  scale.bands.find((band) => minor >= band.from && minor <= band.to)?.charge;

/** The largest amount that a rail carries, in minor units. */
export const mostOf = (scale: Scale): bigint => scale.bands.at(-1)?.to ?? 0n;

/** Spec: "Charge record". */
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
