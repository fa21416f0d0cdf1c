/** A batch that others go on with at once: how that is told from a run that a person stopped. */
import type { BatchId } from '../domain/ids.ts';
import type { LedgerJournal } from '../ledger/faces.ts';

/**
 * Why the signal of a run was aborted by a worker that gives the batch to the next one, and the reason that is recorded then. After
 * any other interruption a person says when it goes on.
 */
export const HANDED_ON = 'handed on';

/** Why a run ended that nothing of its own stopped, for the record. */
export function ownEnd({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'finished';
  return reason === HANDED_ON ? HANDED_ON : 'interrupted';
}

/** Lease. Records that the workers may go on with a batch, whatever stopped it before. */
export async function handOver(
  batch: BatchId,
  { ledger, version }: { readonly ledger: Pick<LedgerJournal, 'recordRun' | 'recordStop'>; readonly version: string },
): Promise<void> {
  await ledger.recordRun(batch, version);
  await ledger.recordStop(HANDED_ON);
}
