/**
 * Leases: who may write now. Each batch has one, and the ledger as a whole has one, under which is planned what batches there are.
 * Whoever takes a lease is given an epoch, a number that the ledger has never given before, and every group that is written names the
 * epochs of its leases. So a run that was asleep meanwhile can no longer write a claim, whatever it believes.
 */
import { type Clock, hastened } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { numberOf, type Reader, type SqlRow, type Statement, textOf } from './database.ts';

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

/** What a lease is of. */
export type LeaseName = 'planning' | 'practice' | `batch ${string}` | `stop ${string}`;

/** Plans, retries and purges, and all that is about the ledger as a whole. */
export const PLANNING: LeaseName = 'planning';

/** The books of the practice service, which one process at a time may keep. */
export const PRACTICE: LeaseName = 'practice';

/** Sending and following one batch. */
export const leaseOf = (batch: BatchId): LeaseName => `batch ${batch}`;

/** A person's word that a batch is to stop: whoever sends it has the lease of the batch itself. It is held for a moment. */
export const stopLeaseOf = (batch: BatchId): LeaseName => `stop ${batch}`;

/** The batch that a lease is of; undefined: it is of none. */
export function batchOfLease(name: LeaseName): BatchId | undefined {
  if (!name.startsWith('batch ')) return undefined;
  return name.slice('batch '.length) as BatchId; // `leaseOf` made it of one
}

const RENEW = 'UPDATE lease SET heartbeat_at = ? WHERE name = ? AND epoch = ? AND holder IS NOT NULL';
/** Nobody has drawn a number since the one that was read. */
const DRAW = 'UPDATE epoch SET latest = ? WHERE only_row = 1 AND latest = ?';
const TAKE = `INSERT INTO lease (name, epoch, holder, heartbeat_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, heartbeat_at = excluded.heartbeat_at
  WHERE lease.epoch = ? AND COALESCE(lease.heartbeat_at, -1) = ?`;
const RELEASE = 'UPDATE lease SET holder = NULL, heartbeat_at = NULL WHERE name = ? AND epoch = ?';

/** For a copy of the ledger: whoever held the lease works on another one. The epoch stays: it never goes back. */
export const NOBODY_HOLDS = 'UPDATE lease SET holder = NULL, heartbeat_at = NULL';

/** Asked under all leases that anybody has: whoever had another one might be writing. */
const ALONE = 'SELECT holder FROM lease WHERE holder IS NOT NULL';

/** Fails its group when anybody holds a lease beside these, so many. */
export const aloneWith = (leases: number): Statement => ({ sql: ALONE, values: [], expect: leases });

/** Whether a statement found the lease of somebody else. */
export const isAlone = (sql: string): boolean => sql === ALONE;

/** Read ahead of each submission: nothing else of the lease says whose it is. */
export const READ_EPOCH = 'SELECT epoch FROM lease WHERE name = ?';

const READ_LEASE = `SELECT e.latest, l.epoch, l.holder, l.heartbeat_at FROM epoch e LEFT JOIN lease l ON l.name = ?
  WHERE e.only_row = 1`;
const HELD = 'SELECT name, epoch, holder, heartbeat_at FROM lease WHERE holder IS NOT NULL ORDER BY name';
const NAMES = 'SELECT name FROM lease ORDER BY name';
const LATEST = 'SELECT latest FROM epoch WHERE only_row = 1';

/** The last epoch that the ledger gave. */
export async function latestEpoch(database: Reader): Promise<number> {
  const [row] = await database.read(LATEST);
  return row ? numberOf(row, 'latest') : 0;
}

/** Every lease that somebody took once, by name. */
export const leaseNames = async (database: Reader): Promise<readonly LeaseName[]> =>
  (await database.read(NAMES)).map((row) => textOf(row, 'name') as LeaseName); // stored as one

export async function leaseIn(database: Reader, name: LeaseName): Promise<LeaseRecord> {
  const [row] = await database.read(READ_LEASE, [name]);
  return readLease(row);
}

/** The first statement of every group: it fails the group when somebody else has the lease by now. */
export const renewal = (name: LeaseName, epoch: number, at: number): Statement => ({
  sql: RENEW,
  values: [at, name, epoch],
  expect: 1,
});

/** Draws the epoch that follows the one that was read, unless somebody has drawn since. */
export const drawing = (latest: number): Statement => ({ sql: DRAW, values: [latest + 1, latest], expect: 1 });

/** Takes a lease as it was read, with an epoch; touches nothing when it has changed since. */
export const taking = (
  name: LeaseName,
  lease: Pick<LeaseRecord, 'epoch' | 'heartbeatAt'>,
  epoch: number,
  holder: LeaseHolder,
  at: number,
): Statement => ({
  sql: TAKE,
  values: [name, epoch, JSON.stringify({ ...holder, since: at }), at, lease.epoch, lease.heartbeatAt ?? -1],
  expect: 1,
});

export const releasing = (name: LeaseName, epoch: number): Statement => ({
  sql: RELEASE,
  values: [name, epoch],
  expect: 1,
});

