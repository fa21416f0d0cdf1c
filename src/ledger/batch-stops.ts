/**
 * Batches that people stop. Whoever sends a batch has its lease, and a stop cannot wait for it: so it is the one word on a batch that
 * is recorded beside the lease, in the chain of the batch, under the signed head. Every claim is made at the end of that chain: if
 * somebody else has appended anything, its group is rolled back, what came is proven, and the claim is made anew. So no claim
 * follows a stop, on whichever machine, and none costs a read more.
 */
import { type BatchStop, batchStopText } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { BatchFact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { followWord } from './chain-proof.ts';
import type { CheckpointKeeper } from './checkpoint-keeper.ts';
import { type Database, numberOf, type Reader } from './database.ts';
import { batchFactIn } from './facts.ts';
import { leaseOf, stopLeaseOf } from './lease.ts';
import { purgedFault } from './purge.ts';
import { isUnfinished } from './unfinished.ts';
import type { Moving } from './writer.ts';

/** A part of `Ledger`, with its promises. */
export interface LedgerStops {
  /** Whether a person has stopped the batch, by all that is on record now, whoever recorded it. */
  stopOf(batch: BatchId): Promise<BatchStop | undefined>;
  /** The same as far as this process has read; what it writes next reads on. A claim gives nothing back from then on. */
  knownStop(batch: BatchId): BatchStop | undefined;
  /** Every stop of the batch and what became of it, the first first. */
  stopsOf(batch: BatchId): Promise<readonly RecordedStop[]>;
  /**
   * Records that nobody may claim anything of the batch, beside whoever has its lease. Resolves when it is on disk: no claim is
   * made after that. Undefined, and nothing recorded, when every order has its final word: nothing can be claimed any more. Fault
   * `usage` when the people of the batch were deleted, `ledger-held` while somebody else stops it.
   */
  stopBatch(batch: BatchId, said: Pick<BatchStop, 'by' | 'reason'>): Promise<BatchStop | undefined>;
  /** Lease of the batch. Records that this stop is taken back; one that somebody said since stays in force. */
  takeBack(stop: BatchStop, by: string): Promise<void>;
}

/** A stop, and who took it back and when; missing while it is in force. */
export interface RecordedStop extends BatchStop {
  readonly takenBack?: { readonly at: number; readonly by: string };
}

interface Stopping {
  readonly moving: Moving;
  readonly database: Database;
  readonly checkpoints: Pick<CheckpointKeeper, 'advance'>;
  readonly takeStopping: (batch: BatchId) => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
}

export function stopsFace({ moving, database, checkpoints, takeStopping, clock }: Stopping): LedgerStops {
  const { writer, proof } = moving;
  return {
    async stopOf(batch) {
      await proof.facts();
      await writer.catchUp();
      return proof.told.stops.get(batch);
    },
    knownStop: (batch) => proof.told.stops.get(batch),
    stopsOf: (batch) => proof.facts().then(() => stopsOf(database, batch)),
    async stopBatch(batch, said) {
      if (!(await isUnfinished(database, batch))) return undefined;
      await takeStopping(batch);
      const stop = await stopBatch(moving, batch, said, clock);
      await checkpoints.advance(writer.head);
      await writer.release(stopLeaseOf(batch));
      return stop;
    },
    takeBack: (stop, by) => takeBack(moving, stop, by, clock),
  };
}

/** Under the lease of stopping. */
async function stopBatch(
  { writer, proof }: Moving,
  batch: BatchId,
  { by, reason }: Pick<BatchStop, 'by' | 'reason'>,
  clock: Pick<Clock, 'now'>,
): Promise<BatchStop> {
  const fact = { type: 'batch-stopped', batch, at: clock.now(), by, reason } as const;
  await writer.write([stopLeaseOf(batch)], (append) => {
    const purge = proof.told.purges.get(batch);
    if (purge) throw purgedFault(purge);
    return [append(batch, fact)];
  });
  return wordSaid({ proof }, fact) ?? { ...fact, number: 0 };
}

/** Under the lease of the batch. */
async function takeBack(
  { writer, proof }: Moving,
  { batch, number: stop }: BatchStop,
  by: string,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const fact = { type: 'batch-released', batch, at: clock.now(), by, stop } as const;
  await writer.write([leaseOf(batch)], (append) => [append(batch, fact)]);
  wordSaid({ proof }, fact);
}

/** What this process has recorded is not read again. */
function wordSaid({ proof }: Pick<Moving, 'proof'>, fact: BatchFact): BatchStop | undefined {
  followWord(proof.told.stops, fact, proof.chains.endOf(fact.batch).number);
  return proof.told.stops.get(fact.batch);
}

const WORDS = `SELECT number, happened_at, type, data, text FROM fact WHERE batch = ?
  AND type IN ('batch-stopped', 'batch-released') ORDER BY seq`;

/** Every stop of a batch, in the order in which people said so. */
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

/** Asked for by its type. */
type Word = Extract<BatchFact, { readonly type: 'batch-stopped' | 'batch-released' }>;

/** Says why nothing more is planned in a batch. */
export const stoppedFault = (stop: BatchStop): Fault =>
  new Fault(
    'declined',
    `${batchStopText(stop)}. Nothing was sent.`,
    `Ask who stopped it. To take it back and go on: paybatch resume ${stop.batch}`,
  );
