/** The results of a batch, built from the ledger only, so deleted results can be written again. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
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
import { reportOf } from '../results/report.ts';
import { knownEnd } from '../results/run-end.ts';
import { unpaidAsKnown, withMarks } from '../results/sent-ahead.ts';
import { sinceLastTime } from '../results/since-last-time.ts';
import type { ResultsSource } from '../results/source.ts';
import { type ResultsFormat, writeResults } from '../results/write-results.ts';

/** What the results show in addition to their usual content. */
export interface ResultsWishes {
  /** Headings of the sheet by which the Summary counts rows; absent: none. */
  readonly groupBy?: readonly string[];
  /** Finds a program that can draw pictures on this system; absent: the results have no pictures. */
  readonly pictures?: PictureDrawer;
}

/** What a report is built from, and where its events go. */
interface ReportDeps extends ResultsWishes {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly emit: Emit;
}

/** Where and in which format the results of a batch are written. */
export interface ReportPlace {
  /** Folder of the results; absent: the sheet's folder. */
  readonly folder?: string | undefined;
  /** Format of the results; absent: the workbook. */
  readonly format?: ResultsFormat;
  /** Path of the results file, which overrides `folder`; absent: a name made from the batch. */
  readonly file?: string | undefined;
  /** The row that evidence is about, which must be in the batch. */
  readonly row?: number | undefined;
  /** Whether evidence shows the whole sheet row, including what is nobody else's business. */
  readonly wholeRow?: boolean | undefined;
  /** Path of a second file, for programs, with one line of JSON for each row. */
  readonly rowsFile?: string | undefined;
}

/** Writes the results of a batch from the ledger only. Returns the written files. */
export async function reportBatch(
  batch: BatchHeader,
  { ledger, clock, settings, emit, pictures, groupBy = [] }: ReportDeps,
  { folder = batch.sheet.folder, format = 'xlsx', file, rowsFile, row, wholeRow }: ReportPlace = {},
): Promise<RunEnd['files']> {
  const groups = requireHeadings(groupBy, batch.sheet.headings);
  const draw = await pictures?.();
  // The head is read first, so that the results show at least the facts up to it, whatever a run adds in the meantime.
  const head = await emitHead({ ledger, emit });
  const { unconfirmed } = await knownEnd(batch, ledger);
  const { timezone } = settings;
  const inRecovery = unconfirmed !== undefined;
  const made = { printedAt: clock.now(), timezone, inRecovery, pictures: draw !== undefined, groupBy: groups };
  const source = await reportSource(batch, { ledger, settings, emit }, { ...made, ...(head && { head }) });
  const report = await reportOf(source, {
    ...made,
    kindTitles,
    draw,
    ...(settings.journal && { journal: settings.journal }),
    ...(row !== undefined && { row }),
    ...(wholeRow && { wholeRow }),
  });
  const targets = [
    { kind: 'results', format, path: file },
    ...(rowsFile === undefined ? [] : [{ kind: 'rows', format: 'jsonl', path: rowsFile } as const]),
  ];
  const files = [];
  for (const { kind, ...target } of targets) {
    const { path, insteadOf } = await writeResults(report, folder, target.format, target.path);
    if (insteadOf !== undefined) emit({ type: 'notice', level: 'warning', message: notReplaced(insteadOf) });
    emit({ type: 'file', kind, path });
    files.push({ kind, path });
  }
  return files;
}

const notReplaced = (path: string): string =>
  `${path} could not be replaced: it is open in another program, protected, or a folder. It does not show what is known now; that is in another file, named below.`;

/**
 * Returns the source of results as of the moment and the head that they show. Calls with the same ledger and arguments return
 * the same source.
 */
export async function reportSource(
  batch: BatchHeader,
  { ledger, settings, emit }: Pick<ReportDeps, 'ledger' | 'settings' | 'emit'>,
  {
    printedAt,
    timezone,
    inRecovery,
    head,
  }: Pick<Made, 'printedAt' | 'timezone' | 'inRecovery'> & { readonly head?: LedgerHead },
): Promise<ResultsSource> {
  const { stopped } = await ledger.runHistory(batch.id);
  const purge = (await ledger.purges()).get(batch.id);
  const superseded = await supersededOf(batch, { ledger, settings: { ...settings, timezone } });
  const named = namesComparedOnce(() => ledger.resultRows(batch.id), emit);
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
    ...(inRecovery && { unconfirmed: unpaidAsKnown(tallies) }),
    ...(await sinceLastTime(batch, ledger, timezone)),
    trail: (row) => rowTrail(ledger, batch.id, row),
    rows: () => withMarks(named(), { now: printedAt, inRecovery }),
  };
}

/**
 * Reports the head of the ledger as an event, so that it is also kept outside of the ledger: on the screen of a program, and in
 * the log.
 */
export async function emitHead({ ledger, emit }: Pick<ReportDeps, 'ledger' | 'emit'>): Promise<LedgerHead | undefined> {
  const head = await ledger.head();
  if (head) emit({ type: 'ledger.head', ...head });
  return head;
}
