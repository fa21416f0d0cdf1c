/** The Summary worksheet: what a manager reads first, with figures that tie out to the sheet. */

import { duplicateText } from '../domain/batch.ts';
import { clientChangeText } from '../domain/client-change.ts';
import { agreeing, counted } from '../domain/counted.ts';
import { add, type Money, moneyText, subtract } from '../domain/money.ts';
import { isUnpaidAsKnown, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { LookName, RowCell, SheetSpec, StyledCell } from '../sheet/writing/workbook-writer.ts';
import { confirmationTexts, purgeTexts } from './confirmation-texts.ts';
import { type KindSums, tieOutsOf } from './figures.ts';
import { headTexts } from './head-text.ts';
import { outcomeView, payAgainOf } from './outcome-view.ts';
import type { Report } from './report.ts';
import { kindTitle } from './source.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

const COLUMNS = 6;

const spec: SheetSpec = {
  name: 'Summary',
  columns: [36, 24, 24, 24, 24, 58].map((width) => ({ width, format: 'text' })),
  table: false,
  tabColour: '70AD47',
};

const space: WorksheetRow = { cells: [], options: { height: 9 } };
const wide = (value: string, look: LookName): WorksheetRow => ({ cells: [{ value, look, span: COLUMNS, wrap: true }] });
const section = (value: string): WorksheetRow => wide(value, 'section');
/** A row of headings; those of the `figures` columns after the first stand over their figures, at the right. */
const headings = (figures: number, ...words: readonly string[]): WorksheetRow => ({
  cells: words.map((value, index) => ({
    value,
    look: 'heading',
    align: index > 0 && index <= figures ? 'right' : 'left',
  })),
});
const count = (value: number, look?: LookName): StyledCell => ({ value, format: 'integer', ...(look && { look }) });
const fact = (label: string, value: string): WorksheetRow => ({
  cells: [
    { value: label, look: 'label' },
    { value, look: 'strong', span: COLUMNS - 1, wrap: true },
  ],
});

function opening({ source, figures, options }: Report): WorksheetRow[] {
  const { header } = source;
  const sheet = header.sheet.worksheet
    ? `${header.sheet.name}, worksheet ${header.sheet.worksheet}`
    : header.sheet.name;
  return [
    ...(header.sandbox ? [wide('SANDBOX: practice run, no money moved', 'banner')] : []),
    wide('Payout results', 'title'),
    wide(`${header.organisation} · batch ${header.id}`, 'subtitle'),
    space,
    fact('Sheet', `${sheet} (${counted(figures.rows, 'row')})`),
    fact('SHA-256 of the sheet', header.sheet.sha256),
    fact('Profile', `${header.profile} (${header.service})`),
    ...purgeTexts(source, options).map(([label, text]) => fact(label, text)),
    ...stopRows(source, figures),
    ...supersededRows(source, figures),
    ...unconfirmedRows(source),
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

/** What does not agree: the service's word, or else our own figures. */
const disagreement = ({ contradicted, overpaid }: Report['figures']): string =>
  overpaid.count > 0
    ? `The service shows more than was to be paid: ${moneyText(overpaid.amount)} too much in ${counted(overpaid.count, 'row')}. See the worksheet Exceptions.`
    : contradicted > 0
      ? `The service contradicts itself about ${counted(contradicted, 'row')}. See the worksheet Exceptions, and ask the provider.`
      : 'The figures below disagree. Run `paybatch verify` before you rely on them.';

function tieOutRows({ source, figures }: Report): WorksheetRow[] {
  const ties = tieOutsOf(source, figures);
  const all = ties.every((tie) => tie.ties);
  const verdict = (yes: boolean): StyledCell => ({ value: yes ? 'yes' : 'NO', look: yes ? 'good' : 'bad' });
  const shown = (value: number | Money): RowCell => (typeof value === 'number' ? count(value) : value);
  return [
    section('Ties out'),
    {
      cells: [
        { value: 'Everything ties out', look: 'strong' },
        verdict(all),
        {
          value: all ? '' : disagreement(figures),
          look: 'strong',
          span: 4,
          wrap: true,
        },
      ],
    },
    headings(3, '', 'Figure', 'Must equal', 'Difference', 'Ties out', 'What is compared'),
    ...ties.map(({ claim, left, right, difference, ties: yes }): WorksheetRow => {
      const [first = '', second = ''] = claim.split(' = ');
      return {
        cells: [
          { value: first, wrap: true },
          shown(left),
          shown(right),
          shown(difference),
          verdict(yes),
          { value: `against ${second}`, wrap: true },
        ],
        options: { look: 'row' },
      };
    }),
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

function walletRows({ source, figures }: Report): WorksheetRow[] {
  const { balance } = source.header;
  const { completed } = figures.byOutcome;
  const { overpaid } = figures;
  const after = subtract(subtract(subtract(balance, completed.amount), figures.all.fees), overpaid.amount);
  const open = figures.byPart['to-check'];
  const line = (label: string, value: Money, note: string, look: LookName = 'row'): WorksheetRow => ({
    cells: [label, value, { value: note, span: 4, wrap: true }],
    options: { look },
  });
  return [
    section('Wallet'),
    line('Balance before', balance, 'As the service reported it just before the first payment.'),
    line('Paid', completed.amount, `${counted(completed.count, 'row')} completed.`),
    ...(overpaid.count > 0
      ? [line('Paid too much', overpaid.amount, `${counted(overpaid.count, 'row')}, as far as the service shows.`)]
      : []),
    line('Fees charged', figures.all.fees, 'As the service reported them, row by row.'),
    line(
      'Expected balance after',
      after,
      'Balance before, less paid and fees; other use of the wallet comes on top.',
      'total',
    ),
    ...(open.count > 0
      ? [
          line(
            'If all open rows are paid',
            subtract(after, open.amount),
            `${counted(open.count, 'row is', 'rows are')} not final; ${agreeing(open.count, 'its fee comes', 'their fees come')} on top.`,
          ),
        ]
      : []),
    space,
  ];
}

/** What was told before it was confirmed: who is new, who is gone, and whose phone or account is another one. */
const differenceRows = ({ sinceLastTime = [] }: Report['source']): WorksheetRow[] =>
  sinceLastTime.length === 0
    ? []
    : [section('Since last time'), ...sinceLastTime.map(([label, text]) => fact(label, text)), space];

function controlRows({ source, options }: Report, time: (ms: number) => StyledCell): WorksheetRow[] {
  const { header } = source;
  const { mapping } = header.sheet;
  const repeated = duplicateText(header);
  const when = (label: string, ms: number): WorksheetRow => ({
    cells: [{ value: label, look: 'label' }, time(ms), { value: options.timezone, look: 'label' }],
  });
  return [
    section('Control'),
    fact(
      'Planned',
      `${counted(header.payable, 'payment')}, ${moneyText(header.total)}; with charges ${moneyText(add(header.total, header.charges))}`,
    ),
    ...confirmationTexts(header).map(([label, text]) => fact(label, text)),
    ...(repeated === undefined ? [] : [fact('Paid before', repeated)]),
    ...(mapping ? [fact('Mapping of headings', `${mapping.name} (SHA-256 ${mapping.sha256})`)] : []),
    ...(source.clientChanges ?? []).map((change) => fact('Client id', clientChangeText(change, options.timezone))),
    ...(header.repairs ? [fact('Repairs accepted', `${header.repairs}, each on the worksheet Repairs`)] : []),
    fact('Run by', header.maker),
    when('Planned at', header.plannedAt),
    when('This report', options.printedAt),
    fact('Made with', `paybatch ${header.version}`),
    // What contradicts a ledger that somebody rewrites later.
    ...(source.head ? headTexts(source.head).map(([label, text]) => fact(label, text)) : []),
  ];
}

export const summarySheet = (report: Report): Worksheet => ({
  spec,
  rows: [
    ...opening(report),
    ...tiles(report),
    ...outcomeRows(report),
    ...tieOutRows(report),
    ...kindRows(report),
    ...walletRows(report),
    ...differenceRows(report.source),
    ...controlRows(report, (value) => ({ value, format: 'dateTime', look: 'strong', align: 'left' })),
  ],
});
