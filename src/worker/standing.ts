/**
 * How jobs stand by the leases of the ledger, read without any proof before anything is opened for them. What is learnt here only
 * saves an opening: the lease itself is taken by the run, and by the rules of the ledger.
 */
import type { BatchId } from '../domain/ids.ts';
import type { HeldLease } from '../ledger/ledger.ts';

/** Whether somebody who lives has the batch. */
export const isHeld = (batch: BatchId, held: readonly HeldLease[]): boolean =>
  held.some((one) => one.isLive && one.batch === batch);

/**
 * The batches of processes that ended without giving them back, wherever they were. What this computer had goes first: after a crash
 * of the server everybody would otherwise go for the same one. Then what was taken longest ago: who has one place for two would go back to
 * the same one after each crash, and nobody to the other. `machine`: this computer (`LeaseHolder`).
 */
export const leftBehind = (held: readonly HeldLease[], machine: string | undefined): readonly BatchId[] =>
  held
    .toSorted(
      ({ holder: one }, { holder: other }) =>
        Number(other.machine === machine) - Number(one.machine === machine) || (one.since ?? 0) - (other.since ?? 0),
    )
    .flatMap(({ isLive, batch }) => (!isLive && batch !== undefined ? [batch] : []));
