/** What results are built from: what the ledger says about one batch, and nothing that changes from one reading to the next. */
import type { BatchHeader, ResultRow, SupersededRows, Tally } from '../domain/batch.ts';
import type { DatedClientChange } from '../domain/client-change.ts';
import type { JournalSettings } from '../domain/journal.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import type { RecordedRun, RecordedStop } from '../ledger/ledger.ts';
import type { RowTrail } from './evidence/row-trail.ts';
import type { Made } from './made-text.ts';
import type { DrawPicture } from './pictures/draw-picture.ts';

/** A label and its text. */
export type DifferenceLine = readonly [label: string, text: string];

export interface ResultsSource {
  readonly header: BatchHeader;
  readonly tallies: readonly Tally[];
  /** Why the last run stopped sending before its end, and what to do; absent if it did not. */
  readonly stopped?: { readonly reason: string; readonly todo: string };
  /** Rows that runs do not send because later batches hold their payments; absent if there are none. */
  readonly superseded?: SupersededRows;
  /** Number of rows that count as not paid, but that an earlier ledger may have paid; absent if there are none. */
  readonly unconfirmed?: number;
  /** How far the ledger went when the source was read; absent if nothing was recorded. */
  readonly head?: LedgerHead;
  /** Recorded changes of the client id. */
  readonly clientChanges?: readonly DatedClientChange[];
  /** When the people of the batch were deleted, and by whom; absent if they were not. */
  readonly purge?: PurgeRecord;
  /** All runs of the batch, oldest first. */
  readonly runs?: readonly RecordedRun[];
  /** All stops of the batch that a person recorded, oldest first. */
  readonly stops?: readonly RecordedStop[];
  /** How the batch differed from earlier ones when it was planned; absent if nothing was reported. */
  readonly sinceLastTime?: readonly DifferenceLine[];
  /** Returns what was recorded about the orders of a row; absent if there is no ledger to read. */
  readonly trail?: (row: number) => Promise<RowTrail>;
  /** Returns all rows of the sheet in sheet order, in blocks. Called several times; each call starts from the beginning. */
  rows(): AsyncIterable<readonly ResultRow[]>;
}

/** Yields the rows of a source one by one. */
export async function* rowsOf(source: Pick<ResultsSource, 'rows'>): AsyncGenerator<ResultRow> {
  for await (const block of source.rows()) yield* block;
}

export interface ResultsOptions extends Omit<Made, 'inRecovery'> {
  /** Titles of the ways of paying, by name. */
  readonly kindTitles: Readonly<Record<string, string>>;
  /** How payments are written for the books; absent: as `usualJournal`. */
  readonly journal?: JournalSettings;
  /** The row that evidence is about. */
  readonly row?: number;
  /** Set if evidence shows the whole row of the sheet; absent: only what concerns the payment. */
  readonly wholeRow?: true;
  /** Draws the pictures; absent if this system cannot draw, and then the pictures are left out. */
  readonly draw?: DrawPicture | undefined;
}

/** Returns the title of a way of paying, for people; an older ledger may hold a way that is no longer known. */
export const kindTitle = (kind: string, { kindTitles }: ResultsOptions): string => kindTitles[kind] ?? kind;

/** Returns what a row of the sheet says in one of paybatch's columns, joined if several headings mean that column. */
export const saidInSheet = ({ texts }: ResultRow, { sheet }: BatchHeader, column: string): string =>
  sheet.headings
    .flatMap(({ means }, index) => (means === column ? [sheetValueText(texts[index] ?? '').trim()] : []))
    .filter((text) => text !== '')
    .join(' ');

/** Returns the name of the person in a row. A row without a payout has the name in its sheet, or all its texts if there is none. */
export const nameOfRow = (row: ResultRow, batch: BatchHeader): string =>
  row.payout?.name ??
  (saidInSheet(row, batch, 'name') ||
    row.texts
      .map((text) => sheetValueText(text).trim())
      .filter((text) => text !== '')
      .join(', '));
