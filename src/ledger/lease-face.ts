/** Who may write, as a ledger lets it be asked and taken. What others recorded before is proven before a lease is given out. */
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { decodeRecord } from '../domain/json.ts';
import { laneNumbers } from '../domain/lanes.ts';
import { latestBatch, spanIn } from './batches.ts';
import type { Database } from './database.ts';
import type { LedgerLease } from './faces.ts';
import { heldLeases, type LeaseName, laneLeaseOf, leaseOf, PLANNING, PRACTICE, stopLeaseOf } from './lease.ts';
import type { LeaseWatch } from './lease-watch.ts';
import type { MarkKeeper } from './mark-keeper.ts';
import type { Pin } from './pin.ts';
import type { Proof } from './proof.ts';
import { requireHere } from './whereabouts.ts';
import type { Writer } from './writer.ts';

export interface Leased {
  readonly database: Database;
  readonly writer: Writer;
  readonly pin: Pin;
  readonly proof: Proof;
  readonly marks: MarkKeeper;
  readonly options: Omit<LeaseWatch, 'database'>;
}

export interface LeaseFace {
  readonly lease: LedgerLease;
  readonly takeOf: (batch: BatchId) => Promise<number>;
  readonly takeStopping: (batch: BatchId) => Promise<number>;
  /** What is recorded of the ledger as a whole is a fact of its latest batch. */
  readonly withLatest: <T>(work: () => Promise<T>) => Promise<T>;
}

export function leaseFace({ database, writer, pin, proof, marks, options }: Leased): LeaseFace {
  const { leases } = writer;
  const took = async <T>(take: () => Promise<T>): Promise<T> => {
    const before = leases.names.length;
    if (before === 0) await requireHere(database);
    const taken = await take();
    if (leases.names.length === before) return taken;
    // A move that the holder before had begun is over: it can lock nothing any more.
    await requireHere(database);
    // From here on nobody else plans, or sends this batch: whose the ledger is now, it stays.
    await pin.hold();
    // Only now: the holder before could append until the epoch had changed.
    await proof.facts('again');
    await marks.judge();
    await marks.settle(leases.epoch, writer.head);
    return taken;
  };
  /** Of the lanes of a batch, as far as its plan was read, those that this process does not have. */
  const lanesOf = (batch: BatchId): readonly LeaseName[] => {
    const planned = proof.told.plans.get(batch);
    const numbers = planned === undefined ? [] : laneNumbers(decodeRecord<BatchHeader>(planned));
    return numbers.map((lane) => laneLeaseOf(batch, lane)).filter((name) => !leases.holds(name));
  };
  /** All of a batch: its own lease, and those of its lanes, of which nobody else may have any. */
  const takeOf = async (batch: BatchId): Promise<number> => {
    invariant(!leases.spanOf(batch), `the lane of batch ${batch} is given back before all of it is taken`);
    const own = leaseOf(batch);
    const hadIt = leases.holds(own);
    // At once: who is silent in several of them is watched once.
    const known = hadIt ? [] : lanesOf(batch);
    await took(async () => (known.length > 0 ? leases.takeTogether([own, ...known]) : leases.take(own)));
    // The plan was proven with the lease.
    const others = lanesOf(batch);
    try {
      if (others.length > 0) await took(() => leases.takeTogether(others));
    } catch (error) {
      if (!hadIt) await writer.release(own);
      throw error;
    }
    return leases.epochOf(own);
  };
  const takeLane = async (batch: BatchId, lane: number): Promise<number> => {
    const [name, span] = [laneLeaseOf(batch, lane), await spanIn(database, batch, lane)];
    await took(() => leases.takeLane(batch, name, span));
    return leases.epochOf(name);
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
      takeLease: (batch) => (batch === undefined ? took(() => leases.take(PLANNING)) : takeOf(batch)),
      takeLane,
      takeEveryLease: () => took(() => leases.takeEvery()),
      async takePractice() {
        await leases.take(PRACTICE);
      },
      releaseLease: (batch) => writer.release(...(batch === undefined ? [PLANNING] : leases.namesOf(batch))),
      heldLeases: () => heldLeases({ ...options, database }),
      async othersAtWork() {
        const held = await heldLeases({ ...options, database });
        return held.filter(({ name, isLive }) => isLive && !leases.holds(name));
      },
      relied: () => database.relied(),
      async renewLease() {
        database.assertInPlace();
        await writer.renew();
      },
      async proveLease() {
        database.assertInPlace();
        await leases.prove();
      },
    },
  };
}
