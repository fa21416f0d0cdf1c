/**
 * How a job stands by the leases of the ledger, read without any proof before anything is opened for it. What is learnt here only
 * saves an opening: the lease itself is taken by the run, and by the rules of the ledger.
 */
import { type HeldLease, heldLeases } from '../ledger/lease.ts';
import type { Queue } from './queue.ts';
import type { Job, WorkSite } from './site.ts';

type Asking = Pick<WorkSite, 'holder' | 'isAtWork' | 'clock'>;

const leasesIn = (queue: Queue, { holder, isAtWork, clock }: Asking): Promise<readonly HeldLease[]> =>
  heldLeases({ database: queue, holder, isAlive: isAtWork, clock });

/** Whether somebody who lives has what the job is about: all of the batch, or that very lane. */
export async function isHeld({ batch, lane }: Job, queue: Queue, asking: Asking): Promise<boolean> {
  const held = await leasesIn(queue, asking);
  return held.some((one) => one.isLive && one.batch === batch && (one.lane === undefined || one.lane === lane));
}

/**
 * What processes of this computer had that are gone, or this one before its server went away. Here their leases are free; on every
 * other machine somebody would have to wait until they have been silent for a minute.
 */
export async function leftHere(queue: Queue, asking: Asking): Promise<readonly Job[]> {
  return (await leasesIn(queue, asking)).flatMap(({ isFree, batch, lane = 1 }) => {
    if (!isFree || batch === undefined) return [];
    return [lane === 1 ? { batch } : { batch, lane }];
  });
}
