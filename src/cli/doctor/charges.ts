/** The charge scales of the configured routes: that they can be read, and which amounts a run would refuse for them. */
import { counted } from '../../domain/counted.ts';
import { groupedDecimalOf } from '../../domain/money.ts';
import type { Scale } from '../../preflight/charge.ts';
import { readScale } from '../../preflight/read-service.ts';
import { type Check, ok, warning } from './check.ts';

/** Minor units that lie between whole units: bands from 101 to 500 and from 501 leave no whole amount out. */
const wholeUnit = (decimals: number): bigint => 10n ** BigInt(decimals);

export const charges: Check = {
  name: 'charges',
  title: 'Charges',
  async look(context) {
    const { currency, settings } = context;
    const kindsByType = new Map<string, string[]>();
    for (const [kind, { transactionTypeId }] of Object.entries(settings.routes)) {
      kindsByType.set(transactionTypeId, [...(kindsByType.get(transactionTypeId) ?? []), kind]);
    }
    const refusals: string[] = [];
    for (const [transactionTypeId, kinds] of kindsByType) {
      const scale = await context.ask((client) => readScale(client, transactionTypeId, currency.code));
      refusals.push(
        ...scaleTroubles(scale, wholeUnit(currency.exponent)).map((text) => `${kinds.join(', ')}: ${text}`),
      );
    }
    const figures = { scales: kindsByType.size, troubles: refusals.length };
    if (kindsByType.size === 0)
      return warning('No route is configured whose charges could be read.', 'Add routes.', figures);
    if (refusals.length === 0)
      return ok(`Readable, without gaps or overlaps: ${counted(kindsByType.size, 'scale')}.`, figures);
    return warning(
      `${refusals.join('; ')}. A sheet with such an amount is refused.`,
      'Ask the provider to correct these charges.',
      figures,
    );
  },
};

/** Gaps that a whole amount falls into, and amounts with two different charges, in words. */
export function scaleTroubles({ bands, currency }: Scale, unit: bigint): readonly string[] {
  const text = (minor: bigint): string => groupedDecimalOf({ minor, currency });
  const troubles: string[] = [];
  /** The band before that ends last: bands are in the order of their beginnings. */
  let reach = bands[0];
  for (const band of bands.slice(1)) {
    if (!reach) break;
    if (band.lower > reach.upper + unit) {
      troubles.push(`no charge between ${text(reach.upper)} and ${text(band.lower)}`);
    } else if (band.lower <= reach.upper && band.charge !== reach.charge) {
      const isSingle = band.lower === reach.upper || band.lower === band.upper;
      troubles.push(`two different charges ${isSingle ? 'for' : 'from'} ${text(band.lower)}`);
    }
    if (band.upper > reach.upper) reach = band;
  }
  return troubles;
}
