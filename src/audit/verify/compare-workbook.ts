/**
 * Makes a results workbook again from a sound ledger and compares it cell by cell with the user's, so that an auditor can check
 * it without help.
 */
import path from 'node:path';
import type { BatchHeader } from '../../domain/batch.ts';
import type { BatchId } from '../../domain/ids.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import type { Settings } from '../../domain/settings.ts';
import { kindTitles } from '../../kinds/index.ts';
import type { LedgerEvidence } from '../../ledger/evidence.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PictureDrawer } from '../../results/pictures/draw-picture.ts';
import type { Plot } from '../../results/plots/plot.ts';
import { type Report, reportOf } from '../../results/report.ts';
import { worksheetsOf, writeResultsWorkbook } from '../../results/workbook.ts';
import { reportSource } from '../../run/report.ts';
import { type OpenedSheet, openSheet } from '../../sheet/open-sheet.ts';
import { type NamedWorksheet, worksheetsIn } from '../../sheet/worksheet-names.ts';
import { worksheetPictures } from '../../sheet/worksheet-pictures.ts';
import { cellDifferences } from './compare-cells.ts';
import { pictureDifferences } from './compare-pictures.ts';
import { HiddenPlaces } from './hidden-places.ts';
import { readWorkbookWord } from './workbook-word.ts';

/** The most differences of a workbook that are reported; more of them would say nothing new. */
const DIFFERENCES_MAX = 200;

/** What a workbook is compared with. */
export interface VerifyDeps {
  readonly ledger: Ledger;
  readonly settings: Settings;
  /** A private folder in which the workbook is made again. */
  readonly folder: string;
  /** See `ReportDeps`. */
  readonly pictures?: PictureDrawer;
}

export interface HeadComparison {
  /** Differences in plain words. */
  readonly differences: readonly string[];
  /** Number of formulas in the workbook without a result, because another program saved it like that; absent if there are none. */
  readonly unstoredResults?: number;
  /** What somebody hid in the workbook, in words; it was compared like all else. Absent if nothing is hidden. */
  readonly hidden?: readonly string[];
  /** Set if pictures were not compared, because this installation cannot draw them. */
  readonly withoutPictures?: true;
  /**
   * Set if the batch has continued since the workbook was made: the last fact that the workbook can know, and the latest fact
   * in the ledger.
   */
  readonly older?: { readonly workbook: number; readonly ledger: number };
}

/**
 * Compares the head in a results workbook with a sound ledger: a workbook that people already have contradicts a rewritten
 * history.
 */
async function compareHead(
  batch: BatchId,
  ledger: LedgerEvidence,
  said: LedgerHead | undefined,
): Promise<HeadComparison> {
  if (!said) return wrong('the workbook: contains no ledger head');
  const { seq } = (await ledger.head()) ?? { seq: 0 };
  if (!(await ledger.hasSigned(said))) return wrong('the workbook: its head was not signed with a key of this ledger');
  if (said.seq > seq) {
    return wrong(`the ledger: ends with fact ${seq}, and had fact ${said.seq} when the workbook was made`);
  }
  if ((await ledger.headAt(said.seq)).hash !== said.hash) {
    return wrong(`the ledger: its facts up to ${said.seq} have changed since the workbook was made`);
  }
  const last = await ledger.lastFactOf(batch);
  return { differences: [], ...(last > said.seq && { older: { workbook: said.seq, ledger: last } }) };
}

const wrong = (difference: string): HeadComparison => ({ differences: [difference] });

/**
 * Returns what a results workbook says differently from the ledger: first its head, then its cells, unless the ledger has
 * continued since the workbook was made.
 */
