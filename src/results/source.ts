/** What the results workbook is made of: the ledger's word on one batch, and nothing that changes from look to look. */
import type { BatchHeader, ResultRow, SupersededRows, Tally } from '../domain/batch.ts';
import type { DatedClientChange } from '../domain/client-change.ts';
import type { JournalSettings } from '../domain/journal.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import type { RecordedRun, RecordedStop } from '../ledger/ledger.ts';
import type { RowTrail } from './evidence/row-trail.ts';
import type { DrawPicture } from './pictures/draw-picture.ts';

/** A label and what is said beside it. */
export type DifferenceLine = readonly [label: string, text: string];

export interface ResultsSource {
  readonly header: BatchHeader;
  readonly tallies: readonly Tally[];
  /** Why the last run stopped sending before its end, and what to do; missing when it did not. */
  readonly stopped?: { readonly reason: string; readonly todo: string };
  /** What runs leave out, because later batches hold it; missing when there is nothing. */
  readonly superseded?: SupersededRows;
  /** Rows that count as not paid, and that a ledger before this one may have paid; missing when there are none. */
  readonly unconfirmed?: number;
  /** How far the ledger went when this was read; missing where nothing was recorded. */
  readonly head?: LedgerHead;
  /** Client ids that took the place of others, as far as the ledger has recorded any. */
  readonly clientChanges?: readonly DatedClientChange[];
  /** When its people were deleted, and by whom; missing while they are there. */
  readonly purge?: PurgeRecord;
  /** Every run of the batch, the first one first. */
  readonly runs?: readonly RecordedRun[];
  /** Every stop of the batch that a person recorded, the first one first. */
  readonly stops?: readonly RecordedStop[];
  /** How it differed from earlier batches when it was planned; missing when nothing was told. */
  readonly sinceLastTime?: readonly DifferenceLine[];
  /** What was recorded of the orders of a row; missing where there is no ledger to ask. */
  readonly trail?: (row: number) => Promise<RowTrail>;
  /** All rows of the sheet in sheet order, in blocks. It is read several times, from the beginning each time. */
  rows(): AsyncIterable<readonly ResultRow[]>;
}

/** The rows of a source one by one. */
export async function* rowsOf(source: Pick<ResultsSource, 'rows'>): AsyncGenerator<ResultRow> {
  for await (const block of source.rows()) yield* block;
}

export interface ResultsOptions {
  /** When the workbook is made, in wall-clock milliseconds. */
  readonly printedAt: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  /** Titles of the ways of paying by name. */
  readonly kindTitles: Readonly<Record<string, string>>;
  /** How payments are written for the books; missing: as `usualJournal`. */
  readonly journal?: JournalSettings;
  /** The row that evidence is about. */
  readonly row?: number;
  /** Evidence shows all that the sheet says in this row; missing: what concerns the payment alone. */
  readonly wholeRow?: true;
  /** Headings of the user's columns by which the Summary counts rows. */
  readonly groupBy: readonly string[];
  /** The Summary shows its plots as pictures. */
  readonly pictures: boolean;
  /** Draws them; missing where nobody can, and then they are left out. */
  readonly draw?: DrawPicture | undefined;
}

/** The title of a way of paying for people; an older ledger may hold one that is no longer known. */
export const kindTitle = (kind: string, { kindTitles }: ResultsOptions): string => kindTitles[kind] ?? kind;

/** What the cells of a row say in one of our columns; a name may stand in several. */
export const saidInSheet = ({ texts }: ResultRow, { sheet }: BatchHeader, column: string): string =>
  sheet.headings
    .flatMap(({ means }, index) => (means === column ? [sheetValueText(texts[index] ?? '').trim()] : []))
    .filter((text) => text !== '')
    .join(' ');
