/**
 * Brings the tables of an older ledger up to date. If it is killed after any step, the same command continues:
 *
 * ```text
 *            the ledger     a copy next to it    if killed after this step
 * locked     older          may exist            it begins again
 * kept       older          exists               the copy is made again, under the same name
 * migrated   up to date     exists               nothing is left to do
 * ```
 *
 * The migrations and the proof of their result are one transaction of the database. A process that opened the tables before then
 * checks their version under each lease that it takes (`lease-interface.ts`), so an older paybatch records nothing in newer tables.
 */
import { randomUUID } from 'node:crypto';
import { DatabaseBusy, RowsDiffer, type UpgradableDatabase } from '../database/database.ts';
import { OlderTables, type Schema } from '../database/tables-version.ts';
import { Fault } from '../domain/fault.ts';
import { identityOf } from './account-binding.ts';
import { headOfWhole } from './all-differences.ts';
import { backUp, wholeCopy } from './backup.ts';
import { Keyring } from './keyring.ts';
import { aloneWith, heldLeases, isAlone, leaseNames, PLANNING } from './lease.ts';
import { type LeaseTerms, lockLease } from './leases.ts';
import { headSeq } from './signed-head.ts';
import type { LedgerKeys } from './signing.ts';
import { requireHere } from './whereabouts.ts';

/** Allows tables of an older version to be brought up to date. */
export interface Upgrade {
  /** Whether a person says that the server was backed up. paybatch itself copies only files. */
  readonly isBackedUp?: boolean;
  /** Called when the upgrade is done. */
  readonly onUpgraded: (upgraded: Upgraded) => void;
}

export interface Upgraded {
  /** Versions of the tables. */
  readonly from: number;
  readonly to: number;
  /** The file that has the ledger as it was; absent for a ledger on a server. */
  readonly kept?: string;
}

export interface UpgradeOptions extends Omit<LeaseTerms, 'database'> {
  /** The ledger's file; absent if a server has the ledger. */
  readonly file?: string;
  readonly keys: LedgerKeys;
  readonly upgrade: Upgrade;
}

/** How many times a ledger on a server is opened if another process is in the way each time. */
const OPENINGS_MAX = 5;

type OpeningOptions = Omit<UpgradeOptions, 'upgrade'> & { readonly upgrade?: Upgrade | undefined };

/**
 * Opens a ledger. If its tables are older, brings them up to date if `options` says so, and otherwise throws `OlderTables`.
 * `open` is called with `olderToo` when older tables are to be changed.
 *
 * While another process migrates the tables, a server may end a query about two tables, because each of the two processes
 * waits for what the other one has (a deadlock). Nothing has happened by then, so the ledger is opened again.
 */
export async function openUpToDate<D extends UpgradableDatabase>(
  open: (olderToo: boolean) => D | Promise<D>,
  schema: Schema,
  options: OpeningOptions,
): Promise<D> {
  for (let left = options.file === undefined ? OPENINGS_MAX : 1; ; left -= 1) {
    try {
      return await openedUpToDate(open, schema, options);
    } catch (error) {
      if (!(error instanceof DatabaseBusy) || left === 1) throw error;
    }
  }
}

async function openedUpToDate<D extends UpgradableDatabase>(
  open: (olderToo: boolean) => D | Promise<D>,
  schema: Schema,
  { upgrade, ...options }: OpeningOptions,
): Promise<D> {
  try {
    return await open(false);
  } catch (error) {
    if (!(error instanceof OlderTables && upgrade)) throw error;
  }
  const older = await open(true);
  try {
    await bringUpToDate(older, schema, { ...options, upgrade });
  } finally {
    await older.close();
  }
  return open(false);
}

async function bringUpToDate(database: UpgradableDatabase, { version: to }: Schema, options: UpgradeOptions) {
  const { file, keys, upgrade } = options;
  if (file === undefined && upgrade.isBackedUp !== true) throw notBackedUp();
  const { ledgerUuid: ledger } = await identityOf({ ...options, database }, randomUUID);
  // Only the migration is written under these locks, so no epoch has to be drawn.
  const locked = new Set<string>();
  try {
    for (const name of [PLANNING, ...(await leaseNames(database))]) {
      if (!locked.has(name)) await lockLease({ ...options, database }, name);
      locked.add(name);
    }
    await requireHere(database);
    const from = await database.tablesVersion();
    // Another process did it while this one waited for the leases.
    if (from >= to) return;
    const keyring = new Keyring(ledger, keys);
    const kept = file && `${file}.version-${from}-fact-${await headSeq(database)}`;
    if (kept !== undefined) await backUp(kept, 'replaced', { path: file ?? '', ledger, keyring }, wholeCopy);
    const left = (await heldLeases(database)).filter(({ name }) => locked.has(name));
    await database.migrate([aloneWith(left.length)], async (migrated) => {
      await headOfWhole(migrated, { uuid: ledger, keyring }, unsound);
    });
    upgrade.onUpgraded({ from, to, ...(kept !== undefined && { kept }) });
  } catch (error) {
    throw inOurWords(error);
  } finally {
    for (const name of locked) await database.unlock(name);
  }
}

const unsound = (difference: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `The ledger is not sound, so its tables were left as they were: ${difference}. Nothing was sent.`,
    'Look at it with `paybatch verify` of the version that made it, and find out what changed it.',
  );

function inOurWords(error: unknown): unknown {
  if (!(error instanceof RowsDiffer && isAlone(error.sql))) return error;
  return new Fault(
    'ledger-held',
    'Another run uses the ledger, so its tables were not brought up to date. Nothing was sent.',
    'Let it finish, then run the same command again.',
    { cause: error },
  );
}

const notBackedUp = (): Fault =>
  new Fault(
    'ledger-version',
    'The ledger was made by an older version of paybatch, and nobody has said that its server was backed up. Nothing was changed, and nothing was sent.',
    'Back the server up (pg_dump), then run as the role that owns the tables: paybatch ledger upgrade --backed-up   Afterwards that role runs what `paybatch ledger grants` prints.',
  );
