/**
 * The first half of every run: opens and checks a sheet, and writes a copy with its problems marked if it cannot be paid. It
 * asks no service and touches no ledger. The command `validate` does only this, and compares the payments with a live ledger
 * through `hold`.
 */
import { type CheckedSheet, checkSheet } from '../batch/check-rows.ts';
import { type HeadingMapping, meaningsOf } from '../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../batch/heading-question.ts';
import { type Holds, heldRows } from '../batch/held-rows.ts';
import { configurationFault, configurationNotice } from '../batch/lacked-settings.ts';
import { isHeadingRow } from '../batch/match-headings.ts';
import { refusalOf } from '../batch/refusal.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { currencyOrFault } from '../domain/currency.ts';
import type { Emit } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { StagedFor, Staging } from '../domain/staging.ts';
import { typedSheet } from '../domain/typed-path.ts';
import { columnDescriptions } from '../kinds/index.ts';
import { unsentEnd } from '../results/run-end.ts';
import { type OpenedSheet, openSheet, type SheetOptions } from '../sheet/open-sheet.ts';
import { openStaging } from '../staging/staging.ts';

export interface CheckRequest {
  readonly sheet: string;
  readonly reading: SheetOptions;
  /** Exact number of identical rows without a reference that the operator accepts. */
  readonly allowIdentical: number;
  /** Exact number of hidden or struck-through rows that the operator means to pay; `undefined`: none is paid. */
  readonly includeHidden?: number;
  /** Whether values with exactly one possible repair are read as repaired. */
  readonly acceptFixes?: boolean;
  /** The decimal mark, as the operator states it; `undefined`: the amount column decides. */
  readonly decimals?: DecimalMark;
  /** The operator's decision on what headings mean; `undefined`: each heading has its usual meaning. */
  readonly mapping?: HeadingMapping;
  /** Decides what the headings leave open; `undefined`: a sheet with open questions is refused. */
  readonly decisions?: HeadingDecisions;
  /** The path as it was typed, for the commands in messages; `undefined`: the name of the file. */
  readonly typed?: string;
  /** Whether a copy of the sheet with its problems marked may be written; `undefined`: yes. */
  readonly copy?: boolean;
  /** Exact number of rows with errors that the operator sets aside; `undefined`: any error refuses the sheet. */
  readonly skipInvalid?: number;
  /** Folder to record as the sheet's own if its real folder is temporary; `undefined`: the folder of the sheet. */
  readonly recordedFolder?: string;
  /** Folder for the files that are written; `undefined`: next to the sheet. */
  readonly outFolder?: string;
}

export interface CheckDeps {
  readonly settings: Settings;
  readonly emit: Emit;
}

/** A checked sheet: its figures, and its rows in the staging store. */
export interface CheckedRows {
  readonly checked: CheckedSheet;
  readonly staging: Staging;
}

/** A sheet that may be paid: what is recorded about it, its figures, and its rows in the staging store. */
export interface PayableSheet extends CheckedRows {
  readonly record: BatchHeader['sheet'];
  /** Writes a copy of the sheet with its problems marked, of which `added` warnings were noted after the check. */
  handBack(added: number): Promise<RunEnd['files']>;
}

/**
 * Warns about settings that the sheet needs and the configuration lacks. That is not a mistake of the sheet, so next to errors, or
 * if nothing is paid, it is only a notice.
 */
function emitLacking({ lacked }: CheckedSheet, { settings, emit }: CheckDeps): void {
  const message = configurationNotice(lacked, settings.file);
  if (message !== undefined) emit({ type: 'notice', level: 'warning', message });
}

/** Checks a sheet and nothing else. `hold`, if given, then compares its payments with something more, such as earlier batches. */
export const validateSheet = (
  request: CheckRequest,
  deps: CheckDeps,
  hold?: (rows: CheckedRows) => Promise<void>,
): Promise<RunEnd> =>
  withSheet(request, deps, usedForCheck(deps), async (sheet, staging) => {
    const checked = await check(sheet, staging, request, deps);
    // Until it is known which column holds the amount, there are no payments to compare.
    if (!checked.isAmountOpen) await hold?.({ checked, staging });
    emitLacking(checked, deps);
    const refusal = refusalOf(checked, undefined);
    const end = { ...unsentEnd(checked), files: await handBack(sheet, checked, staging, request, deps) };
    return refusal ? { ...end, exit: refusal.exit, fault: refusal } : end;
  });

