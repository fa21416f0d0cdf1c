/** What the service shows to have been paid for a row, which is once in a world without mistakes. */
import type { LineReport } from './fact.ts';
import { add, fromWire, type Money, subtract, zero } from './money.ts';
import { type LineState, phaseTold } from './order-line.ts';

export interface PaymentsShown {
  readonly payments: readonly { readonly amount: Money; readonly receipt?: string }[];
  /** What was paid beyond the amount of the row; undefined when nothing was, as far as is shown. */
  readonly tooMuch?: Money;
}

/** Every report of a line: of the payment that was asked for, and of those that the service made of it besides. */
const reportsOf = ({ report, repeats = [] }: LineState): readonly LineReport[] => [
  ...(report ? [report] : []),
  ...repeats,
];

/** The payments of a row, whatever its attempts; `lines` are those of its orders. */
export function paymentsShown(amount: Money, lines: readonly LineState[]): PaymentsShown {
  const payments = lines.flatMap(reportsOf).flatMap((report) => {
    const paid = phaseTold(report, true) === 'completed' && fromWire(report.paidAmount, amount.currency);
    return paid ? [{ amount: paid, ...(report.receipt !== undefined && { receipt: report.receipt }) }] : [];
  });
  const paid = payments.reduce((sum, payment) => add(sum, payment.amount), zero(amount.currency));
  const over = subtract(paid, amount);
  return { payments, ...(over.minor > 0n && { tooMuch: over }) };
}
