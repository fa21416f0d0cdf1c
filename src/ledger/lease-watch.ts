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
  type LeaseName,
  type LeaseRecord,
  leaseIn,
  leaseStatusOf,
  PLANNING,
  STALE_LEASE_MS,
} from './lease.ts';

/** How often the lease is read while it is watched, in milliseconds. */
const LOOK_MS = 1000;

/** Planning takes seconds, so whoever else wants to plan waits for so long, in milliseconds. A batch is followed for hours. */
const PLANNING_MS = 10_000;
/** How often it is asked whether the planning is over. */
const PLANNING_LOOK_MS = 250;

export interface LeaseWatch {
  readonly database: Database;
  readonly clock: Clock;
  readonly holder: LeaseHolder;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  /** Told when it begins to wait whether a holder still lives, and for how many milliseconds at most. */
  readonly onSilence?: (holder: LeaseHolder, forMs: number) => void;
  /** Told when it begins to wait until somebody who lives has planned, and for how many milliseconds at most. */
  readonly onPlanning?: (holder: LeaseHolder, forMs: number) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Gives the lease as it may be taken. Throws a Fault `ledger-held` as soon as it is known that somebody has it, and keeps it. */
export async function leaseToTake(watch: LeaseWatch, name: LeaseName): Promise<LeaseRecord> {
  const { database, clock, holder, isAlive, onSilence, onPlanning, signal } = watch;
  const beganMs = clock.monotonicMs();
  const patienceMs = name === PLANNING ? PLANNING_MS : 0;
  let first = await leaseIn(database, name);
  let startedMs = beganMs;
  let toldOf: 'silence' | 'planning' | undefined;
  for (let lease = first; ; lease = await leaseIn(database, name)) {
    const status = leaseStatusOf(lease, holder, isAlive, clock.now());
    if (status === 'free' || lease.holder === undefined) return lease;
    const nowMs = clock.monotonicMs();
    const moved = lease.epoch !== first.epoch || lease.heartbeatAt !== first.heartbeatAt;
    const isHeld = status === 'held' || moved;
    if (signal?.aborted === true || (isHeld && nowMs - beganMs >= patienceMs)) throw heldBy(name, lease.holder);
    if (!isHeld && nowMs - startedMs >= STALE_LEASE_MS) return lease;
    if (isHeld && toldOf !== 'planning') onPlanning?.(lease.holder, patienceMs);
    if (!isHeld && toldOf !== 'silence') onSilence?.(lease.holder, STALE_LEASE_MS);
    toldOf = isHeld ? 'planning' : 'silence';
    if (moved) [first, startedMs] = [lease, nowMs];
    await clock.sleep(isHeld ? PLANNING_LOOK_MS : LOOK_MS, signal);
  }
}
