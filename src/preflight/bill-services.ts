/**
 * Finds the provider's service that a bill row means, and checks that it takes the amount. Names are compared exactly,
 * except for case and spaces; a name that fits two services is refused. Spec: "Bill services".
 */

import { draftOfRow } from '../batch/order-groups.ts';
import { counted } from '../domain/counted.ts';
import { type CurrencyCode, currencyOf, currencyOfNumber } from '../domain/currency.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { fromWire, type Money, moneyText } from '../domain/money.ts';
import type { Staging } from '../domain/staging.ts';
import type { Client } from '../service/client/client.ts';
import type { BillService } from '../service/contract/bills.ts';
import type { BillServiceId } from '../service/submissions/submission.ts';
import { readBillServices } from './read-service.ts';

/** Most rows that a refusal names. Its message says how many more there are. */
const NAMED_ROWS_MAX = 10;

/** Country and currency in which a batch pays. */
export interface BillTerms {
  readonly currency: CurrencyCode;
  /** ISO 3166 alpha-2. */
  readonly country: string;
}

export interface OfferedService {
  readonly routeId: string;
  readonly service: BillService;
}

type Found = { readonly ok: true; readonly offered: OfferedService } | { readonly ok: false; readonly why: string };

/**
 * Returns the bill service of every name that staged rows use. Throws one Fault `bill-refused` for all rows whose service or
 * amount is not taken.
 */
export async function settleBills(
  staging: Staging,
  terms: BillTerms,
  client: Client,
): Promise<(named: string) => BillServiceId> {
  const offers = await readBillServices(client);
  const settled = new Map<string, Found>();
  const refused: string[] = [];
  let count = 0;
  for (const block of staging.blocks()) {
    for (const row of block) {
      const draft = draftOfRow(row);
      if (draft?.submission !== 'bill-payment' || !row.payout) continue;
      const found = settled.get(draft.service) ?? findService(draft.service, offers, terms);
      settled.set(draft.service, found);
      const why = found.ok ? amountRefusal(found.offered.service, row.payout.amount) : found.why;
      if (why === undefined) continue;
      count += 1;
      if (refused.length < NAMED_ROWS_MAX) refused.push(`row ${row.row}: ${why}`);
    }
  }
  if (count > 0) throw refusalOf(refused, count);
  return (named) => {
    const found = settled.get(named);
    invariant(found?.ok, 'the bill service of every staged row was settled');
    return { serviceId: found.offered.service.id, routeId: found.offered.routeId };
  };
}

/** Finds the service that a row names: by its identifier, or else by a name that only one payable service has. */
export function findService(named: string, offers: readonly OfferedService[], terms: BillTerms): Found {
  const wanted = folded(named);
  const byId = offers.filter(({ service }) => service.id === named.trim());
  const meant = byId.length > 0 ? byId : offers.filter(({ service }) => namesOf(service).includes(wanted));
  if (meant.length === 0) return { ok: false, why: `the provider lists no bill service "${named}"` };
  const payable = meant.filter(({ service }) => obstacleTo(service, terms) === undefined);
  const [only, ...others] = payable;
  if (only && others.length === 0) return { ok: true, offered: only };
  const [first] = meant;
  if (!only && first) return { ok: false, why: `"${named}" ${obstacleTo(first.service, terms)}` };
  const choices = payable.map(({ service }) => `${titleOf(service)} (${service.id})`).join(', ');
  return { ok: false, why: `"${named}" could be any of ${payable.length} services: ${choices}` };
}

const folded = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Returns the names of a service: its type, and its category and type together. */
const namesOf = ({ serviceTypeDescription: type, serviceCategoryDescription: category }: BillService) =>
  type ? [type, `${category ?? ''} ${type}`].map(folded) : [];

const titleOf = ({ serviceTypeDescription, serviceCategoryDescription, id }: BillService): string =>
  serviceTypeDescription || serviceCategoryDescription || id;

/** Returns why nothing can be paid to a service, or `undefined`. A currency or country in an unknown form is not an obstacle. */
function obstacleTo({ enabled, currencyId, countryId }: BillService, terms: BillTerms): string | undefined {
  if (enabled === false) return 'is switched off at the provider';
  const text = currencyId ?? '';
  const currency = /^\d{3}$/.test(text) ? currencyOfNumber(text) : currencyOf(text);
  if (currency && currency.code !== terms.currency) return `is paid in ${currency.code}, not ${terms.currency}`;
  const country = /^[A-Za-z]{2}$/.test(countryId ?? '') ? countryId?.toUpperCase() : undefined;
  return country && country !== terms.country ? `is a service of ${country}, not ${terms.country}` : undefined;
}

/** Returns why a service does not take an amount, or `undefined`. A limit of zero counts as never set. */
function amountRefusal(service: BillService, amount: Money): string | undefined {
  const limit = (figure: number | null | undefined): Money | undefined =>
    figure ? fromWire(figure, amount.currency) : undefined;
  const [least, most] = [limit(service.minAmount), limit(service.maxAmount)];
  const takes = `"${titleOf(service)}" takes`;
  if (least && amount.minor < least.minor) return `${takes} ${moneyText(least)} and more, not ${moneyText(amount)}`;
  if (most && amount.minor > most.minor) return `${takes} at most ${moneyText(most)}, not ${moneyText(amount)}`;
  return undefined;
}

const refusalOf = (refused: readonly string[], count: number): Fault =>
  new Fault(
    'bill-refused',
    `${counted(count, 'bill cannot', 'bills cannot')} be paid: ${refused.join('; ')}${count > refused.length ? `; and ${count - refused.length} more` : ''}.`,
    'Correct the service or the amount of these rows, or pay them elsewhere; `paybatch api find-bill-services` lists what the provider offers. Nothing was sent.',
  );
