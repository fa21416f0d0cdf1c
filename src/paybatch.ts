/**
 * The whole run on one page. A sheet is opened and checked, identified, priced, confirmed, recorded, dispatched and
 * reported; every stage is one call into its own room, and nothing is sent before everything is on disk.
 */
import type { ApprovedPlan } from './approval/approved-plan.ts';
import type { Offer } from './approval/offer.ts';
import { planInstead, requireApprovals, requireRestApproved } from './approval/require-approvals.ts';
import { batchHeader, plannedCanary } from './batch/batch-header.ts';
import { otherOrders } from './batch/other-orders.ts';
import { idsOfRows, planBlocks } from './batch/plan-orders.ts';
import type { Client } from './client/client.ts';
import type { CallbackSource } from './dispatch/callback-source.ts';
import { dispatch } from './dispatch/dispatch.ts';
import { handOver, ownEnd, takeBack } from './dispatch/hand-over.ts';
import { runLimits } from './dispatch/run-limits.ts';
import { supersededNotice, upToStop } from './dispatch/stop-reasons.ts';
import type { BatchHeader } from './domain/batch.ts';
import type { Clock, Random } from './domain/clock.ts';
import type { MoneyStatement, Tell } from './domain/event.ts';
import { mostSevereExit } from './domain/exit-code.ts';
import { Fault } from './domain/fault.ts';
import { type BatchId, type BatchKey, idNameOf } from './domain/ids.ts';
import { requireQuiet } from './domain/quiet-time.ts';
import { type RunEnd, unsentIn } from './domain/run-end.ts';
import type { Settings } from './domain/settings.ts';
import { requireFolder } from './files/temporary-file.ts';
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
import { giveBack, takeOver } from './preflight/duplicates/superseded.ts';
import { supersededOf } from './preflight/duplicates/superseded-rows.ts';
import { type FundsChoice, requireFunds, withFunds } from './preflight/funds.ts';
import { requireCoveredRest } from './preflight/funds-of-rest.ts';
import { requireIdName } from './preflight/id-name.ts';
import { requireNoneLost } from './preflight/lost-batches.ts';
import { freeFor } from './preflight/owed-elsewhere.ts';
import { type ChangedPayeesDeps, requireChangedPayees } from './preflight/payees/changed-payees.ts';
import { confirmedWith, type PayeeCheck, requirePayees, withPayees } from './preflight/payees/payee-check.ts';
import { type Preflight, preflight } from './preflight/preflight.ts';
import { balanceNow } from './preflight/read-service.ts';
import { type ResultsWishes, reportBatch, tellHead } from './report.ts';
import { requireHeadings } from './results/group-by.ts';
import { tellFolderTrouble } from './results/results-folder.ts';
import { detachedEnd, dispatchedEnd, type Repeated, repeatedEnd, unsentEnd, workedOn } from './results/run-end.ts';
import { leftInWallet } from './results/wallet-after.ts';
import { resultsPath } from './results/write-results.ts';
import { tellRows } from './tell-batch.ts';
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
export interface RunDeps extends ChangedPayeesDeps, ResultsWishes {
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
  /** Asks for the control totals, and gives how they were confirmed, or a fault. `fingerprint`: of who gets what in the sheet. */
  readonly confirm: (statement: MoneyStatement, fingerprint?: string) => Promise<string>;
  /** So many airtime and bill payments may be sent though this ledger may not know that they were: the operator knows. */
  readonly acceptUnverifiable?: number;
  /** Writes down what a dry run would have paid, for people to approve; gives the files. Missing: nobody asks for it. */
  readonly freeze?: (offer: Offer) => Promise<RunEnd['files']>;
  /** The plan that is paid, and nothing else; missing: a person confirms. */
  readonly approved?: ApprovedPlan;
  /** Space that the disk of the ledger has left, in bytes; missing: nobody asks. */
  readonly freeBytes?: () => number;
  /** Rows that go ahead alone in this run, whatever was said before; 0: none. */
  readonly canary?: number;
  /** Every row is told when the work is over, for a program; missing: the first that were not completed. */
  readonly tellsEveryRow?: boolean;
  /** File in which every row stands as a line of JSON when the work is over; missing: nobody asks for it. */
  readonly rowsFile?: string;
  /** Whether the results are written when the work is over; missing: they are. */
  readonly writesResults?: () => boolean;
  /** A person goes on with a batch that somebody stopped, and by that takes it back; missing: it stays stopped. */
  readonly takesBack?: true;
  /** Others send what is planned here: the run ends before anything leaves. */
  readonly isDetached?: boolean;
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
    const fingerprint = checked.fingerprint();
    const identified = await batchIdentity(planned(request, deps), { name: record.name, fingerprint }, deps);
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
    const held = await takeOver(batch, () => staging.payments(), deps);
    const blocks = planBlocks({ batch: id, key, staging }, terms, settings);
    await ledger.planBatch(batch, deps.approved?.only(blocks) ?? blocks, held);
    // From here on this run works on its own batch alone, and others may plan theirs.
    await giveBack(held, ledger);
    tell({ type: 'batch.planned', batch: id, payouts: checked.payable });
    await tellHead(deps);
    if (deps.isDetached) return detachedEnd(batch, ledger);
    return pay(batch, epoch, deps, request.outFolder, statement.upTo);
  });
}

