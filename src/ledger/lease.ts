/**
 * Leases: who may write now. Each batch has one, and the ledger as a whole has one, under which is planned what batches there are.
 * A lease is a lock that ends with its process (`Locks`), so nobody ever judges by a clock whether its holder lives. Whoever takes one is
 * given an epoch besides, a number that the ledger has never given before, and every group that is written names the epochs of its
 * leases: a run whose lock was lost while it was asleep can no longer write a claim, whatever it believes.
 */
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { type Locks, numberOf, type Reader, type SqlRow, type Statement, textOf } from './database.ts';

/** Who has a lease, for people. */
export interface LeaseHolder {
  readonly host: string;
  /** Tells the computer from any other, and says nothing about it; missing where none could be made. */
  readonly machine?: string;
  readonly pid: number;
  /** For people: user, command, batch. */
  readonly description: string;
  /** Wall-clock milliseconds at which it took the lease; missing for one that never did. */
  readonly since?: number;
}

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

/** Changes nothing: it fails in a later epoch, and whoever would begin one waits until the group is through. */
const FENCE = 'UPDATE lease SET epoch = epoch WHERE name = ? AND epoch = ? AND holder IS NOT NULL';
/** Nobody has drawn a number since the one that was read. */
const DRAW = 'UPDATE epoch SET latest = ? WHERE only_row = 1 AND latest = ?';
const TAKE = `INSERT INTO lease (name, epoch, holder) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder WHERE lease.epoch < excluded.epoch`;
const RELEASE = 'UPDATE lease SET holder = NULL WHERE name = ? AND epoch = ?';

/** For a copy of the ledger: whoever held the lease works on another one. The epoch stays: it never goes back. */
export const NOBODY_HOLDS = 'UPDATE lease SET holder = NULL';

/** Asked under all leases that anybody has: whoever had another one might be writing. */
const ALONE = 'SELECT holder FROM lease WHERE holder IS NOT NULL';

/** Fails its group when anybody holds a lease beside these, so many. */
export const aloneWith = (leases: number): Statement => ({ sql: ALONE, values: [], expect: leases });

/** Whether a statement found the lease of somebody else. */
export const isAlone = (sql: string): boolean => sql === ALONE;

/** Read ahead of each submission: nothing else of the lease says whose it is. */
export const READ_EPOCH = 'SELECT epoch FROM lease WHERE name = ?';

const HOLDER = 'SELECT holder FROM lease WHERE name = ? AND holder IS NOT NULL';
const HELD = 'SELECT name, holder FROM lease WHERE holder IS NOT NULL ORDER BY name';
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

/** The epoch of a lease; undefined: nobody has taken it yet. */
export async function epochIn(database: Reader, name: LeaseName): Promise<number | undefined> {
  const [row] = await database.read(READ_EPOCH, [name]);
  return row && numberOf(row, 'epoch');
}

/** Who has taken a lease, and did not give it back; undefined: nobody. */
export async function holderIn(database: Reader, name: LeaseName): Promise<LeaseHolder | undefined> {
  const [row] = await database.read(HOLDER, [name]);
  return row && readHolder(row);
}

/** The first statement of every group: it fails the group when somebody else has the lease by now. */
export const fence = (name: LeaseName, epoch: number): Statement => ({ sql: FENCE, values: [name, epoch], expect: 1 });

/** Draws the epoch that follows the one that was read, unless somebody has drawn since. */
export const drawing = (latest: number): Statement => ({ sql: DRAW, values: [latest + 1, latest], expect: 1 });

/** Says who has a lease, in an epoch that is later than any that it had. Its lock is held. */
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

/** Whether a statement found that a lease is not, or no longer, that of its group. */
export const isFence = (sql: string): boolean => sql === FENCE || sql === RELEASE || sql === TAKE;

/** Whether a statement found that somebody else drew an epoch since the last one was read. */
export const isDraw = (sql: string): boolean => sql === DRAW;

function readHolder(row: SqlRow): LeaseHolder {
  try {
    return JSON.parse(textOf(row, 'holder'));
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

/** A lease that was taken, and not given back. */
export interface HeldLease {
  readonly name: LeaseName;
  /** What it is of; missing: of no batch. */
  readonly batch?: BatchId;
  readonly holder: LeaseHolder;
  /** Its lock is held. False: its process ended without giving it back. */
  readonly isLive: boolean;
}

/** Who has which lease, by name. */
export async function heldLeases(database: Reader & Pick<Locks, 'lockedOf'>): Promise<readonly HeldLease[]> {
  const rows = await database.read(HELD);
  const locked = await database.lockedOf(rows.map((row) => textOf(row, 'name')));
  return rows.map((row) => {
    const name = textOf(row, 'name') as LeaseName; // stored as one
    const batch = batchOfLease(name);
    return { name, ...(batch !== undefined && { batch }), holder: readHolder(row), isLive: locked.has(name) };
  });
}

/** What somebody does who has a lease, for people. */
export function workOf(name: LeaseName): string {
  const batch = batchOfLease(name);
  if (batch !== undefined) return `works on batch ${batch}`;
  if (name.startsWith('stop ')) return `stops batch ${name.slice('stop '.length)}`;
  return name === PLANNING ? 'plans in this ledger, or changes it as a whole' : 'has the books of the practice service';
}

/** A process, for people. */
export const processText = ({ description, pid, host }: LeaseHolder): string =>
  `${description} (process ${pid} on ${host})`;

/** Who has a lease, and what for, on one line. */
export const atWorkText = ({ name, holder }: Pick<HeldLease, 'name' | 'holder'>): string =>
  `${processText(holder)} ${workOf(name)}`;

/** `holder`: missing as long as it has not said who it is. */
export function heldBy(name: LeaseName, holder: LeaseHolder | undefined): Fault {
  const batch = batchOfLease(name);
  const who = holder ? `: ${processText(holder)}` : ', and has only just begun';
  const hangs = holder
    ? ` Should process ${holder.pid} on ${holder.host} hang, end it first: what it may have sent is looked up.`
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
