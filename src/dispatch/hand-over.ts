/** A batch that others go on with at once: how that is told from a run that a person stopped. */

import { batchStopText } from '../domain/batch-stop.ts';
import type { Tell } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import type { LedgerStops } from '../ledger/batch-stops.ts';
import type { LedgerJournal } from '../ledger/faces.ts';

/**
 * Why the signal of a run was aborted by a worker that gives the batch to the next one, and the reason that is recorded then. After
 * any other interruption a person says when it goes on.
 */
export const HANDED_ON = 'handed on';

/** The reason that is recorded when a person ended a run. */
const INTERRUPTED = 'interrupted';

/** Why a run ended that nothing of its own stopped, for the record. */
export function ownEnd({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'finished';
  return reason === HANDED_ON ? HANDED_ON : INTERRUPTED;
}

/** Lease. Records that the workers may go on with a batch, whatever stopped it before. */
export async function handOver(
  batch: BatchId,
  { ledger, version }: { readonly ledger: Pick<LedgerJournal, 'recordRun' | 'recordStop'>; readonly version: string },
): Promise<void> {
  await ledger.recordRun(batch, version);
  await ledger.recordStop(HANDED_ON);
}

/** Lease. Takes a batch back that somebody stopped, on record, and tells whose stop that was. */
export async function takeBack(
  batch: BatchId,
  { ledger, maker, tell }: { readonly ledger: LedgerStops; readonly maker: string; readonly tell: Tell },
): Promise<void> {
  const stop = await ledger.stopOf(batch);
  if (!stop) return;
  await ledger.takeBack(stop, maker);
  tell({ type: 'notice', level: 'info', code: 'taken-back', message: `Taken back: ${batchStopText(stop)}.` });
}
