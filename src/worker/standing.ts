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
 * The batches of processes of this computer that are gone, and of this process before its server went away. Their leases are free here at
 * once. Every other machine has to wait until they have been silent for a minute. What was taken longest ago goes first: who has one
 * place for two would otherwise go back to the same one after each crash, and nobody to the other.
 */
export const leftHere = (held: readonly HeldLease[]): readonly BatchId[] =>
  held
    .toSorted(({ holder: one }, { holder: other }) => (one.since ?? 0) - (other.since ?? 0))
    .flatMap(({ isFree, batch }) => (isFree && batch !== undefined ? [batch] : []));
