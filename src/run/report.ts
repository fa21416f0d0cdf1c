/** The results of a batch, from the ledger alone: deleted, they can be written again. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { kindTitles } from '../kinds/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { supersededOf } from '../preflight/duplicates/superseded-rows.ts';
import { namesComparedOnce } from '../preflight/payees/paid-names.ts';
import { rowTrail } from '../results/evidence/row-trail.ts';
import { requireHeadings } from '../results/group-by.ts';
import type { Made } from '../results/made-text.ts';
import type { PictureDrawer } from '../results/pictures/draw-picture.ts';
import { knownEnd } from '../results/run-end.ts';
import { unpaidAsKnown, withSentAhead, withUnconfirmed } from '../results/sent-ahead.ts';
import { sinceLastTime } from '../results/since-last-time.ts';
import type { ResultsSource } from '../results/source.ts';
import { type ResultsFormat, writeResults } from '../results/write-results.ts';

/** What the results show beside what they always do. */
export interface ResultsWishes {
  /** Headings of the sheet by which the Summary counts rows; missing: none. */
  readonly groupBy?: readonly string[];
  /** Finds out who draws pictures on this system; missing: nobody does. */
  readonly pictures?: PictureDrawer;
}

/** What a report is made of, and whom it tells. */
interface ReportDeps extends ResultsWishes {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly tell: Tell;
}

/** Where the results of a batch are written, and in which form. */
export interface ReportPlace {
  /** Missing: beside the sheet. */
  readonly folder?: string | undefined;
  /** Missing: the workbook. */
  readonly format?: ResultsFormat;
  /** The file itself, whatever the folder; missing: it gets the name of the batch. */
  readonly file?: string | undefined;
  /** The row that evidence is about: one that the batch has. */
  readonly row?: number | undefined;
  /** Evidence shows all that the sheet says in this row, also what is nobody else's business. */
  readonly wholeRow?: boolean | undefined;
  /** A second file, for programs: a row is a line of JSON. */
  readonly rowsFile?: string | undefined;
}

/** Writes the results of a batch from the ledger alone, and gives the files. */
export async function reportBatch(
  batch: BatchHeader,
  { ledger, clock, settings, tell, pictures, groupBy = [] }: ReportDeps,
  { folder = batch.sheet.folder, format = 'xlsx', file, rowsFile, row, wholeRow }: ReportPlace = {},
): Promise<RunEnd['files']> {
  const groups = requireHeadings(groupBy, batch.sheet.headings);
  const draw = await pictures?.();
  // Before anything else is read: whatever a run adds meanwhile, the results say no less than this.
  const head = await tellHead({ ledger, tell });
  const { unconfirmed } = await knownEnd(batch, ledger);
  const { timezone } = settings;
  const inDoubt = unconfirmed !== undefined;
  const made = { printedAt: clock.now(), timezone, inDoubt, pictures: draw !== undefined, groupBy: groups };
  const source = await reportSource(batch, { ledger, settings, tell }, { ...made, ...(head && { head }) });
  const printed = {
    ...made,
    kindTitles,
    draw,
    ...(settings.journal && { journal: settings.journal }),
    ...(row !== undefined && { row }),
    ...(wholeRow && { wholeRow }),
  };
  const targets = [
    { kind: 'results', format, path: file },
    ...(rowsFile === undefined ? [] : [{ kind: 'rows', format: 'jsonl', path: rowsFile } as const]),
  ];
  const files = [];
  for (const { kind, ...target } of targets) {
    const { path } = await writeResults(source, folder, printed, target.format, target.path);
    tell({ type: 'file', kind, path });
    files.push({ kind, path });
  }
  return files;
}

/** What results are made from, as of the moment and the head that they say. Made twice from the same ledger, it is the same. */
export async function reportSource(
  batch: BatchHeader,
  { ledger, settings, tell }: Pick<ReportDeps, 'ledger' | 'settings' | 'tell'>,
  {
    printedAt,
    timezone,
    inDoubt,
    head,
  }: Pick<Made, 'printedAt' | 'timezone' | 'inDoubt'> & { readonly head?: LedgerHead },
): Promise<ResultsSource> {
  const { stopped } = await ledger.runHistory(batch.id);
  const purge = (await ledger.purges()).get(batch.id);
  const superseded = await supersededOf(batch, { ledger, settings: { ...settings, timezone } });
  const named = namesComparedOnce(() => ledger.resultRows(batch.id), tell);
  const rows = () => withSentAhead(named(), printedAt);
  const tallies = await ledger.tallies(batch.id);
  const clientChanges = await ledger.clientChanges();
  return {
    header: batch,
    tallies,
    ...(stopped?.todo !== undefined && { stopped: { reason: stopped.reason, todo: stopped.todo } }),
    ...(superseded && { superseded }),
    ...(purge && { purge }),
    clientChanges: clientChanges.filter(({ at }) => at <= printedAt),
    runs: await ledger.recordedRuns(batch.id),
    stops: await ledger.stopsOf(batch.id),
    ...(head && { head }),
    ...(inDoubt && { unconfirmed: unpaidAsKnown(tallies) }),
    ...(await sinceLastTime(batch, ledger, timezone)),
    trail: (row) => rowTrail(ledger, batch.id, row),
    rows: inDoubt ? () => withUnconfirmed(rows()) : rows,
  };
}

/** Puts the head of the ledger where the ledger is not: on the screen of a program, and into the log. */
export async function tellHead({ ledger, tell }: Pick<ReportDeps, 'ledger' | 'tell'>): Promise<LedgerHead | undefined> {
  const head = await ledger.head();
  if (head) tell({ type: 'ledger.head', ...head });
  return head;
}
