/** The SQL port on SQLite: one connection writes, a second one sees only what is committed, and the first failed write is the last write. */

import { chmodSync, closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { prepareFolder, syncFolder } from '../files/folders.ts';
import {
  DatabaseBusy,
  type Reader,
  type Relied,
  RowsDiffer,
  type SqlRow,
  type SqlValue,
  type Statement,
  Turns,
  textOf,
  type UpgradableDatabase,
} from './database.ts';
import { FileLocks, locksBeside } from './file-locks.ts';
import { type Connection, type DurableConnection, isBusy, isSqlite, openDurable, openReader } from './sqlite.ts';
import { migrationsFrom, othersTables, requireVersion, type Schema } from './tables-version.ts';

/**
 * Others hold the file for the length of one group, or while they plan. This process stands still for so long, in milliseconds, and
 * then asks again and does something else in between (`writePatiently`).
 */
const BUSY_TIMEOUT_MS = 100;

/**
 * Opens the database, and makes its tables when the file is new. Throws a Fault `ledger-unsafe` when the file is not ours, has
 * the tables of another paybatch, or lies where commits cannot be made durable, and one of `requireVersion`. What is asked of a database
 * after it was closed is a bug. `olderToo`: its tables may be brought up to date (`migrate`), and nothing else but leases is written before.
 */
export function openSqliteDatabase(path: string, schema: Schema, olderToo = false): UpgradableDatabase {
  prepareLedgerFile(path);
  let writer: DurableConnection | undefined;
  try {
    writer = openDurable(path);
    install(writer, { schema, path, olderToo });
    const reader = openReader(path);
    restrictFiles(path);
    writer.waitAtMost(BUSY_TIMEOUT_MS);
    return new SqliteDatabase(writer, reader, { path, schema });
  } catch (error) {
    writer?.close();
    throw faultOf(error, path);
  }
}

class SqliteDatabase implements UpgradableDatabase {
  readonly #writer: DurableConnection;
  readonly #reader: Connection;
  readonly #path: string;
  readonly #schema: Schema;
  readonly #turns = new Turns();
  readonly #reading = new ReadingTurns();
  readonly #locks: FileLocks;
  /** The system gives the lock of a process back in the moment in which it ends. */
  readonly lingersMs = 0;
  #failure: Fault | undefined;
  #closed = false;

  constructor(
    writer: DurableConnection,
    reader: Connection,
    { path, schema }: { readonly path: string; readonly schema: Schema },
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#path = path;
    this.#schema = schema;
    this.#locks = new FileLocks(locksBeside(path));
  }

  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    this.#assertOpen();
    try {
      return await this.#reading.handOn(this.#readFrom.all(sql, values));
    } catch (error) {
      throw faultOf(error, this.#path);
    }
  }

  /**
   * The connection that writes has the pages that were just written, and the other one has to read them again after each group:
   * they cost as much as all else that is asked. Within a group, and after a failure, only the other one shows what is committed.
   */
  get #readFrom(): Connection {
    return this.#failure || this.#writer.inTransaction ? this.#reader : this.#writer;
  }

  async snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const reader = this.#openStill();
    try {
      // The first read in it is the moment that it shows.
      reader.exec('BEGIN');
      return await work({ read: async (sql, values = []) => this.#reading.handOn(reader.all(sql, values)) });
    } catch (error) {
      if (error instanceof Fault || !isSqlite(error)) throw error;
      throw faultOf(error, this.#path);
    } finally {
      reader.close();
    }
  }

  /** A file that was taken away since cannot be opened once more. */
  #openStill(): Connection {
    try {
      return openReader(this.#path);
    } catch (error) {
      throw faultOf(error, this.#path);
    }
  }

  async write(
    statements: Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>,
  ): Promise<void> {
    this.#assertOpen();
    await this.#turns.take(() =>
      Symbol.asyncIterator in statements ? this.#stream(statements) : this.#group(statements),
    );
  }

  async compact(): Promise<void> {
    this.#assertOpen();
    await this.#turns.take(() => this.#compact());
  }

  async tablesVersion(): Promise<number> {
    this.#assertOpen();
    return versionOf(this.#readFrom);
  }

  async migrate(group: readonly Statement[], prove: (migrated: Reader) => Promise<void>): Promise<void> {
    this.#assertOpen();
    await this.#turns.take(() => this.#migrate(group, prove));
  }

  assertInPlace(): void {
    this.#writer.assertInPlace();
    this.#locks.assertInPlace();
  }

  async readLocked(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    this.assertInPlace();
    return this.read(sql, values);
  }

  async tryLock(name: string): Promise<boolean> {
    this.#assertOpen();
    return this.#locked(() => this.#locks.tryLock(name));
  }

  async unlock(name: string): Promise<void> {
    this.#locks.unlock(name);
  }

  async lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#locked(() => this.#locks.lockedOf(names));
  }

  /** Whoever cannot lock a file cannot tell whether somebody else works here. */
  #locked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw faultOf(error, this.#path);
    }
  }

  async relied(): Promise<readonly Relied[]> {
    this.#assertOpen();
    return this.#writer.relied();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turns.over;
    this.#locks.unlockAll();
    this.#reader.close();
    this.#writer.close();
  }

  /** A closed file is no damage to it: nobody may be told that the ledger is unsafe. */
  #assertOpen(): void {
    invariant(!this.#closed, 'a database is used before it is closed');
  }

  #group(statements: Iterable<Statement | readonly Statement[]>): void {
    this.#begin();
    try {
      for (const one of statements) {
        if ('sql' in one) this.#run(one);
        else for (const statement of one) this.#run(statement);
      }
      this.#commit();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  async #stream(blocks: AsyncIterable<readonly Statement[]>): Promise<void> {
    this.#begin();
    try {
      for await (const block of blocks) {
        for (const statement of block) this.#run(statement);
      }
      this.#commit();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  async #migrate(group: readonly Statement[], prove: (migrated: Reader) => Promise<void>): Promise<void> {
    const connection = this.#writer;
    connection.exec('PRAGMA foreign_keys = OFF');
    this.#begin();
    try {
      for (const statement of group) this.#run(statement);
      for (const sql of migratingFrom(versionOf(connection), this.#schema)) this.#run({ sql, values: [] });
      requireTables(connection, this.#schema, this.#path);
      await prove({ read: async (sql, values = []) => connection.all(sql, values) });
      this.#commit();
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      connection.exec('PRAGMA foreign_keys = ON');
    }
  }

  #begin(): void {
    if (this.#failure) throw this.#failure;
    try {
      this.#writer.run('BEGIN IMMEDIATE', []);
    } catch (error) {
      if (isBusy(error)) throw new DatabaseBusy(this.#path, error);
      throw this.#fail(error);
    }
  }

  #run(statement: Statement): void {
    let rows: number;
    try {
      rows = this.#writer.run(statement.sql, statement.values);
    } catch (error) {
      throw this.#fail(error);
    }
    if (statement.expect !== undefined && rows !== statement.expect) throw new RowsDiffer(statement, rows);
  }

  #commit(): void {
    try {
      this.#writer.run('COMMIT', []);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #rollBack(): void {
    try {
      // SQLite has rolled back by itself after some errors (disk full, input and output).
      if (this.#writer.inTransaction) this.#writer.run('ROLLBACK', []);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #compact(): void {
    if (this.#failure) throw this.#failure;
    let isEmpty: boolean;
    try {
      isEmpty = this.#writer.compact();
    } catch (error) {
      if (isBusy(error)) throw beingRead(this.#path, error);
      throw noRoom(this.#path, error);
    }
    if (!isEmpty) throw beingRead(this.#path);
  }

  /** After a failed sync the disk may hold less than it said: nothing is tried again on this connection. */
  #fail(error: unknown): Fault {
    this.#failure ??= faultOf(error, this.#path);
    return this.#failure;
  }
}

/** What brings the tables of a file from a version up to date. References are not enforced while it runs. */
export const migratingFrom = (version: number, schema: Schema): readonly string[] => [
  ...migrationsFrom(version, schema).flatMap(({ sqlite }) => sqlite),
  `PRAGMA user_version = ${schema.version}`,
];

interface Installed {
  readonly schema: Schema;
  readonly path: string;
  readonly olderToo: boolean;
}

/** Takes the write lock only for a new file: a command that only reads must not wait for a run. */
function install(writer: Connection, { schema, path, olderToo }: Installed): void {
  if (versionOf(writer) === 0) {
    writer.run('BEGIN IMMEDIATE', []);
    if (versionOf(writer) === 0) {
      if (tablesIn(writer).length > 0) throw notOurs(path);
      for (const statement of schema.statements) writer.exec(statement);
      writer.exec(`PRAGMA user_version = ${schema.version}`);
    }
    writer.run('COMMIT', []);
  }
  const version = versionOf(writer);
  requireVersion(path, version, schema, olderToo);
  if (version === schema.version) requireTables(writer, schema, path);
}

/** Throws a Fault `ledger-unsafe` unless the tables are those of the schema. */
function requireTables(connection: Connection, { version, statements }: Schema, path: string): void {
  if (isDeepStrictEqual(tablesIn(connection), statements.map(withPlainBlanks).toSorted())) return;
  throw othersTables(path, 'are other ones than their version says', version);
}

/** What made the tables and indexes, word for word; those that SQLite makes by itself have no text. */
const tablesIn = (connection: Connection): readonly string[] =>
  connection
    .all('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .map((row) => withPlainBlanks(textOf(row, 'sql')))
    .toSorted();

/** A column that was added stands in the text of its table, and its blanks are not where they are in a text that people wrote. */
const withPlainBlanks = (sql: string): string => sql.replace(/\s+/g, ' ').replace(/ (?=[,)])/g, '');

/** The version of the tables of a file; 0 while there are none. */
export const versionOf = (connection: Pick<Connection, 'setting'>): number =>
  Number(connection.setting('user_version'));

const notOurs = (path: string): Fault =>
  new Fault('ledger-unsafe', `${path} is a database, but not a ledger of paybatch.`, 'Set PAYBATCH_HOME elsewhere.');

const AGAIN = 'what was deleted is no longer in its tables, and may still be in the file';

const beingRead = (path: string, cause?: unknown): Fault =>
  new Fault(
    'ledger-held',
    `Another program is reading ${path}, so it cannot be written anew: ${AGAIN}.`,
    'Wait until the other program has finished, then run the same command again.',
    { cause },
  );

const noRoom = (path: string, cause: unknown): Fault =>
  new Fault(
    'file-unwritten',
    `${path} cannot be written anew (${cause instanceof Error ? cause.message : String(cause)}): ${AGAIN}.`,
    'It needs as much space again as it has. Make room on the disk, then run the same command again.',
    { cause },
  );

function faultOf(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error;
  if (isBusy(error)) return new DatabaseBusy(path, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault(
    'ledger-unsafe',
    `The ledger ${path} cannot be relied on: ${reason}.`,
    'Nothing more was sent. Check the disk (space, rights, health), then run `paybatch verify` and `paybatch resume`.',
    { cause: error },
  );
}

/**
 * A database in a file has its answer at once, so a long table would be read in one go: no signal would be heard meanwhile, no
 * timer would fire, and nothing that lived for a while would be freed.
 */
const ROWS_A_TURN = 2000;

class ReadingTurns {
  /** Rows that were read since the last turn. */
  #rows = 0;

  /** Hands rows on that were just read; after so many of them, everything else goes first. */
  async handOn<Row>(rows: readonly Row[]): Promise<readonly Row[]> {
    this.#rows += rows.length;
    if (this.#rows >= ROWS_A_TURN) {
      this.#rows = 0;
      await turn();
    }
    return rows;
  }
}

const FILE_MODE = 0o600;

/** Files that SQLite keeps beside a database in WAL mode. */
const companions = ['-wal', '-shm'] as const;

/**
 * Makes folder and file when they are missing and sets their modes, whatever the umask. A second name for the same file would
 * break the locks and the write-ahead log that keep it whole. Throws a Fault `ledger-unsafe`
 * for a link, a file with several names, and anything that is not a file. Call it before the database is opened.
 */
function prepareLedgerFile(path: string): void {
  try {
    const folder = dirname(path);
    prepareFolder(folder);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) create(path, folder);
    refuseLinks(path);
    restrictFiles(path);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      'ledger-unsafe',
      `The ledger ${path} cannot be prepared: ${error instanceof Error ? error.message : String(error)}.`,
      'Check the rights of the state folder and the space on its disk, or set PAYBATCH_HOME to another folder.',
      { cause: error },
    );
  }
}

/** Takes the rights of everybody but the owner from the ledger and the files beside it. */
function restrictFiles(path: string): void {
  chmodSync(path, FILE_MODE);
  for (const suffix of companions) {
    if (existsSync(path + suffix)) chmodSync(path + suffix, FILE_MODE);
  }
}

/** Never opens a file that exists: closing it would drop the locks that this process holds on it (POSIX). */
function create(path: string, folder: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
  syncFolder(folder);
}

function refuseLinks(path: string): void {
  const found = lstatSync(path);
  const problem = !found.isFile() ? 'is a link or not a file' : found.nlink > 1 ? 'has a second name' : undefined;
  if (problem === undefined) return;
  throw new Fault(
    'ledger-unsafe',
    `The ledger ${path} ${problem}; writing through it could lose records.`,
    'Put the ledger back as one plain file in the state folder, or set PAYBATCH_HOME to another folder.',
  );
}
