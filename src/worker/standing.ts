/**
 * How jobs stand by the leases of the ledger, read without any proof before anything is opened for them. What is learnt here only
 * saves an opening: the lease itself is taken by the run, and by the rules of the ledger.
 */
import type { HeldLease } from '../ledger/ledger.ts';
import type { Job } from './site.ts';

/** Whether somebody who lives has what the job is about: all of the batch, or that very lane. */
export const isHeld = ({ batch, lane }: Job, held: readonly HeldLease[]): boolean =>
  held.some((one) => one.isLive && one.batch === batch && (one.lane === undefined || one.lane === lane));

/**
 * The jobs of processes of this computer that are gone, and of this process before its server went away. Their leases are free here at
 * once. Every other machine has to wait until they have been silent for a minute. What was taken longest ago goes first: who has one
 * place for two would otherwise go back to the same one after each crash, and nobody to the other.
 */
export const leftHere = (held: readonly HeldLease[]): readonly Job[] =>
  held
    .toSorted(({ holder: one }, { holder: other }) => (one.since ?? 0) - (other.since ?? 0))
    .flatMap(({ isFree, batch, lane = 1 }) => {
      if (!isFree || batch === undefined) return [];
      return [lane === 1 ? { batch } : { batch, lane }];
    });
