/** The money of one row: what it was quoted, what it cost, what left the wallet. */
import type { ResultRow } from '../domain/batch.ts';
import type { LineReport } from '../domain/fact.ts';
import { add, fromWire, type Money, zero } from '../domain/money.ts';
import { type LineState, phaseSaid } from '../domain/order-line.ts';

/**
 * Returns the amount of a row: what it was to be paid or, if the sheet leaves it out, would have been paid. `undefined` if it
 * is unknown.
 */
export const amountOfRow = ({ payout, leftOut }: ResultRow): Money | undefined => (payout ?? leftOut)?.amount;

/**
 * Reports whether a person recorded the outcome of a row: the service gives no final outcome, or none for the attempt that paid
 * the row.
 */
export const isByHand = ({ line, outcome }: ResultRow): boolean =>
  line?.resolved !== undefined &&
  (outcome === 'completed' ? line.phase !== 'completed' : line.phase === 'open' || line.phase === 'timed-out');

/**
 * Returns the fee that the service says it charged for a row; `undefined` if it says none, and for a row that was resolved by
 * hand. The fee of a row that was not paid counts too, unless it is zero, because it left the wallet.
 */
export function feeOf(row: ResultRow): Money | undefined {
  const { outcome, payout, line } = row;
  if (!payout || !line?.report || isByHand(row)) return undefined;
  const fee = fromWire(line.report.feeAmount, payout.amount.currency);
  return fee && (outcome === 'completed' || fee.minor !== 0n) ? fee : undefined;
}

/** Returns the payments that the service shows for a row, and what was paid too much; none for a row without a payout. */
export function shownOf({ payout, line, earlierLines = [] }: ResultRow): PaymentsShown {
  if (!payout) return { payments: [] };
  return paymentsShown(payout.amount, line ? [...earlierLines, line] : earlierLines);
}

/** The money of one row, apart from its amount. */
export interface RowMoney {
  readonly fee: Money | undefined;
  /**
   * What the row took from the wallet: amount and fee of a paid row, with what was paid too much; only the fee of any other
   * row.
   */
  readonly debit: Money | undefined;
  readonly tooMuch: Money | undefined;
}

/** Returns fee, debit and overpayment together, because each follows from the others. */
export function moneyOfRow(row: ResultRow): RowMoney {
  const { outcome, payout } = row;
  const fee = feeOf(row);
  const { tooMuch } = shownOf(row);
  if (outcome !== 'completed' || !payout) return { fee, tooMuch, debit: fee };
  const nothing = zero(payout.amount.currency);
  return { fee, tooMuch, debit: add(add(payout.amount, fee ?? nothing), tooMuch ?? nothing) };
}

export const debitOf = (row: ResultRow): Money | undefined => moneyOfRow(row).debit;

/** A date with a time and a zone: `2026-11-21T09:15:00+03:00`. */
const UNAMBIGUOUS_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Returns when a paid row was paid, in wall-clock milliseconds: the time that the service states with a zone, or else the time
 * at which its report was read. `undefined` for a row that was resolved by hand, because its time is unknown.
 */
export function completedAt(row: ResultRow): number | undefined {
  const { outcome, line } = row;
  if (outcome !== 'completed' || isByHand(row)) return undefined;
  const stated = line?.report?.date ?? '';
  const time = UNAMBIGUOUS_TIME.test(stated) ? Date.parse(stated) : Number.NaN;
  return Number.isNaN(time) ? line?.reportedAt : time;
}

/** Returns the network's receipt number or, without one, the number that a person recorded. */
export const receiptOf = ({ line }: ResultRow): string | undefined => line?.report?.receipt ?? line?.resolved?.receipt;

/** The payments that the service shows for a row: exactly one, unless something went wrong. */
export interface PaymentsShown {
  readonly payments: readonly { readonly amount: Money; readonly receipt?: string }[];
  /** What was paid beyond the amount of the row, as far as the service shows; `undefined` if nothing was. */
  readonly tooMuch?: Money;
}

type Payment = PaymentsShown['payments'][number];

const NONE: readonly LineReport[] = [];

/** Returns the payment in a report; `undefined` if the report shows none. */
function paymentOf(report: LineReport, { currency }: Money): Payment | undefined {
  const amount = phaseSaid(report, true) === 'completed' && fromWire(report.paidAmount, currency);
  if (!amount) return undefined;
  return report.receipt === undefined ? { amount } : { amount, receipt: report.receipt };
}

/** Returns the payments of a row over all its attempts; `lines` are the row's lines in its orders. */
export function paymentsShown(amount: Money, lines: readonly LineState[]): PaymentsShown {
  const payments: Payment[] = [];
  const see = (report: LineReport): void => {
    const payment = paymentOf(report, amount);
    if (payment) payments.push(payment);
  };
  // Every report of a line counts: for the intended payment, and for any further payments that the service made.
  for (const { report, repeats = NONE } of lines) {
    if (report) see(report);
    for (const repeat of repeats) see(repeat);
  }
  // All payments have the currency of the amount. This runs several times for each row, so it creates no objects for sums.
  let minor = -amount.minor;
  for (const { amount: paid } of payments) minor += paid.minor;
  return minor > 0n ? { payments, tooMuch: { minor, currency: amount.currency } } : { payments };
}
