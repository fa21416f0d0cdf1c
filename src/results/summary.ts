/** The Summary worksheet: what a manager reads first, with figures that tie out to the sheet. */

import { counted } from '../domain/counted.ts';
import { exitCode, exitOfRows } from '../domain/exit-code.ts';
import { leftOutText } from '../domain/left-out.ts';
import { type Money, moneyText } from '../domain/money.ts';
import { noOutcomes, outcomes } from '../domain/outcome.ts';
import type { Formula, SheetSpec, StyledCell } from '../sheet/writing/workbook-writer.ts';
import { amount as amountColumn, feeCharged, feeQuoted } from './columns.ts';
import { purgeTexts } from './confirmation-texts.ts';
import { countOfRows, sumOfRows, type WhichRows } from './formulas.ts';
import { afterPersonsStop, cellTextOf, nextStepOf } from './next-step.ts';
import { outcomeView, type Part } from './outcome-view.ts';
import { disagreement, verdict } from './reconciliation.ts';
import type { Report } from './report.ts';
import { count, fact, SECTION_COLUMNS, section, sectionColumns, space, titled, wide } from './sections.ts';
import { type SummaryTable, summaryTables } from './summary-tables.ts';
import type { CountAndAmount } from './sums.ts';
import { tieOutsOf } from './tie-outs.ts';
import { walletAfter } from './wallet-after.ts';
import type { PlacedPlot, Worksheet, WorksheetRow } from './worksheet.ts';

const spec: SheetSpec = { name: 'Summary', columns: sectionColumns, table: false, tabColour: '70AD47' };

function opening({ source, figures, options }: Report): WorksheetRow[] {
  const { header } = source;
  const sheet = header.sheet.worksheet
    ? `${header.sheet.name}, worksheet ${header.sheet.worksheet}`
    : header.sheet.name;
  return [
    ...titled('Payout results', header),
    wide(`${header.organisation} · batch ${header.id}`, 'subtitle'),
    space,
    fact('Sheet', `${sheet} (${counted(figures.rows, 'row')})`),
    fact('Profile', `${header.profile} (${header.service})`),
    ...purgeTexts(source, options).map(([label, text]) => fact(label, text)),
    ...leftOutRows(source),
    ...stopRows(source, figures),
    ...supersededRows(source, figures),
    ...unconfirmedRows(source),
    ...outsideRows(source),
    ...nextRows(source, figures),
    space,
  ];
}

/** Returns why rows were not sent, if a run stopped sending on its own. */
function stopRows({ stopped, superseded, header }: Report['source'], { byOutcome }: Report['figures']): WorksheetRow[] {
  const unsent = byOutcome.unsent.count - (superseded?.rows ?? 0);
  if (!stopped || unsent <= 0) return [];
  const text = `${stopped.reason}. ${counted(unsent, 'row was', 'rows were')} not sent. ${stopped.todo}; then continue: paybatch resume ${header.id}`;
  return [fact('Sending stopped', `${text.charAt(0).toUpperCase()}${text.slice(1)}`)];
}

/** Returns a line about rows that the sheet itself leaves out, so that nobody looks for them in the total. */
const leftOutRows = ({ header }: Report['source']): WorksheetRow[] =>
  header.leftOut
    ? [
        fact(
          'Left out',
          `${leftOutText(header.leftOut)}, on hold or in cash. Not sent, and not part of the total to pay.`,
        ),
      ]
    : [];

/** Returns a line about unsent rows whose payments a later batch holds. */
const supersededRows = ({ superseded }: Report['source'], { byOutcome }: Report['figures']): WorksheetRow[] =>
  superseded && byOutcome.unsent.count > 0 ? [fact('In a later batch', `${superseded.says} ${superseded.todo}`)] : [];

/** Returns a line about rows whose payment is uncertain until the next run. */
function unconfirmedRows({ unconfirmed, header }: Report['source']): WorksheetRow[] {
  if (unconfirmed === undefined) return [];
  const text = `This ledger may not know all that was sent, so rows that count as not paid may have been paid: ${unconfirmed}. Do not pay them by other means before this has found out: paybatch resume ${header.id}`;
  return [fact('Check first', text)];
}

/** Returns a line with the next step, as a command says it when it ends. */
function nextRows(
  { header, superseded, unconfirmed, purge, stops = [] }: Report['source'],
  figures: Report['figures'],
) {
  const { byOutcome, contradicted, openRows, failedElsewhere } = figures;
  const counts = { ...noOutcomes() };
  for (const outcome of outcomes) counts[outcome] = byOutcome[outcome].count;
  const rows = {
    counts,
    openRows,
    failedElsewhere,
    ...(superseded && { superseded: { rows: superseded.rows, batches: [] } }),
    ...(unconfirmed !== undefined && { unconfirmed }),
    ...(purge && { purged: true as const }),
  };
  const exit = contradicted > 0 ? exitCode.alarm : exitOfRows(rows);
  if (exit === exitCode.ok) return [];
  const last = stops.at(-1);
  const isStopped = last !== undefined && !last.takenBack && exit === exitCode.notFinal;
  const next = isStopped ? afterPersonsStop(header.id) : nextStepOf({ exit, batch: header.id, ...rows, files: [] });
  return next ? [fact('Next', cellTextOf(next))] : [];
}