export async function compareWorkbook(batch: BatchHeader, deps: VerifyDeps, file: string): Promise<HeadComparison> {
  const names = new Map((await worksheetsIn(file)).map((one) => [one.name, one]));
  if (!names.has('Audit')) return wrong('the workbook: it has no worksheet Audit, so it contains no ledger head');
  const { head, made } = await readWorkbookWord(file);
  const compared = await compareHead(batch.id, deps.ledger, head);
  // The cells of an older workbook were true of an earlier state of the ledger.
  if (compared.older || compared.differences.length > 0) return compared;
  if (typeof made === 'string') return wrong(`the workbook: ${made}`);
  const purged = await purgedSince(batch, deps.ledger, head);
  if (purged) return purged;
  const source = await reportSource(batch, { ...deps, emit: () => undefined }, { ...made, ...(head && { head }) });
  const draw = made.pictures ? await deps.pictures?.() : undefined;
  const report = await reportOf(source, { ...made, kindTitles, draw });
  const again = await writeResultsWorkbook(report, path.join(deps.folder, 'again.xlsx'));

  const differences: string[] = [];
  let unstored = 0;
  const onUnstored = (): void => {
    unstored += 1;
  };
  const hidden: string[] = [];
  const described = { onUnstored, onHidden: (places: readonly string[]) => void hidden.push(...places) };
  for await (const difference of workbookDifferences(report, { ours: again.path, theirs: file, names, ...described })) {
    differences.push(difference);
    if (differences.length === DIFFERENCES_MAX) break;
  }
  return {
    differences,
    ...(unstored > 0 && { unstoredResults: unstored }),
    ...(hidden.length > 0 && { hidden }),
    ...(made.pictures && !draw && { withoutPictures: true as const }),
  };
}

/** The two workbooks, and the worksheets in the user's workbook by their names. */
interface Pair {
  readonly ours: string;
  readonly theirs: string;
  readonly names: ReadonlyMap<string, NamedWorksheet>;
  readonly onUnstored: () => void;
  readonly onHidden: (places: readonly string[]) => void;
}

/** Yields the differences worksheet by worksheet, pictures before cells. */
async function* workbookDifferences(report: Report, pair: Pair): AsyncGenerator<string> {
  const { ours, theirs, names, onUnstored, onHidden } = pair;
  const isUndrawn = report.options.pictures && !report.options.draw;
  for (const { spec, ...worksheet } of worksheetsOf(report)) {
    const named = names.get(spec.name);
    if (!named) {
      yield `the workbook: its worksheet ${spec.name} is missing`;
      continue;
    }
    await using left = await opened(ours, spec.name);
    await using right = await opened(theirs, spec.name);
    const drawn = await worksheetPictures(ours, spec.name);
    const mine = isUndrawn ? (worksheet.plots ?? []).map(({ plot }) => undrawn(plot)) : drawn;
    yield* pictureDifferences(spec.name, mine, await worksheetPictures(theirs, spec.name));
    const hidden = new HiddenPlaces(spec.name);
    if (!named.isVisible) hidden.whole();
    // Columns that are empty are hidden to make a worksheet look tidy.
    const width = spec.columns.length;
    hidden.columns(
      right.hiddenColumns.flatMap(({ from, to }) => (from > width ? [] : { from, to: Math.min(to, width) })),
    );
    const described = { onUnstored, onHidden: (row: number) => hidden.row(row) };
    yield* cellDifferences(left, right, { name: spec.name, ...worksheet, ...described });
    onHidden(hidden.described());
  }
}

/** Returns what is known about a picture that cannot be drawn here. */
const undrawn = ({ title, description }: Plot) => ({ name: title, description });

/** Returns the other batches whose rows the results of a batch name. */
const namedBatches = ({ differs }: BatchHeader): ReadonlySet<BatchId> =>
  new Set([
    ...(differs?.lastTime ? [differs.lastTime.batch] : []),
    ...(differs?.changedPayees?.rows ?? []).map(({ batch }) => batch),
  ]);

/**
 * Returns an "older" verdict if another batch that the workbook names was purged after the workbook was made: its cells were
 * true of an earlier state of the ledger.
 */
async function purgedSince(
  batch: BatchHeader,
  ledger: Pick<Ledger, 'purges'>,
  head: LedgerHead | undefined,
): Promise<HeadComparison | undefined> {
  const named = namedBatches(batch);
  const since = head?.seq ?? 0;
  const purge = [...(await ledger.purges()).values()].find((one) => named.has(one.batch) && one.seq > since);
  return purge && { differences: [], older: { workbook: since, ledger: purge.seq } };
}

async function opened(
  file: string,
  worksheet: string,
): Promise<Pick<OpenedSheet, 'rows' | 'hiddenColumns'> & AsyncDisposable> {
  const sheet = await openSheet(file, { worksheet, ownResults: true, formulas: true });
  const { hiddenColumns } = sheet;
  return { hiddenColumns, rows: () => sheet.rows(), [Symbol.asyncDispose]: () => sheet.close() };
}
