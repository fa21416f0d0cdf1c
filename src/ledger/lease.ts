/**
 * The lease: one run at a time writes to a ledger. Whoever takes it over raises the epoch, and every group that is
 * written names its epoch, so a run that was asleep meanwhile can no longer write a claim, whatever it believes.
 */
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { type Database, type SqlRow, type Statement, textOf } from './database.ts';

/** Who holds the lease, for the message and for finding out whether it still runs. */
export interface LeaseHolder {
  readonly host: string;
  /** Tells the computer from any other, and says nothing about it; missing where none could be made. */
  readonly machine?: string;
  /** Which start of the computer, and which container on it, the pid belongs to; missing where the system does not tell. */
  readonly boot?: string;
  readonly pid: number;
  /** When the process started, by a clock of the system that is never set: tells it from a later one with the same pid. */
  readonly startedAt: number;
  /** For people: user, command, batch. */
  readonly description: string;
  /** Wall-clock milliseconds at which it took the lease; missing for one that never did. For people alone. */
  readonly since?: number;
}

/** A live holder renews the lease with every group; a minute without one is longer than any time limit of a request. */
export const STALE_LEASE_MS = 60_000;

const RENEW = 'UPDATE lease SET heartbeat_at = ? WHERE only_row = 1 AND epoch = ? AND holder IS NOT NULL';
const TAKE = `UPDATE lease SET epoch = epoch + 1, holder = ?, heartbeat_at = ?
  WHERE only_row = 1 AND epoch = ? AND COALESCE(heartbeat_at, -1) = ?`;
const RELEASE = 'UPDATE lease SET holder = NULL, heartbeat_at = NULL WHERE only_row = 1 AND epoch = ?';

/** For a copy of the ledger: whoever held the lease works on another one. The epoch stays: it never goes back. */
export const NOBODY_HOLDS = 'UPDATE lease SET holder = NULL, heartbeat_at = NULL';

/** Read ahead of each submission: nothing else of the lease says whose it is. */
export const READ_EPOCH = 'SELECT epoch FROM lease WHERE only_row = 1';

export const READ_LEASE = 'SELECT epoch, holder, heartbeat_at FROM lease WHERE only_row = 1';

/** The first statement of every group: it fails the group when somebody else has the lease by now. */
export const renewal = (epoch: number, at: number): Statement => ({ sql: RENEW, values: [at, epoch], expect: 1 });

/** Takes the lease as it was read; touches nothing when it has changed since. */
export const taking = (lease: LeaseRecord, holder: LeaseHolder, at: number): Statement => ({
  sql: TAKE,
  values: [JSON.stringify({ ...holder, since: at }), at, lease.epoch, lease.heartbeatAt ?? -1],
  expect: 1,
});

export const releasing = (epoch: number): Statement => ({ sql: RELEASE, values: [epoch], expect: 1 });

/** Whether a statement of the lease itself found the lease changed. */
export const isLeaseStatement = (sql: string): boolean => sql === RENEW || sql === TAKE || sql === RELEASE;

export interface LeaseRecord {
  readonly epoch: number;
  readonly holder: LeaseHolder | undefined;
  readonly heartbeatAt: number | undefined;
}

export function readLease(row: SqlRow | undefined): LeaseRecord {
  try {
    invariant(row, 'a ledger has a lease');
    const held = row['holder'] !== null;
    return {
      epoch: Number(row['epoch']),
      holder: held ? JSON.parse(textOf(row, 'holder')) : undefined,
      heartbeatAt: held ? Number(row['heartbeat_at']) : undefined,
    };
  } catch (error) {
    // No fact speaks of the lease, so nobody can say who had it.
    throw new Fault(
      'ledger-unsafe',
      'The lease of the ledger cannot be read: something else than paybatch has changed it. Nothing more was sent.',
      'Keep the ledger as it is, make sure that no run uses it, and put the latest backup in its place: paybatch ledger restore FILE',
      { cause: error },
    );
  }
}

export async function holderOf(database: Database): Promise<LeaseHolder | undefined> {
  const [row] = await database.read(READ_LEASE);
  return row && readLease(row).holder;
}

/** Who has the lease and shows life, as far as can be told at once; undefined: nobody, or nobody knows. */
export async function liveHolderOf({
  database,
  holder,
  isAlive,
  clock,
}: {
  readonly database: Database;
  readonly holder: LeaseHolder;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  readonly clock: Pick<Clock, 'now'>;
}): Promise<LeaseHolder | undefined> {
  const [row] = await database.read(READ_LEASE);
  const record = readLease(row);
  return leaseStatusOf(record, holder, isAlive, clock.now()) === 'held' ? record.holder : undefined;
}

/** `free`: it may be taken. `held`: somebody has it. `silent`: somebody may have it, and only time can tell (`lease-watch.ts`). */
export type LeaseStatus = 'free' | 'held' | 'silent';

/**
 * What a lease, as it was read, lets a process conclude. Clocks of two computers need not agree, so a wall clock may refuse
 * a lease and never give one: at once it is taken only from a process that is known to be gone, on this very computer.
 */
export function leaseStatusOf(
  { holder, heartbeatAt = 0 }: LeaseRecord,
  us: LeaseHolder,
  isAlive: (holder: LeaseHolder) => boolean,
  now: number,
): LeaseStatus {
  if (holder === undefined) return 'free';
  if (isBeside(holder, us) && !isAlive(holder)) return 'free';
  return Math.abs(now - heartbeatAt) > STALE_LEASE_MS ? 'silent' : 'held';
}

/** Whether a pid means the same to both: no process of another computer, start or container can be seen from here. */
const isBeside = (holder: LeaseHolder, us: LeaseHolder): boolean =>
  holder.host === us.host && holder.machine === us.machine && holder.boot === us.boot;

export const heldBy = (holder: LeaseHolder): Fault =>
  new Fault(
    'ledger-held',
    `Another run uses the ledger: ${holder.description} (process ${holder.pid} on ${holder.host}).`,
    'Wait until it has finished; `paybatch status` shows how far it is.',
  );

export const leaseLost = (cause: unknown): Fault =>
  new Fault(
    'ledger-held',
    'Another run took the ledger over, so this one stopped before it sent anything more.',
    'Let the other run finish; `paybatch status` shows how far it is.',
    { cause },
  );
