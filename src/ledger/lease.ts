/**
 * Leases: who may write now. Each batch has one, and the ledger as a whole has one, under which batches are planned. A lease
 * is a lock that ends with its process (`Locks`), so no clock decides whether its holder lives. A process that takes a lease
 * is also given an epoch, a number that the ledger has never given before, and every group that is written names the epochs
 * of its leases: a run whose lock was lost while it was asleep can no longer write a claim, whatever it believes.
 */

import { type Locks, numberOf, type Reader, type SqlRow, type Statement, textOf } from '../database/database.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';

/** The holder of a lease, as shown to people. */
export interface LeaseHolder {
  readonly host: string;
  /** Identifies the computer, and says nothing else about it; absent if no such id could be made. */
  readonly machine?: string;
  readonly pid: number;
  /** For people: user, command, batch. */
  readonly description: string;
  /** When the holder took the lease, in wall-clock milliseconds; absent if it never did. */
  readonly since?: number;
}

/** The name of a lease, which says what the lease is for. */
export type LeaseName = 'planning' | 'practice' | `batch ${string}` | `stop ${string}`;

/** The lease for plans, retries and purges, and for everything about the ledger as a whole. */
export const PLANNING: LeaseName = 'planning';

/** The lease for the books of the practice service, which one process at a time may keep. */
export const PRACTICE: LeaseName = 'practice';

/** Returns the name of the lease for sending and following one batch. */
export const leaseOf = (batch: BatchId): LeaseName => `batch ${batch}`;

/**
 * Returns the name of the lease for stopping a batch: the run that sends the batch has the lease of the batch itself. It is
 * held for a moment.
 */
export const stopLeaseOf = (batch: BatchId): LeaseName => `stop ${batch}`;

/** Returns the batch that a lease belongs to, or `undefined` if it belongs to none. */
export function batchOfLease(name: LeaseName): BatchId | undefined {
  if (!name.startsWith('batch ')) return undefined;
  return name.slice('batch '.length) as BatchId; // `leaseOf` made the name from a batch id
}

/** Changes nothing. It fails in a later epoch, and a process that would begin a later epoch waits until the group is over. */
const FENCE = 'UPDATE lease SET epoch = epoch WHERE name = ? AND epoch = ? AND holder IS NOT NULL';
/** Draws the next epoch, if no process has drawn one since the last one was read. */
const DRAW = 'UPDATE epoch SET latest = ? WHERE only_row = 1 AND latest = ?';
const TAKE = `INSERT INTO lease (name, epoch, holder) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder WHERE lease.epoch < excluded.epoch`;
const RELEASE = 'UPDATE lease SET holder = NULL WHERE name = ? AND epoch = ?';

/**
 * Removes all holders from a copy of a ledger: the holder of a lease works on the original. The epochs stay, because they
 * never go back.
 */
export const NOBODY_HOLDS = 'UPDATE lease SET holder = NULL';

/** Finds the leases that are held. Run by a process that has all of them: any other holder might be writing. */
const ALONE = 'SELECT holder FROM lease WHERE holder IS NOT NULL';

/**
 * Returns a statement that makes its group fail unless exactly this number of leases is held: those of this process, and no
 * other.
 */
export const aloneWith = (leases: number): Statement => ({ sql: ALONE, values: [], expect: leases });

/** Reports whether a statement is one of `aloneWith`. If it failed, another process holds a lease. */
export const isAlone = (sql: string): boolean => sql === ALONE;

/** Reads the epoch of a lease before each submission: nothing else of the lease says who has it. */
export const READ_EPOCH = 'SELECT epoch FROM lease WHERE name = ?';

const HOLDER = 'SELECT holder FROM lease WHERE name = ? AND holder IS NOT NULL';
const HELD = 'SELECT name, holder FROM lease WHERE holder IS NOT NULL ORDER BY name';
const NAMES = 'SELECT name FROM lease ORDER BY name';
const LATEST = 'SELECT latest FROM epoch WHERE only_row = 1';

/** Returns the last epoch that the ledger gave. */
export async function latestEpoch(database: Reader): Promise<number> {
  const [row] = await database.read(LATEST);
  return row ? numberOf(row, 'latest') : 0;
}

/** Returns every lease that was ever taken, sorted by name. */
export const leaseNames = async (database: Reader): Promise<readonly LeaseName[]> =>
  (await database.read(NAMES)).map((row) => textOf(row, 'name') as LeaseName); // a column of lease names

/** Returns the epoch of a lease, or `undefined` if it was never taken. */
export async function epochIn(database: Reader, name: LeaseName): Promise<number | undefined> {
  const [row] = await database.read(READ_EPOCH, [name]);
  return row && numberOf(row, 'epoch');
}

