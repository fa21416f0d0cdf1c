/**
 * The whole run on one page. A sheet is opened and checked, identified, priced, confirmed, recorded, dispatched and
 * reported; every stage is one call into its own room, and nothing is sent before everything is on disk.
 */
import { batchHeader, plannedCanary } from './batch/batch-header.ts';
import { otherOrders } from './batch/other-orders.ts';
import { idsOfRows, planOrders } from './batch/plan-orders.ts';
import type { Client } from './client/client.ts';
import type { CallbackSource } from './dispatch/callback-source.ts';
import { dispatch } from './dispatch/dispatch.ts';
import { runLimits } from './dispatch/run-limits.ts';
import { supersededNotice, upToStop } from './dispatch/stop-reasons.ts';
import type { BatchHeader } from './domain/batch.ts';
import type { Clock, Random } from './domain/clock.ts';
import type { MoneyStatement, Tell } from './domain/event.ts';
import { mostSevereExit } from './domain/exit-code.ts';
import { Fault } from './domain/fault.ts';
import { type BatchId, type BatchKey, idNameOf } from './domain/ids.ts';
import type { LedgerHead } from './domain/ledger-head.ts';
import { requireQuiet } from './domain/quiet-time.ts';
import { type RunEnd, unsentIn } from './domain/run-end.ts';
import type { Settings } from './domain/settings.ts';
import { folderTrouble, requireFolder } from './files/temporary-file.ts';
import { kindTitles } from './kinds/index.ts';
import { ledgerOfFirstRows } from './ledger/first-rows.ts';
import type { Ledger } from './ledger/ledger.ts';
import { batchIdentity } from './preflight/batch-name.ts';
import { requireSpace } from './preflight/disk-space.ts';
import {
  lookFirstReason,
  requireUnverifiableAccepted,
  tellDoubt,
  unverifiableIn,
} from './preflight/doubtful-ledger.ts';
import { type Clean, guardDuplicates, withFindings } from './preflight/duplicates/duplicate-guard.ts';
import type { DuplicateChoice } from './preflight/duplicates/judge.ts';
import { heldOrders } from './preflight/duplicates/superseded.ts';
import { supersededOf } from './preflight/duplicates/superseded-rows.ts';
import { type FundsChoice, requireFunds, withFunds } from './preflight/funds.ts';
import { requireIdName } from './preflight/id-name.ts';
import { requireNoneLost } from './preflight/lost-batches.ts';
import { type ChangedPayeesDeps, requireChangedPayees } from './preflight/payees/changed-payees.ts';
import { tellOtherNames, withOtherNames } from './preflight/payees/paid-names.ts';
import { confirmedWith, type PayeeCheck, requirePayees, withPayees } from './preflight/payees/payee-check.ts';
import { type Preflight, preflight } from './preflight/preflight.ts';
import { balanceNow } from './preflight/read-service.ts';
import { dispatchedEnd, knownEnd, type Repeated, repeatedEnd, unsentEnd, workedOn } from './results/run-end.ts';
import { withSentAhead } from './results/sent-ahead.ts';
import { sinceLastTime } from './results/since-last-time.ts';
import { withUnconfirmed } from './results/unconfirmed.ts';
import { type ResultsFormat, resultsPath, writeResults } from './results/write-results.ts';
import { type CheckedRows, type CheckRequest, type PayableSheet, withPayableSheet } from './validate.ts';

export interface RunRequest extends CheckRequest, DuplicateChoice, FundsChoice {
  /** The operator's own name for the batch. A live one needs a name; undefined: it is asked for, or that of a rehearsal's content. */
  readonly batchName?: string;
  /** Verifies the payees before anything is paid; undefined: nobody is asked. */
  readonly payees?: PayeeCheck;
  /** Everything but sending. */
  readonly dryRun: boolean;
}

/** The world as the run sees it: every edge comes in here. */
export interface RunDeps extends ChangedPayeesDeps {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
  readonly client: Client;
  /** What a listener keeps of the service's own messages; missing when there is none. */
  readonly callbacks?: CallbackSource;
  readonly ledger: Ledger;
  /** Address of the service, for the record. */
  readonly service: string;
  /** Stops claiming; what is in flight lands. */
  readonly signal: AbortSignal;
  /** Asks for the name of a live batch that was given none, with a proposal; missing: such a run is refused. */
  readonly nameBatch?: (proposal: string) => Promise<string>;
  /** Is told how to find out how far the batch is, for whoever cannot wait for the end. */
  readonly working?: (batch: () => Promise<RunEnd>) => void;
  /**
   * Asks for the control totals, and gives how they were confirmed. A fault when they were not. `fingerprint`: of who gets what
   * in the whole sheet.
   */
  readonly confirm: (statement: MoneyStatement, fingerprint?: string) => Promise<string>;
  /** So many airtime and bill payments may be sent though this ledger may not know that they were: the operator knows. */
  readonly acceptUnverifiable?: number;
  /** Space that the disk of the ledger has left, in bytes; missing: nobody asks. */
  readonly freeBytes?: () => number;
  /** Rows that go ahead alone in this run, whatever was said before; 0: none. */
  readonly canary?: number;
  /** User and machine. */
  readonly maker: string;
  readonly version: string;
}

