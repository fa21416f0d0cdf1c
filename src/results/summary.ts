/** The Summary worksheet: what a manager reads first, with figures that tie out to the sheet. */

import { counted } from '../domain/counted.ts';
import { type Money, moneyText, subtract } from '../domain/money.ts';
import { isUnpaidAsKnown, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { SheetSpec } from '../sheet/writing/workbook-writer.ts';
import { purgeTexts } from './confirmation-texts.ts';
import { type KindSums, tieOutsOf } from './figures.ts';
import { outcomeView, payAgainOf } from './outcome-view.ts';
import { disagreement, verdict } from './reconciliation.ts';
import type { Report } from './report.ts';
import { count, fact, headings, SECTION_COLUMNS, section, sectionColumns, space, titled, wide } from './sections.ts';
import { kindTitle } from './source.ts';
import { walletAfter } from './wallet-after.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

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
    ...stopRows(source, figures),
    ...supersededRows(source, figures),
    ...unconfirmedRows(source),
    ...outsideRows(source),
    space,
  ];
}

/** Why rows were not sent, where sending stopped by itself. */
function stopRows({ stopped, superseded, header }: Report['source'], { byOutcome }: Report['figures']): WorksheetRow[] {
  const unsent = byOutcome.unsent.count - (superseded?.rows ?? 0);
  if (!stopped || unsent <= 0) return [];
  const text = `${stopped.reason}. ${counted(unsent, 'row was', 'rows were')} not sent. ${stopped.todo}; then go on: paybatch resume ${header.id}`;
  return [fact('Sending stopped', `${text.charAt(0).toUpperCase()}${text.slice(1)}`)];
}

/** Rows that were not sent on purpose. */
const supersededRows = ({ superseded }: Report['source'], { byOutcome }: Report['figures']): WorksheetRow[] =>
  superseded && byOutcome.unsent.count > 0 ? [fact('Left out', `${superseded.says} ${superseded.todo}`)] : [];

/** Rows that nobody can tell of before the next run. */
function unconfirmedRows({ unconfirmed, header }: Report['source']): WorksheetRow[] {
  if (unconfirmed === undefined) return [];
  const text = `This ledger may not know all that was sent, so rows that count as not paid may have been paid: ${unconfirmed}. Do not pay them by other means before this has found out: paybatch resume ${header.id}`;
  return [fact('Check first', text)];
}

/** The wallet holds another sum than this ledger expects, and no open row explains it. */
function outsideRows({ header, runs = [] }: Report['source']): WorksheetRow[] {
  const after = walletAfter(header, runs);
  if (!after || after.outside.minor === 0n || after.open > 0) return [];
  const { minor, currency } = after.outside;
  const [size, way] = minor < 0n ? [-minor, 'less'] : [minor, 'more'];
  const text = `It held ${moneyText({ minor: size, currency })} ${way} than this ledger expects: moved outside paybatch. See the worksheet Reconciliation.`;
  return [fact('Wallet after the run', text)];
}

/** Six figures side by side: a label, the figure, and what it is worth. */
function tiles({ source, figures }: Report): WorksheetRow[] {
  const { byPart, all, rows } = figures;
  const tile = (label: string, { count: value, amount }: { readonly count: number; readonly amount: Money }) => ({
    label,
    figure: count(value, 'tileFigure'),
    note: moneyText(amount),
  });
  const six = [
    tile('Rows in the sheet', { count: rows, amount: all.amount }),
    tile('Paid', byPart.paid),
    tile('Not paid', byPart['not-paid']),
    tile('To check or wait for', byPart['to-check']),
    tile('Not sent', byPart['not-sent']),
    {
      label: 'Charges',
      figure: { value: all.fees, format: 'money', look: 'tileFigure' } as const,
      note: `charged · ${moneyText(source.header.charges)} quoted`,
    },
  ];
  return [
    { cells: six.map(({ label }) => ({ value: label, look: 'tileLabel' })), options: { height: 20 } },
    { cells: six.map(({ figure }) => figure), options: { height: 32 } },
    { cells: six.map(({ note }) => ({ value: note, look: 'tileNote' })), options: { height: 20 } },
    space,
  ];
}

function outcomeRows({ source, figures }: Report): WorksheetRow[] {
  const rows = outcomes.map((outcome): WorksheetRow => {
    const { count: value, amount, fees } = figures.byOutcome[outcome];
    const { title, says } = outcomeTable[outcome];
    const isUnconfirmed = source.unconfirmed !== undefined && isUnpaidAsKnown(outcome);
    const again = payAgainOf({ outcome, ...(isUnconfirmed && { unconfirmed: true }) });
    const look = value > 0 ? outcomeView[outcome].look : 'muted';
    return {
      cells: [{ value: title, look }, count(value), amount, fees, again.word, { value: says, wrap: true }],
      options: { look: 'row' },
    };
  });
  const { all } = figures;
  return [
    section('By outcome'),
    headings(3, 'Outcome', 'Rows', 'Amount', 'Fees charged', 'Pay again?', 'What it means'),
    ...rows,
    { cells: ['Total', count(all.count), all.amount, all.fees, '', ''], options: { look: 'total' } },
    space,
  ];
}

/** One line; what it rests on stands on the worksheet Reconciliation. */
function verdictRows({ source, figures }: Report): WorksheetRow[] {
  const all = tieOutsOf(source, figures).every(({ ties }) => ties);
  const why = all ? 'Every comparison stands on the worksheet Reconciliation.' : disagreement(figures);
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

function kindRows({ options, figures, source }: Report): WorksheetRow[] {
  const { all, byKind, byOutcome } = figures;
  const row = ({ kind, count: value, amount, paidCount, paid, quoted, fees }: KindSums): WorksheetRow => ({
    cells: [
      kindTitle(kind, options),
      count(value),
      amount,
      paid,
      fees,
      `${paidCount} of ${value} paid · ${moneyText(quoted)} quoted`,
    ],
    options: { look: 'row' },
  });
  const without = all.count - byKind.reduce((sum, { count: value }) => sum + value, 0);
  const nothing = subtract(source.header.total, source.header.total);
  return [
    section('By way of paying'),
    headings(4, 'Type', 'Rows', 'Amount', 'Paid', 'Fees charged', 'Rows paid and charges quoted'),
    ...byKind.map(row),
    ...(without > 0
      ? [
          {
            cells: ['Set aside, type not read', count(without), nothing, nothing, nothing, ''],
            options: { look: 'row' },
          } as const,
        ]
      : []),
    {
      cells: ['Total', count(all.count), all.amount, byOutcome.completed.amount, all.fees, ''],
      options: { look: 'total' },
    },
    space,
  ];
}

/** What was told before it was confirmed: who is new, who is gone, and whose phone or account is another one. */
const differenceRows = ({ sinceLastTime = [] }: Report['source']): WorksheetRow[] =>
  sinceLastTime.length === 0
    ? []
    : [section('Told before it was paid'), ...sinceLastTime.map(([label, text]) => fact(label, text)), space];

export const summarySheet = (report: Report): Worksheet => ({
  spec,
  rows: [
    ...opening(report),
    ...tiles(report),
    ...outcomeRows(report),
    ...verdictRows(report),
    ...kindRows(report),
    ...differenceRows(report.source),
  ],
});
