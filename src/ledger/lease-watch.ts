/**
 * Waits until it is certain that nobody holds a lease any more. A live holder renews it within a quarter of its life,
 * wherever it runs, so one that stands still for a whole life of the lease, measured by a clock of ours that is never
 * set, has lost its right to it: before it sends anything more, it has to renew, and finds out (`dispatch/lease-keeper.ts`).
 */
import type { Clock } from '../domain/clock.ts';
import type { Database } from './database.ts';
import {
  heldBy,
  type LeaseHolder,
  type LeaseRecord,
  leaseStatusOf,
  READ_LEASE,
  readLease,
  STALE_LEASE_MS,
} from './lease.ts';

/** How often the lease is read while it is watched, in milliseconds. */
const LOOK_MS = 1000;

export interface LeaseWatch {
  readonly database: Database;
  readonly clock: Clock;
  readonly holder: LeaseHolder;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  /** Told when it begins to wait, and for how many milliseconds at most. */
  readonly onSilence?: (holder: LeaseHolder, forMs: number) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Gives the lease as it may be taken. Throws a Fault `ledger-held` as soon as it is known that somebody has it. */
export async function leaseToTake(watch: LeaseWatch): Promise<LeaseRecord> {
  const { database, clock, holder, isAlive, onSilence, signal } = watch;
  const first = await leaseIn(database);
  const startedMs = clock.monotonicMs();
  for (let lease = first; ; lease = await leaseIn(database)) {
    const status = leaseStatusOf(lease, holder, isAlive, clock.now());
    if (status === 'free' || lease.holder === undefined) return lease;
    const moved = lease.epoch !== first.epoch || lease.heartbeatAt !== first.heartbeatAt;
    if (status === 'held' || moved || signal?.aborted === true) throw heldBy(lease.holder);
    const watchedMs = clock.monotonicMs() - startedMs;
    if (watchedMs >= STALE_LEASE_MS) return lease;
    if (lease === first) onSilence?.(lease.holder, STALE_LEASE_MS);
    await clock.sleep(LOOK_MS, signal);
  }
}

async function leaseIn(database: Database): Promise<LeaseRecord> {
  const [row] = await database.read(READ_LEASE);
  return readLease(row);
}
