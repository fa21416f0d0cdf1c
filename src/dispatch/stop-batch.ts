/**
 * Who stops a batch, and who may continue it. A person stops it: from then on no sender claims anything of it, until a person
 * cancels the stop. A worker that ends hands its batch on to the next one.
 */
import { type BatchStop, batchStopText } from '../domain/batch.ts';
import type { Emit } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import type { LedgerStops } from '../ledger/batch-stops.ts';
import type { LedgerJournal } from '../ledger/interfaces.ts';
import { atWorkText, type Ledger, type RunHistory } from '../ledger/ledger.ts';
import { isPassing, personNotice } from './stop-reasons.ts';

interface StoppingDeps {
  readonly ledger: Pick<Ledger, 'stopOf' | 'stopBatch' | 'othersAtWork'>;
  readonly emit: Emit;
}

/**
 * Records the stop, and reports who is still working on the batch. Returns the stop in force; `undefined` if nothing of the
 * batch is left to stop.
 */
export async function stopByPerson(
  batch: BatchId,
  said: Pick<BatchStop, 'by' | 'reason'>,
  { ledger, emit }: StoppingDeps,
): Promise<BatchStop | undefined> {
  const stop = (await ledger.stopOf(batch)) ?? (await ledger.stopBatch(batch, said));
  if (!stop) {
    emit({ type: 'notice', level: 'warning', message: OVER });
    return undefined;
  }
  emit(personNotice(stop));
  const working = (await ledger.othersAtWork()).filter((lease) => lease.batch === batch);
  const who = working.map(atWorkText).join('; ');
  const message =
    working.length === 0
      ? 'As far as paybatch can tell, no run and no worker is working on it.'
      : `Working on it: ${who}. No more payments are claimed; those in flight still arrive, and are followed.`;
  emit({ type: 'notice', level: 'info', message });
  return stop;
}

const OVER = 'Nothing of the batch is left to stop: every payment of it is finished. Nothing was recorded.';

/**
 * The reason with which a worker aborts the signal of a run to hand its batch on to the next worker, and the reason that is
 * recorded then. After any other interruption, a person decides when the batch continues.
 */
export const HANDED_ON = 'handed on';

/** The reason that is recorded when a person ended a run. */
export const INTERRUPTED = 'interrupted';

/** Returns the reason to record for a run that had no stop of its own. */
export function ownEnd({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'finished';
  return reason === HANDED_ON ? HANDED_ON : INTERRUPTED;
}

/** Lease. Records that the workers may continue a batch, no matter what stopped it before. */
export async function handOver(
  batch: BatchId,
  { ledger, version }: { readonly ledger: Pick<LedgerJournal, 'recordRun' | 'recordStop'>; readonly version: string },
): Promise<void> {
  await ledger.recordRun(batch, version);
  await ledger.recordStop(HANDED_ON);
}

/** Lease. Lifts a person's stop of a batch, on record, and reports whose stop that was. */
export async function takeBack(
  batch: BatchId,
  { ledger, maker, emit }: { readonly ledger: LedgerStops; readonly maker: string; readonly emit: Emit },
): Promise<void> {
  const stop = await ledger.stopOf(batch);
  if (!stop) return;
  await ledger.takeBack(stop, maker);
  emit({ type: 'notice', level: 'info', code: 'taken-back', message: `Stop cancelled: ${batchStopText(stop)}.` });
}

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
 * Returns why a batch that is not final is left to a person, as a clause, by one rule for a worker and for `schedule
 * run-due`; `undefined` if it may go on. What a person or a brake stopped, and what a person limited to some rows, is for a
 * person to continue: otherwise the stop would be cancelled, or the limit lifted, by nobody. A run with such a limit counts
 * however it ended, and if it never began, because the next one would send all rows.
 */
export async function whyLeftToPerson(
  batch: BatchId,
  ledger: RunsOfBatch,
  { resumesInterrupted }: Unattended,
): Promise<string | undefined> {
  const stop = await ledger.stopOf(batch);
  if (stop) return batchStopText(stop);
  const { rowsMost, stopped } = await ledger.runHistory(batch);
  if (stopped && !isPassing(stopped.code)) return stopped.reason;
  if (rowsMost !== undefined) return 'it was to send only part of its rows (--up-to-balance)';
  if (stopped?.reason === INTERRUPTED && !resumesInterrupted) return 'somebody stopped it';
  return undefined;
}
