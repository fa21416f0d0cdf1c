/** Sums over all rows, in one pass and in memory that does not grow with the sheet. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localClock } from '../domain/clock.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { add, type Money, zero } from '../domain/money.ts';
import { openAlarms } from '../domain/order.ts';
import { isOpen, type Outcome, outcomes } from '../domain/outcome.ts';
import { OPEN_ROWS_NAMED } from '../domain/run-end.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { type Breakdown, type ColumnBreakdown, RowBreakdowns } from './breakdown.ts';
import { outcomeView, type Part } from './outcome-view.ts';
import { amountOfRow, completedAt, moneyOfRow } from './row-money.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';
import { KindCounter, type KindSums, Sum, type Sums, SumsCounter } from './sums.ts';
import { type Timeline, TimelineCounter } from './timeline.ts';

export interface Figures {
  readonly rows: number;
  readonly byOutcome: Readonly<Record<Outcome, Sums>>;
  readonly byPart: Readonly<Record<Part, Sums>>;
  /**
   * In the order in which the ways of paying first appear in the sheet. Rows without a payout belong to none: they were set
   * aside, or left out.
   */
  readonly byKind: readonly KindSums[];
  /** Amount and fees of all rows. */
  readonly all: Sums;
  /** Number of rows that the service contradicts and that no person has resolved. */
  readonly contradicted: number;
  /** Number of rows on the worksheet Exceptions. */
  readonly exceptions: number;
  /** Numbers of the first rows that were sent and may have been paid, at most `OPEN_ROWS_NAMED`. */
  readonly openRows: readonly number[];
  /** What was paid beyond the amounts of the rows, as far as the service shows. */
  readonly overpaid: Sums;
  /** Charges quoted for all rows. */
  readonly quoted: Money;
  /** What left the wallet for all rows. */
  readonly debit: Money;
  /** The rows that were not paid, by common reason. */
  readonly byReason: Breakdown;
  /** The rows by the values of the user's columns: one breakdown for each requested heading. */
  readonly byColumn: readonly ColumnBreakdown[];
  /** When the completed rows were completed. */
  readonly timeline: Timeline;
  /** Longest text of each of the user's columns, in characters. */
  readonly carriedWidths: readonly number[];
}

/** Computes the figures in one pass over all rows. */
export async function figuresOf(
  source: ResultsSource,
  options: Pick<ResultsOptions, 'timezone' | 'groupBy'>,
): Promise<Figures> {
  const counter = new FiguresCounter(source.header, options);
  for await (const block of source.rows()) {
    for (const row of block) counter.add(row);
  }
  return counter.figures();
}

class FiguresCounter {
  readonly #currency: CurrencyCode;
  readonly #times: TimelineCounter;
  readonly #breakdowns: RowBreakdowns;
  readonly #byOutcome: Readonly<Record<Outcome, SumsCounter>>;
  readonly #byKind = new Map<string, KindCounter>();
  readonly #overpaid: SumsCounter;
  readonly #quoted: Sum;
  readonly #debit: Sum;
  readonly #widths: number[];
  readonly #openRows: number[] = [];
  #contradicted = 0;
  #exceptions = 0;

  constructor(header: BatchHeader, { timezone, groupBy }: Pick<ResultsOptions, 'timezone' | 'groupBy'>) {
    const { currency, sheet } = header;
    this.#currency = currency;
    this.#times = new TimelineCounter(currency, localClock(timezone));
    this.#breakdowns = new RowBreakdowns(header, groupBy);
    this.#byOutcome = Object.fromEntries(outcomes.map((outcome) => [outcome, new SumsCounter(currency)])) as Record<
      Outcome,
      SumsCounter
    >;
    this.#overpaid = new SumsCounter(currency);
    this.#quoted = new Sum(currency);
    this.#debit = new Sum(currency);
    this.#widths = sheet.headings.map(() => 0);
  }

  add(row: ResultRow): void {
    const { outcome, payout, charge, texts } = row;
    if (isContradicted(row)) this.#contradicted += 1;
    if (isException(row)) this.#exceptions += 1;
    if (isOpen(outcome) && this.#openRows.length < OPEN_ROWS_NAMED) this.#openRows.push(row.row);
    const { fee, debit, tooMuch } = moneyOfRow(row);
    if (tooMuch) this.#overpaid.add(tooMuch, undefined);
    if (charge) this.#quoted.add(charge);
    if (debit) this.#debit.add(debit);
    const nothing = zero(this.#currency);
    const sums = { count: 1, amount: amountOfRow(row) ?? nothing, fees: fee ?? nothing };
    this.#breakdowns.add(row, sums);
    if (outcome === 'completed') this.#times.add(sums.amount, completedAt(row));
    this.#byOutcome[outcome].add(amountOfRow(row), fee);
    if (payout) this.#kind(payout.kind).add(row, fee);
    for (let index = 0; index < texts.length; index++) {
      const { length } = sheetValueText(texts[index] ?? '');
      if (length > (this.#widths[index] ?? 0)) this.#widths[index] = length;
    }
  }

  figures(): Figures {
    const byOutcome = Object.fromEntries(outcomes.map((outcome) => [outcome, this.#byOutcome[outcome].sums()]));
    return { ...figuresIn(byOutcome as Record<Outcome, Sums>, new SumsCounter(this.#currency).sums()), ...this.#own() };
  }

  #own() {
    return {
      byKind: [...this.#byKind.values()].map((kind) => kind.sums()),
      contradicted: this.#contradicted,
      exceptions: this.#exceptions,
      openRows: this.#openRows,
      overpaid: this.#overpaid.sums(),
      quoted: this.#quoted.money(),
      debit: this.#debit.money(),
      ...this.#breakdowns.breakdowns(),
      timeline: this.#times.timeline(),
      carriedWidths: this.#widths,
    };
  }

  #kind(kind: string): KindCounter {
    let counter = this.#byKind.get(kind);
    if (!counter) {
      counter = new KindCounter(kind, this.#currency);
      this.#byKind.set(kind, counter);
    }
    return counter;
  }
}

/** Computes the figures that follow from the sums by outcome. */
function figuresIn(
  byOutcome: Readonly<Record<Outcome, Sums>>,
  none: Sums,
): Pick<Figures, 'rows' | 'byOutcome' | 'byPart' | 'all'> {
  const byPart: Record<Part, Sums> = {
    paid: none,
    'not-paid': none,
    'to-check': none,
    'not-sent': none,
    'left-out': none,
  };
  for (const outcome of outcomes) {
    const { part } = outcomeView[outcome];
    byPart[part] = plus(byPart[part], byOutcome[outcome]);
  }
  const all = Object.values(byPart).reduce(plus);
  return { rows: all.count, byOutcome, byPart, all };
}

/** Reports whether the service contradicts itself or the plan about a row, and no person has resolved that. */
export const isContradicted = ({ state, earlierAlarms = [] }: ResultRow): boolean =>
  (state !== undefined && openAlarms(state).length > 0) || earlierAlarms.length > 0;

/**
 * Reports whether a row is an exception: it was not paid, the service contradicted itself about it, or the recipient has
 * another name.
 */
export const isException = ({ outcome, state, otherName, earlierAlarms = [] }: ResultRow): boolean =>
  outcome !== 'completed' || otherName !== undefined || (state?.alarms.length ?? 0) > 0 || earlierAlarms.length > 0;

const plus = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  amount: add(a.amount, b.amount),
  fees: add(a.fees, b.fees),
});
