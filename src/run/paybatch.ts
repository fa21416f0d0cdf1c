/**
 * The whole run on one page. A sheet is opened and checked, identified, priced, confirmed, recorded, dispatched and reported.
 * Every stage is one call into its own room, and nothing is sent before everything is on disk.
 */
import type { ApprovedPlan } from '../approval/approved-plan.ts';
import { planInstead, requireApprovals, requireRestApproved } from '../approval/require-approvals.ts';
import { batchHeader, plannedCanary } from '../batch/batch-header.ts';
import { idsOfRows, planBlocks } from '../batch/plan-orders.ts';
import { handOver, takeBack } from '../dispatch/stop-batch.ts';
import type { BatchHeader, HeldOrder } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId, BatchKey } from '../domain/ids.ts';
import { requireQuiet } from '../domain/quiet-time.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { typedSheet } from '../domain/typed-path.ts';
import { requireFolder } from '../files/temporary-file.ts';
import { batchIdentity, requireIdNamespace } from '../preflight/batch-name.ts';
import { compareTotals, type ExpectedTotals } from '../preflight/control-totals.ts';
import { requireSpace } from '../preflight/disk-space.ts';
import { type Clean, guardDuplicates, withFindings } from '../preflight/duplicates/duplicate-guard.ts';
import type { DuplicateChoice } from '../preflight/duplicates/judge.ts';
import { giveBack, heldOrders, takeOver } from '../preflight/duplicates/superseded.ts';
import { type FundsChoice, requireFunds, withFunds } from '../preflight/funds.ts';
import { requireCoveredRest } from '../preflight/funds-of-rest.ts';
import {
  lookFirstReason,
  requireNoneLost,
  requireNoneLostSince,
  requireUnverifiableAccepted,
  unverifiableIn,
} from '../preflight/ledger-in-recovery.ts';
import { requireChangedPayees } from '../preflight/payees/changed-payees.ts';
import { confirmedWith, type PayeeCheck, requirePayees, withPayees } from '../preflight/payees/payee-check.ts';
import { type Preflight, preflight } from '../preflight/preflight.ts';
import { emitFolderTrouble } from '../results/file-name.ts';
import { requireHeadings } from '../results/group-by.ts';
import { detachedEnd, type Repeated, repeatedEnd, unsentEnd } from '../results/run-end.ts';
import { resultsPath } from '../results/write-results.ts';
import { pay } from './pay.ts';
import { emitHead } from './report.ts';
import type { RunDeps } from './run-deps.ts';
import { type CheckedRows, type CheckRequest, type PayableSheet, withPayableSheet } from './validate.ts';

export interface RunRequest extends CheckRequest, DuplicateChoice, FundsChoice {
  /**
   * The operator's name for the batch. `undefined`: a live run asks for the name, and a rehearsal is named after the content of
   * the sheet.
   */
  readonly batchName?: string;
  /** How payees are verified before anything is paid; `undefined`: they are not verified. */
  readonly payees?: PayeeCheck;
  /** Whether the run does everything except sending. */
  readonly dryRun: boolean;
  /** Control totals that are compared before `confirm`, which a dry run does not call; absent: none are. */
  readonly expected?: ExpectedTotals;
}

/** Pays a sheet once, and returns how the run ended. */
export async function runSheet(request: RunRequest, deps: RunDeps): Promise<RunEnd> {
  requireQuiet(deps.settings);
  return withPayableSheet(request, deps, async ({ record, checked, staging }) => {
    const { settings, ledger, emit } = deps;
    await requireIdNamespace(ledger, settings);
    const fingerprint = checked.fingerprint();
    const identified = await batchIdentity(planned(request, deps), { name: record.name, fingerprint }, deps);
    const { key, id } = identified;
    const earlier = await ledger.findBatchCalled(id);
    if (earlier) return repeatedEnd(repeated(earlier, checked, request, settings), ledger);

    const cleared = await clearance({ key, record, checked, staging }, request, { ...deps, batch: id });
    if ('exit' in cleared) return cleared;
    const { statement, confirmation, epoch, held, recorded, ...terms } = cleared;
    const batch = batchHeader(
      { ...identified, record, checked, statement, confirmation, ...recorded, ...plannedCanary(deps) },
      deps,
    );
    const blocks = planBlocks({ batch: id, key, staging }, terms, settings);
    await ledger.planBatch(batch, deps.approved?.only(blocks) ?? blocks, held);
    // From now on, this run works only on its own batch, and other runs may plan theirs.
    await giveBack(held, ledger);
    emit({ type: 'batch.planned', batch: id, payouts: checked.payable });
    await emitHead(deps);
    if (deps.isDetached) return detachedEnd(batch, ledger);
    return pay(batch, epoch, deps, { outFolder: request.outFolder, rowsMost: statement.upTo });
  });
}

/**
 * Returns the request, which counts as a real run if a plan is made: a person who plans must name the batch and answer for
 * changed payees, as in a run.
 */
const planned = (request: RunRequest, { freeze }: RunDeps): RunRequest => ({
  ...request,
  dryRun: request.dryRun && freeze === undefined,
});

/** Returns the sheet as it is typed after a command. */
const typedOf = ({ record }: Pick<PayableSheet, 'record'>, { typed, reading }: RunRequest): string =>
  typedSheet(typed ?? record.name, reading.worksheet);

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
  /** Orders of earlier batches that this one takes over. */
  readonly held: readonly HeldOrder[];
}

/**
 * Compares a sheet with earlier payments, prices it, has its totals confirmed and takes the lease of planning. Returns the end
 * of the run instead if nothing was sent.
 */
