/** Finds the batch that a command is about, and reports what a person should know about it. */

import { type BatchHeader, type BatchStop, duplicateText } from '../../domain/batch.ts';
import { clientChangeText } from '../../domain/client-change.ts';
import type { Emit } from '../../domain/event.ts';
import { exitCode, exitOfRows } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { comparedBatchName } from '../../domain/ids.ts';
import { didYouMean } from '../../domain/likeness.ts';
import { purgedText } from '../../domain/purged.ts';
import { stoppedFault } from '../../ledger/batch-stops.ts';
import type { BegunBatch, Ledger } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { emitBatch } from '../../run/emit-batch.ts';
import type { RunDeps } from '../../run/run-deps.ts';

/** Returns the batch that was named, or the latest one. Throws a Fault `usage` if there is none. */
export async function chosenBatch(ledger: Ledger, named: string | undefined): Promise<BatchHeader> {
  if (named === undefined) {
    const latest = await ledger.latestBatch();
    if (latest) return latest;
    const lost = await ledger.lostBatches();
    if (lost.length > 0) throw lostFault(lost);
    throw new Fault('usage', 'There is no batch yet.', 'Pay a sheet first: paybatch run SHEET');
  }
  const found = await ledger.findBatchCalled(named);
  if (found) return found;
  const lost = (await ledger.lostBatches()).filter(({ id }) => comparedBatchName(id) === comparedBatchName(named));
  if (lost.length > 0) throw lostFault(lost);
  const known = (await ledger.batches()).map(({ id }) => id);
  const latest = `The latest: ${known.slice(0, 5).join(', ')}.`;
  const remedy = known.length > 0 ? (didYouMean(named, known) ?? latest) : `There is no batch yet. ${againOf(named)}`;
  throw new Fault(
    'usage',
    `There is no batch "${named}" in this profile.`,
    `${remedy} A batch of another profile needs --profile NAME.`,
  );
}

/**
 * Returns what to do about a batch of which nothing is left here. Its ids follow from its name and rows, so the same sheet
 * finds them.
 */
const againOf = (name: string): string =>
  `If its ledger was lost, run the same sheet again, unchanged: \`paybatch run SHEET --batch ${name}\` (without --batch if it had none).`;

/** The Fault for batches of a ledger that was lost, or restored from an earlier copy. Only the sheets can bring them back. */
function lostFault(lost: readonly BegunBatch[]): Fault {
  const names = lost.map(({ id }) => id);
  const [first = ''] = names.slice(-1);
  return new Fault(
    'usage',
    `This ledger does not hold ${lost.length === 1 ? 'the batch' : 'the batches'} ${names.join(', ')}, which ${lost.length === 1 ? 'was' : 'were'} begun here: it was lost, or restored from an older copy.`,
    `Run the same sheet again, unchanged: \`paybatch run SHEET --batch ${first}\` (without --batch if it had none). What was sent is looked up before anything is sent.`,
  );
}

/** Reports that a batch repeated payments of other batches, and why that was allowed. */
export function emitRepeated(batch: BatchHeader, emit: Emit): void {
  const repeated = duplicateText(batch);
  if (repeated !== undefined) emit({ type: 'notice', level: 'info', message: `Batch ${batch.id}: ${repeated}.` });
}

/** Reports that the people of a batch were deleted. */
export async function emitPurged(
  { id }: BatchHeader,
  { ledger, emit, settings }: Pick<RunDeps, 'ledger' | 'emit' | 'settings'>,
): Promise<void> {
  const purge = (await ledger.purges()).get(id);
  if (!purge) return;
  const message = `Batch ${id}: its ${purgedText(purge, settings.timezone)}.`;
  emit({ type: 'notice', level: 'info', code: 'purged', message });
}

/** Reports which batch it is, and what a person should know about it before the rows: also which client ids replaced others. */
export async function emitAbout(
  batch: BatchHeader,
  deps: Pick<RunDeps, 'ledger' | 'emit' | 'settings'>,
): Promise<void> {
  const { ledger, emit, settings } = deps;
  emitBatch(batch, deps);
  emitRepeated(batch, emit);
  await emitPurged(batch, deps);
  for (const change of await ledger.clientChanges()) {
    emit({ type: 'notice', level: 'info', message: `Client id: ${clientChangeText(change, settings.timezone)}.` });
  }
}

/**
 * Returns the named batch, or else the latest unfinished one that no person stopped, or else the latest. Throws a Fault `usage`
 * if there is none, and `declined` if people stopped all that is unfinished: on a shared ledger it may be another person's, so
 * only its name cancels a stop.
 */
export async function unfinishedBatch(ledger: Ledger, named: string | undefined): Promise<BatchHeader> {
  if (named !== undefined) return chosenBatch(ledger, named);
  let stopped: BatchStop | undefined;
  for (const batch of await ledger.batches()) {
    if (exitOfRows(await knownEnd(batch, ledger)) !== exitCode.notFinal) continue;
    const stop = await ledger.stopOf(batch.id);
    if (!stop) return batch;
    stopped ??= stop;
  }
  if (stopped) throw stoppedFault(stopped);
  return chosenBatch(ledger, undefined);
}