/** Pays a sheet once. */
export async function runSheet(request: RunRequest, deps: RunDeps): Promise<RunEnd> {
  requireQuiet(deps.settings);
  return withPayableSheet(request, deps, async ({ record, checked, staging }) => {
    const { settings, ledger, tell } = deps;
    await requireIdName(ledger, settings);
    const { fingerprint } = checked;
    const identified = await batchIdentity(request, { name: record.name, fingerprint }, deps);
    const { key, id } = identified;
    const earlier = await ledger.findBatchCalled(id);
    if (earlier) return repeatedEnd(repeated(earlier, checked, request, settings), ledger);

    const cleared = await clearance({ key, record, checked, staging }, request, { ...deps, batch: id });
    if ('exit' in cleared) return cleared;
    const { statement, confirmation, epoch, recorded, ...terms } = cleared;
    const batch = batchHeader(
      { ...identified, record, checked, statement, confirmation, ...recorded, ...plannedCanary(deps) },
      deps,
    );
    const { organisation, sending } = settings;
    const identity = { organisation: idNameOf(settings), batchKey: key, linesPerOrder: sending.linesPerOrder };
    const notes = `${organisation} ${id}`;
    const held = await heldOrders(batch, staging.payments(), deps);
    await ledger.planBatch(batch, planOrders(staging, { ...terms, ...identity, notes }), held);
    tell({ type: 'batch.planned', batch: id, payouts: checked.payable });
    await tellHead(deps);
    return pay(batch, epoch, deps, request.outFolder, statement.upTo);
  });
}

const repeated = (
  earlier: BatchHeader,
  { fingerprint }: CheckedRows['checked'],
  { outFolder }: RunRequest,
  { sandbox }: Settings,
): Repeated => ({ earlier, fingerprint, sandbox, results: resultsPath(earlier, outFolder ?? earlier.sheet.folder) });

interface Clearance extends Preflight, Pick<Clean, 'recorded'> {
  readonly confirmation: string;
  readonly epoch: number;
}

/**
 * Holds a sheet against what was paid before, prices it, has its totals confirmed and takes the ledger; or else the end of
 * a run that sent nothing.
 */
async function clearance(
  sheet: CheckedRows & Pick<PayableSheet, 'record'> & { readonly key: BatchKey },
  request: RunRequest,
  deps: RunDeps & { readonly batch: BatchId },
): Promise<Clearance | RunEnd> {
  const { settings, ledger, tell, confirm, batch } = deps;
  const { checked, staging } = sheet;
  try {
    const identity = { organisation: idNameOf(settings), batchKey: sheet.key };
    await requireNoneLost(batch, () => idsOfRows(staging, identity), deps);
    await requireFolder(request.outFolder ?? sheet.record.folder);
    if (deps.freeBytes) requireSpace(checked.rows, deps.freeBytes());
    const clean = await guardDuplicates(sheet, request, deps);
    const quoted = withFindings(await preflight(staging, checked.total.currency, deps), clean);
    const stated = await withPayees(await withFunds(quoted, sheet, deps), request.payees, sheet, deps);
    tell({ type: 'statement', statement: stated.statement });
    requirePayees(stated.statement, request.payees);
    const priced = await requireFunds(stated, sheet, request, deps);
    requireUnverifiableAccepted(
      unverifiableIn(staging),
      await lookFirstReason(ledger, batch, settings),
      answerOf(deps),
    );
    await requireChangedPayees(priced.statement, request, deps);
    if (request.dryRun) return unsentEnd(checked);
    const confirmation = confirmedWith(await confirm(priced.statement, checked.fingerprint), priced.statement);
    const epoch = await ledger.takeLease();
    // Somebody else may have paid the sheet, or rows of it, while this run was asking for its totals.
    const overtaken = await ledger.findBatchCalled(batch);
    if (overtaken) return repeatedEnd(repeated(overtaken, checked, request, settings), ledger);
    const { recorded } = await guardDuplicates(sheet, request, deps, clean);
    return { ...priced, confirmation, epoch, recorded };
  } catch (error) {
    if (error instanceof Fault) return { ...unsentEnd(checked), exit: error.exit, fault: error };
    throw error;
  }
}

/** A Fault when the results of a batch could not be written: who decides to send more money learns that before. */
export const requireResultsFolder = (batch: BatchHeader, outFolder?: string): Promise<void> =>
  requireFolder(outFolder ?? batch.sheet.folder);

/**
 * Goes on with a batch that was stopped: sends what was not sent, finds out what is not known. A folder that takes no
 * results is told and stops nobody: money that is under way has to be followed.
 */
export async function resumeBatch(batch: BatchHeader, deps: RunDeps, outFolder?: string): Promise<RunEnd> {
  const folder = outFolder ?? batch.sheet.folder;
  const trouble = await folderTrouble(folder);
  if (trouble) {
    const message = `The results cannot be written to ${folder}: ${trouble.why}. The payments go on. Write the results afterwards: paybatch report ${batch.id} --out DIR`;
    deps.tell({ type: 'notice', level: 'warning', message });
  }
  return pay(batch, await deps.ledger.takeLease(), deps, outFolder);
}

