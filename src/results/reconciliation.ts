/** The Reconciliation worksheet: each figure compared with another source, charges compared with their quotes, and the wallet. */
import { localTime } from '../domain/clock.ts';
import { agreeing, counted } from '../domain/counted.ts';
import { type Money, moneyText, subtract } from '../domain/money.ts';
import type { Formula, LookName, RowCell, SheetSpec, StyledCell } from '../sheet/writing/workbook-writer.ts';
import type { Group } from './breakdown.ts';
import { amount, feeCharged } from './columns.ts';
import type { Figures } from './figures.ts';
import { rounded, sumOfRows } from './formulas.ts';
import type { Report } from './report.ts';
import { count, headings, section, sectionColumns, space, tableSection, titled, toTheEdge } from './sections.ts';
import { kindTitle } from './source.ts';
import { tieOutsOf } from './tie-outs.ts';
import { walletAfter } from './wallet-after.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

const spec: SheetSpec = { name: 'Reconciliation', columns: sectionColumns, table: false, tabColour: '2E75B6' };

export const verdict = (yes: boolean, formula?: Formula): StyledCell => ({
  value: yes ? 'yes' : 'NO',
  look: yes ? 'good' : 'bad',
  ...(formula && { formula }),
});

/** Returns a sentence about what does not agree: the service's reports, or else paybatch's own figures. */
export const disagreement = ({ contradicted, overpaid }: Figures): string =>
  overpaid.count > 0
    ? `The service shows more than was to be paid: ${moneyText(overpaid.amount)} too much in ${counted(overpaid.count, 'row')}. See the worksheet Exceptions.`
    : contradicted > 0
      ? `The service contradicts itself about ${counted(contradicted, 'row')}. See the worksheet Exceptions, and ask the provider.`
      : 'Figures on the worksheet Reconciliation disagree. Run `paybatch verify` before you rely on them.';

function tieOutRows({ source, figures }: Report): readonly WorksheetRow[] {
  const shown = (value: number | Money, formula?: Formula): StyledCell => ({
    ...(typeof value === 'number' ? count(value) : { value }),
    ...(formula && { formula }),
  });
  return tableSection(
    'Ties out',
    headings(3, '', 'Figure', 'Must equal', 'Difference', 'Ties out', 'What is compared'),
    tieOutsOf(source, figures).map(({ claim, left, right, difference, ties, formula }) => {
      const [first = '', second = ''] = claim.split(' = ');
      return [
        { value: first, wrap: true },
        shown(left),
        shown(right, formula),
        shown(difference, (row) => differenceOf(`B${row}-C${row}`, difference)),
        verdict(ties, (row) => `IF(D${row}=0,"yes","NO")`),
        { value: `against ${second}`, wrap: true },
      ];
    }),
  );
}

const differenceOf = (formula: string, difference: number | Money): string =>
  typeof difference === 'number' ? formula : rounded(formula, difference.currency);

/** Returns the rows that compare charges with quotes, for paid rows only: a row that was not paid has a quote and no fee. */
function feeRows({ options, figures: { byKind } }: Report): readonly WorksheetRow[] {
  const paid = byKind.filter(({ paidCount }) => paidCount > 0);
  const cells = ({ name, paidCount, paidQuoted, fees }: Group): readonly RowCell[] => {
    const difference = subtract(fees, paidQuoted);
    const words =
      difference.minor === 0n ? 'as quoted' : difference.minor > 0n ? 'more than quoted' : 'less than quoted';
    const formula: Formula = (at) => rounded(`D${at}-C${at}`, difference.currency);
    return [kindTitle(name, options), count(paidCount), paidQuoted, fees, { value: difference, formula }, words];
  };
  const head = headings(4, 'Type', 'Rows paid', 'Quoted', 'Charged', 'Difference', 'Against the quote');
  return tableSection('Charges of what was paid', head, paid.map(cells));
}

const line = (label: string, value: StyledCell, note: string, look: LookName = 'row'): WorksheetRow =>
  toTheEdge({ cells: [label, value, { value: note, wrap: true }], options: { look } });

function walletRows({ source, figures, options }: Report): WorksheetRow[] {
  const { balance } = source.header;
  const { completed } = figures.byOutcome;
  const { overpaid } = figures;
  const after = subtract(subtract(subtract(balance, completed.amount), figures.all.fees), overpaid.amount);
  const open = figures.byPart['to-check'];
  const { rows } = figures;
  // The formula covers the balance before the run down to the line above the expected balance.
  const lines = overpaid.count > 0 ? 4 : 3;
  const expected: Formula = (row) => rounded(`B${row - lines}-SUM(B${row - lines + 1}:B${row - 1})`, balance.currency);
  return [
    section('Wallet'),
    line('Balance before', { value: balance }, 'As the service reported it just before the first payment.'),
    line(
      'Paid',
      {
        value: completed.amount,
        formula: sumOfRows(amount, rows, completed.amount, { outcomes: ['completed'] }),
      },
      `${counted(completed.count, 'row')} completed.`,
    ),
    ...(overpaid.count > 0
      ? [
          line(
            'Paid too much',
            { value: overpaid.amount },
            `${counted(overpaid.count, 'row')}, as far as the service shows.`,
          ),
        ]
      : []),
    line(
      'Fees charged',
      { value: figures.all.fees, formula: sumOfRows(feeCharged, rows, figures.all.fees) },
      'As the service reported them, row by row.',
    ),
    line(
      'Expected balance after',
      { value: after, formula: expected },
      'Balance before, less paid and fees; other use of the wallet comes on top.',
      'total',
    ),
    ...(open.count > 0
      ? [
          line(
            'If all open rows are paid',
            { value: subtract(after, open.amount) },
            `${counted(open.count, 'row is', 'rows are')} not final; ${agreeing(open.count, 'its fee comes', 'their fees come')} on top.`,
          ),
        ]
      : []),
    ...afterRows({ source, options }),
    space,
  ];
}

/**
 * Returns the rows about the balance when the last run ended. They reveal other use of the wallet, and fees that the service
 * did not report.
 */
function afterRows({ source, options }: Pick<Report, 'source' | 'options'>): WorksheetRow[] {
  const after = walletAfter(source.header, source.runs ?? []);
  if (!after) return [];
  const { at, balance, others, outside, open } = after;
  const when = `${localTime(at, options.timezone)} ${options.timezone}`;
  return [
    line('Balance after', { value: balance }, `As the service said when the last run ended, ${when}.`),
    ...(others.minor === 0n
      ? []
      : [line('Other batches', { value: others }, 'Paid meanwhile by other batches of this ledger, with fees.')]),
    line('Moved outside paybatch', { value: outside }, outsideText(outside, open), 'total'),
  ];
}

/** Returns why the balance may differ from what this ledger expects. */
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
