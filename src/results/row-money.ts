/** The money of one row: what it was quoted, what it cost, what left the wallet. */
import type { ResultRow } from '../domain/batch.ts';
import type { LineReport } from '../domain/fact.ts';
import { add, fromWire, type Money, zero } from '../domain/money.ts';
import { type LineState, phaseTold } from '../domain/order-line.ts';

/** What a row was to be paid; of one that its sheet leaves out, what it would have been. Undefined where nobody can tell. */
export const amountOfRow = ({ payout, leftOut }: ResultRow): Money | undefined => (payout ?? leftOut)?.amount;

/** The outcome of the row is a person's word: the service has no final one, or none on the attempt that paid it. */
export const isByHand = ({ line, outcome }: ResultRow): boolean =>
  line?.resolved !== undefined &&
  (outcome === 'completed' ? line.phase !== 'completed' : line.phase === 'open' || line.phase === 'timed-out');

/**
 * The fee that the service says it charged for a row; undefined while there is none to speak of, and of a row that was
 * resolved by hand. A fee on a row that was not paid is shown too: it left the wallet.
 */
export function feeOf(row: ResultRow): Money | undefined {
  const { outcome, payout, line } = row;
  if (!payout || !line?.report || isByHand(row)) return undefined;
  const fee = fromWire(line.report.feeAmount, payout.amount.currency);
  return fee && (outcome === 'completed' || fee.minor !== 0n) ? fee : undefined;
}

/** The payments that the service shows of a row, and what was paid too much; of a row without a payout, none. */
export function shownOf({ payout, line, earlierLines = [] }: ResultRow): PaymentsShown {
  if (!payout) return { payments: [] };
  return paymentsShown(payout.amount, line ? [...earlierLines, line] : earlierLines);
}

/** The money of one row, beyond what it was to be paid. */
export interface RowMoney {
  readonly fee: Money | undefined;
  /** What it took from the wallet: amount and fee of a paid row, the fee alone of another, and what was paid too much. */
  readonly debit: Money | undefined;
  readonly tooMuch: Money | undefined;
}

/** All of it at once: one follows from the others. */
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
 * When a paid row was paid, in wall-clock milliseconds: the service's own time when it names its zone, and else when
 * its word was read. Undefined for a row that was resolved by hand: nobody said when.
 */
export function completedAt(row: ResultRow): number | undefined {
  const { outcome, line } = row;
  if (outcome !== 'completed' || isByHand(row)) return undefined;
  const stated = line?.report?.date ?? '';
  const time = UNAMBIGUOUS_TIME.test(stated) ? Date.parse(stated) : Number.NaN;
  return Number.isNaN(time) ? line?.reportedAt : time;
}

/** The network's receipt number, or the one that a person gave for a row without one. */
export const receiptOf = ({ line }: ResultRow): string | undefined => line?.report?.receipt ?? line?.resolved?.receipt;

/** What the service shows to have been paid for a row, which is once in a world without mistakes. */
export interface PaymentsShown {
  readonly payments: readonly { readonly amount: Money; readonly receipt?: string }[];
  /** What was paid beyond the amount of the row; undefined when nothing was, as far as is shown. */
  readonly tooMuch?: Money;
}

type Payment = PaymentsShown['payments'][number];

const NONE: readonly LineReport[] = [];

/** The payment that a report tells of; undefined when it tells of none. */
function paymentOf(report: LineReport, { currency }: Money): Payment | undefined {
  const amount = phaseTold(report, true) === 'completed' && fromWire(report.paidAmount, currency);
  if (!amount) return undefined;
  return report.receipt === undefined ? { amount } : { amount, receipt: report.receipt };
}

/** The payments of a row, whatever its attempts; `lines` are those of its orders. */
export function paymentsShown(amount: Money, lines: readonly LineState[]): PaymentsShown {
  const payments: Payment[] = [];
  const see = (report: LineReport): void => {
    const payment = paymentOf(report, amount);
    if (payment) payments.push(payment);
  };
  // Every report of a line: of the payment that was asked for, and of those that the service made of it besides.
  for (const { report, repeats = NONE } of lines) {
    if (report) see(report);
    for (const repeat of repeats) see(repeat);
  }
  // All of them are of the currency of the amount. Asked for several times a row, so no sum is an object.
  let minor = -amount.minor;
  for (const { amount: paid } of payments) minor += paid.minor;
  return minor > 0n ? { payments, tooMuch: { minor, currency: amount.currency } } : { payments };
}
