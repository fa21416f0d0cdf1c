/**
 * The methods of a ledger that read, take and release leases. What other processes recorded before is proven before a lease
 * is handed out.
 */

import type { Database } from '../database/database.ts';
import { newerMeanwhile } from '../database/tables-version.ts';
import type { BatchId } from '../domain/ids.ts';
import type { AccountBinding } from './account-binding.ts';
import { latestBatch } from './batches.ts';
import type { CheckpointKeeper } from './checkpoint-keeper.ts';
import type { LedgerLease } from './interfaces.ts';
import { heldLeases, leaseOf, PLANNING, PRACTICE, stopLeaseOf } from './lease.ts';
import type { Proof } from './proof.ts';
import { requireHere } from './whereabouts.ts';
import type { Writer } from './writer.ts';

export interface Leased {
  readonly database: Database;
  readonly writer: Writer;
  readonly binding: AccountBinding;
  readonly proof: Proof;
  readonly checkpoints: CheckpointKeeper;
  /** The version of the tables that this process reads and writes. */
  readonly tablesVersion: number;
}

export interface LeaseInterface {
  readonly lease: LedgerLease;
  readonly takeOf: (batch: BatchId) => Promise<number>;
  readonly takeStopping: (batch: BatchId) => Promise<number>;
  /**
   * Runs work under the lease of the latest batch, because a fact about the ledger as a whole is recorded as a fact of its
   * latest batch.
   */
  readonly withLatest: <T>(work: () => Promise<T>) => Promise<T>;
}

export function leaseInterface({
  database,
  writer,
  binding,
  proof,
  checkpoints,
  tablesVersion,
}: Leased): LeaseInterface {
  const { leases } = writer;
  const took = async <T>(take: () => Promise<T>): Promise<T> => {
    const before = leases.names.length;
    if (before === 0) await requireHere(database);
    const taken = await take();
    if (leases.names.length === before) return taken;
    // A move that the previous holder had begun is over by now: it can no longer lock the ledger.
    await requireHere(database);
    // A paybatch that changes the tables holds every lease while it does so.
    if ((await database.tablesVersion()) !== tablesVersion) throw newerMeanwhile();
    // From now on no other process plans, or sends this batch, so the account that the ledger is bound to stays the same.
    await binding.hold();
    // Not earlier: the previous holder could append facts until the epoch had changed.
    await proof.facts('again');
    await checkpoints.judge();
    await checkpoints.settle(leases.epoch, writer.head);
    return taken;
  };
  const takeOf = async (batch: BatchId): Promise<number> => {
    await took(() => leases.take(leaseOf(batch)));
    return leases.epochOf(leaseOf(batch));
  };
  return {
    takeOf,
    takeStopping: (batch) => took(() => leases.take(stopLeaseOf(batch))),
    async withLatest(work) {
      const latest = await latestBatch(database);
      if (latest) await takeOf(latest.id);
      return work();
    },
    lease: {
      async takeLease(batch) {
        if (batch !== undefined) return takeOf(batch);
        const epoch = await took(() => leases.take(PLANNING));
        // Earlier payments decide what is planned, and they are read from columns that are not facts, so every batch is
        // proven again.
        proof.proveAnew();
        return epoch;
      },
      takeEveryLease: () => took(() => leases.takeEvery()),
      async takePractice() {
        await leases.take(PRACTICE);
      },
      releaseLease: (batch) => writer.release(batch === undefined ? PLANNING : leaseOf(batch)),
      heldLeases: () => heldLeases(database),
      async othersAtWork() {
        const held = await heldLeases(database);
        return held.filter(({ name, isLive }) => isLive && !leases.holds(name));
      },
      relied: () => database.relied(),
      proveLease: () => leases.prove(),
    },
  };
}
