/**
 * Waits until it is certain that nobody holds a lease any more. A live holder renews it within a quarter of its life,
 * wherever it runs, so one that stands still for a whole life of the lease, measured by a clock of ours that is never
 * set, has lost its right to it: before it sends anything more, it has to renew, and finds out (`dispatch/lease-keeper.ts`).
 */
import { type Clock, hastened } from '../domain/clock.ts';
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
/** The same of a word that stops a batch: it is written in a moment. */
const STOPPING_MS = 10_000;
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
  const { database, clock, holder: us, isAlive, signal } = watch;
  const waiting = new Waiting(watch, name);
  for (;;) {
    const lease = await leaseIn(database, name);
    const { holder } = lease;
    const status = leaseStatusOf(lease, us, isAlive, clock);
    if (status === 'free' || holder === undefined) return lease;
    const waitMs = waiting.msBefore({ ...lease, holder }, status);
    if (waitMs === undefined) return lease;
    await clock.sleep(waitMs, signal);
  }
}

type HeldRecord = LeaseRecord & { readonly holder: LeaseHolder };

/** How long one lease is waited for, and what is said meanwhile. */
class Waiting {
  readonly #watch: LeaseWatch;
  readonly #name: LeaseName;
  readonly #beganMs: number;
  /** As it stands still, and since when. */
  #still: { readonly lease: HeldRecord; readonly sinceMs: number } | undefined;
  #told: 'silence' | 'planning' | undefined;

  constructor(watch: LeaseWatch, name: LeaseName) {
    [this.#watch, this.#name, this.#beganMs] = [watch, name, watch.clock.monotonicMs()];
  }

  /** Milliseconds until it is looked at again; undefined: it stood still for so long that it may be taken. A Fault when it is held. */
  msBefore(lease: HeldRecord, status: 'held' | 'silent'): number | undefined {
    const { clock, signal } = this.#watch;
    const nowMs = clock.monotonicMs();
    const before = this.#still;
    const moved = before && (before.lease.epoch !== lease.epoch || before.lease.heartbeatAt !== lease.heartbeatAt);
    if (!before || moved) this.#still = { lease, sinceMs: nowMs };
    const patienceMs = patienceMsOf(this.#name);
    const isHeld = status === 'held' || moved === true;
    const isOver = signal?.aborted === true || (isHeld && nowMs - this.#beganMs >= patienceMs);
    if (isOver) throw heldBy(this.#name, lease.holder);
    if (!isHeld && before && nowMs - before.sinceMs >= this.#staleMs) return undefined;
    if (!isHeld || this.#name === PLANNING) this.#tell(isHeld ? 'planning' : 'silence', lease.holder);
    return isHeld ? PLANNING_LOOK_MS : hastened(LOOK_MS, clock);
  }

  get #staleMs(): number {
    return hastened(STALE_LEASE_MS, this.#watch.clock);
  }

  #tell(why: 'silence' | 'planning', holder: LeaseHolder): void {
    if (this.#told === why) return;
    this.#told = why;
    if (why === 'planning') this.#watch.onPlanning?.(holder, PLANNING_MS);
    else this.#watch.onSilence?.(holder, this.#staleMs);
  }
}

/** How long somebody who lives is waited for. */
function patienceMsOf(name: LeaseName): number {
  if (name === PLANNING) return PLANNING_MS;
  return name.startsWith('stop ') ? STOPPING_MS : 0;
}
