/**
 * What a newly planned batch takes over: payments that earlier batches have orders for and have not paid. Rows that were
 * never sent may be in a sheet that was allowed to repeat them, and rows that failed may have been corrected and paid from
 * another sheet. Of all batches that hold a payment, only the latest may send it, no matter what becomes of the payment there.
 */
import type { HeldOrder } from '../../domain/batch.ts';
import type { UnpaidRow } from '../../domain/duplicate.ts';
import type { BatchId, OrderId, TraceNumber } from '../../domain/ids.ts';
import { sameMoney } from '../../domain/money.ts';
import type { Settings } from '../../domain/settings.ts';
import type { StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isCorrected } from './match-payments.ts';
import { isHeldBy } from './pay-period.ts';
import { lastFact, nobody, type SheetOfRows, type UnpaidPeople, unpaidPeople } from './unpaid-people.ts';

interface HeldDeps {
  readonly ledger: Pick<Ledger, 'head' | 'batches' | 'lastFactOf' | 'unpaidRows' | 'unpaidIn'>;
  readonly settings: Settings;
}

/** What a sheet takes over, as it was when the ledger ended with a fact. */
interface TakenOver {
  /** Number of that fact. */
  readonly seenTo: number;
  readonly orders: readonly HeldOrder[];
  readonly people: UnpaidPeople;
}

/**
 * Returns the orders of earlier batches that a batch supersedes, each once; none in a rehearsal. Under the lease of
 * planning, no other process plans a batch or tries one of these orders again until the batch is recorded. `before`: the
 * people whom an earlier call, or the duplicate guard, has found.
 */
export async function heldOrders(
  sheet: SheetOfRows,
  { ledger, settings }: HeldDeps,
  before?: UnpaidPeople,
): Promise<TakenOver> {
  const seenTo = await lastFact(ledger);
  // Every planned batch is earlier, no matter what the clock said when it was planned.
  const earlier = settings.sandbox ? [] : (await ledger.batches()).filter((one) => isHeldBy(sheet, one, settings));
  if (earlier.length === 0) return { seenTo, orders: [], people: nobody };
  const ids = new Set(earlier.map(({ id }) => id));
  const since = Math.min(...earlier.map(({ plannedAt }) => plannedAt));
  const held = new Map<OrderId, HeldOrder & { readonly traces: TraceNumber[] }>();
  const people = await unpaidPeople(sheet, { ledger, settings }, before);
  for (const block of sheet.staging.payments()) {
    const rows = await heldRows(block, ledger, { since, rows: sheet.rows });
    const corrected = block.flatMap((payment) => people.correctedBy(payment));
    for (const { batch: id, order, trace } of [...rows, ...corrected]) {
      if (!ids.has(id)) continue;
      const one = held.get(order) ?? { batch: id, order, traces: [] };
      if (!one.traces.includes(trace)) one.traces.push(trace);
      held.set(order, one);
    }
  }
  return { seenTo, orders: [...held.values()], people };
}

/**
 * Like `heldOrders`, but also takes the leases of the orders' batches: from then on, no other process sends one of these
 * orders or tries it again. Needs the lease of planning. Throws a Fault `ledger-held` that names the run working on such a
 * batch, because what that run is about to send cannot be taken over. `before`: what `heldOrders` returned before the lease
 * of planning was taken; it stands if nothing was recorded since.
 */
export async function takeOver(
  sheet: SheetOfRows,
  deps: HeldDeps & { readonly ledger: Pick<Ledger, 'takeLease'> },
  before: TakenOver,
): Promise<readonly HeldOrder[]> {
  const taken = new Set<BatchId>();
  for (let held = before; ; ) {
    if (held.seenTo !== (await lastFact(deps.ledger))) held = await heldOrders(sheet, deps, held.people);
    const free = [...new Set(held.orders.map((one) => one.batch))].filter((one) => !taken.has(one));
    if (free.length === 0) return held.orders;
    for (const one of free) {
      await deps.ledger.takeLease(one);
      taken.add(one);
    }
    // Until its lease was taken, a batch may have sent some of these orders. Then the ledger has another last fact.
  }
}

/** Releases the lease of planning, and the leases of the batches whose orders were taken over. */
export async function giveBack(held: readonly HeldOrder[], ledger: Pick<Ledger, 'releaseLease'>): Promise<void> {
  for (const batch of new Set(held.map((one) => one.batch))) await ledger.releaseLease(batch);
  await ledger.releaseLease();
}

async function heldRows(
  payments: readonly StagedPayment[],
  ledger: Pick<Ledger, 'unpaidRows'>,
  { since, rows }: { readonly since: number; readonly rows: number },
): Promise<readonly UnpaidRow[]> {
  const to = Map.groupBy(payments, ({ payee }) => payee);
  const under = Map.groupBy(payments, ({ reference }) => reference);
  const referred = payments.flatMap(({ reference, payee }) => (reference === undefined ? [] : [{ reference, payee }]));
  const unpaid = await ledger.unpaidRows({ payees: [...to.keys()], referred }, since);
  return unpaid.filter((row) => {
    const moved = row.reference === undefined ? [] : (under.get(row.reference) ?? []);
    return [...(to.get(row.payee) ?? []), ...moved].some((payment) => isSame(row, payment, rows));
  });
}

/**
 * Reports whether a row and a payment are the same, by the rule of the duplicate guard (`match-payments.ts`), but without
 * counts. Which of several equal rows the other batch pays is unknown, so each of them may be the one.
 */
const isSame = (row: UnpaidRow, payment: StagedPayment, rows: number): boolean =>
  (row.payee === payment.payee && sameMoney(row.amount, payment.amount)) || isCorrected(row, payment, rows);
