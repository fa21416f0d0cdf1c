/** The databases that a ledger can be on. What is promised of a ledger is tested on each of them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe } from 'vitest';
import type { Database, SqlRow } from '../../src/database/database.ts';
import { lockFileName, locksBeside } from '../../src/database/file-locks.ts';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { lockNumber } from '../../src/database/postgres/session-locks.ts';
import { openDurable } from '../../src/database/sqlite.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { Schema } from '../../src/database/tables-version.ts';
import { ownFiles } from '../../src/ledger/checkpoint.ts';
import type { LeaseName } from '../../src/ledger/lease.ts';
import { type Ledger, type LedgerOptions, ledgerOn, openLedger } from '../../src/ledger/ledger.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { asAnother, type Cluster, needsPostgres, newAddress, ownCluster, sharedAt } from '../support/postgres.ts';

const drivers = ['SQLite', 'PostgreSQL'] as const;
type Driver = (typeof drivers)[number];

let driver: Driver = 'SQLite';
let clusterOf: () => Promise<Cluster> = ownCluster;
/** Ledgers on PostgreSQL have an address in the place of a path; the checkpoints are at the path all the same. */
const addresses = new Map<string, string>();

/** The database that is being tested. */
export const currentDriver = (): Driver => driver;

/** Registers the tests once for each database. */
export function onEachDriver(tests: () => void): void {
  describe.each(drivers)('on %s', (one) => {
    beforeEach((context) => {
      if (one === 'PostgreSQL') needsPostgres(context);
      driver = one;
    });
    afterEach(() => {
      driver = 'SQLite';
    });
    tests();
  });
}

/** All tests of a file are of ledgers on PostgreSQL; `server`: on this one, which others do not use. */
export function onPostgresAlone(server: () => Promise<Cluster> = ownCluster): void {
  beforeEach((context) => {
    needsPostgres(context);
    driver = 'PostgreSQL';
    clusterOf = server;
  });
  afterAll(() => {
    driver = 'SQLite';
    clusterOf = ownCluster;
  });
}

/** Opens a database with these tables. */
export const databaseOnDriver = async (path: string, schema: Schema): Promise<Database> =>
  driver === 'SQLite'
    ? openSqliteDatabase(path, schema)
    : openPostgresDatabase(sharedAt(await addressAt(path)), schema, Date.now);

/** Opens a ledger at a path, on the database that is being tested. */
export async function openOnDriver(options: LedgerOptions): Promise<Ledger> {
  if (driver === 'SQLite') return openLedger(options);
  // Clocks of tests stand at other times than the server's, which a ledger that is opened as usual refuses.
  const database = await openPostgresDatabase(sharedAt(await addressAt(options.path)), ledgerSchema, Date.now);
  return ledgerOn(database, options, { files: { ...ownFiles, identityOf: () => database.place } });
}

/** What another program does with the ledger at a path: it runs a text. */
export async function change(path: string, sql: string): Promise<void> {
  if (driver === 'PostgreSQL') return void (await asAnother(await addressAt(path), sql, 'SELECT 1'));
  const connection = openDurable(path);
  connection.exec(sql);
  connection.close();
}

/** What another program sees in it. */
export async function seen(path: string, sql: string): Promise<readonly SqlRow[]> {
  if (driver === 'PostgreSQL') return asAnother(await addressAt(path), sql);
  const connection = openDurable(path);
  try {
    return connection.all(sql);
  } finally {
    connection.close();
  }
}

/**
 * Whoever has leases of the ledger at a path is gone without giving them back, as far as others can tell: the files that it locked were
 * removed, or its session was ended.
 */
export async function dies(path: string, ...leases: readonly LeaseName[]): Promise<void> {
  if (driver === 'SQLite') {
    for (const name of leases) rmSync(join(locksBeside(path), lockFileName(name)));
    return;
  }
  const address = await addressAt(path);
  const { schema } = sharedAt(address).address;
  const numbers = leases.map((name) => lockNumber(schema, name));
  await asAnother(
    address,
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND (classid::bigint << 32 | objid::bigint) IN (${numbers.join(', ')})`,
  );
}

async function addressAt(path: string): Promise<string> {
  const address = addresses.get(path) ?? newAddress(await clusterOf());
  addresses.set(path, address);
  return address;
}

/** The ledger of a path is at this address. */
export const keepAt = (path: string, address: string): void => void addresses.set(path, address);