/** Returns the process that took a lease and did not release it, or `undefined` if there is none. */
export async function holderIn(database: Reader, name: LeaseName): Promise<LeaseHolder | undefined> {
  const [row] = await database.read(HOLDER, [name]);
  return row && readHolder(row);
}

/** Returns the first statement of every group, which makes the group fail if another process has the lease by now. */
export const fence = (name: LeaseName, epoch: number): Statement => ({ sql: FENCE, values: [name, epoch], expect: 1 });

/** Returns the statement that draws the epoch after `latest`. It fails if another process has drawn one since. */
export const drawing = (latest: number): Statement => ({ sql: DRAW, values: [latest + 1, latest], expect: 1 });

/**
 * Returns the statement that records who has a lease, in an epoch later than any that the lease had. This process must have
 * the lock.
 */
export const taking = (name: LeaseName, epoch: number, holder: LeaseHolder, at: number): Statement => ({
  sql: TAKE,
  values: [name, epoch, JSON.stringify({ ...holder, since: at })],
  expect: 1,
});

export const releasing = (name: LeaseName, epoch: number): Statement => ({
  sql: RELEASE,
  values: [name, epoch],
  expect: 1,
});

/**
 * Reports whether a statement depends on the lease of its group. If it failed, the lease is not, or no longer, that of its
 * group.
 */
export const isFence = (sql: string): boolean => sql === FENCE || sql === RELEASE || sql === TAKE;

/**
 * Reports whether a statement is one of `drawing`. If it failed, another process has drawn an epoch since the last one was
 * read.
 */
export const isDraw = (sql: string): boolean => sql === DRAW;

function readHolder(row: SqlRow): LeaseHolder {
  try {
    return JSON.parse(textOf(row, 'holder'));
  } catch (error) {
    throw leaseUnreadable(error);
  }
}

/** Returns the Fault for leases that cannot be read. No fact records leases, so nothing else shows who had one. */
export const leaseUnreadable = (cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    'The leases of the ledger cannot be read: something other than paybatch has changed them. Nothing more was sent.',
    'Keep the ledger as it is, make sure that no run uses it, and put the latest backup in its place: paybatch ledger restore FILE',
    { cause },
  );

/** A lease that was taken and not released. */
export interface HeldLease {
  readonly name: LeaseName;
  /** The batch that the lease belongs to; absent if it belongs to none. */
  readonly batch?: BatchId;
  readonly holder: LeaseHolder;
  /** True if the lock of the lease is held; false if its process ended without releasing the lease. */
  readonly isLive: boolean;
}

/** Returns who has which lease, sorted by name. */
export async function heldLeases(database: Reader & Pick<Locks, 'lockedOf'>): Promise<readonly HeldLease[]> {
  const rows = await database.read(HELD);
  const locked = await database.lockedOf(rows.map((row) => textOf(row, 'name')));
  return rows.map((row) => {
    const name = textOf(row, 'name') as LeaseName; // a column of lease names
    const batch = batchOfLease(name);
    return { name, ...(batch !== undefined && { batch }), holder: readHolder(row), isLive: locked.has(name) };
  });
}

/** Returns what the holder of a lease does, as shown to people. */
export function workOf(name: LeaseName): string {
  const batch = batchOfLease(name);
  if (batch !== undefined) return `works on batch ${batch}`;
  if (name.startsWith('stop ')) return `stops batch ${name.slice('stop '.length)}`;
  return name === PLANNING ? 'plans in this ledger, or changes it as a whole' : 'has the books of the practice service';
}

/** Returns a process as shown to people. */
export const processText = ({ description, pid, host }: LeaseHolder): string =>
  `${description} (process ${pid} on ${host})`;

/** Returns who has a lease, and what for, on one line. */
export const atWorkText = ({ name, holder }: Pick<HeldLease, 'name' | 'holder'>): string =>
  `${processText(holder)} ${workOf(name)}`;

/** Returns the Fault for a lease that another process has. `holder` is `undefined` until that process has recorded who it is. */
export function heldBy(name: LeaseName, holder: LeaseHolder | undefined): Fault {
  const batch = batchOfLease(name);
  const who = holder ? `: ${processText(holder)}` : ', and has only just begun';
  const hangs = holder
    ? ` If process ${holder.pid} on ${holder.host} hangs, end it first: what it may have sent is looked up.`
    : '';
  return new Fault(
    'ledger-held',
    `Another run ${workOf(name)}${who}.`,
    `Wait until it has finished; \`paybatch status${batch === undefined ? '' : ` ${batch}`}\` shows how far it is.${hangs}`,
  );
}

export const leaseLost = (cause: unknown): Fault =>
  new Fault(
    'ledger-held',
    'Another run took the batch over, so this one stopped before it sent anything more.',
    'Let the other run finish; `paybatch status` shows how far it is.',
    { cause },
  );