/** Returns a line if the wallet holds another sum than this ledger expects, and no open row explains it. */
function outsideRows({ header, runs = [] }: Report['source']): WorksheetRow[] {
  const after = walletAfter(header, runs);
  if (!after || after.outside.minor === 0n || after.open > 0) return [];
  const { minor, currency } = after.outside;
  const [size, way] = minor < 0n ? [-minor, 'less'] : [minor, 'more'];
  const text = `It held ${moneyText({ minor: size, currency })} ${way} than this ledger expects: moved outside paybatch. See the worksheet Reconciliation.`;
  return [fact('Wallet after the run', text)];
}

/** Returns six figures side by side: a label, the figure, and its sum of money. */
function tiles({ source, figures }: Report): WorksheetRow[] {
  const { byPart, all, rows } = figures;
  const tile = (label: string, { count: value, amount }: CountAndAmount, which: WhichRows = {}) => ({
    label,
    figure: { ...count(value, 'tileFigure'), formula: countOfRows(rows, which) },
    note: inTile(amount, amount.currency, sumOfRows(amountColumn, rows, amount, which)),
  });
  const partTile = (label: string, part: Part) =>
    tile(label, byPart[part], { outcomes: outcomes.filter((outcome) => outcomeView[outcome].part === part) });
  const { charges } = source.header;
  const six = [
    tile('Rows in the sheet', { count: rows, amount: all.amount }),
    partTile('Paid', 'paid'),
    partTile('Not paid', 'not-paid'),
    partTile('To check or wait for', 'to-check'),
    partTile('Not sent', 'not-sent'),
    {
      label: 'Charges',
      figure: { value: all.fees, look: 'tileFigure', formula: sumOfRows(feeCharged, rows, all.fees) } as const,
      note: inTile(charges, `quoted ${charges.currency}`, sumOfRows(feeQuoted, rows, charges)),
    },
  ];
  return [
    { cells: six.map(({ label }) => ({ value: label, look: 'tileLabel' })), options: { height: 20 } },
    { cells: six.map(({ figure }) => figure), options: { height: 32 } },
    { cells: six.map(({ note }) => note), options: { height: 20 } },
    space,
  ];
}

const inTile = (value: Money, unit: string, formula: Formula): StyledCell => ({
  value,
  unit,
  look: 'tileNote',
  formula,
});

/** Returns a line that says whether everything ties out; the comparisons are on the worksheet Reconciliation. */
function verdictRows({ source, figures }: Report): WorksheetRow[] {
  const all = tieOutsOf(source, figures).every(({ ties }) => ties);
  const why = all ? 'The worksheet Reconciliation shows every comparison.' : disagreement(figures);
  return [
    {
      cells: [
        { value: 'Everything ties out', look: 'strong' },
        verdict(all),
        { value: why, look: 'strong', span: SECTION_COLUMNS - 2, wrap: true },
      ],
    },
    space,
  ];
}

/** Returns what was shown before the payment was confirmed: who is new, who is gone, and whose phone or account has changed. */
const differenceRows = ({ sinceLastTime = [] }: Report['source']): WorksheetRow[] =>
  sinceLastTime.length === 0
    ? []
    : [section('Shown before it was paid'), ...sinceLastTime.map(([label, text]) => fact(label, text)), space];

/** Returns a line if there are no pictures; the tables say the same as the pictures. */
const pictureRows = ({ options }: Report): WorksheetRow[] =>
  options.pictures
    ? []
    : [fact('Pictures', 'None: this installation cannot draw them here. The tables say the same.'), space];

/** Height of a line of a table in points, and of a plot in such lines. */
const LINE_POINTS = 18;
const PLOT_LINES = 10;
const EMPTY_LINE: WorksheetRow = { cells: [], options: { height: LINE_POINTS } };
/** Height of a printed page in points, at the width of this worksheet: A4 across, with some room for lines that are higher. */
const PAGE_POINTS = 670;

const heightOf = (rows: readonly WorksheetRow[]): number =>
  rows.reduce((sum, { options }) => sum + (options?.height ?? LINE_POINTS), 0);

interface Layout {
  readonly rows: readonly WorksheetRow[];
  readonly plots: readonly PlacedPlot[];
}

/** Places tables one below the other after other rows, each with room for its plot, and no plot across two pages. */
function laidOut(tables: readonly SummaryTable[], above: readonly WorksheetRow[], pictures: boolean): Layout {
  const rows: WorksheetRow[] = [...above];
  const plots: PlacedPlot[] = [];
  let used = heightOf(above);
  for (const { rows: table, plot } of tables) {
    const isDrawn = pictures && plot !== undefined;
    const missing = isDrawn ? Math.max(PLOT_LINES + 1 - table.length, 0) : 0;
    const block = [...table, ...Array<WorksheetRow>(missing).fill(EMPTY_LINE), space];
    const [title, ...others] = block;
    if (table.length === 0 || !title) continue;
    const newPage = isDrawn && used + heightOf(block) > PAGE_POINTS;
    used = ((newPage ? 0 : used) + heightOf(block)) % PAGE_POINTS;
    // The title of a table is above both the table and the plot.
    if (isDrawn) plots.push({ plot, column: SECTION_COLUMNS, row: rows.length + 2 });
    rows.push(newPage ? { ...title, options: { ...title.options, newPage } } : title, ...others);
  }
  return { rows, plots };
}

export function summarySheet(report: Report): Worksheet {
  const first = [...opening(report), ...pictureRows(report), ...tiles(report), ...verdictRows(report)];
  const { rows, plots } = laidOut(summaryTables(report), first, report.options.pictures);
  return { spec, rows: [...rows, ...differenceRows(report.source)], plots };
}
