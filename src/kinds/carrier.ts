/** The mobile network of a number: the network that the row states, or else the one that the number was first given to. */
import type { Issue } from '../domain/issue.ts';
import { type Network, networkOfNumber } from '../domain/network.ts';
import { type CellView, issueAt } from './column.ts';
import type { Phone } from './columns.ts';

export const carrierOf = (number: Phone, stated: Network | undefined, country: string): Network | undefined =>
  stated ?? networkOfNumber(number.national, country);

/** Warns if the stated network is not the one that the number was first given to: numbers are ported, and people make mistakes. */
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