async function clearance(
  sheet: CheckedRows & Pick<PayableSheet, 'record'> & { readonly key: BatchKey },
  request: RunRequest,
  deps: RunDeps & { readonly batch: BatchId },
): Promise<Clearance | RunEnd> {
  const { settings, ledger, emit, confirm, batch } = deps;
  const { checked, staging } = sheet;
  const repeatedSince = async (): Promise<RunEnd | undefined> => {
    const earlier = await ledger.findBatchCalled(batch);
    return earlier && repeatedEnd(repeated(earlier, checked, request, settings), ledger);
  };
  try {
    requireHeadings(deps.groupBy ?? [], checked.headings);
    const identity = { namespace: settings.idNamespace, batchKey: sheet.key };
    await requireNoneLost(batch, () => idsOfRows(staging, identity), deps);
    await requireNoneLostSince({ id: batch, plannedAt: deps.clock.now() }, deps);
    await requireFolder(request.outFolder ?? sheet.record.folder);
    if (deps.freeBytes) requireSpace(checked.rows, deps.freeBytes());
    const clean = await guardDuplicates(sheet, request, deps);
    const quoted = withFindings(await preflight(staging, checked.total.currency, deps), clean);
    const blocks = () => planBlocks({ ...sheet, batch }, quoted, settings);
    const funded = await withFunds(quoted, { ...sheet, blocks }, deps);
    const stated = await withPayees(funded, request.payees, sheet, deps);
    emit({ type: 'statement', statement: stated.statement });
    const offer = { batch, sheet: sheet.record, statement: stated.statement, blocks };
    deps.approved?.hold(offer);
    requirePayees(stated.statement, request.payees);
    const priced = await requireFunds(stated, { ...sheet, blocks }, request, deps);
    const reason = await lookFirstReason(ledger, batch, settings);
    // Counting unverifiable payments reads every row, so it is done only in recovery.
    if (reason !== undefined) requireUnverifiableAccepted(unverifiableIn(staging), reason, deps);
    await requireChangedPayees(priced.statement, planned(request, deps), deps);
    const { recorded: { approval } = {}, instead = planInstead(typedOf(sheet, request), batch, settings) } =
      deps.approved ?? {};
    const asked = { amount: priced.statement.total, approved: approval?.approvals.length, instead };
    // People approve a plan after it was made.
    if (!deps.freeze) await requireApprovals(asked, deps);
    if (request.expected) compareTotals(priced.statement, request.expected);
    if (request.dryRun) {
      deps.rehearsed?.(checked.fingerprint());
      return { ...unsentEnd(checked), files: (await deps.freeze?.(offer)) ?? [] };
    }
    const confirmation = confirmedWith(await confirm(priced.statement, checked.fingerprint()), priced.statement);
    const occasion = { key: sheet.key, plannedAt: deps.clock.now(), rows: checked.rows, staging };
    // Not under the lease: what this reads is proven, and under the lease each batch is proven again before it is read.
    const found = await heldOrders(occasion, deps, clean.unpaid);
    const epoch = await ledger.takeLease();
    // Another run may have paid the sheet, or rows of it, while this run waited for its totals to be confirmed.
    const repeats = await repeatedSince();
    if (repeats) return repeats;
    const held = await takeOver(occasion, deps, found);
    await requireApprovals(asked, deps);
    const { recorded } = await guardDuplicates(sheet, request, deps, clean);
    return { ...priced, confirmation, epoch, held, recorded: { ...recorded, ...deps.approved?.recorded } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // The payments that refuse the sheet may be those of its own batch, which another run planned since this one looked for it.
    const repeats = error.code === 'already-paid' ? await repeatedSince() : undefined;
    return repeats ?? { ...unsentEnd(checked), exit: error.exit, fault: error };
  }
}

/**
 * Resumes a batch: sends what was not sent, and finds out what is not known. A folder that cannot take results is only
 * reported, because money in flight must be followed. `upToBalance`: the number of unsent rows to send, because the wallet
 * covers no more; throws a Fault if the wallet covers another number.
 */
export async function resumeBatch(
  batch: BatchHeader,
  deps: RunDeps,
  outFolder?: string,
  upToBalance?: number,
): Promise<RunEnd> {
  requireHeadings(deps.groupBy ?? [], batch.sheet.headings);
  if (deps.writesResults === undefined) await emitFolderTrouble(batch, deps.emit, outFolder);
  const epoch = await deps.ledger.takeLease(batch.id);
  await deps.ledger.requireKept(batch.id);
  if (await maySend(batch, deps.ledger)) await requireNoneLostSince(batch, deps);
  // Sums of several batches count together, so the lease of planning keeps others from adding a batch in the meantime.
  if (deps.settings.approval) await deps.ledger.takeLease();
  await requireRestApproved(batch, deps);
  await deps.ledger.releaseLease();
  if (upToBalance !== undefined) await requireCoveredRest(batch, upToBalance, deps);
  if (deps.takesBack) await takeBack(batch.id, deps);
  if (deps.isDetached) return handOver(batch.id, deps).then(() => detachedEnd(batch, deps.ledger));
  return pay(batch, epoch, deps, { outFolder, rowsMost: upToBalance });
}

/** Reports whether a run of the batch would send a row, or send it again. */
const maySend = async ({ id }: BatchHeader, ledger: RunDeps['ledger']): Promise<boolean> =>
  (await ledger.tallies(id)).some(
    ({ outcome, count, superseded = 0 }) => (outcome === 'unsent' || outcome === 'in-doubt') && count > superseded,
  );
