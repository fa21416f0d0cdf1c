/**
 * The SQL port on SQLite. One connection writes, a second one sees only what is committed, and after the first failed write
 * nothing more is written.
 */

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
 * How long a statement blocks this process while another one holds the file, in milliseconds. Other processes hold the file
 * for the length of one group; `writePatiently` tries again, and lets the event loop run in between.
 */
const BUSY_TIMEOUT_MS = 100;

/**
 * Opens the database, and creates its tables if the file is new. Throws a Fault `ledger-unsafe` if the file is not a ledger
 * of paybatch, has the tables of another paybatch, or is in a place where commits cannot be made durable; and the Faults of
 * `requireVersion`. Using a database after it was closed is a bug. With `olderToo`, the tables may be of an older version
 * that `migrate` brings up to date; until then only leases may be written.
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
  /** Always 0, because the operating system releases the locks of a process the moment it ends. */
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
   * The connection to read from. The writing connection still has the pages that it just wrote, while the reading one has to
   * load them again after each group, which costs as much as all other reads together. Within a group, and after a failure,
   * only the reading connection shows what is committed.
   */
  get #readFrom(): Connection {
    return this.#failure || this.#writer.inTransaction ? this.#reader : this.#writer;
  }

  async snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const reader = this.#openStill();
    try {
      // The first read in this transaction fixes the moment that the snapshot shows.
      reader.exec('BEGIN');
      return await work({ read: async (sql, values = []) => this.#reading.handOn(reader.all(sql, values)) });
    } catch (error) {
      if (error instanceof Fault || !isSqlite(error)) throw error;
      throw faultOf(error, this.#path);
    } finally {
      reader.close();
    }
  }

  /** Opens another reader. This fails if the file was taken away since the ledger was opened. */
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

  /**
   * Runs work on lock files, and turns any error into a Fault: a process that cannot lock a file cannot tell whether another
   * one uses the ledger.
   */
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

  /** Throws if the database was closed. That is a bug and not damage, so the ledger must not be reported as unsafe. */
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
      // After some errors (disk full, input and output) SQLite has already rolled back on its own.
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

  /**
   * Records the first failure. After a failed sync the disk may hold less than it reported, so nothing is tried again on
   * this connection.
   */
  #fail(error: unknown): Fault {
    this.#failure ??= faultOf(error, this.#path);
    return this.#failure;
  }
}

/**
 * Returns the statements that bring the tables of a file from a version up to date. References must not be enforced while
 * they run.
 */
export const migratingFrom = (version: number, schema: Schema): readonly string[] => [
  ...migrationsFrom(version, schema).flatMap(({ sqlite }) => sqlite),
  `PRAGMA user_version = ${schema.version}`,
];

interface Installed {
  readonly schema: Schema;
  readonly path: string;
  readonly olderToo: boolean;
}

/**
 * Creates the tables of a new file, and checks those of any other. Takes the write lock only for a new file: a command that
 * only reads must not wait for a run.
 */
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
  // Both at one moment: between two, another process may bring the tables up to date.
  writer.readTogether(() => {
    const version = versionOf(writer);
    requireVersion(path, version, schema, olderToo);
    if (version === schema.version) requireTables(writer, schema, path);
  });
}

/** Throws a Fault `ledger-unsafe` unless the tables are those of the schema. */
function requireTables(connection: Connection, { version, statements }: Schema, path: string): void {
  if (isDeepStrictEqual(tablesIn(connection), statements.map(withPlainBlanks).toSorted())) return;
  throw othersTables(path, 'do not match their version', version);
}

/**
 * Returns the statements that created the tables and indexes, word for word. Indexes that SQLite creates on its own have no
 * text.
 */
const tablesIn = (connection: Connection): readonly string[] =>
  connection
    .all('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .map((row) => withPlainBlanks(textOf(row, 'sql')))
    .toSorted();

/**
 * Normalises the blanks of a statement. SQLite writes an added column into the text of its table, with blanks in other
 * places than in a text written by hand.
 */
const withPlainBlanks = (sql: string): string => sql.replace(/\s+/g, ' ').replace(/ (?=[,)])/g, '');

/** Returns the version of the tables of a file; 0 if it has none. */
export const versionOf = (connection: Pick<Connection, 'setting'>): number =>
  Number(connection.setting('user_version'));

const notOurs = (path: string): Fault =>
  new Fault('ledger-unsafe', `${path} is a database, but not a ledger of paybatch.`, 'Set PAYBATCH_HOME elsewhere.');

const AGAIN = 'what was deleted is no longer in its tables, and may still be in the file';

const beingRead = (path: string, cause?: unknown): Fault =>
  new Fault(
    'ledger-held',
    `Another program is reading ${path}, so the file cannot be rewritten: ${AGAIN}.`,
    'Wait until the other program has finished, then run the same command again.',
    { cause },
  );

const noRoom = (path: string, cause: unknown): Fault =>
  new Fault(
    'file-unwritten',
    `${path} cannot be rewritten (${cause instanceof Error ? cause.message : String(cause)}): ${AGAIN}.`,
    'Rewriting it needs as much free disk space as the file takes. Make room on the disk, then run the same command again.',
    { cause },
  );

function faultOf(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error;
  if (isBusy(error)) return new DatabaseBusy(path, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault(
    'ledger-unsafe',
    `The ledger ${path} cannot be relied on: ${reason}.`,
    'Nothing more was sent. Check the disk (space, permissions, health), then run `paybatch verify` and `paybatch resume`.',
    { cause: error },
  );
}

/**
 * Rows after which reading yields to the event loop. A database in a file answers synchronously, so a long table would be
 * read in one go: during that time no signal would be heard, no timer would fire, and nothing that lived for a while would
 * be freed.
 */
const ROWS_A_TURN = 2000;

class ReadingTurns {
  /** Rows that were read since the last yield to the event loop. */
  #rows = 0;

  /** Returns rows that were just read. After every `ROWS_A_TURN` rows, lets everything else run first. */
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

/** Suffixes of the files that SQLite keeps next to a database in WAL mode. */
const companions = ['-wal', '-shm'] as const;

/**
 * Creates folder and file if they are missing, and sets their modes regardless of the umask. Throws a Fault `ledger-unsafe`
 * for a link, a file with several names, and anything that is not a file: a second name for the same file would break the
 * locks and the write-ahead log that keep it intact. Must be called before the database is opened.
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
      'Check the permissions of the state folder and the space on its disk, or set PAYBATCH_HOME to another folder.',
      { cause: error },
    );
  }
}

/** Restricts the ledger, and the files next to it, to their owner. */
function restrictFiles(path: string): void {
  chmodSync(path, FILE_MODE);
  for (const suffix of companions) {
    if (existsSync(path + suffix)) chmodSync(path + suffix, FILE_MODE);
  }
}

/** Creates the file, and never opens an existing one: closing that would drop the locks that this process holds on it (POSIX). */
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
