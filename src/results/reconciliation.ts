/** The Reconciliation worksheet: every figure against another source, what was charged against what was quoted, and the wallet. */
import { localTime } from '../domain/clock.ts';
import { agreeing, counted } from '../domain/counted.ts';
import { type Money, moneyText, subtract } from '../domain/money.ts';
import type { LookName, RowCell, SheetSpec, StyledCell } from '../sheet/writing/workbook-writer.ts';
import { type Figures, type KindSums, tieOutsOf } from './figures.ts';
import type { Report } from './report.ts';
import { count, headings, section, sectionColumns, space, titled } from './sections.ts';
import { kindTitle } from './source.ts';
import { walletAfter } from './wallet-after.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

const spec: SheetSpec = { name: 'Reconciliation', columns: sectionColumns, table: false, tabColour: '2E75B6' };

export const verdict = (yes: boolean): StyledCell => ({ value: yes ? 'yes' : 'NO', look: yes ? 'good' : 'bad' });

/** What does not agree: the service's word, or else our own figures. */
export const disagreement = ({ contradicted, overpaid }: Figures): string =>
  overpaid.count > 0
    ? `The service shows more than was to be paid: ${moneyText(overpaid.amount)} too much in ${counted(overpaid.count, 'row')}. See the worksheet Exceptions.`
    : contradicted > 0
      ? `The service contradicts itself about ${counted(contradicted, 'row')}. See the worksheet Exceptions, and ask the provider.`
      : 'Figures on the worksheet Reconciliation disagree. Run `paybatch verify` before you rely on them.';

function tieOutRows({ source, figures }: Report): WorksheetRow[] {
  const shown = (value: number | Money): RowCell => (typeof value === 'number' ? count(value) : value);
  return [
    section('Ties out'),
    headings(3, '', 'Figure', 'Must equal', 'Difference', 'Ties out', 'What is compared'),
    ...tieOutsOf(source, figures).map(({ claim, left, right, difference, ties }): WorksheetRow => {
      const [first = '', second = ''] = claim.split(' = ');
      return {
        cells: [
          { value: first, wrap: true },
          shown(left),
          shown(right),
          shown(difference),
          verdict(ties),
          { value: `against ${second}`, wrap: true },
        ],
        options: { look: 'row' },
      };
    }),
    space,
  ];
}

/** Of what was paid alone: a row that was not paid has a quote and no fee. */
function feeRows({ options, figures: { byKind } }: Report): WorksheetRow[] {
  const paid = byKind.filter(({ paidCount }) => paidCount > 0);
  if (paid.length === 0) return [];
  const row = ({ kind, paidCount, paidQuoted, fees }: KindSums): WorksheetRow => {
    const difference = subtract(fees, paidQuoted);
    const words =
      difference.minor === 0n ? 'as quoted' : difference.minor > 0n ? 'more than quoted' : 'less than quoted';
    return {
      cells: [kindTitle(kind, options), count(paidCount), paidQuoted, fees, difference, words],
      options: { look: 'row' },
    };
  };
  return [
    section('Charges of what was paid'),
    headings(4, 'Type', 'Rows paid', 'Quoted', 'Charged', 'Difference', ''),
    ...paid.map(row),
    space,
  ];
}

function walletRows({ source, figures, options }: Report): WorksheetRow[] {
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
    ...afterRows({ source, options }),
    space,
  ];
}

/** What the service said when the last run ended. Other use of the wallet shows here, and so does a fee that was not reported. */
function afterRows({ source, options }: Pick<Report, 'source' | 'options'>): WorksheetRow[] {
  const after = walletAfter(source.header, source.runs ?? []);
  if (!after) return [];
  const { at, balance, others, outside, open } = after;
  const line = (label: string, value: Money, note: string, look: LookName = 'row'): WorksheetRow => ({
    cells: [label, value, { value: note, span: 4, wrap: true }],
    options: { look },
  });
  const when = `${localTime(at, options.timezone)} ${options.timezone}`;
  return [
    line('Balance after', balance, `As the service said when the last run ended, ${when}.`),
    ...(others.minor === 0n
      ? []
      : [line('Other batches', others, 'Paid meanwhile by other batches of this ledger, with fees.')]),
    line('Moved outside paybatch', outside, outsideText(outside, open), 'total'),
  ];
}

/** Why the balance is another one than this ledger expects. */
function outsideText({ minor }: Money, open: number): string {
  if (minor === 0n) return 'Nothing: the balance is what this ledger expects.';
  if (open > 0) return `${counted(open, 'row was', 'rows were')} not final then, and may be part of it.`;
  return minor > 0n
    ? 'It came in: a top-up, or money that came back. The statement of the wallet says which.'
    : 'It left: other systems, or fees that the service did not report. The statement of the wallet says which.';
}

export const reconciliationSheet = (report: Report): Worksheet => ({
  spec,
  rows: [
    ...titled('Reconciliation', report.source.header),
    space,
    ...tieOutRows(report),
    ...feeRows(report),
    ...walletRows(report),
  ],
});
