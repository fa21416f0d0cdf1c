/** What a status record shows of a line, true or false. */
import { outcome, type WireLine, type WireOrder, type WireOutcome } from './wire.ts';
import type { RowFate } from './world.ts';

/** A number that no table knows. */
export const ODD_STATUS = 6;

/** The truth of a line that was taken so long ago. */
export function trueOutcome(fate: RowFate, amount: number, ageMs: number): WireOutcome {
  const [status, code] = fate.undecided ?? [8, '-1'];
  if (ageMs < fate.settleMs) return outcome(fate.odd ? ODD_STATUS : 0, null, 0);
  switch (fate.end) {
    case 'stuck':
      return fate.undecided ? outcome(status, code, 0) : outcome(fate.odd ? ODD_STATUS : 0, null, 0);
    case 'rejected':
      return outcome(7, '0', 0);
    case 'failed':
      return outcome(5, '18', 0);
    case 'timed-out':
      return outcome(8, '-1', 0);
    case 'late-completion':
      return ageMs < fate.settleMs + fate.lateMs ? outcome(status, code, 0) : outcome(4, '0', amount);
    default:
      return outcome(4, '0', amount);
  }
}

/** Whether a line shows a status beside a code that decides nothing. */
export const isUndecided = ({ undecided }: RowFate, shown: WireOutcome): boolean =>
  undecided !== undefined && shown.resultCode === undecided[1];

/** Which completions are shown falsely: some from the second time on. */
export class CompletionLies {
  readonly #shown = new Map<string, number>();

  tells({ transaction }: WireLine, lie: RowFate['lie']): boolean {
    const trace = transaction.systemTraceAuditNumber;
    const times = (this.#shown.get(trace) ?? 0) + 1;
    this.#shown.set(trace, times);
    return lie === 'amount-paid' || lie === 'completion-denied' || (lie === 'status-back' && times > 1);
  }
}

/** What is shown instead of a completion. */
export function falseOutcome(shown: WireOutcome, { transaction }: WireLine, lie: RowFate['lie']): WireOutcome {
  switch (lie) {
    case 'amount-paid':
      return { ...shown, paymentAmount: transaction.amount - 1 };
    case 'completion-denied':
      return { ...shown, resultCode: '18', resultCodeDescription: 'Declined' };
    case 'status-back':
      return outcome(0, null, 0);
    default:
      return shown;
  }
}

/** A line that nobody sent, said to be completed. */
export function strangeLine({ paymentOrderLines }: WireOrder) {
  const amount = paymentOrderLines[0]?.transaction.amount ?? 0;
  const transaction = { amount, systemTraceAuditNumber: '00000000-0000-8000-8000-000000000002' };
  return { recipient: {}, transaction, transactionOutcome: outcome(4, '0', amount), lied: true };
}

/** Whether nothing comes after it: completed, rejected or failed. */
export const isEnd = ({ resultCode }: WireOutcome): boolean => resultCode === '0' || resultCode === '18';