/** Whoever plans names the batch and answers for changed payees, like whoever runs it. */
const planned = (request: RunRequest, { freeze }: RunDeps): RunRequest => ({
  ...request,
  dryRun: request.dryRun && freeze === undefined,
});

const repeated = (
  earlier: BatchHeader,
  { fingerprint }: CheckedRows['checked'],
  { outFolder = earlier.sheet.folder }: RunRequest,
  { sandbox }: Settings,
): Repeated => ({ earlier, fingerprint: fingerprint(), sandbox, results: resultsPath(earlier, outFolder) });

interface Clearance extends Preflight {
  readonly recorded: Clean['recorded'] & Partial<ApprovedPlan['recorded']>;
  readonly confirmation: string;
  readonly epoch: number;
}

/**
 * Holds a sheet against what was paid before, prices it, has its totals confirmed and takes the planning; or else the end of
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
    requireHeadings(deps.groupBy ?? [], checked.headings);
    const identity = { organisation: idNameOf(settings), batchKey: sheet.key };
    await requireNoneLost(batch, () => idsOfRows(staging, identity), deps);
    await requireFolder(request.outFolder ?? sheet.record.folder);
    if (deps.freeBytes) requireSpace(checked.rows, deps.freeBytes());
    const clean = await guardDuplicates(sheet, request, deps);
    const quoted = withFindings(await preflight(staging, checked.total.currency, deps), clean);
    const stated = await withPayees(await withFunds(quoted, sheet, deps), request.payees, sheet, deps);
    tell({ type: 'statement', statement: stated.statement });
    const blocks = () => planBlocks({ ...sheet, batch }, stated, settings);
    const offer = { batch, sheet: sheet.record, statement: stated.statement, blocks };
    deps.approved?.hold(offer);
    requirePayees(stated.statement, request.payees);
    const priced = await requireFunds(stated, sheet, request, deps);
    requireUnverifiableAccepted(unverifiableIn(staging), await lookFirstReason(ledger, batch, settings), deps);
    await requireChangedPayees(priced.statement, planned(request, deps), deps);
    if (request.dryRun) return { ...unsentEnd(checked), files: (await deps.freeze?.(offer)) ?? [] };
    const { recorded: { approval } = {}, instead = planInstead(batch) } = deps.approved ?? {};
    const asked = { amount: priced.statement.total, approvals: approval?.approvals, instead };
    await requireApprovals(asked, deps);
    const confirmation = confirmedWith(await confirm(priced.statement, checked.fingerprint()), priced.statement);
    const epoch = await ledger.takeLease();
    // Somebody else may have paid the sheet, or rows of it, while this run was asking for its totals.
    const overtaken = await ledger.findBatchCalled(batch);
    if (overtaken) return repeatedEnd(repeated(overtaken, checked, request, settings), ledger);
    await takeOver({ key: sheet.key, plannedAt: deps.clock.now() }, () => staging.payments(), deps);
    await requireApprovals(asked, deps);
    const { recorded } = await guardDuplicates(sheet, request, deps, clean);
    return { ...priced, confirmation, epoch, recorded: { ...recorded, ...deps.approved?.recorded } };
  } catch (error) {
    if (error instanceof Fault) return { ...unsentEnd(checked), exit: error.exit, fault: error };
    throw error;
  }
}

/**
 * Goes on with a batch that was stopped: sends what was not sent, finds out what is not known. A folder that takes no
 * results is told and stops nobody: money that is under way has to be followed. `upToBalance`: so many of the rows that were not
 * sent, because the wallet covers no more; a Fault when it covers another number.
 */
