/** Rows counted by what became of them, as their facts say it. */
import type { Tally } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { isSuperseded, outcomeOfLine } from '../domain/order.ts';
import { type Outcome, outcomes } from '../domain/outcome.ts';
import { feeOf, type RowOwner } from './order-columns.ts';

interface Sums {
  count: number;
  amount: bigint;
  fees: bigint;
  unread: number;
  superseded: number;
}

export class Tallied {
  readonly #sums = new Map<Outcome, Sums>();

  /** A row that an order pays. */
  paid({ state, line }: Pick<RowOwner, 'state' | 'line'>): void {
    const sums = this.#of(outcomeOfLine(state, line));
    sums.count += 1;
    sums.amount += line.amount.minor;
    sums.fees += feeOf(line) ?? 0n;
    if (isSuperseded(state)) sums.superseded += 1;
  }

  /** A row that no order pays; `amount` null: it has none that can be read. */
  setAside(outcome: 'left-out' | 'invalid', amount: bigint | null): void {
    const sums = this.#of(outcome);
    sums.count += 1;
    sums.amount += amount ?? 0n;
    if (outcome === 'left-out' && amount === null) sums.unread += 1;
  }

  /** In the order in which people are told of outcomes. */
  list(currency: CurrencyCode): readonly Tally[] {
    const inOrder = [...this.#sums].toSorted(([one], [other]) => outcomes.indexOf(one) - outcomes.indexOf(other));
    return inOrder.map(([outcome, { count, amount, fees, unread, superseded }]) => ({
      outcome,
      count,
      amount: { minor: amount, currency },
      fees: { minor: fees, currency },
      ...(unread > 0 && { unread }),
      ...(superseded > 0 && { superseded }),
    }));
  }

  #of(outcome: Outcome): Sums {
    const sums = this.#sums.get(outcome) ?? { count: 0, amount: 0n, fees: 0n, unread: 0, superseded: 0 };
    this.#sums.set(outcome, sums);
    return sums;
  }
}
