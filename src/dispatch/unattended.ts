/** Whether a batch may go on without a person: one rule for a worker and for `schedule run-due`. */
import { type BatchStop, batchStopText } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import type { RunHistory } from '../ledger/ledger.ts';
import { isPassing } from './stop-reasons.ts';
import { INTERRUPTED } from './task.ts';

interface RunsOfBatch {
  stopOf(batch: BatchId): Promise<BatchStop | undefined>;
  runHistory(batch: BatchId): Promise<RunHistory>;
}

interface Unattended {
  /**
   * Whether a run that was interrupted (Ctrl-C, SIGTERM) is continued. `schedule run-due` continues it: the sheet was agreed to
   * for that day, and a restart of the computer must not leave people unpaid. A worker does not: it takes any batch of
   * the ledger, and cannot tell whether a person wanted this one to end.
   */
  readonly resumesInterrupted: boolean;
}

/**
 * Returns why a batch that is not final is left to a person, as a clause; `undefined` if it may go on. What a person or a
 * brake stopped, and what a person limited to some rows, is for a person to continue: otherwise the stop would be
 * cancelled, or the limit lifted, by nobody. A run with such a limit counts however it ended, because the next one would
 * send all rows.
 */
export async function whyLeftToPerson(
  batch: BatchId,
  ledger: RunsOfBatch,
  { resumesInterrupted }: Unattended,
): Promise<string | undefined> {
  const stop = await ledger.stopOf(batch);
  if (stop) return batchStopText(stop);
  const { started, stopped } = await ledger.runHistory(batch);
  if (stopped && !isPassing(stopped.code)) return stopped.reason;
  if (started?.rowsMost !== undefined) return 'it was to send only part of its rows (--up-to-balance)';
  if (stopped?.reason === INTERRUPTED && !resumesInterrupted) return 'somebody stopped it';
  return undefined;
}
