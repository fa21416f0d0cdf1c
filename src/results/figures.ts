/** Sums over all rows, in one pass and in memory that does not grow with the sheet. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localClock } from '../domain/clock.ts';
import { add, type Money, zero } from '../domain/money.ts';
import { openAlarms } from '../domain/order.ts';
import { type Outcome, outcomes } from '../domain/outcome.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { type Breakdown, type ColumnBreakdown, RowBreakdowns } from './breakdown.ts';
import { outcomeView, type Part } from './outcome-view.ts';
import { completedAt, debitOf, feeOf, shownOf } from './row-money.ts';
import { type ResultsOptions, type ResultsSource, rowsOf } from './source.ts';
import { type Timeline, TimelineCounter } from './timeline.ts';

export interface CountAndAmount {
  readonly count: number;
  readonly amount: Money;
}

interface Sums extends CountAndAmount {
  readonly fees: Money;
}

export interface KindSums extends Sums {
  readonly kind: string;
  readonly paidCount: number;
  readonly paid: Money;
  readonly quoted: Money;
  /** Of what was quoted, the part of the rows that were paid. */
  readonly paidQuoted: Money;
}

export interface Figures {
  readonly rows: number;
  readonly byOutcome: Readonly<Record<Outcome, Sums>>;
  readonly byPart: Readonly<Record<Part, Sums>>;
  /** In the order in which the ways of paying first appear in the sheet. Rows set aside without a payout have none. */
  readonly byKind: readonly KindSums[];
  /** Amount and fees of all rows. */
  readonly all: Sums;
  /** Rows that the service contradicts, of which nobody has dealt with it. */
  readonly contradicted: number;
  /** Rows of which somebody has to know: those of the worksheet Exceptions. */
  readonly exceptions: number;
  /** What the service shows to have been paid beyond the amounts of the rows. */
  readonly overpaid: Sums;
  /** Charges quoted for all rows. */
  readonly quoted: Money;
  /** What left the wallet for all rows. */
  readonly debit: Money;
  /** The rows that were not paid, by what they have in common. */
  readonly byReason: Breakdown;
  /** The rows by what stands in columns of the user's: one for each heading that was asked for. */
  readonly byColumn: readonly ColumnBreakdown[];
  /** When the completed rows were completed. */
  readonly timeline: Timeline;
  /** Longest text of each of the user's columns, in characters. */
  readonly carriedWidths: readonly number[];
}

/** Goes through all rows once. */
export async function figuresOf(
  source: ResultsSource,
  { timezone, groupBy }: Pick<ResultsOptions, 'timezone' | 'groupBy'>,
): Promise<Figures> {
  const { header } = source;
  const times = new TimelineCounter(header.currency, localClock(timezone));
  const breakdowns = new RowBreakdowns(header, groupBy);
  const none: Sums = { count: 0, amount: zero(header.currency), fees: zero(header.currency) };
  const byOutcome = Object.fromEntries(outcomes.map((outcome) => [outcome, none])) as Record<Outcome, Sums>;
  const byKind = new Map<string, KindSums>();
  const widths = header.sheet.headings.map(() => 0);
  let [contradicted, exceptions] = [0, 0];
  let overpaid = none;
  let [quoted, debit] = [none.amount, none.amount];
  for await (const row of rowsOf(source)) {
    if (isContradicted(row)) contradicted += 1;
    if (isException(row)) exceptions += 1;
    const { tooMuch } = shownOf(row);
    if (tooMuch) overpaid = plus(overpaid, { ...none, count: 1, amount: tooMuch });
    const sums = { count: 1, amount: row.payout?.amount ?? none.amount, fees: feeOf(row) ?? none.fees };
    quoted = add(quoted, row.charge ?? none.amount);
    debit = add(debit, debitOf(row) ?? none.amount);
    breakdowns.add(row, sums);
    if (row.outcome === 'completed') times.add(sums.amount, completedAt(row));
    byOutcome[row.outcome] = plus(byOutcome[row.outcome], sums);
    if (row.payout) byKind.set(row.payout.kind, plusKind(byKind.get(row.payout.kind), row, sums, header));
    for (const [index, text] of row.texts.entries())
      widths[index] = Math.max(widths[index] ?? 0, sheetValueText(text).length);
  }
  const byPart: Record<Part, Sums> = { paid: none, 'not-paid': none, 'to-check': none, 'not-sent': none };
  for (const outcome of outcomes) {
    const { part } = outcomeView[outcome];
    byPart[part] = plus(byPart[part], byOutcome[outcome]);
  }
  const all = Object.values(byPart).reduce(plus);
  const kinds = [...byKind.values()];
  const timeline = times.timeline();
  return {
    rows: all.count,
    byOutcome,
    byPart,
    byKind: kinds,
    all,
    contradicted,
    exceptions,
    overpaid,
    quoted,
    debit,
    ...breakdowns.breakdowns(),
    timeline,
    carriedWidths: widths,
  };
}

/** The service contradicts itself or the plan about the row, and nobody has dealt with it. */
export const isContradicted = ({ state, earlierAlarms = [] }: ResultRow): boolean =>
  (state !== undefined && openAlarms(state).length > 0) || earlierAlarms.length > 0;

/** A paid row with an alarm is an exception too: the service contradicted itself about it. So is one of another name. */
export const isException = ({ outcome, state, otherName, earlierAlarms = [] }: ResultRow): boolean =>
  outcome !== 'completed' || otherName !== undefined || (state?.alarms.length ?? 0) > 0 || earlierAlarms.length > 0;

const plus = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  amount: add(a.amount, b.amount),
  fees: add(a.fees, b.fees),
});

function plusKind(known: KindSums | undefined, row: ResultRow, sums: Sums, { currency }: BatchHeader): KindSums {
  const nothing = zero(currency);
  const paid = row.outcome === 'completed' ? sums : { count: 0, amount: nothing };
  return {
    kind: row.payout?.kind ?? '',
    ...plus(known ?? { count: 0, amount: nothing, fees: nothing }, sums),
    paidCount: (known?.paidCount ?? 0) + paid.count,
    paid: add(known?.paid ?? nothing, paid.amount),
    quoted: add(known?.quoted ?? nothing, row.charge ?? nothing),
    paidQuoted: add(known?.paidQuoted ?? nothing, (paid.count > 0 ? row.charge : undefined) ?? nothing),
  };
}