/** Writes the results of a batch from the ledger alone: the workbook, or another format. Gives the path. */
export async function reportBatch(
  batch: BatchHeader,
  { ledger, clock, settings, tell }: Pick<RunDeps, 'ledger' | 'clock' | 'settings' | 'tell'>,
  outFolder?: string,
  format?: ResultsFormat,
): Promise<string> {
  // Before anything else is read: whatever a run adds meanwhile, the results say no less than this.
  const head = await tellHead({ ledger, tell });
  const { stopped } = await ledger.runHistory(batch.id);
  const superseded = await supersededOf(batch, { ledger, settings });
  const { unconfirmed } = await knownEnd(batch, ledger);
  const names = await tellOtherNames(ledger.resultRows(batch.id), tell);
  const rows = () => withSentAhead(withOtherNames(ledger.resultRows(batch.id), names), clock.now());
  const source = {
    header: batch,
    tallies: await ledger.tallies(batch.id),
    ...(stopped?.todo !== undefined && { stopped: { reason: stopped.reason, todo: stopped.todo } }),
    ...(superseded && { superseded }),
    clientChanges: await ledger.clientChanges(),
    ...(head && { head }),
    ...(unconfirmed !== undefined && { unconfirmed }),
    ...(await sinceLastTime(batch, ledger, settings.timezone)),
    rows: unconfirmed === undefined ? rows : () => withUnconfirmed(rows()),
  };
  const printed = { printedAt: clock.now(), timezone: settings.timezone, kindTitles };
  const { path } = await writeResults(source, outFolder ?? batch.sheet.folder, printed, format);
  tell({ type: 'file', kind: 'results', path });
  return path;
}

/** Puts the head of the ledger where the ledger is not: on the screen of a program, and into the log. */
async function tellHead({ ledger, tell }: Pick<RunDeps, 'ledger' | 'tell'>): Promise<LedgerHead | undefined> {
  const head = await ledger.head();
  if (head) tell({ type: 'ledger.head', ...head });
  return head;
}

/** Sends and follows a recorded batch, or so many of its first rows, then reports it, whatever came of it. */
const pay = (
  batch: BatchHeader,
  epoch: number,
  deps: RunDeps,
  outFolder?: string,
  rowsMost?: number,
): Promise<RunEnd> =>
  workedOn(batch, deps, async () => {
    const { settings, signal } = deps;
    const ledger = rowsMost === undefined ? deps.ledger : await ledgerOfFirstRows(deps.ledger, batch.id, rowsMost);
    const doubt = await lookFirstReason(ledger, batch.id, settings);
    const superseded = await supersededOf(batch, deps);
    requireUnverifiableAccepted(await deps.ledger.unverifiableRows(batch.id), doubt, answerOf(deps));
    if (doubt) tellDoubt(doubt, deps);
    if (superseded) deps.tell(supersededNotice(superseded));
    const limits = await runLimits(batch, ledger, settings.sending, deps.canary);
    const { canary } = limits;
    await ledger.recordRun(batch.id, deps.version, {
      ...(canary && { canary }),
      ...(rowsMost !== undefined && { rowsMost }),
    });
    const task = {
      batch: batch.id,
      epoch,
      settings: { ...settings, ...limits },
      signal,
      maySubmit: true,
      lookFirst: doubt !== undefined,
    };
    const done = await dispatch(task, {
      ...deps,
      ledger,
      readBalance: (waiting) => balanceNow(deps.client, batch.currency, waiting),
      ordersBeside: (attempt) => otherOrders(attempt, batch),
    });
    const left = rowsMost === undefined || signal.aborted ? undefined : upToStop(rowsMost);
    const { alarms, stop = left } = done;
    const why = stop && { code: stop.code, todo: stop.todo };
    await ledger.recordStop(stop?.says ?? (signal.aborted ? 'interrupted' : 'finished'), why);
    const mayBeThrough = done.doubt === 'over' && alarms.length === 0;
    const unsent = unsentIn(await deps.ledger.tallies(batch.id));
    // A rehearsal may be lost as often as one likes.
    const andUnnamed = settings.sandbox;
    if (mayBeThrough && unsent.rows === unsent.superseded) await ledger.dispelDoubt(batch.id, { andUnnamed });
    return reported(batch, await dispatchedEnd(batch, deps.ledger, alarms, signal), deps, outFolder);
  });

const answerOf = ({ settings: { sandbox }, acceptUnverifiable }: RunDeps) => ({ sandbox, acceptUnverifiable });

async function reported(batch: BatchHeader, end: RunEnd, deps: RunDeps, outFolder?: string): Promise<RunEnd> {
  try {
    return { ...end, files: [{ kind: 'results', path: await reportBatch(batch, deps, outFolder) }] };
  } catch (error) {
    // The money work is done and recorded: a workbook that cannot be written must not hide what became of it.
    if (!(error instanceof Fault) || error.code !== 'report-unwritten') throw error;
    return { ...end, exit: mostSevereExit([end.exit, error.exit]), fault: error };
  }
}
