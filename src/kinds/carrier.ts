/** The mobile network of a number: the one that the row states, or else the one the number was first given to. */
import type { Issue } from '../domain/issue.ts';
import { type Network, networkOfNumber } from '../domain/network.ts';
import { type CellView, issueAt } from './column.ts';
import type { Phone } from './columns.ts';

export const carrierOf = (number: Phone, stated: Network | undefined, country: string): Network | undefined =>
  stated ?? networkOfNumber(number.national, country);

/** A stated network that is not the one the number was first given to is warned of: numbers move, and people slip. */
export function carrierWarnings(
  number: Phone,
  stated: Network | undefined,
  view: CellView,
  country: string,
): readonly Issue[] {
  if (!stated) return [];
  const suggested = networkOfNumber(number.national, country);
  if (!suggested || stated.mccmnc === suggested.mccmnc) return [];
  return [issueAt(view, 'PB-NETWORK-DIFFERS', { network: suggested.name })];
}