export async function resumeBatch(
  batch: BatchHeader,
  deps: RunDeps,
  outFolder?: string,
  upToBalance?: number,
): Promise<RunEnd> {
  requireHeadings(deps.groupBy ?? [], batch.sheet.headings);
  if (deps.writesResults === undefined) await tellFolderTrouble(batch, deps.tell, outFolder);
  const epoch = await deps.ledger.takeLease(batch.id);
  await deps.ledger.requireKept(batch.id);
  // Sums of several batches count together, so nobody else adds one meanwhile.
  if (deps.settings.approval) await deps.ledger.takeLease();
  await requireRestApproved(batch, deps);
  await deps.ledger.releaseLease();
  if (upToBalance !== undefined) await requireCoveredRest(batch, upToBalance, deps);
  if (deps.takesBack) await takeBack(batch.id, deps);
  if (deps.isDetached) return handOver(batch.id, deps).then(() => detachedEnd(batch, deps.ledger));
  return pay(batch, epoch, deps, outFolder, upToBalance);
}

/** Sends and follows a recorded batch, or so many of its first unsent rows, then reports it, whatever came of it. */
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
    requireUnverifiableAccepted(await deps.ledger.unverifiableRows(batch.id), doubt, deps);
    if (doubt) tellDoubt(doubt, deps);
    if (superseded) deps.tell(supersededNotice(superseded));
    const limits = await runLimits(batch, ledger, settings.sending, deps.canary);
    const { canary } = limits;
    const wallet = (waiting: AbortSignal) => balanceNow(deps.client, batch.currency, waiting);
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
      readBalance: (waiting) => freeFor(batch, wallet(waiting), deps),
      ordersBeside: (attempt) => otherOrders(attempt, batch),
    });
    const upTo = rowsMost === undefined || signal.aborted ? undefined : upToStop(rowsMost);
    const { alarms, stop = upTo } = done;
    const why = stop && { code: stop.code, todo: stop.todo };
    const left = await leftInWallet(batch, wallet, { ledger, signal });
    await ledger.recordStop(stop?.says ?? ownEnd(signal), { ...why, ...left });
    const mayBeThrough = done.doubt === 'over' && alarms.length === 0;
    const unsent = unsentIn(await deps.ledger.tallies(batch.id));
    // A rehearsal may be lost as often as one likes.
    const andUnnamed = settings.sandbox;
    if (mayBeThrough && unsent.rows === unsent.superseded) await ledger.dispelDoubt(batch.id, { andUnnamed });
    return reported(batch, await dispatchedEnd(batch, deps.ledger, alarms, signal), deps, outFolder);
  });

async function reported(batch: BatchHeader, end: RunEnd, deps: RunDeps, outFolder?: string): Promise<RunEnd> {
  if (deps.writesResults?.() === false) return end;
  await tellRows(batch, end, deps);
  try {
    return { ...end, files: await reportBatch(batch, deps, { folder: outFolder, rowsFile: deps.rowsFile }) };
  } catch (error) {
    // The money work is done and recorded: a workbook that cannot be written must not hide what became of it.
    if (!(error instanceof Fault) || error.code !== 'report-unwritten') throw error;
    return { ...end, exit: mostSevereExit([end.exit, error.exit]), fault: error };
  }
}
