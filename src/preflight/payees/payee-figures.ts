/** Counts and sums of rows for each verdict on a payee. */
import type { CurrencyCode } from '../../domain/currency.ts';
import type { Sum } from '../../domain/duplicate.ts';
import { add, type Money, zero } from '../../domain/money.ts';
import {
  type PayeeCounts,
  type PayeeFigures,
  type PayeeFinding,
  type PayeeVerdict,
  payeeVerdicts,
} from '../../domain/payee.ts';

/** Returns how many rows have each verdict. */
export function countsOf({ verdicts, paidBefore }: PayeeFigures): PayeeCounts {
  const countOf = (verdict: PayeeVerdict): number => verdicts.find((one) => one.verdict === verdict)?.count ?? 0;
  return {
    match: countOf('match'),
    closeMatch: countOf('close-match'),
    noMatch: countOf('no-match'),
    notPossible: countOf('not-possible'),
    ...(paidBefore && { paidBefore: paidBefore.count }),
  };
}

/** Count and sum of the rows of every verdict. */
export class Figures {
  readonly #currency: CurrencyCode;
  readonly #verdicts = new Map<PayeeVerdict, Sum>();
  #paidBefore: Sum;

  constructor(currency: CurrencyCode) {
    this.#currency = currency;
    this.#paidBefore = { count: 0, amount: zero(currency) };
  }

  add({ verdict, amount }: PayeeFinding): void {
    this.#verdicts.set(verdict, plus(this.#of(verdict), amount));
  }

  addPaidBefore(amount: Money): void {
    this.#paidBefore = plus(this.#paidBefore, amount);
  }

  result(asked: number, newOnly: boolean): PayeeFigures {
    return {
      asked,
      verdicts: payeeVerdicts.map((verdict) => ({ verdict, ...this.#of(verdict) })),
      ...(newOnly && { paidBefore: this.#paidBefore }),
    };
  }

  #of(verdict: PayeeVerdict): Sum {
    return this.#verdicts.get(verdict) ?? { count: 0, amount: zero(this.#currency) };
  }
}

const plus = (sum: Sum, amount: Money): Sum => ({ count: sum.count + 1, amount: add(sum.amount, amount) });
