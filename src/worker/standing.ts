/**
 * What the leases of the ledger say about jobs, read without any proof before the ledger is opened for one. What is learnt
 * here only saves an opening: the run takes the lease itself, by the rules of the ledger.
 */
import type { BatchId } from '../domain/ids.ts';
import type { HeldLease } from '../ledger/ledger.ts';

/** Reports whether a live process has the batch. */
export const isHeld = (batch: BatchId, held: readonly HeldLease[]): boolean =>
  held.some((one) => one.isLive && one.batch === batch);

/**
 * Returns the batches of processes that ended without giving them back, on any machine. Those of this computer come first:
 * otherwise, after a crash of the server, all workers would try the same one. Then come those that were taken longest ago:
 * otherwise a worker with one place for two batches would return to the same one after each crash, and the other would never
 * be continued. `machine`: this computer (`LeaseHolder`).
 */
export const leftBehind = (held: readonly HeldLease[], machine: string | undefined): readonly BatchId[] =>
  held
    .toSorted(
      ({ holder: one }, { holder: other }) =>
        Number(other.machine === machine) - Number(one.machine === machine) || (one.since ?? 0) - (other.since ?? 0),
    )
    .flatMap(({ isLive, batch }) => (!isLive && batch !== undefined ? [batch] : []));
