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
const reportsOf = ({ report, repeats = [] }: LineState): readonly LineReport[] =>
  report ? [report, ...repeats] : repeats;

/** The payments of a row, whatever its attempts; `lines` are those of its orders. */
export function paymentsShown(amount: Money, lines: readonly LineState[]): PaymentsShown {
  const payments: { readonly amount: Money; readonly receipt?: string }[] = [];
  let paid = zero(amount.currency);
  for (const line of lines) {
    for (const report of reportsOf(line)) {
      const one = phaseTold(report, true) === 'completed' && fromWire(report.paidAmount, amount.currency);
      if (!one) continue;
      payments.push(report.receipt === undefined ? { amount: one } : { amount: one, receipt: report.receipt });
      paid = add(paid, one);
    }
  }
  const over = subtract(paid, amount);
  return over.minor > 0n ? { payments, tooMuch: over } : { payments };
}
