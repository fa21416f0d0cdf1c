/** What the service shows to have been paid for a row, which is once in a world without mistakes. */
import type { LineReport } from './fact.ts';
import { fromWire, type Money } from './money.ts';
import { type LineState, phaseTold } from './order-line.ts';

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
