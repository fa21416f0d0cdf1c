/** Sends a recorded batch, follows it to its end, and reports it. */
import { otherOrders } from '../batch/other-orders.ts';
import { runLimits } from '../dispatch/brakes.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { ownEnd } from '../dispatch/stop-batch.ts';
import { isByPerson, supersededNotice, upToStop } from '../dispatch/stop-reasons.ts';
import type { DispatchResult, RunTask } from '../dispatch/task.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { exitCode, mostSevereExit } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { type NextStep, type RunEnd, unsentIn } from '../domain/run-end.ts';
import { ledgerOfFirstRows } from '../ledger/first-rows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { supersededOf } from '../preflight/duplicates/superseded-rows.ts';
import { emitLookFirst, lookFirstReason, requireUnverifiableAccepted } from '../preflight/ledger-in-recovery.ts';
import { freeFor } from '../preflight/owed-elsewhere.ts';
import { balanceNow } from '../preflight/read-service.ts';
import { afterPersonsStop } from '../results/next-step.ts';
import { dispatchedEnd, workedOn } from '../results/run-end.ts';
import { leftInWallet } from '../results/wallet-after.ts';
import { emitRows } from './emit-batch.ts';
import { reportBatch } from './report.ts';
import type { RunDeps } from './run-deps.ts';

/** How a batch is paid and reported. */
interface PaidPart {
  readonly outFolder?: string | undefined;
  /** The most rows to send, from the first unsent row on; absent: all. */
  readonly rowsMost?: number | undefined;
}

/** Sends and follows a recorded batch, or only its first unsent rows, then reports it, no matter what happened. */
export async function pay(
  batch: BatchHeader,
  epoch: number,
  deps: RunDeps,
  { outFolder, rowsMost }: PaidPart = {},
): Promise<RunEnd> {
  return workedOn(batch, deps, async () => {
    const done = await sendAndFollow(batch, epoch, rowsMost, deps);
    const end = await dispatchedEnd(batch, deps.ledger, done.alarms, deps.signal);
    const { rowToAskFor: row } = done;
    const next = isByPerson(done.stop?.code ?? '')
      ? afterPersonsStop(batch.id)
      : row === undefined
        ? undefined
        : askProvider(batch, row);
    const withNext = next && end.exit === exitCode.notFinal ? { ...end, next } : end;
    return reported(batch, withNext, deps, outFolder);
  });
}

/**
 * Returns the next step if the service was down for a whole batch: without an accepted payment as a witness, "unknown" proves
 * nothing.
 */
const askProvider = ({ id }: BatchHeader, row: number): NextStep => ({
  says: `Everything is saved. Do not run the sheet again. The service does not know any of the payments in doubt, and it accepted no other payment that would make this answer reliable. Ask the provider whether the payment of row ${row} arrived. If it never did, record that with the command below, then run \`paybatch resume ${id}\`: it pays row ${row}, which then settles the other rows in doubt.`,
  command: `paybatch resolve ${id} --row ${row} --never-arrived --note "who said so"`,
});

async function sendAndFollow(
  batch: BatchHeader,
  epoch: number,
  rowsMost: number | undefined,
  deps: RunDeps,
): Promise<DispatchResult> {
  const { settings, signal } = deps;
  const ledger = rowsMost === undefined ? deps.ledger : await ledgerOfFirstRows(deps.ledger, batch.id, rowsMost);
  const reason = await lookFirstReason(ledger, batch.id, settings);
  const superseded = await supersededOf(batch, deps);
  requireUnverifiableAccepted(await deps.ledger.unverifiableRows(batch.id), reason, deps);
  if (reason) emitLookFirst(reason, deps);
  if (superseded) deps.emit(supersededNotice(superseded));
  const limits = await runLimits(batch, ledger, settings.sending, deps.canary);
  const task: RunTask = {
    batch: batch.id,
    epoch,
    settings: { ...settings, ...limits },
    signal,
    maySubmit: true,
    lookFirst: reason !== undefined,
  };
  const done = await sent(batch, task, { ledger, rowsMost }, deps);
  const mayBeThrough = done.recovery === 'over' && done.alarms.length === 0;
  const unsent = unsentIn(await deps.ledger.tallies(batch.id));
  // Losing a rehearsal does no harm, so its recovery also ends for batches that no checkpoint names.
  const andUnnamed = settings.sandbox;
  if (mayBeThrough && unsent.rows === unsent.superseded) await deps.ledger.endRecovery(batch.id, { andUnnamed });
  return done;
}

/** What one run may send. If that is not all, its ledger shows only the first unsent rows of the batch. */
interface Sendable {
  readonly ledger: Ledger;
  readonly rowsMost: number | undefined;
}

/** Runs once, from the record that the run began to the record that it ended. */
async function sent(
  batch: BatchHeader,
  task: RunTask,
  { ledger, rowsMost }: Sendable,
  deps: RunDeps,
): Promise<DispatchResult> {
  const { signal } = deps;
  const { canary } = task.settings;
  const wallet = (waiting: AbortSignal) => balanceNow(deps.client, batch.currency, waiting);
  await ledger.recordRun(batch.id, deps.version, {
    ...(canary && { canary }),
    ...(rowsMost !== undefined && { rowsMost }),
  });
  const done = await dispatch(task, {
    ...deps,
    ledger,
    // What other batches need of the wallet is read from the whole ledger.
    readBalance: (neededMinor, waiting) => freeFor(batch, neededMinor, wallet(waiting), deps),
    otherOrdersOf: (attempt) => otherOrders(attempt, batch),
  });
  const upTo = rowsMost === undefined || signal.aborted ? undefined : upToStop(rowsMost);
  const { stop = upTo } = done;
  const why = stop && { code: stop.code, todo: stop.todo };
  const left = await leftInWallet(batch, wallet, { ledger, signal });
  await ledger.recordStop(stop?.says ?? ownEnd(signal), { ...why, ...left });
  return done;
}

async function reported(batch: BatchHeader, known: RunEnd, deps: RunDeps, outFolder?: string): Promise<RunEnd> {
  if (deps.writesResults?.() === false) return known;
  const end = await emitRows(batch, known, deps);
  try {
    return { ...end, files: await reportBatch(batch, deps, { folder: outFolder, rowsFile: deps.rowsFile }) };
  } catch (error) {
    // Payments are done and recorded, so a workbook that cannot be written must not hide what became of them.
    if (!(error instanceof Fault) || error.code !== 'report-unwritten') throw error;
    return { ...end, exit: mostSevereExit([end.exit, error.exit]), fault: error };
  }
}
