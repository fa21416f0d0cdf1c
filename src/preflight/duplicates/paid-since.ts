/**
 * Failed rows whose person a later batch pays. Somebody who corrects a phone or an amount writes a new sheet, and the row of the
 * first one stays failed: tried again, it would pay the person a second time.
 */
import type { BatchHeader, ResultRow } from '../../domain/batch.ts';
import type { BatchId } from '../../domain/ids.ts';
import { sameMoney } from '../../domain/money.ts';
import { isDefiniteFailure } from '../../domain/outcome.ts';
import { comparedName } from '../../domain/staging.ts';
import type { GuardDeps } from './duplicate-guard.ts';
import { namesPayment } from './match-payments.ts';

/**
 * Returns the later batch that pays the person of a row, or may have paid it, by row number; none in a rehearsal. It is the same
 * person under the same name, or under the same reference with the same amount, unless the reference only counts rows.
 */
export async function paidSince(
  batch: BatchHeader,
  rows: readonly ResultRow[],
  { ledger, settings }: Pick<GuardDeps, 'ledger' | 'settings'>,
): Promise<ReadonlyMap<number, BatchId>> {
  const found = new Map<number, BatchId>();
  if (settings.sandbox || rows.length === 0) return found;
  const named = Map.groupBy(rows, ({ payout }) => comparedName(payout?.name ?? ''));
  const referred = Map.groupBy(rows, ({ payout }) => payout?.reference);
  for await (const { id, payout } of paymentsAfter(batch, ledger)) {
    const { name, reference, amount } = payout;
    const isNamed = reference !== undefined && namesPayment(reference, batch.rows);
    const alike = isNamed ? (referred.get(reference) ?? []) : [];
    const same = alike.filter((row) => row.payout && sameMoney(row.payout.amount, amount));
    for (const { row } of [...(named.get(comparedName(name)) ?? []), ...same]) found.set(row, id);
  }
  return found;
}

/** Yields the payments of later batches that were made, may have been made, or may still be. */
async function* paymentsAfter(
  batch: BatchHeader,
  ledger: GuardDeps['ledger'],
): AsyncGenerator<{ readonly id: BatchId; readonly payout: NonNullable<ResultRow['payout']> }> {
  const latestFirst = await ledger.batches();
  const at = latestFirst.findIndex(({ id }) => id === batch.id);
  for (const { id } of latestFirst.slice(0, at)) {
    await ledger.proveWhole(id);
    for await (const block of ledger.resultRows(id)) {
      for (const { payout, outcome } of block)
        if (payout && outcome !== 'invalid' && !isDefiniteFailure(outcome)) yield { id, payout };
    }
  }
}
