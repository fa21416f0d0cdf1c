/** A batch of the history: as people read it, as a line of a table, and as an event for programs. */
import { type BatchHeader, duplicateText } from '../../domain/batch.ts';
import { isoTime, localTime } from '../../domain/clock.ts';
import { decimalOf, moneyText } from '../../domain/money.ts';
import { outcomes, outcomeTable } from '../../domain/outcome.ts';
import { type PurgeRecord, purgedText } from '../../domain/purged.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import type { CsvField } from '../../sheet/writing/csv-writer.ts';

/** A batch with what became of it. */
export interface PastBatch extends Pick<RunEnd, 'counts' | 'amounts' | 'exit'> {
  readonly header: BatchHeader;
  /** When its people were deleted, and by whom. */
  readonly purge?: PurgeRecord | undefined;
}

/** Times stand as on the clocks of a zone, an IANA name. */
export function historyLines({ header, counts, purge }: PastBatch, timezone: string): readonly string[] {
  const repeated = duplicateText(header);
  const total = moneyText(header.total);
  const occurring = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `${localTime(header.plannedAt, timezone)}  ${header.id}  ${shown(header.sheet.name)}  ${total}`,
    `  ${occurring.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
    ...(purge ? [`  ${purgedText(purge, timezone)}`] : []),
    ...(repeated === undefined ? [] : [`  ${shown(repeated)}`]),
  ];
}

/** What is known of it for programs. */
export const historyRecord = ({ header, counts, amounts, exit, purge }: PastBatch): object => ({
  batch: header.id,
  sheet: header.sheet.name,
  plannedAt: isoTime(header.plannedAt),
  rows: header.rows,
  counts,
  currency: header.currency,
  planned: decimalOf(header.total),
  ...(amounts && { completed: decimalOf(amounts.completed), fees: decimalOf(amounts.fees) }),
  ...(purge && { purgedAt: isoTime(purge.at) }),
  ...(header.paidBefore && { paidBefore: header.paidBefore }),
  exit,
});

/** The table: its headings, then a line for each batch. */
export const historyTable = (batches: readonly PastBatch[], timezone: string): readonly (readonly CsvField[])[] => [
  [
    `Planned at, ${timezone}`,
    'Batch',
    'Sheet',
    'Profile',
    'Rehearsal',
    'Rows',
    ...outcomes.map((outcome) => outcomeTable[outcome].title),
    'Currency',
    'Planned',
    'Paid',
    'Fees charged',
    'Exit code',
  ],
  ...batches.map(({ header, counts, amounts, exit }): readonly CsvField[] => [
    localTime(header.plannedAt, timezone),
    header.id,
    header.sheet.name,
    header.profile,
    header.sandbox ? 'yes' : 'no',
    header.rows,
    ...outcomes.map((outcome) => counts[outcome]),
    header.currency,
    header.total,
    amounts?.completed ?? '',
    amounts?.fees ?? '',
    exit,
  ]),
];
