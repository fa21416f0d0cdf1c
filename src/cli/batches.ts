/** Which batch a command means. */

import { type BatchHeader, duplicateText } from '../domain/batch.ts';
import type { Tell } from '../domain/event.ts';
import { exitCode, exitOfRows } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { didYouMean } from '../domain/likeness.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';

/** The batch that was named, or the latest one. */
export async function chosenBatch(ledger: Ledger, named: string | undefined): Promise<BatchHeader> {
  if (named === undefined) {
    const latest = await ledger.latestBatch();
    if (latest) return latest;
    throw new Fault('usage', 'There is no batch yet.', 'Pay a sheet first: paybatch run SHEET.');
  }
  const found = await ledger.findBatchCalled(named);
  if (found) return found;
  const known = (await ledger.batches()).map(({ id }) => id);
  const latest = `The latest: ${known.slice(0, 5).join(', ')}.`;
  const remedy = known.length > 0 ? (didYouMean(named, known) ?? latest) : 'There is no batch yet.';
  throw new Fault('usage', `There is no batch "${named}" in this profile.`, remedy);
}

/** Tells that a batch repeated payments of others, and why that was allowed. */
export function tellRepeated(batch: BatchHeader, tell: Tell): void {
  const repeated = duplicateText(batch);
  if (repeated !== undefined) tell({ type: 'notice', level: 'info', message: `Batch ${batch.id}: ${repeated}.` });
}

/** The batch that was named, or the latest one that is not finished, or the latest. */
export async function unfinishedBatch(ledger: Ledger, named: string | undefined): Promise<BatchHeader> {
  if (named !== undefined) return chosenBatch(ledger, named);
  for (const batch of await ledger.batches()) {
    if (exitOfRows(await knownEnd(batch, ledger)) === exitCode.notFinal) return batch;
  }
  return chosenBatch(ledger, undefined);
}
