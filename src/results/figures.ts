/** Sums over all rows, in one pass and in memory that does not grow with the sheet. */
import type { ResultRow } from '../domain/batch.ts';
import { localClock } from '../domain/clock.ts';
import { openAlarms } from '../domain/order.ts';
import { isDefiniteFailure, isOpen, type Outcome, outcomes } from '../domain/outcome.ts';
import { OPEN_ROWS_NAMED } from '../domain/run-end.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { type Breakdown, type ColumnBreakdown, type Group, RowBreakdowns } from './breakdown.ts';
import { outcomeView, type Part } from './outcome-view.ts';
import { completedAt, moneyOfRow } from './row-money.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';
import { type CountAndAmount, noSums, plus, plusRows, type Sums, sumsOfRow } from './sums.ts';
import { type Timeline, TimelineCounter } from './timeline.ts';

export interface Figures {
  readonly rows: number;
  readonly byOutcome: Readonly<Record<Outcome, Sums>>;
  readonly byPart: Readonly<Record<Part, Sums>>;
  /**
   * In the order in which the ways of paying first appear in the sheet. Rows without a payout belong to none: they were set
   * aside, or left out.
   */
  readonly byKind: readonly Group[];
  readonly all: Sums;
  /** Number of rows that the service contradicts and that no person has resolved. */
  readonly contradicted: number;
  /** Number of rows on the worksheet Exceptions. */
  readonly exceptions: number;
  /** Numbers of the first rows that were sent and may have been paid, at most `OPEN_ROWS_NAMED`. */
  readonly openRows: readonly number[];
  /** Number of failed rows whose payment a later batch holds. */
  readonly failedElsewhere: number;
  /** What was paid beyond the amounts of the rows, as far as the service shows. */
  readonly overpaid: CountAndAmount;
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
  { header, rows }: Pick<ResultsSource, 'header' | 'rows'>,
  { timezone, groupBy }: Pick<ResultsOptions, 'timezone' | 'groupBy'>,
): Promise<Figures> {
  const { currency, sheet } = header;
  const none = noSums(currency);
  const byOutcome = Object.fromEntries(outcomes.map((outcome) => [outcome, none])) as Record<Outcome, Sums>; // every key
  const breakdowns = new RowBreakdowns(header, groupBy);
  const times = new TimelineCounter(currency, localClock(timezone));
  const carriedWidths = sheet.headings.map(() => 0);
  const openRows: number[] = [];
  let overpaid: CountAndAmount = { count: 0, amount: none.amount };
  const counts = { contradicted: 0, exceptions: 0, failedElsewhere: 0 };
  for await (const block of rows()) {
    for (const row of block) {
      const { outcome } = row;
      count(row, counts);
      if (isOpen(outcome) && openRows.length < OPEN_ROWS_NAMED) openRows.push(row.row);
      const money = moneyOfRow(row);
      if (money.tooMuch) overpaid = plusRows(overpaid, { count: 1, amount: money.tooMuch });
      const sums = sumsOfRow(row, money, currency);
      byOutcome[outcome] = plus(byOutcome[outcome], sums);
      breakdowns.add(row, sums);
      if (outcome === 'completed') times.add(sums.amount, completedAt(row));
      widen(carriedWidths, row.texts);
    }
  }
  const byPart = partsOf(byOutcome, none);
  const all = Object.values(byPart).reduce(plus);
  return {
    rows: all.count,
    byOutcome,
    byPart,
    all,
    ...counts,
    openRows,
    overpaid,
    ...breakdowns.breakdowns(),
    timeline: times.timeline(),
    carriedWidths,
  };
}

function count(row: ResultRow, counts: Record<'contradicted' | 'exceptions' | 'failedElsewhere', number>): void {
  if (isContradicted(row)) counts.contradicted += 1;
  if (isException(row)) counts.exceptions += 1;
  if (isFailedElsewhere(row)) counts.failedElsewhere += 1;
}

function widen(widths: number[], texts: ResultRow['texts']): void {
  for (const [index, text] of texts.entries()) {
    widths[index] = Math.max(widths[index] ?? 0, sheetValueText(text).length);
  }
}

function partsOf(byOutcome: Figures['byOutcome'], none: Sums): Figures['byPart'] {
  const byPart = { paid: none, 'not-paid': none, 'to-check': none, 'not-sent': none, 'left-out': none };
  for (const outcome of outcomes) {
    const { part } = outcomeView[outcome];
    byPart[part] = plus(byPart[part], byOutcome[outcome]);
  }
  return byPart;
}

/** Reports whether a row failed and a later batch holds its payment. */
export const isFailedElsewhere = ({ outcome, superseded }: ResultRow): boolean =>
  isDefiniteFailure(outcome) && superseded !== undefined;

/** Reports whether the service contradicts itself or the plan about a row, and no person has resolved that. */
export const isContradicted = ({ state, earlierAlarms = [] }: ResultRow): boolean =>
  (state !== undefined && openAlarms(state).length > 0) || earlierAlarms.length > 0;

/**
 * Reports whether a row is an exception: it was not paid, the service contradicted itself about it, or the recipient has
 * another name.
 */
export const isException = ({ outcome, state, otherName, earlierAlarms = [] }: ResultRow): boolean =>
  outcome !== 'completed' || otherName !== undefined || (state?.alarms.length ?? 0) > 0 || earlierAlarms.length > 0;
