/** Checks routes, charges, limits and the wallet before the first order is recorded. */

import { draftOfRow } from '../batch/order-groups.ts';
import type { OrderTerms } from '../batch/plan-orders.ts';
import type { KindName, Payout } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { Emit, MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { add, currencyRecord, type Money, moneyText, parseAmount, subtract, zero } from '../domain/money.ts';
import type { RouteSettings, Settings } from '../domain/settings.ts';
import type { Staging } from '../domain/staging.ts';
import type { SubmissionName } from '../domain/submission.ts';
import { kinds } from '../kinds/index.ts';
import type { Client } from '../service/client/client.ts';
import { submissions } from '../service/submissions/index.ts';
import { settleBills } from './bill-services.ts';
import { chargeOf, edgeSaving, gapAround, type Scale } from './charge.ts';
import { type PatienceDeps, patientClient } from './patient-client.ts';
import { readBalance, readScale } from './read-service.ts';
import { readRoutes, requireRoutes, routesPatienceMs } from './routes.ts';

/** How many of the largest payments, and of those just above a band edge, the statement names. */
const NAMED_ROWS_MAX = 5;

/** What a batch costs, and everything that its orders need to know about the service. */
export interface Preflight extends Omit<OrderTerms, 'notes'> {
  readonly statement: MoneyStatement;
}

/** What preflight needs to ask the service, and to report what it could not ask. */
interface PreflightDeps extends PatienceDeps {
  readonly settings: Settings;
  readonly client: Client;
}

/** Prices the staged payouts and compares them with the wallet. Throws a Fault if anything forbids sending. */
export async function preflight(staging: Staging, currency: CurrencyCode, deps: PreflightDeps): Promise<Preflight> {
  const { settings, emit } = deps;
  const client = patientClient(deps.client, deps);
  const routeOf = (kind: KindName): RouteSettings => {
    const route = settings.routes[kind];
    if (route) return route;
    throw new Fault(
      'route-missing',
      `No route is configured for ${kind} payments in the profile "${settings.profile}".`,
      `Add routes.${kind} (routeId, channelType, transactionTypeId) to the profile; the provider has its ids. Nothing was sent.`,
    );
  };
  const staged = stagedWays(staging);
  for (const kind of staged.kinds) routeOf(kind);
  const callbackUrl = callbackOf(staged.submissions, settings);
  const assigned = await readRoutes(patientClient(deps.client, deps, routesPatienceMs));
  if ('routes' in assigned) requireRoutes(staged.kinds, settings, assigned.routes);
  else emit({ type: 'notice', level: 'warning', message: routesUnknown(staged.kinds, assigned.unknown) });
  const billServiceOf = staged.submissions.has('bill-payment')
    ? await settleBills(staging, { currency, country: settings.country }, client)
    : undefined;
  const scales = new Map<string, Scale>();
  for (const kind of staged.kinds) {
    const { transactionTypeId } = routeOf(kind);
    if (!scales.has(transactionTypeId)) {
      scales.set(transactionTypeId, await readScale(client, transactionTypeId, currency));
    }
  }
  const scaleOf = (payout: Payout): Scale => {
    const scale = scales.get(routeOf(payout.kind).transactionTypeId);
    invariant(scale, 'the scale of every staged kind was read');
    return scale;
  };
  const balance = await readBalance(client, currency);
  const between = new BetweenBands();
  const statement = stateMoney(staging, scaleOf, balance, between);
  between.emit(emit);
  requireLimits(staging, settings, statement);
  return {
    statement,
    routeOf,
    chargeOf: (payout) => chargeOf(scaleOf(payout), payout.amount),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(billServiceOf && { billServiceOf }),
  };
}

const routesUnknown = (kinds: Iterable<KindName>, why: string): string =>
  `The service did not list the routes of this account (${why}). Those of ${[...kinds].join(', ')} are used unchecked.`;

/** The kinds of the staged rows, and how they are submitted. */
interface Ways {
  readonly kinds: ReadonlySet<KindName>;
  readonly submissions: ReadonlySet<SubmissionName>;
}

function stagedWays(staging: Staging): Ways {
  const found = { kinds: new Set<KindName>(), submissions: new Set<SubmissionName>() };
  for (const block of staging.blocks()) {
    for (const row of block) {
      const draft = draftOfRow(row);
      if (row.payout) found.kinds.add(row.payout.kind);
      if (draft) found.submissions.add(draft.submission);
    }
  }
  return found;
}

/**
 * Returns the callback address of the profile. Payment orders name none, but other submissions must: throws a Fault
 * `configuration` if they need one and the profile has none.
 */
function callbackOf(staged: Ways['submissions'], { callbackUrl, profile }: Settings): string | undefined {
  const asking = [...staged].find((submission) => submissions[submission].namesCallback);
  if (asking === undefined || callbackUrl !== undefined) return callbackUrl;
  throw new Fault(
    'configuration',
    `Airtime and bills need an address to which the service reports, and none is configured for the profile "${profile}".`,
    'Set callbacks.url of the profile to an https address that the service can reach, and take its reports there with `paybatch listen`. Nothing was sent.',
  );
}

/** Returns the money statement: what is paid, what it costs, and what it leaves in the wallet. */
function stateMoney(
  staging: Staging,
  scaleOf: (payout: Payout) => Scale,
  balance: Money,
  between: BetweenBands,
): MoneyStatement {
  const nothing = zero(balance.currency);
  const byKind = new Map<KindName, { count: number; amount: Money; charges: Money }>();
  const largest: { row: number; name: string; amount: Money }[] = [];
  const aboveEdge: { row: number; amount: Money; saving: Money }[] = [];
  for (const block of staging.blocks()) {
    for (const { payout, row } of block) {
      if (!payout) continue;
      const scale = scaleOf(payout);
      const sums = byKind.get(payout.kind) ?? { count: 0, amount: nothing, charges: nothing };
      byKind.set(payout.kind, {
        count: sums.count + 1,
        amount: add(sums.amount, payout.amount),
        charges: add(sums.charges, chargeOf(scale, payout.amount)),
      });
      keepLargest(largest, { row, name: payout.name, amount: payout.amount });
      const saving = edgeSaving(scale, payout.amount);
      if (saving && aboveEdge.length < NAMED_ROWS_MAX) aboveEdge.push({ row, amount: payout.amount, saving });
      between.add(row, payout.amount, scale);
    }
  }
  const lines = kinds.flatMap(({ name, title }) => {
    const sums = byKind.get(name);
    return sums ? [{ kind: name, title, ...sums }] : [];
  });
  const total = lines.reduce((sum, { amount }) => add(sum, amount), nothing);
  const charges = lines.reduce((sum, line) => add(sum, line.charges), nothing);
  const needed = add(total, charges);
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  return {
    kinds: lines,
    count,
    people: staging.repeatedPayees().reduce((left, repeated) => left - (repeated.count - 1), count),
    total,
    charges,
    needed,
    balance,
    after: subtract(balance, needed),
    largest,
    aboveEdge,
  };
}

/** The rows that fall between two bands of a scale in whole units, and how they are charged. */
class BetweenBands {
  readonly #named: string[] = [];
  #count = 0;

  /** Takes the next row, which may fall between two bands. */
  add(row: number, amount: Money, scale: Scale): void {
    const gap = gapAround(scale, amount);
    if (!gap) return;
    this.#count += 1;
    if (this.#named.length === NAMED_ROWS_MAX) return;
    const [below, above, charge] = [gap.lower - 1n, gap.upper + 1n, gap.charge].map((minor) =>
      moneyText({ minor, currency: amount.currency }),
    );
    this.#named.push(`row ${row} (${moneyText(amount)}, between ${below} and ${above}): ${charge}`);
  }

  /** Reports the rows, if there are any. */
  emit(emit: Emit): void {
    const [named, count] = [this.#named, this.#count];
    if (count === 0) return;
    const more = count > named.length ? `; and ${count - named.length} more` : '';
    emit({
      type: 'notice',
      level: 'warning',
      code: 'between-bands',
      message: `The provider's charges have no band for ${counted(count, 'amount')} between two whole units, so each is estimated with the more expensive of the two bands next to it: ${named.join('; ')}${more}. The service may charge less.`,
    });
  }
}

function keepLargest<T extends { readonly amount: Money }>(largest: T[], candidate: T): void {
  const at = largest.findIndex(({ amount }) => amount.minor < candidate.amount.minor);
  if (at < 0) largest.push(candidate);
  else largest.splice(at, 0, candidate);
  largest.length = Math.min(largest.length, NAMED_ROWS_MAX);
}

function requireLimits(staging: Staging, { limits }: Settings, { total, largest: [largest] }: MoneyStatement): void {
  const limitOf = (table: Readonly<Record<string, string>>): Money | undefined => {
    const text = table[total.currency];
    if (text === undefined) return undefined;
    const parsed = parseAmount(text, currencyRecord(total.currency));
    if (!parsed.ok) throw new Fault('configuration', `The limit "${text}" is not an amount.`, 'Correct the limits.');
    return parsed.money;
  };
  const perBatch = limitOf(limits.perBatch);
  if (perBatch && total.minor > perBatch.minor) {
    throw tooMuch(`The sheet pays ${moneyText(total)}, more than the limit of ${moneyText(perBatch)} for one batch.`);
  }
  const perRow = limitOf(limits.perRow);
  if (!perRow || !largest || largest.amount.minor <= perRow.minor) return;
  for (const block of staging.blocks()) {
    const over = block.find(({ payout }) => payout && payout.amount.minor > perRow.minor);
    if (over?.payout) {
      throw tooMuch(
        `Row ${over.row} pays ${moneyText(over.payout.amount)}, more than the limit of ${moneyText(perRow)} for one row.`,
      );
    }
  }
}

const tooMuch = (message: string): Fault =>
  new Fault(
    'limit-exceeded',
    message,
    'Correct the sheet, or raise the limits in the configuration. Nothing was sent.',
  );
