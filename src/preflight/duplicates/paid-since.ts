/**
 * Failed rows whose person another batch has paid since, or may pay. Somebody who corrects a phone or an amount writes a new
 * sheet, and the row of the first one stays failed: tried again, it would pay the person a second time.
 */
import type { BatchHeader, Payout, ResultRow } from '../../domain/batch.ts';
import type { BatchId } from '../../domain/ids.ts';
import { sameMoney } from '../../domain/money.ts';
import { isDefiniteFailure } from '../../domain/outcome.ts';
import { comparedName } from '../../domain/staging.ts';
import type { GuardDeps } from './duplicate-guard.ts';
import { namesPayment } from './match-payments.ts';
import { daysBefore } from './pay-period.ts';

type SinceDeps = Pick<GuardDeps, 'ledger' | 'settings'>;

/**
 * Returns the batch that has paid the person of a row since this batch was planned, or may have paid it, by row number; none in a
 * rehearsal. It is the same person under the same name, at the same phone or account, or under the same reference with the same
 * amount, unless the reference only counts rows.
 */
export async function paidSince(
  batch: BatchHeader,
  rows: readonly ResultRow[],
  deps: SinceDeps,
): Promise<ReadonlyMap<number, BatchId>> {
  const found = new Map<number, BatchId>();
  if (deps.settings.sandbox || rows.length === 0) return found;
  const named = Map.groupBy(rows, ({ payout }) => comparedName(payout?.name ?? ''));
  const to = Map.groupBy(rows, ({ payout }) => payout?.payee);
  const referred = Map.groupBy(rows, ({ payout }) => payout?.reference);
  for await (const { id, payout } of paymentsSince(batch, deps)) {
    const { name, payee, reference, amount } = payout;
    const isNamed = reference !== undefined && namesPayment(reference, batch.rows);
    const alike = isNamed ? (referred.get(reference) ?? []) : [];
    const same = alike.filter((row) => row.payout && sameMoney(row.payout.amount, amount));
    const person = [...(named.get(comparedName(name)) ?? []), ...(to.get(payee) ?? []), ...same];
    for (const { row } of person) found.set(row, id);
  }
  return found;
}

/**
 * Yields the payments of other batches that were made, may have been made, or may still be: all those of later batches, and those
 * that earlier ones have sent since.
 */
async function* paymentsSince(
  { id: own, plannedAt }: BatchHeader,
  { ledger, settings }: SinceDeps,
): AsyncGenerator<{ readonly id: BatchId; readonly payout: Payout }> {
  const latestFirst = await ledger.batches();
  const at = latestFirst.findIndex(({ id }) => id === own);
  const near = daysBefore(plannedAt, settings.duplicates.withinDays);
  for (const [place, { id, ...other }] of latestFirst.entries()) {
    const isLater = place < at;
    const isAtWork = place > at && other.plannedAt >= near && (await ledger.lastFactAt(id)) > plannedAt;
    if (!isLater && !isAtWork) continue;
    for await (const block of ledger.resultRows(id)) {
      for (const row of block)
        if (row.payout && isDue(row) && (isLater || isSentAfter(row, plannedAt))) yield { id, payout: row.payout };
    }
  }
}

const isDue = ({ outcome }: ResultRow): boolean => outcome !== 'invalid' && !isDefiniteFailure(outcome);

/** Reports whether a row was sent after a moment, or is about to be sent again. */
const isSentAfter = ({ state }: ResultRow, moment: number): boolean =>
  state !== undefined && (state.firstClaimedAt === undefined ? state.attempt > 1 : state.firstClaimedAt > moment);
