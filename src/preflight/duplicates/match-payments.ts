/**
 * Finds the payments of other batches that are the same as these: by payee and amount, or by reference, name and amount.
 * Works in blocks, with two look-ups for each block.
 */
import type { EarlierPayment, MovedPayment } from '../../domain/duplicate.ts';
import type { BatchId } from '../../domain/ids.ts';
import { sameMoney } from '../../domain/money.ts';
import { comparedName, type StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** Payments in blocks, so that nothing holds all of them in memory. */
export type Payments = Iterable<readonly StagedPayment[]> | AsyncIterable<readonly StagedPayment[]>;

/** What other batches hold for one payment. */
export interface MatchedPayment extends Before {
  readonly payment: StagedPayment;
  /** One match for each batch. */
  readonly matches: readonly Match[];
}

/** Yields the payments block by block, with what batches planned at `since` (wall-clock milliseconds) or later hold for them. */
export async function* matchPayments(
  payments: Payments,
  ledger: Pick<Ledger, 'paymentsTo' | 'paymentsToOthers'>,
  since: number,
): AsyncGenerator<readonly MatchedPayment[]> {
  for await (const block of payments) {
    const payees = [...new Set(block.map(({ payee }) => payee))];
    const to = Map.groupBy(await ledger.paymentsTo(payees, since), ({ payee }) => payee);
    const referred = block.flatMap(({ reference, payee }) => (reference === undefined ? [] : [{ reference, payee }]));
    const moved = Map.groupBy(await ledger.paymentsToOthers(referred, since), ({ reference }) => reference);
    yield block.map((payment) => {
      const { payee, reference = '' } = payment;
      const before = { to: to.get(payee) ?? [], moved: moved.get(reference) ?? [] };
      return { payment, ...before, matches: [...matchesOf(payment, before)] };
    });
  }
}

/** Earlier payments that concern a row: those to its payee, and those to others under its reference, latest first. */
export interface Before {
  readonly to: readonly EarlierPayment[];
  readonly moved: readonly MovedPayment[];
}

/** What one row and one earlier batch have in common. */
export interface Match {
  readonly earlier: EarlierPayment | MovedPayment;
  readonly isSame: boolean;
  readonly isSameReference: boolean;
}

/**
 * Returns one match for each batch. The same payment has the same amount and the same payee or, if the account was
 * corrected, the same amount, reference and name. A payment that is in a sheet twice is the same twice only if the batch
 * also has it twice.
 */
function matchesOf(row: StagedPayment, { to, moved }: Before): Iterable<Match> {
  const matches = new Map<BatchId, Match>();
  const counts = new Map<BatchId, number>();
  for (const earlier of to) {
    const { batch } = earlier;
    const before = matches.get(batch);
    const isEqual = sameMoney(earlier.amount, row.amount);
    if (isEqual) counts.set(batch, (counts.get(batch) ?? 0) + earlier.count);
    const isSame = (counts.get(batch) ?? 0) >= row.occurrence;
    const isSameReference = isEqual && row.reference !== undefined && earlier.reference === row.reference;
    matches.set(batch, { earlier, isSame, isSameReference: isSameReference || before?.isSameReference === true });
  }
  for (const earlier of moved) {
    if (comparedName(earlier.name) !== comparedName(row.name) || !sameMoney(earlier.amount, row.amount)) continue;
    matches.set(earlier.batch, { earlier, isSame: true, isSameReference: true });
  }
  return matches.values();
}
