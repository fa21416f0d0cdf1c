/** Checks every claim that the figures make: the sheet, the plan, the ledger and the listed rows agree. */
import type { BatchHeader } from '../domain/batch.ts';
import { add, type Money, sameMoney, subtract, zero } from '../domain/money.ts';
import { isSetAside, outcomes } from '../domain/outcome.ts';
import type { Formula } from '../sheet/writing/workbook-writer.ts';
import { amount, feeCharged } from './columns.ts';
import type { Figures } from './figures.ts';
import { countOfRows, sumOfRows, type WhichRows } from './formulas.ts';
import type { ResultsSource } from './source.ts';

/** Two figures that must be equal, and whether they are. */
export interface TieOut {
  readonly claim: string;
  readonly left: number | Money;
  readonly right: number | Money;
  readonly difference: number | Money;
  readonly ties: boolean;
  /** How `right` follows from the rows that are listed. */
  readonly formula?: Formula;
}

const counts = (claim: string, left: number, right: number, formula?: Formula): TieOut => ({
  ...(formula && { formula }),
  claim,
  left,
  right,
  difference: left - right,
  ties: left === right,
});

const sums = (claim: string, left: Money, right: Money, formula?: Formula): TieOut => ({
  ...(formula && { formula }),
  claim,
  left,
  right,
  difference: subtract(left, right),
  ties: sameMoney(left, right),
});

/** Returns the comparisons of figures that must be equal, each with its result. */
export function tieOutsOf({ header, tallies }: ResultsSource, figures: Figures): readonly TieOut[] {
  const nothing = zero(header.currency);
  const withOutcome = tallies.reduce((sum, tally) => sum + tally.count, 0);
  const payable = tallies.filter(({ outcome }) => !isSetAside(outcome));
  const planned = payable.reduce((sum, { amount }) => add(sum, amount), nothing);
  const { invalid, 'left-out': left } = figures.byOutcome;
  const listed = subtract(subtract(figures.all.amount, invalid.amount), left.amount);
  const alike = outcomes.filter((outcome) => {
    const tally = tallies.find((candidate) => candidate.outcome === outcome);
    return (tally?.count ?? 0) === figures.byOutcome[outcome].count;
  });
  const completed = tallies.find(({ outcome }) => outcome === 'completed');
  const paid: WhichRows = { outcomes: ['completed'] };
  return [
    counts('Rows in the sheet = rows with an outcome', header.rows, withOutcome),
    counts('Rows with an outcome = rows listed in Results', withOutcome, figures.rows, countOfRows(figures.rows)),
    counts('Outcomes of the ledger = outcomes counted alike in Results', outcomes.length, alike.length),
    counts(
      'Rows to pay = rows planned',
      header.payable,
      payable.reduce((sum, { count }) => sum + count, 0),
    ),
    ...leftOutTies(header, figures),
    sums('Planned total = amounts of all outcomes', header.total, planned),
    sums(
      'Planned total = amounts listed in Results',
      header.total,
      listed,
      sumOfRows(amount, figures.rows, listed, { outcomes: outcomes.filter((one) => !isSetAside(one)) }),
    ),
    sums(
      'Paid by the ledger = paid in Results',
      completed?.amount ?? nothing,
      figures.byOutcome.completed.amount,
      sumOfRows(amount, figures.rows, nothing, paid),
    ),
    sums(
      'Fees by the ledger = fees in Results',
      completed?.fees ?? nothing,
      figures.byOutcome.completed.fees,
      sumOfRows(feeCharged, figures.rows, nothing, paid),
    ),
    counts('Rows that the service contradicts = none', figures.contradicted, 0),
    sums('Shown as paid beyond the amounts of the rows = nothing', figures.overpaid.amount, nothing),
  ];
}

/** Returns the comparisons about left-out rows, if there are any: together with the other rows, they are the whole sheet. */
function leftOutTies({ payable, rows, leftOut, currency }: BatchHeader, figures: Figures): readonly TieOut[] {
  const { invalid, 'left-out': left } = figures.byOutcome;
  if (!leftOut && left.count === 0) return [];
  const nothing = zero(currency);
  const planned = leftOut ?? { rows: 0, amount: nothing };
  const which: WhichRows = { outcomes: ['left-out'] };
  return [
    counts('To pay, set aside and left out = rows in the sheet', payable + invalid.count + planned.rows, rows),
    counts('Rows left out = rows left out in Results', planned.rows, left.count, countOfRows(figures.rows, which)),
    sums(
      'Left out of the total = left out in Results',
      planned.amount,
      left.amount,
      sumOfRows(amount, figures.rows, nothing, which),
    ),
  ];
}