/**
 * Writes the checked copy of a sheet in which rows are held, or released again, into a folder. Returns its path. The sheet
 * itself stays as it is. Throws a Fault `usage` if the copy would not leave out every row that it must hold.
 */
export async function writeHeldCopy(
  request: Omit<CheckRequest, 'copy' | 'outFolder'>,
  { holds, folder }: { readonly holds: Holds; readonly folder: string },
  deps: CheckDeps,
): Promise<string> {
  const unheld = new Set([...holds.reasons].filter(([, reason]) => reason !== '').map(([row]) => row));
  let isRagged = false;
  const emit: Emit = (event) => {
    if (event.type === 'row.left-out') unheld.delete(event.row);
    // One more column would make a ragged row as wide as the headings, with its values still in the wrong columns.
    if (event.type === 'row.problem' && event.issue.code === 'PB-RAGGED') isRagged = true;
  };
  let copy = '';
  await withSheet(request, deps, 'check', async (opened, staging) => {
    const sheet = { ...opened, rows: await heldRows(() => opened.rows(), holds) };
    const checked = await check(sheet, staging, request, { ...deps, emit });
    if (isRagged || unheld.size > 0) throw notHeld([...unheld], isRagged);
    copy = await writeCopy(sheet, checked, staging, deps.settings, folder);
    return unsentEnd(checked);
  });
  return copy;
}

const notHeld = (rows: readonly number[], isRagged: boolean): Fault =>
  isRagged
    ? new Fault(
        'usage',
        'Some rows have more or fewer fields than the headings, so no column can be added. No row was left out, and nothing was sent.',
        'Correct these rows first, then leave rows out.',
      )
    : new Fault(
        'usage',
        `A hold would not leave out row ${rows.join(', ')}. No row was left out, and nothing was sent.`,
        'Take the row out of your sheet, or hold it there, and check that again.',
      );

/**
 * What the staging store must keep for a check: whole rows only if several rows may share an order and so lose their notes.
 * Nothing else in a check needs them.
 */
const usedForCheck = ({ settings: { sending } }: CheckDeps): StagedFor =>
  sending.linesPerOrder > 1 ? 'plan' : 'check';

/**
 * Checks a sheet and pays it through `pay`. A sheet that is refused is returned with its problems marked, and ends the run; so
 * does a sheet for which the configuration lacks a setting, without a copy.
 */
export const withPayableSheet = (
  request: CheckRequest,
  deps: CheckDeps,
  pay: (sheet: PayableSheet) => Promise<RunEnd>,
): Promise<RunEnd> =>
  withSheet(request, deps, 'plan', async (sheet, staging) => {
    const checked = await check(sheet, staging, request, deps);
    const refusal = refusalOf(checked, request.skipInvalid);
    if (!refusal) {
      const lacking = configurationFault(checked.lacked, deps.settings.file);
      if (lacking) return { ...unsentEnd(checked), exit: lacking.exit, fault: lacking };
      const later = (added: number): Promise<RunEnd['files']> =>
        handBack(sheet, { ...checked, warnings: checked.warnings + added }, staging, request, deps, added);
      return pay({ record: recordOf(sheet, checked, request), checked, staging, handBack: later });
    }
    emitLacking(checked, deps);
    const files = await handBack(sheet, checked, staging, request, deps);
    return { ...unsentEnd(checked), exit: refusal.exit, fault: refusal, files };
  });

