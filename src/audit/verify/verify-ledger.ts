/** Verifies a ledger, and the workbook of one of its batches, with a verdict in sentences that every interface shows. */
import type { BatchHeader } from '../../domain/batch.ts';
import { agreeing, counted } from '../../domain/counted.ts';
import { type PurgeRecord, purgedText } from '../../domain/purged.ts';
import { shown } from '../../domain/shown-text.ts';
import { compareWorkbook, type HeadComparison, type VerifyDeps } from './compare-workbook.ts';

const SOUND =
  'The ledger is sound: every fact follows the one before it, its head is signed, and all it shows follows from its facts.';

const WITHOUT_PICTURES = 'Its pictures were not compared: this installation cannot draw them. Their texts were.';

const unstoredLine = (formulas: number): string =>
  `${counted(formulas, 'formula')} of the workbook ${agreeing(formulas, 'holds', 'hold')} no result: the program that saved it last kept none. The formulas are right; what they come to was not compared. Open it in a spreadsheet program, save it there, and verify that copy.`;

const hiddenLine = (places: readonly string[]): string =>
  `Hidden in the workbook, by hand or by a filter, and compared like the rest: ${places.join('; ')}.`;

const unsound = (differences: number): string =>
  `${counted(differences, 'difference')}. Keep the ledger as it is, send nothing, and find out who changed what.`;

/** The batch and the workbook to verify. */
interface VerifyWish {
  /**
   * Chooses the batch, after the ledger was found to be sound; `undefined` if there is no batch. A fault that it throws ends
   * the verification.
   */
  readonly choose: () => Promise<BatchHeader | undefined>;
  /** The workbook of the batch, and whether to compare it: a workbook that the user did not name may not exist. */
  readonly workbookOf: (batch: BatchHeader) => { readonly file: string; readonly isToOpen: boolean };
}

export interface Verdict {
  readonly batch?: BatchHeader;
  /** Result for the workbook; absent if none was compared. */
  readonly compared?: HeadComparison;
  readonly workbook?: string;
  /** Empty if everything is sound. */
  readonly differences: readonly string[];
  readonly purges: readonly PurgeRecord[];
  /** The whole verdict in sentences. */
  readonly lines: readonly string[];
}

/** Proves a whole ledger, and compares a workbook with it. If the ledger is not sound, nothing else is read. */
export async function verifyLedger(deps: VerifyDeps, { choose, workbookOf }: VerifyWish): Promise<Verdict> {
  const { ledger, settings } = deps;
  const found = await ledger.verify();
  const batch = found.length === 0 ? await choose() : undefined;
  const sought = batch && workbookOf(batch);
  const compared = batch && sought?.isToOpen ? await compareWorkbook(batch, deps, sought.file) : undefined;
  const differences = [...found, ...(compared?.differences ?? [])];
  const isSound = differences.length === 0;
  const purges = isSound ? [...(await ledger.purges()).values()] : [];
  const said = isSound
    ? [SOUND, ...purgeLines(purges, settings.timezone), ...workbookLines(batch, sought?.file, compared)]
    : [unsound(differences.length)];
  return {
    ...(batch && { batch }),
    ...(compared && { compared }),
    ...(compared && sought && { workbook: sought.file }),
    differences,
    purges,
    lines: [
      ...differences.map((difference) => shown(difference)),
      ...(compared?.unstoredResults === undefined ? [] : [unstoredLine(compared.unstoredResults)]),
      ...(compared?.hidden === undefined ? [] : [hiddenLine(compared.hidden)]),
      ...said,
    ],
  };
}

/** Returns what is said about a workbook without differences, or about one that is missing. */
function workbookLines(
  batch: BatchHeader | undefined,
  file: string | undefined,
  compared: HeadComparison | undefined,
): readonly string[] {
  if (!batch || file === undefined) return [];
  if (!compared) {
    return [
      `No workbook was compared: there is none at ${shown(file)}`,
      `If it is elsewhere: paybatch verify ${batch.id} --results FILE`,
    ];
  }
  const { older, withoutPictures } = compared;
  if (!older) return [`The workbook agrees with it: ${file}`, ...(withoutPictures ? [WITHOUT_PICTURES] : [])];
  return [
    `The workbook is older than the ledger (fact ${older.workbook} of ${older.ledger}) and of the same history; its cells were not compared: ${file}`,
    `Write it again: paybatch report ${batch.id}`,
  ];
}

/** Returns a line for each purge, because the ledger no longer shows whom those batches paid. */
const purgeLines = (purges: readonly PurgeRecord[], timezone: string): readonly string[] =>
  purges.map((purge) => `Batch ${shown(purge.batch)}: its ${purgedText(purge, timezone)} by ${shown(purge.by)}.`);
