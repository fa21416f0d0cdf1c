/** The Audit worksheet: who is responsible for what, all runs of the batch, and how this workbook was made. */
import { duplicateText } from '../domain/batch.ts';
import { clientChangeText } from '../domain/client-change.ts';
import { counted, firstOf } from '../domain/counted.ts';
import type { RunTerms } from '../domain/fact.ts';
import { add, type Money } from '../domain/money.ts';
import type { RecordedRun, RecordedStop } from '../ledger/ledger.ts';
import type { SheetSpec, StyledCell } from '../sheet/writing/workbook-writer.ts';
import { confirmationTexts } from './confirmation-texts.ts';
import { headTexts } from './head-text.ts';
import { madeTexts } from './made-text.ts';
import type { Report } from './report.ts';
import { count, fact, figure, headings, section, sectionColumns, space, tableSection, titled } from './sections.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

const spec: SheetSpec = { name: 'Audit', columns: sectionColumns, table: false, tabColour: '7F7F7F' };

const time = (value: number): StyledCell => ({ value, format: 'dateTime', look: 'strong', align: 'left' });

function controlRows({ source, options }: Report): WorksheetRow[] {
  const { header } = source;
  const { mapping } = header.sheet;
  const repeated = duplicateText(header);
  return [
    section('Control'),
    fact('SHA-256 of the sheet', header.sheet.sha256),
    figure('Payments planned', count(header.payable)),
    figure('Total planned', amountOf(header.total)),
    figure('With charges', amountOf(add(header.total, header.charges))),
    ...confirmationTexts(header).map(([label, text]) => fact(label, text)),
    ...(repeated === undefined ? [] : [fact('Paid before', repeated)]),
    ...(mapping ? [fact('Mapping of headings', `${mapping.name} (SHA-256 ${mapping.sha256})`)] : []),
    ...(source.clientChanges ?? []).map((change) => fact('Client id', clientChangeText(change, options.timezone))),
    ...(header.repairs ? [fact('Repairs accepted', `${header.repairs}, each on the worksheet Repairs`)] : []),
    fact('Planned by', `${header.maker}, with paybatch ${header.version}`),
    dated('Planned at', header.plannedAt, options.timezone),
    space,
  ];
}

/** Returns a cell with an amount, preceded by its currency. */
const amountOf = (value: Money): StyledCell => ({ value, unit: value.currency });

const dated = (label: string, ms: number, timezone: string): WorksheetRow => ({
  cells: [{ value: label, look: 'label' }, time(ms), { value: timezone, look: 'label' }],
});

/** Returns a cell with a time, without a look of its own. */
const moment = (value: number): StyledCell => ({ value, format: 'dateTime', align: 'left' });

/** Returns a line for each run of the batch. */
const runRows = (runs: readonly RecordedRun[]): readonly WorksheetRow[] =>
  tableSection(
    'Runs',
    headings(0, 'Began', 'Ended', 'Made with', 'By', 'Terms', 'How it ended'),
    runs.map(({ startedAt, started, stoppedAt, stopped }) => [
      moment(startedAt),
      stoppedAt === undefined ? '' : moment(stoppedAt),
      `paybatch ${started.version}`,
      { value: started.holder, wrap: true },
      { value: termsText(started), wrap: true },
      { value: stopped?.reason ?? 'No end is recorded: it was interrupted, or was still in progress.', wrap: true },
    ]),
  );

/** Returns a line for each time that a person stopped the batch. */
const stopRows = (stops: readonly RecordedStop[]): readonly WorksheetRow[] =>
  tableSection(
    'Stopped by people',
    headings(0, 'Stopped', 'Cancelled', '', 'By', 'Cancelled by', 'Why'),
    stops.map(({ at, by, reason, takenBack }) => [
      moment(at),
      takenBack ? moment(takenBack.at) : '',
      '',
      { value: by, wrap: true },
      { value: takenBack?.by ?? 'Nobody: the stop is in force.', wrap: true },
      { value: reason, wrap: true },
    ]),
  );

const termsText = ({ canary, rowsMost }: RunTerms): string =>
  [
    ...(canary && canary.rows > 0 ? [`${firstOf(canary.rows, 'row')} ahead of the others`] : []),
    ...(rowsMost === undefined ? [] : [`${counted(rowsMost, 'row')} at most, as far as the wallet went`]),
  ].join('; ');

/**
 * Returns the signed head, which contradicts a ledger that is rewritten later, and everything that is needed to make this
 * workbook again.
 */
function workbookRows({ source, options }: Report): WorksheetRow[] {
  return [
    section('This workbook'),
    dated('Made at', options.printedAt, options.timezone),
    ...madeTexts({ ...options, inRecovery: source.unconfirmed !== undefined }).map(([label, text]) =>
      fact(label, text),
    ),
    ...(source.head ? headTexts(source.head).map(([label, text]) => fact(label, text)) : []),
  ];
}

export const auditSheet = (report: Report): Worksheet => ({
  spec,
  rows: [
    ...titled('Audit', report.source.header),
    space,
    ...controlRows(report),
    ...runRows(report.source.runs ?? []),
    ...stopRows(report.source.stops ?? []),
    ...workbookRows(report),
  ],
});
