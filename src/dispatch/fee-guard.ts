/**
 * Holds the fee of every row that completes against the charge that was quoted for it. Each fee above it is told, as far as
 * anybody can read them, and their sum is compared with what is tolerated. A figure that nobody can mean as a fee is an alarm
 * and counts as none: it would be added up, compared and shown as money.
 */
import type { Tell } from '../domain/event.ts';
import type { Fact, LineReport } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, decimalOf, type Money, moneyText, subtract } from '../domain/money.ts';
import type { OrderState } from '../domain/order.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { feeOf } from '../ledger/order-columns.ts';
import { alarmAbout, news, shown } from './evidence.ts';

/** Rows that are told one by one; the results list all of them. */
const TOLD_MAX = 5;

/** A fee is at most so many times the charge that was quoted, or the amount that was paid where none was. */
const SENSIBLE_TIMES = 100;

/** Tells the charge that was quoted for a row. */
type QuoteOf = (row: number) => Promise<Money | undefined>;

/** The facts without the fees that nobody can mean, and an alarm for each of these. */
export async function believedFees(
  state: OrderState,
  facts: readonly Fact[],
  quoteOf: QuoteOf,
): Promise<readonly Fact[]> {
  const alarms: Fact[] = [];
  const believed = await Promise.all(
    facts.map(async (fact) => {
      if (fact.type !== 'order-observed') return fact;
      const lines = await Promise.all(
        fact.lines.map(async (report) => {
          const nonsense = await nonsenseIn(report, state, quoteOf);
          if (nonsense === undefined) return report;
          alarms.push(alarmAbout(state, fact.at, nonsense));
          return { ...report, feeAmount: '' };
        }),
      );
      return { ...fact, lines };
    }),
  );
  return alarms.length === 0 ? facts : [...believed, ...news(state, alarms)];
}

async function nonsenseIn(
  { trace, feeAmount }: LineReport,
  { lines }: OrderState,
  quoteOf: QuoteOf,
): Promise<string | undefined> {
  const fee = Number(feeAmount);
  const line = lines.find((one) => one.trace === trace);
  // What is no number is no fee either, and says nothing.
  if (fee === 0 || Number.isNaN(fee) || line === undefined) return undefined;
  const quote = await quoteOf(line.row);
  const scale = quote && quote.minor > 0n ? quote : line.amount;
  if (fee > 0 && fee <= SENSIBLE_TIMES * Number(decimalOf(scale))) return undefined;
  const quoted = quote ? `, and ${moneyText(quote)} was quoted` : '';
  return `row ${line.row}: the service says that it charged a fee of ${shown(feeAmount)}${quoted}`;
}

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
