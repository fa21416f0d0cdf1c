/** Sums over all rows, in one pass and in memory that does not grow with the sheet. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localClock } from '../domain/clock.ts';
import { add, type Money, sameMoney, subtract, zero } from '../domain/money.ts';
import { openAlarms } from '../domain/order.ts';
import { type Outcome, outcomes } from '../domain/outcome.ts';
import { outcomeView, type Part } from './outcome-view.ts';
import { completedAt, feeOf, shownOf } from './row-money.ts';
import { type ResultsSource, rowsOf } from './source.ts';
import { type Timeline, TimelineCounter } from './timeline.ts';

interface Sums {
  readonly count: number;
  readonly amount: Money;
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
  /** What the service shows to have been paid beyond the amounts of the rows. */
  readonly overpaid: Sums;
  /** When the completed rows were completed. */
  readonly timeline: Timeline;
  /** Longest text of each of the user's columns, in characters. */
  readonly carriedWidths: readonly number[];
}

/** Goes through all rows once. Times are told on the clocks of a zone, an IANA name. */
export async function figuresOf(source: ResultsSource, timezone: string): Promise<Figures> {
  const { header } = source;
  const times = new TimelineCounter(header.currency, localClock(timezone));
  const none: Sums = { count: 0, amount: zero(header.currency), fees: zero(header.currency) };
  const byOutcome = Object.fromEntries(outcomes.map((outcome) => [outcome, none])) as Record<Outcome, Sums>;
  const byKind = new Map<string, KindSums>();
  const widths = header.sheet.headings.map(() => 0);
  let contradicted = 0;
  let overpaid = none;
  for await (const row of rowsOf(source)) {
    if (isContradicted(row)) contradicted += 1;
    const { tooMuch } = shownOf(row);
    if (tooMuch) overpaid = plus(overpaid, { ...none, count: 1, amount: tooMuch });
    const sums = { count: 1, amount: row.payout?.amount ?? none.amount, fees: feeOf(row) ?? none.fees };
    if (row.outcome === 'completed') times.add(sums.amount, completedAt(row));
    byOutcome[row.outcome] = plus(byOutcome[row.outcome], sums);
    if (row.payout) byKind.set(row.payout.kind, plusKind(byKind.get(row.payout.kind), row, sums, header));
    for (const [index, text] of row.texts.entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
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
    overpaid,
    timeline,
    carriedWidths: widths,
  };
}

/** The service contradicts itself or the plan about the row, and nobody has dealt with it. */
export const isContradicted = ({ state, earlierAlarms = [] }: ResultRow): boolean =>
  (state !== undefined && openAlarms(state).length > 0) || earlierAlarms.length > 0;

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

/** Two figures that must be the same, and whether they are. */
export interface TieOut {
  readonly claim: string;
  readonly left: number | Money;
  readonly right: number | Money;
  readonly difference: number | Money;
  readonly ties: boolean;
}

const counts = (claim: string, left: number, right: number): TieOut => ({
  claim,
  left,
  right,
  difference: left - right,
  ties: left === right,
});

const sums = (claim: string, left: Money, right: Money): TieOut => ({
  claim,
  left,
  right,
  difference: subtract(left, right),
  ties: sameMoney(left, right),
});

/** Every claim that the figures make, checked: the sheet, the plan, the ledger and the listed rows agree. */
export function tieOutsOf({ header, tallies }: ResultsSource, figures: Figures): readonly TieOut[] {
  const nothing = zero(header.currency);
  const told = tallies.reduce((sum, tally) => sum + tally.count, 0);
  const payable = tallies.filter(({ outcome }) => outcome !== 'invalid');
  const planned = payable.reduce((sum, { amount }) => add(sum, amount), nothing);
  const listed = subtract(figures.all.amount, figures.byOutcome.invalid.amount);
  const alike = outcomes.filter((outcome) => {
    const tally = tallies.find((candidate) => candidate.outcome === outcome);
    return (tally?.count ?? 0) === figures.byOutcome[outcome].count;
  });
  const completed = tallies.find(({ outcome }) => outcome === 'completed');
  return [
    counts('Rows in the sheet = rows with an outcome', header.rows, told),
    counts('Rows with an outcome = rows listed in Results', told, figures.rows),
    counts('Outcomes of the ledger = outcomes counted alike in Results', outcomes.length, alike.length),
    counts(
      'Rows to pay = rows planned',
      header.payable,
      payable.reduce((sum, { count }) => sum + count, 0),
    ),
    sums('Planned total = amounts of all outcomes', header.total, planned),
    sums('Planned total = amounts listed in Results', header.total, listed),
    sums('Paid by the ledger = paid in Results', completed?.amount ?? nothing, figures.byOutcome.completed.amount),
    sums('Fees by the ledger = fees in Results', completed?.fees ?? nothing, figures.byOutcome.completed.fees),
    counts('Rows that the service contradicts = none', figures.contradicted, 0),
    sums('Shown as paid beyond the amounts of the rows = nothing', figures.overpaid.amount, nothing),
  ];
}
