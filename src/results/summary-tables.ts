/** The tables of the Summary: by outcome, over time, by way of paying, by reason, and by columns of the user's sheet. */
import { zero } from '../domain/money.ts';
import { isUnpaidAsKnown, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { RowCell } from '../sheet/writing/workbook-writer.ts';
import type { Breakdown, Group } from './breakdown.ts';
import { amount as amountColumn, feeCharged, feeQuoted } from './columns.ts';
import { countOfRows, sumAbove, sumOfRows } from './formulas.ts';
import { outcomeView, payAgainOf } from './outcome-view.ts';
import type { Plot } from './plots/plot.ts';
import { plotsOf } from './plots/plots.ts';
import { timeLines } from './plots/time-plot.ts';
import type { Report } from './report.ts';
import { count, fact, headings, section, toTheEdge } from './sections.ts';
import { kindTitle } from './source.ts';
import type { WorksheetRow } from './worksheet.ts';

/** A table with its title, and the plot next to it. */
export interface SummaryTable {
  readonly rows: readonly WorksheetRow[];
  readonly plot?: Plot;
}

/** Returns the tables of the Summary, in their order on the worksheet. */
export function summaryTables(report: Report): readonly SummaryTable[] {
  const plots = plotsOf(report);
  return [
    { rows: outcomeRows(report), plot: plots.outcomes },
    { rows: meaningRows(report) },
    { rows: reasonRows(report) },
    { rows: kindRows(report), plot: plots.charges },
    { rows: timeRows(plots.timeline.title, report), plot: plots.timeline },
    ...report.figures.byColumn.map(({ heading, breakdown }) => ({ rows: groupRows(heading, breakdown, report) })),
  ];
}

const row = (...cells: readonly RowCell[]): WorksheetRow => ({ cells, options: { look: 'row' } });
const total = (...cells: readonly RowCell[]): WorksheetRow => ({ cells, options: { look: 'total' } });

function outcomeRows({ source, figures }: Report): WorksheetRow[] {
  const { all, rows } = figures;
  const rowsOfOutcomes = outcomes.map((outcome) => {
    const { count: value, amount, fees } = figures.byOutcome[outcome];
    const isUnconfirmed = source.unconfirmed !== undefined && isUnpaidAsKnown(outcome);
    const again = payAgainOf({ outcome, ...(isUnconfirmed && { unconfirmed: true }) });
    const look = value > 0 ? outcomeView[outcome].look : 'muted';
    const which = { outcomes: [outcome] };
    return row(
      { value: outcomeTable[outcome].title, look },
      { ...count(value), formula: countOfRows(rows, which) },
      { value: amount, formula: sumOfRows(amountColumn, rows, amount, which) },
      { value: fees, formula: sumOfRows(feeCharged, rows, fees, which) },
      again.word,
    );
  });
  return [
    section('By outcome'),
    headings(3, 'Outcome', 'Rows', 'Amount', 'Fees charged', 'Pay again?'),
    ...rowsOfOutcomes,
    total(
      'Total',
      { ...count(all.count), formula: countOfRows(rows) },
      { value: all.amount, formula: sumOfRows(amountColumn, rows, all.amount) },
      { value: all.fees, formula: sumOfRows(feeCharged, rows, all.fees) },
      '',
    ),
  ];
}

/** Returns what each outcome means, for those that people may ask about. */
function meaningRows({ figures }: Report): WorksheetRow[] {
  const asked = outcomes.filter((outcome) => outcome !== 'completed' && figures.byOutcome[outcome].count > 0);
  if (asked.length === 0) return [];
  return [
    section('What it means'),
    ...asked.map((outcome) => fact(outcomeTable[outcome].title, outcomeTable[outcome].says)),
  ];
}

function kindRows({ options, figures, source }: Report): WorksheetRow[] {
  const { all, byKind, byOutcome, rows } = figures;
  const paid = { outcomes: ['completed'] } as const;
  const kindRow = ({ name, count: value, amount, paid: paidSum, paidQuoted, fees }: Group): WorksheetRow => {
    const title = kindTitle(name, options);
    return row(
      title,
      { ...count(value), formula: countOfRows(rows, { kind: title }) },
      { value: amount, formula: sumOfRows(amountColumn, rows, amount, { kind: title }) },
      { value: paidSum, formula: sumOfRows(amountColumn, rows, paidSum, { kind: title, ...paid }) },
      { value: paidQuoted, formula: sumOfRows(feeQuoted, rows, paidQuoted, { kind: title, ...paid }) },
      { value: fees, formula: sumOfRows(feeCharged, rows, fees, { kind: title }) },
    );
  };
  const left = byOutcome['left-out'];
  const without = all.count - left.count - byKind.reduce((sum, { count: value }) => sum + value, 0);
  const nothing = zero(source.header.currency);
  const { amount, paidQuoted: quoted } = byOutcome.completed;
  return [
    section('By way of paying'),
    headings(5, 'Type', 'Rows', 'Amount', 'Paid', 'Quoted for it', 'Charged'),
    ...byKind.map(kindRow),
    ...(without > 0 ? [row('Set aside, type not read', count(without), nothing, nothing, nothing, nothing)] : []),
    ...(left.count > 0 ? [row('Left out', count(left.count), left.amount, nothing, nothing, nothing)] : []),
    total(
      'Total',
      { ...count(all.count), formula: countOfRows(rows) },
      { value: all.amount, formula: sumOfRows(amountColumn, rows, all.amount) },
      { value: amount, formula: sumOfRows(amountColumn, rows, amount, paid) },
      { value: quoted, formula: sumOfRows(feeQuoted, rows, quoted, paid) },
      { value: all.fees, formula: sumOfRows(feeCharged, rows, all.fees) },
    ),
  ];
}

/** Returns the table of the time plot. Its last column is a running sum, so it is not added up. */
function timeRows(title: string, { source, figures: { timeline } }: Report): WorksheetRow[] {
  const lines = timeLines(timeline, source.header.currency);
  const last = lines.at(-1);
  if (!last) return [section(title), fact('Nothing was completed', '')];
  const { length } = lines;
  const rows = lines.reduce((sum, line) => sum + line.count, 0);
  return [
    section(title),
    headings(3, 'Completed from', 'Rows', 'Amount', 'Completed so far'),
    ...lines.map(({ about, count: value, amount, soFar }) => row(about, count(value), amount, soFar)),
    total(
      'Total',
      { ...count(rows), formula: sumAbove(2, length) },
      { value: last.soFar, formula: sumAbove(3, length, last.soFar.currency) },
      '',
    ),
  ];
}

function reasonRows({ figures: { byReason } }: Report): WorksheetRow[] {
  const lines = linesOf(byReason, 'Other reasons');
  if (lines.length === 0) return [];
  return [
    section('Why rows were not paid'),
    toTheEdge(headings(2, 'Outcome', 'Rows', 'Amount', 'Reason')),
    ...lines.map(({ name, outcome, count: rows, amount }) => {
      const shown = outcome
        ? { value: outcomeTable[outcome].title, look: outcomeView[outcome].look }
        : { value: 'Others', look: 'row' as const };
      return toTheEdge(row(shown, count(rows), amount, { value: name, wrap: true }));
    }),
  ];
}

function groupRows(heading: string, breakdown: Breakdown, { figures: { all } }: Report): WorksheetRow[] {
  const lines = linesOf(breakdown, 'All others');
  const { length } = lines;
  const { currency } = all.amount;
  return [
    section(`By ${heading}`),
    headings(5, heading, 'Rows', 'Amount', 'Rows paid', 'Paid', 'Fees charged'),
    ...lines.map(({ name, count: rows, amount, paidCount, paid, fees }) =>
      row({ value: name, wrap: true }, count(rows), amount, count(paidCount), paid, fees),
    ),
    total(
      'Total',
      { ...count(all.count), formula: sumAbove(2, length) },
      { value: all.amount, formula: sumAbove(3, length, currency) },
      { ...count(all.paidCount), formula: sumAbove(4, length) },
      { value: all.paid, formula: sumAbove(5, length, currency) },
      { value: all.fees, formula: sumAbove(6, length, currency) },
    ),
  ];
}

/** Returns each group with its name, and the groups that do not fit into the table as one last line. */
const linesOf = ({ groups, rest }: Breakdown, others: string): readonly Group[] => [
  ...groups.map((group) => ({ ...group, name: group.name || '(empty)' })),
  ...(rest ? [{ name: others, ...rest }] : []),
];