/** Whether a statement found that a lease is not, or no longer, that of its group. */
export const isFence = (sql: string): boolean => sql === RENEW || sql === RELEASE;

/** Whether a statement found that somebody else took a lease, or drew an epoch, since it was read. */
export const isTaking = (sql: string): boolean => sql === TAKE || sql === DRAW;

export interface LeaseRecord {
  /** 0: nobody has taken it yet. */
  readonly epoch: number;
  /** The last epoch that was given to anybody. */
  readonly latest: number;
  readonly holder: LeaseHolder | undefined;
  readonly heartbeatAt: number | undefined;
}

function readLease(row: SqlRow | undefined): LeaseRecord {
  try {
    invariant(row, 'a ledger has a lease');
    const held = row['holder'] !== null;
    return {
      epoch: Number(row['epoch'] ?? 0),
      latest: Number(row['latest'] ?? row['epoch'] ?? 0),
      holder: held ? JSON.parse(textOf(row, 'holder')) : undefined,
      heartbeatAt: held ? Number(row['heartbeat_at']) : undefined,
    };
  } catch (error) {
    throw leaseUnreadable(error);
  }
}

/** No fact speaks of the leases, so nobody can say who had one. */
export const leaseUnreadable = (cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    'The leases of the ledger cannot be read: something else than paybatch has changed them. Nothing more was sent.',
    'Keep the ledger as it is, make sure that no run uses it, and put the latest backup in its place: paybatch ledger restore FILE',
    { cause },
  );

/** A lease that somebody has. */
export interface HeldLease {
  readonly name: LeaseName;
  /** What it is of; missing: of no batch. */
  readonly batch?: BatchId;
  readonly holder: LeaseHolder;
  /** Its holder shows life, as far as can be told at once. */
  readonly isLive: boolean;
  /** It may be taken at once: its holder was a process of this very computer, and is gone. */
  readonly isFree: boolean;
}

/** Who has which lease, by name. */
export async function heldLeases({
  database,
  holder: us,
  isAlive,
  clock,
}: {
  readonly database: Reader;
  readonly holder: LeaseHolder;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  readonly clock: Pick<Clock, 'now' | 'haste'>;
}): Promise<readonly HeldLease[]> {
  return (await database.read(HELD)).flatMap((row) => {
    const name = textOf(row, 'name') as LeaseName; // stored as one
    const record = readLease(row);
    const { holder } = record;
    if (!holder) return [];
    const batch = batchOfLease(name);
    const status = leaseStatusOf(record, us, isAlive, clock);
    return [
      { name, ...(batch !== undefined && { batch }), holder, isLive: status === 'held', isFree: status === 'free' },
    ];
  });
}

/** `free`: it may be taken. `held`: somebody has it. `silent`: somebody may have it, and only time can tell (`lease-watch.ts`). */
export type LeaseStatus = 'free' | 'held' | 'silent';

/**
 * What a lease, as it was read, lets a process conclude. Clocks of two computers need not agree, so a wall clock may refuse
 * a lease and never give one: at once it is taken only from a process that is known to be gone, on this very computer.
 */
export function leaseStatusOf(
  { holder, heartbeatAt = 0 }: Pick<LeaseRecord, 'holder' | 'heartbeatAt'>,
  us: LeaseHolder,
  isAlive: (holder: LeaseHolder) => boolean,
  clock: Pick<Clock, 'now' | 'haste'>,
): LeaseStatus {
  if (holder === undefined) return 'free';
  if (isBeside(holder, us) && !isAlive(holder)) return 'free';
  return Math.abs(clock.now() - heartbeatAt) > hastened(STALE_LEASE_MS, clock) ? 'silent' : 'held';
}

/** Whether a pid means the same to both: no process of another computer, start or container can be seen from here. */
const isBeside = (holder: LeaseHolder, us: LeaseHolder): boolean =>
  holder.host === us.host && holder.machine === us.machine && holder.boot === us.boot;

/** What somebody does who has a lease, for people. */
export function workOf(name: LeaseName): string {
  const batch = batchOfLease(name);
  if (batch !== undefined) return `works on batch ${batch}`;
  if (name.startsWith('stop ')) return `stops batch ${name.slice('stop '.length)}`;
  return name === PLANNING ? 'plans in this ledger, or changes it as a whole' : 'has the books of the practice service';
}

/** Who has a lease, and what for, on one line. */
export const atWorkText = ({ name, holder: { description, pid, host } }: HeldLease): string =>
  `${description} (process ${pid} on ${host}) ${workOf(name)}`;

export function heldBy(name: LeaseName, holder: LeaseHolder): Fault {
  const batch = batchOfLease(name);
  return new Fault(
    'ledger-held',
    `Another run ${workOf(name)}: ${holder.description} (process ${holder.pid} on ${holder.host}).`,
    `Wait until it has finished; \`paybatch status${batch === undefined ? '' : ` ${batch}`}\` shows how far it is.`,
  );
}

export const leaseLost = (cause: unknown): Fault =>
  new Fault(
    'ledger-held',
    'Another run took the batch over, so this one stopped before it sent anything more.',
    'Let the other run finish; `paybatch status` shows how far it is.',
    { cause },
  );
