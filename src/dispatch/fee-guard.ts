/**
 * Holds the fee of every row that completes against the charge that was quoted for it. Each fee above it is told, as far as
 * anybody can read them, and their sum is compared with what is tolerated.
 */
import type { Tell } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, moneyText, subtract } from '../domain/money.ts';
import type { OrderState } from '../domain/order.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { feeOf } from '../ledger/order-columns.ts';

/** Rows that are told one by one; the results list all of them. */
const TOLD_MAX = 5;

export class FeeGuard {
  readonly #ledger: Pick<Ledger, 'quoteOf'>;
  readonly #batch: BatchId;
  readonly #tolerated: Money;
  readonly #tell: Tell;
  #told = 0;
  #sum: Money | undefined;

  /** `tolerated`: what the fees of a run may be above their quotes in all. */
  constructor(ledger: Pick<Ledger, 'quoteOf'>, batch: BatchId, tolerated: Money, tell: Tell) {
    this.#ledger = ledger;
    this.#batch = batch;
    this.#tolerated = tolerated;
    this.#tell = tell;
  }

  /** What was charged above the quotes, where it is more than is tolerated. */
  get overcharge(): Money | undefined {
    return this.#sum && this.#sum.minor > this.#tolerated.minor ? this.#sum : undefined;
  }

  /** Takes note of the lines of an order that were completed by what was just learnt. */
  async note(before: OrderState, after: OrderState): Promise<void> {
    for (const [index, line] of after.lines.entries()) {
      const minor = feeOf(line);
      const earlier = before.lines[index];
      if (minor === null || line.replacedBy || (earlier && feeOf(earlier) !== null)) continue;
      const quote = await this.#ledger.quoteOf(this.#batch, line.row);
      if (!quote || minor <= quote.minor) continue;
      const fee = { minor, currency: quote.currency };
      const above = subtract(fee, quote);
      this.#sum = this.#sum ? add(this.#sum, above) : above;
      this.#told += 1;
      if (this.#told <= TOLD_MAX) this.#say(line.row, fee, quote);
    }
  }

  #say(row: number, fee: Money, quote: Money): void {
    const rest = this.#told === TOLD_MAX ? ' Further ones are not told one by one; see the results.' : '';
    const message = `Row ${row}: the service charged a fee of ${moneyText(fee)}, and ${moneyText(quote)} was quoted.${rest}`;
    this.#tell({ type: 'notice', level: 'warning', code: 'fee-above-quote', message });
  }
}
