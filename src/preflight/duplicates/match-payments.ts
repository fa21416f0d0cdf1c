/**
 * Finds the payments of other batches that are the same as these: by payee and amount, or by reference and amount. Works in
 * blocks, with two look-ups for each block.
 */
import type { Payout, ResultRow } from '../../domain/batch.ts';
import type { EarlierPayment, MovedPayment } from '../../domain/duplicate.ts';
import type { BatchId } from '../../domain/ids.ts';
import type { PaidElsewhere } from '../../domain/known-people.ts';
import { type Money, sameMoney } from '../../domain/money.ts';
import { maskedPhone } from '../../domain/msisdn.ts';
import { comparedName, type StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** Payments in blocks, so that nothing holds all of them in memory. */
export type Payments = Iterable<readonly StagedPayment[]>;

/** What other batches hold for one payment. */
interface MatchedPayment extends Before {
  readonly payment: StagedPayment;
  /** One match for each batch. */
  readonly matches: readonly Match[];
}

/**
 * Yields the payments of a sheet of `rows` rows block by block, with what batches planned at `since` (wall-clock
 * milliseconds) or later hold for them.
 */
export async function* matchPayments(
  payments: Payments,
  ledger: Pick<Ledger, 'paymentsTo' | 'paymentsToOthers'>,
  { since, rows }: { readonly since: number; readonly rows: number },
): AsyncGenerator<readonly MatchedPayment[]> {
  for (const block of payments) {
    const payees = [...new Set(block.map(({ payee }) => payee))];
    const to = Map.groupBy(await ledger.paymentsTo(payees, since), ({ payee }) => payee);
    const referred = block.flatMap(({ reference, payee }) => (reference === undefined ? [] : [{ reference, payee }]));
    const moved = Map.groupBy(await ledger.paymentsToOthers(referred, since), ({ reference }) => reference);
    yield block.map((payment) => {
      const { payee, reference = '' } = payment;
      const before = { to: to.get(payee) ?? [], moved: moved.get(reference) ?? [] };
      return { payment, ...before, matches: [...matchesOf(payment, before, rows)] };
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
  readonly earlier: Pick<EarlierPayment, 'batch' | 'key' | 'plannedAt'>;
  readonly isSame: boolean;
  /** Whether the reference or the name shows that it is the same payment, which chance does not. */
  readonly isCertain: boolean;
  /** Whom the batch pays, with numbers masked, if it is not the payee of the row. */
  readonly paidTo?: string;
}

/**
 * Returns one match for each batch. The same payment has the same amount and the same payee or, if account or name were
 * corrected, the same amount and reference. A payment that is in a sheet twice is the same twice only if the batch also has
 * it twice.
 */
function matchesOf(row: StagedPayment, { to, moved }: Before, rows: number): Iterable<Match> {
  const matches = new Map<BatchId, Match>();
  const counts = new Map<BatchId, number>();
  for (const earlier of to) {
    const { batch } = earlier;
    const before = matches.get(batch);
    const isEqual = sameMoney(earlier.amount, row.amount);
    if (isEqual) counts.set(batch, (counts.get(batch) ?? 0) + earlier.count);
    const isSame = (counts.get(batch) ?? 0) >= row.occurrence;
    const isSameReference = isEqual && row.reference !== undefined && earlier.reference === row.reference;
    matches.set(batch, { earlier, isSame, isCertain: isSameReference || before?.isCertain === true });
  }
  for (const earlier of moved) {
    const { batch, name, destination } = earlier;
    if (!isCorrected(earlier, row, rows)) continue;
    matches.set(batch, { earlier, isSame: true, isCertain: true, paidTo: paidToText(name, destination) });
  }
  return matches.values();
}

/**
 * Reports whether a row is an earlier payment under the same reference whose payee was corrected. A reference that only
 * counts the rows of a sheet shows it together with the name. `rows`: number of rows of the sheet.
 */
export const isCorrected = (
  earlier: { readonly reference?: string; readonly name: string; readonly amount: Money },
  row: Pick<StagedPayment, 'reference' | 'name' | 'amount'>,
  rows: number,
): boolean =>
  earlier.reference !== undefined &&
  earlier.reference === row.reference &&
  sameMoney(earlier.amount, row.amount) &&
  (namesPayment(earlier.reference, rows) || comparedName(earlier.name) === comparedName(row.name));

/**
 * Returns the row of an earlier batch in which the person of a payment was recognised at another phone or account, if it has the
 * same name and amount: the payment may be that row, corrected. A person may also be recognised by the number of a row, which
 * says nothing of the payment.
 */
export async function correctedRow(
  { name, amount }: Pick<StagedPayment, 'name' | 'amount'>,
  { batch, row }: PaidElsewhere,
  ledger: Pick<Ledger, 'findRow'>,
): Promise<(ResultRow & { readonly payout: Payout }) | undefined> {
  const found = await ledger.findRow(batch, row);
  const payout = found?.payout;
  const isSame = payout && comparedName(payout.name) === comparedName(name) && sameMoney(payout.amount, amount);
  return isSame ? { ...found, payout } : undefined;
}

/** Reports whether a reference identifies a payment. In many sheets it only counts the rows from 1, and identifies nothing. */
export const namesPayment = (reference: string, rows: number): boolean =>
  !/^\d+$/.test(reference) || Number(reference) > rows;

/** Names whom an earlier batch pays, with numbers masked. */
export const paidToText = (name: string, destination: string): string => `${name}, ${maskedPhone(destination)}`;