/** Opens a sheet and a staging store for its rows, and closes both whatever happens. */
async function withSheet(
  { sheet: file, reading, mapping }: CheckRequest,
  { settings: { limits } }: CheckDeps,
  use: StagedFor,
  work: (sheet: OpenedSheet, staging: Staging) => Promise<RunEnd>,
): Promise<RunEnd> {
  const meanings = meaningsOf(columnDescriptions(), mapping);
  const sheet = await openSheet(file, {
    ...reading,
    isHeadings: (row) => isHeadingRow(row, meanings),
    ...(limits.rows !== undefined && { limits: { rows: limits.rows } }),
  });
  const staging = openStaging(use);
  try {
    return await work(sheet, staging);
  } finally {
    staging.close();
    await sheet.close();
  }
}

async function check(
  sheet: OpenedSheet,
  staging: Staging,
  request: CheckRequest,
  { settings, emit }: CheckDeps,
): Promise<CheckedSheet> {
  const { mapping, decisions, decimals, typed = sheet.name, reading } = request;
  const { country, purpose, remitter, sending } = settings;
  const currency = currencyOrFault(settings.currency);
  for (const message of sheet.notices) emit({ type: 'notice', level: 'info', message });
  for (const message of sheet.warnings) emit({ type: 'notice', level: 'warning', message, code: 'worksheet-not-paid' });
  const context = {
    country,
    currency,
    purpose,
    allowIdentical: request.allowIdentical,
    includeHidden: request.includeHidden ?? 0,
    acceptFixes: request.acceptFixes ?? false,
    file: sheet.name,
    sheetName: typedSheet(typed, sheet.chosen ?? reading.worksheet),
    hiddenColumns: sheet.hiddenColumns,
    linesPerOrder: sending.linesPerOrder,
    ...(sheet.worksheet !== undefined && { worksheet: sheet.worksheet }),
    ...(sheet.delimiter !== undefined && { delimiter: sheet.delimiter }),
    ...(decimals && { decimals }),
    ...(remitter && { remitter }),
    ...(mapping && { mapping }),
    ...(decisions && { decisions }),
  };
  emit({ type: 'sheet', ...named(sheet) });
  return checkSheet(() => sheet.rows(), staging, context, emit);
}

/**
 * Writes the checked copy of a sheet with errors, or with warnings noted after its check. If the copy cannot be written, that
 * is only a notice, because it must not hide what was found.
 */
async function handBack(
  sheet: OpenedSheet,
  checked: CheckedSheet,
  staging: Staging,
  { copy = true, outFolder }: CheckRequest,
  { settings, emit }: CheckDeps,
  noted = 0,
): Promise<RunEnd['files']> {
  // A sheet with only warnings can be paid as it is, and a copy would be another file that somebody could pay.
  if (!copy || checked.errors + noted === 0 || isBare(staging)) return [];
  try {
    const path = await writeCopy(sheet, checked, staging, settings, outFolder);
    emit({ type: 'file', kind: 'checked', path });
    return [{ kind: 'checked', path }];
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'file-unwritten') throw error;
    emit({ type: 'notice', level: 'warning', message: `${error.message} ${error.remedy}` });
    return [];
  }
}

async function writeCopy(
  sheet: OpenedSheet,
  checked: CheckedSheet,
  staging: Staging,
  { language }: Settings,
  outFolder: string | undefined,
): Promise<string> {
  const { writeCheckedCopy } = await import('../sheet/write-checked-copy.ts');
  const findings = { ...checked, ...(language && { language }), issues: staging.issues() };
  return writeCheckedCopy(sheet, findings, outFolder);
}

/** Reports whether the only finding is that there are headings and no rows, so that there is nothing to mark. */
function isBare(staging: Staging): boolean {
  for (const { code } of staging.issues()) if (code !== 'PB-EMPTY') return false;
  return true;
}

const named = ({ name, worksheet }: OpenedSheet): Pick<BatchHeader['sheet'], 'name' | 'worksheet'> => ({
  name,
  ...(worksheet !== undefined && { worksheet }),
});

const recordOf = (
  sheet: OpenedSheet,
  { headings, mapping }: CheckedSheet,
  { recordedFolder = sheet.folder }: CheckRequest,
): BatchHeader['sheet'] => ({
  ...named(sheet),
  folder: recordedFolder,
  sha256: sheet.sha256,
  headings,
  ...(mapping && { mapping }),
});
