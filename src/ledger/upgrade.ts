/**
 * Brings the tables of an older ledger up to date. Killed at any step, the same command goes on:
 *
 * ```text
 *            the ledger     a copy beside it     killed behind it
 * locked     older          there may be one     begun again
 * kept       older          is there             the copy is made once more, under the same name
 * migrated   up to date     is there             nothing is left to do
 * ```
 *
 * Migrations and the proof of what they made are one transaction of the database. Who opened the tables before asks for their version
 * under each lease that it takes (`lease-face.ts`), so no older paybatch records anything in newer tables.
 */
import { randomUUID } from 'node:crypto';
import { Fault } from '../domain/fault.ts';
import { headOfWhole } from './all-differences.ts';
import { backUp, wholeCopy } from './backup.ts';
import { DatabaseBusy, RowsDiffer, type UpgradableDatabase } from './database.ts';
import { Keyring } from './keyring.ts';
import { aloneWith, heldLeases, isAlone, leaseNames, PLANNING } from './lease.ts';
import { type LeaseTerms, lockLease } from './leases.ts';
import { identityOf } from './pin.ts';
import { headSeq } from './signed-head.ts';
import type { LedgerKeys } from './signing.ts';
import { OlderTables, type Schema } from './tables-version.ts';
import { requireHere } from './whereabouts.ts';

/** Lets the tables of an older version be brought up to date. */
export interface Upgrade {
  /** A person says that the server was backed up: paybatch itself copies files alone. */
  readonly isBackedUp?: boolean;
  /** Told when it is done. */
  readonly onUpgraded: (upgraded: Upgraded) => void;
}

export interface Upgraded {
  /** Versions of the tables. */
  readonly from: number;
  readonly to: number;
  /** The file that has the ledger as it was; missing for one on a server. */
  readonly kept?: string;
}

export interface UpgradeOptions extends Omit<LeaseTerms, 'database'> {
  /** The ledger's file; missing: a server has the ledger. */
  readonly file?: string;
  readonly keys: LedgerKeys;
  readonly upgrade: Upgrade;
}

/** So often a ledger on a server is opened at most, where each time somebody else was in the way. */
const OPENINGS_MAX = 5;

type OpeningOptions = Omit<UpgradeOptions, 'upgrade'> & { readonly upgrade?: Upgrade | undefined };

/**
 * Opens a ledger, and brings its tables up to date when they are older and `options` says so. `open` is asked for older tables too
 * (`olderToo`) when they are to be changed. Throws `OlderTables` when nothing says so.
 *
 * While somebody else migrates them, a server may end a question about two tables, because each of the two waits for what the other
 * one has (a deadlock). Nothing has happened by then, so it is opened again.
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
  // Nothing is written under these locks but the migration, so nobody has to be given an epoch.
  const locked = new Set<string>();
  try {
    for (const name of [PLANNING, ...(await leaseNames(database))]) {
      if (!locked.has(name)) await lockLease({ ...options, database }, name);
      locked.add(name);
    }
    await requireHere(database);
    const from = await database.tablesVersion();
    // Somebody else did it while the lease was waited for.
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
