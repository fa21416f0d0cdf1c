/**
 * Stops of batches by people. The run that sends a batch has its lease, and a stop cannot wait for that, so a stop is the
 * only fact about a batch that is recorded without its lease: in the chain of the batch, under the signed head. Every claim
 * is made at the end of that chain: if another process has appended anything, the claim is rolled back, what was appended is
 * proven, and the claim is made again. So no claim follows a stop, on any machine, and no claim costs an additional read.
 */

import { type Database, numberOf, type Reader } from '../database/database.ts';
import { type BatchStop, batchStopText } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { BatchFact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { followStop } from './chain-proof.ts';
import type { CheckpointKeeper } from './checkpoint-keeper.ts';
import { batchFactIn } from './facts.ts';
import { leaseOf, stopLeaseOf } from './lease.ts';
import { LEDGER_FACTS_OF_BATCH } from './ledger-chain.ts';
import { purgedFault } from './purge.ts';
import { isUnfinished } from './unfinished.ts';
import type { Recording } from './writer.ts';

/** The part of `Ledger` about stops of batches. */
export interface LedgerStops {
  /**
   * Returns the stop that is in force for the batch, if there is one, by everything that is on record now, no matter which
   * process recorded it.
   */
  stopOf(batch: BatchId): Promise<BatchStop | undefined>;
  /**
   * Like `stopOf`, but only as far as this process has read; its next write reads on. Once there is a stop, claims return no
   * orders.
   */
  knownStop(batch: BatchId): BatchStop | undefined;
  /** Returns every stop of the batch and what became of it, the earliest first. */
  stopsOf(batch: BatchId): Promise<readonly RecordedStop[]>;
  /**
   * Records that no order of the batch may be claimed, while another process may have its lease. Resolves when the stop is
   * on disk: no claim is made after that. Returns `undefined`, and records nothing, if every order has its final outcome, so
   * that nothing can be claimed any more. Fault `usage` if the people of the batch were deleted, `ledger-held` while another
   * process stops it.
   */
  stopBatch(batch: BatchId, said: Pick<BatchStop, 'by' | 'reason'>): Promise<BatchStop | undefined>;
  /** Needs the lease of the batch. Records that this stop is cancelled. A stop that was recorded since stays in force. */
  takeBack(stop: BatchStop, by: string): Promise<void>;
}

/** A stop, and who cancelled it and when; `takenBack` is absent if nobody has. */
export interface RecordedStop extends BatchStop {
  readonly takenBack?: { readonly at: number; readonly by: string };
}

interface Stopping {
  readonly recording: Recording;
  readonly database: Database;
  readonly checkpoints: Pick<CheckpointKeeper, 'advance'>;
  readonly takeStopping: (batch: BatchId) => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
}

export function stopsInterface({ recording, database, checkpoints, takeStopping, clock }: Stopping): LedgerStops {
  const { writer, proof } = recording;
  return {
    async stopOf(batch) {
      await proof.facts();
      await writer.catchUp();
      return proof.ledgerState.stops.get(batch);
    },
    knownStop: (batch) => proof.ledgerState.stops.get(batch),
    stopsOf: (batch) => proof.facts().then(() => stopsOf(database, batch)),
    async stopBatch(batch, said) {
      if (!(await isUnfinished(database, batch))) return undefined;
      await takeStopping(batch);
      const stop = await stopBatch(recording, batch, said, clock);
      await checkpoints.advance(writer.head);
      await writer.release(stopLeaseOf(batch));
      return stop;
    },
    takeBack: (stop, by) => takeBack(recording, stop, by, clock),
  };
}

/** Records a stop, under the lease of stopping. */
async function stopBatch(
  { writer, proof }: Recording,
  batch: BatchId,
  { by, reason }: Pick<BatchStop, 'by' | 'reason'>,
  clock: Pick<Clock, 'now'>,
): Promise<BatchStop> {
  const fact = { type: 'batch-stopped', batch, at: clock.now(), by, reason } as const;
  await writer.write([stopLeaseOf(batch)], (append) => {
    const purge = proof.ledgerState.purges.get(batch);
    if (purge) throw purgedFault(purge);
    return [append(batch, fact)];
  });
  return wordSaid({ proof }, fact) ?? { ...fact, number: 0 };
}

/** Records that a stop is cancelled, under the lease of the batch. */
async function takeBack(
  { writer, proof }: Recording,
  { batch, number: stop }: BatchStop,
  by: string,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const fact = { type: 'batch-released', batch, at: clock.now(), by, stop } as const;
  await writer.write([leaseOf(batch)], (append) => [append(batch, fact)]);
  wordSaid({ proof }, fact);
}

/** Takes over a stop, or its release, that this process has recorded and does not read again. Returns the stop in force. */
function wordSaid({ proof }: Pick<Recording, 'proof'>, fact: BatchFact): BatchStop | undefined {
  followStop(proof.ledgerState.stops, fact, proof.chains.endOf(fact.batch).number);
  return proof.ledgerState.stops.get(fact.batch);
}

const WORDS = `SELECT f.number, f.happened_at, f.type, f.data, f.text FROM fact f WHERE ${LEDGER_FACTS_OF_BATCH}
  AND f.type IN ('batch-stopped', 'batch-released') ORDER BY f.seq`;

/** Returns every stop of a batch, in the order in which people made them. */
async function stopsOf(database: Reader, batch: BatchId): Promise<readonly RecordedStop[]> {
  const stops: RecordedStop[] = [];
  for (const row of await database.read(WORDS, [batch])) {
    const [number, fact] = [numberOf(row, 'number'), batchFactIn(row, batch) as Word];
    const { at, by } = fact;
    if (fact.type === 'batch-stopped') stops.push({ batch, number, at, by, reason: fact.reason });
    if (fact.type !== 'batch-released') continue;
    const place = stops.findIndex((one) => one.number === fact.stop);
    const stop = stops[place];
    if (stop) stops[place] = { ...stop, takenBack: { at, by } };
  }
  return stops;
}

/** The facts that `WORDS` selects by their type. */
type Word = Extract<BatchFact, { readonly type: 'batch-stopped' | 'batch-released' }>;

/** Returns the Fault for planning anything in a stopped batch. */
export const stoppedFault = (stop: BatchStop): Fault =>
  new Fault(
    'declined',
    `${batchStopText(stop)}. Nothing was sent.`,
    `Ask the person who stopped it. To cancel the stop and continue: paybatch resume ${stop.batch}`,
  );
