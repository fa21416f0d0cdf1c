/** Sums over rows: of all of them, or of those that have an outcome, a way of paying, a reason or a value in common. */
import type { ResultRow } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { add, type Money, zero } from '../domain/money.ts';
import { amountOfRow, type RowMoney } from './row-money.ts';

/** A number of rows, and their amount. */
export interface CountAndAmount {
  readonly count: number;
  readonly amount: Money;
}

/** Sums over some rows. Money that a row does not have counts as nothing. */
export interface Sums extends CountAndAmount {
  /** Fees that the service says it charged. */
  readonly fees: Money;
  /** Charges quoted. */
  readonly quoted: Money;
  /** What left the wallet. */
  readonly debit: Money;
  readonly paidCount: number;
  readonly paid: Money;
  /** Charges quoted for the rows that were paid. */
  readonly paidQuoted: Money;
}

export function noSums(currency: CurrencyCode): Sums {
  const nothing = zero(currency);
  return {
    count: 0,
    amount: nothing,
    fees: nothing,
    quoted: nothing,
    debit: nothing,
    paidCount: 0,
    paid: nothing,
    paidQuoted: nothing,
  };
}

/** Returns the sums over one row. */
export function sumsOfRow(row: ResultRow, { fee, debit }: RowMoney, currency: CurrencyCode): Sums {
  const nothing = zero(currency);
  const isPaid = row.outcome === 'completed';
  const [amount, quoted] = [amountOfRow(row) ?? nothing, row.charge ?? nothing];
  return {
    count: 1,
    amount,
    fees: fee ?? nothing,
    quoted,
    debit: debit ?? nothing,
    paidCount: isPaid ? 1 : 0,
    paid: isPaid ? amount : nothing,
    paidQuoted: isPaid ? quoted : nothing,
  };
}

export const plus = (a: Sums, b: Sums): Sums => ({
  ...plusRows(a, b),
  fees: add(a.fees, b.fees),
  quoted: add(a.quoted, b.quoted),
  debit: add(a.debit, b.debit),
  paidCount: a.paidCount + b.paidCount,
  paid: add(a.paid, b.paid),
  paidQuoted: add(a.paidQuoted, b.paidQuoted),
});

export const plusRows = (a: CountAndAmount, b: CountAndAmount): CountAndAmount => ({
  count: a.count + b.count,
  amount: add(a.amount, b.amount),
});
