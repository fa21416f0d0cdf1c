/**
 * Connections to SQLite, and the settings that decide whether a commit survives a power cut. This is the only module that
 * imports better-sqlite3, whose build runs a write-ahead log with `synchronous=NORMAL` by default: a power cut would then
 * lose the last commits.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { fileNumber, fileNumberIfAny } from '../files/file-identity.ts';
import { type Relied, refusedText, type SqlRow, type SqlValue } from './database.ts';

type Prepared = Sqlite.Statement<SqlValue[], SqlRow>;

/** The first version without the bug that loses commits when two connections write and checkpoint at the same time. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** How long opening waits for another process, in milliseconds. A process holds the file for one group at most. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Pages of 4 KiB between checkpoints (a log of about 64 MiB). An order changes its pages four times, and each checkpoint
 * writes them again, so checkpoints are kept rare.
 */
const CHECKPOINT_PAGES = 16_000;

/** Memory for cached pages, in KiB, which SQLite expects as a negative number. One block of orders touches a fraction of that. */
const CACHE_KIB = 4000;
/** Memory for cached pages of a connection that reads a table once, in KiB. */
const PASSING_CACHE_KIB = 2000;

/** The value of `PRAGMA synchronous` that means FULL. */
const FULL = 2n;

/** A connection, which prepares every statement text once. All calls block, and throw the errors of SQLite. */
export class Connection {
  readonly #handle: Sqlite.Database;
  readonly #prepared = new Map<string, Prepared>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle.defaultSafeIntegers(true);
  }

  /** Runs a statement, and returns how many rows it changed, or how many it returned if it returns rows. */
  run(sql: string, values: readonly SqlValue[]): number {
    const statement = this.#statement(sql);
    return statement.reader ? statement.all(...values).length : statement.run(...values).changes;
  }

  all(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#statement(sql).all(...values);
  }

  exec(sql: string): void {
    this.#handle.exec(sql);
  }

  /** Runs readings in one transaction, so that all of them are of the same moment. */
  readTogether<T>(read: () => T): T {
    this.#handle.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#handle.exec('COMMIT');
    }
  }

  /** Returns the value of a setting as SQLite reports it. */
  setting(name: string): unknown {
    return this.#handle.pragma(name, { simple: true });
  }

  /** Sets how long a statement blocks on a lock of another connection, in milliseconds. */
  waitAtMost(ms: number): void {
    this.#handle.pragma(`busy_timeout = ${ms}`);
  }

  get inTransaction(): boolean {
    return this.#handle.inTransaction;
  }

  close(): void {
    this.#prepared.clear();
    this.#handle.close();
  }

  #statement(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#handle.prepare<SqlValue[], SqlRow>(plannedOnce(sql));
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/**
 * A connection that leaves the write-ahead log in place when it closes. The last connection to a file copies the log into
 * the file and then removes the log by name, whichever log has that name by then: a run whose ledger was taken away while
 * the run ended once removed the log of the next run, with its claims. A read-only connection removes nothing, so this class
 * closes one last, and an empty log stays behind. SQLite itself checks whether the file was moved, but only before its last
 * checkpoint, and better-sqlite3 does not offer SQLite's switch for this.
 */
export class DurableConnection extends Connection {
  readonly #last: Sqlite.Database;
  readonly #files: OpenedFiles;
  /** Whether this connection wrote. One that only read leaves the log to the connections that write. */
  #wrote = false;

  constructor(handle: Sqlite.Database, last: Sqlite.Database, files: OpenedFiles) {
    super(handle);
    this.#last = last;
    this.#files = files;
  }

  /** Throws a Fault `ledger-unsafe` if the files are no longer the ones that were opened. */
  assertInPlace(): void {
    this.#files.assertInPlace();
  }

  /** Returns what commits on this connection rely on, read back now. */
  relied(): readonly Relied[] {
    return reliedOn(this);
  }

  override run(sql: string, values: readonly SqlValue[]): number {
    this.#wrote = true;
    return super.run(sql, values);
  }

  override exec(sql: string): void {
    this.#wrote = true;
    super.exec(sql);
  }

  /**
   * Rewrites the file and empties the log. Returns false if others still read the earlier content, so that the log still
   * holds it.
   */
  compact(): boolean {
    this.exec('VACUUM');
    const [done] = this.all('PRAGMA wal_checkpoint(TRUNCATE)');
    return done?.['busy'] === 0n;
  }

  override close(): void {
    if (this.#wrote && this.#last.open && this.#files.areInPlace) this.#emptyLog();
    super.close();
    this.#last.close();
  }

  #emptyLog(): void {
    try {
      super.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Everything committed is in the log, and the next connection reads it from there.
    }
  }
}

/**
 * Opens an existing file for durable writing. Throws a Fault `ledger-unsafe` if any of the settings does not hold, or if
 * another file took its name while it was being opened.
 */
export function openDurable(path: string): DurableConnection {
  const files = new OpenedFiles(path);
  const handle = newHandle(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  let last: Sqlite.Database | undefined;
  try {
    handle.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA fullfsync = ON;
       PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB};
       PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    );
    last = openToRead(path);
    const connection = new DurableConnection(handle, last, files);
    assertDurable(connection);
    files.noteLog();
    files.assertInPlace();
    return connection;
  } catch (error) {
    handle.close();
    last?.close();
    throw error;
  }
}

/**
 * Opens a database. Throws a Fault `configuration` if SQLite cannot be loaded: it is a compiled file, which not every disk
 * allows to run and not every system can run.
 */
function newHandle(path: string, options?: Sqlite.Options): Sqlite.Database {
  try {
    return new Sqlite(path, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED')) throw error;
    throw new Fault(
      'configuration',
      `The SQLite that comes with paybatch cannot be loaded: ${error.message}. Nothing was sent.`,
      'Install paybatch on this computer, with the Node.js that runs it, on a disk that allows programs to run (not mounted noexec).',
      { cause: error },
    );
  }
}

/** Opens a read-only connection to a file, which sees only what is committed. */
export function openReader(path: string): Connection {
  const connection = new Connection(openToRead(path));
  connection.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${PASSING_CACHE_KIB}`);
  return connection;
}

/** Makes a backup copy all pages in one step: a copy that pauses would start over with every commit of another connection. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a database, as of one moment and including its log, into an existing empty file. Writers are not held up. `changes`
 * are statements that are then run on the copy, without enforcing references. The copy is one plain file. Throws the errors
 * of SQLite.
 */
export async function copyInto(file: string, from: string, changes: readonly string[] = []): Promise<void> {
  const handle = openToRead(from);
  try {
    await handle.backup(file, { progress: () => ALL_PAGES });
  } finally {
    handle.close();
  }
  const copy = newHandle(file, { fileMustExist: true });
  try {
    copy.pragma('foreign_keys = OFF');
    for (const change of changes) copy.exec(change);
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

/** Opens a file read-only, and reads once: only then does SQLite count this connection among those of the file. */
function openToRead(path: string): Sqlite.Database {
  const handle = newHandle(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  handle.pragma('schema_version');
  return handle;
}

/** Opens a private database in a temporary file, which vanishes when the connection is closed. Nothing in it is durable. */
export function openTemporary(): Connection {
  const connection = new Connection(newHandle(''));
  connection.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA locking_mode = EXCLUSIVE;
     PRAGMA cache_size = -${PASSING_CACHE_KIB}`,
  );
  return connection;
}

/**
 * Opens a file exclusively, until the connection is closed or its process ends. Returns `undefined` if another connection
 * holds the file. The file has no content: only the lock of the operating system counts, and a crash does not leave that
 * behind.
 */
export function openAlone(path: string): Connection | undefined {
  const connection = new Connection(newHandle(path, { fileMustExist: true, timeout: 0 }));
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/**
 * Reports whether a file is held by `openAlone` right now. A process that calls `openAlone` at the very moment of this check
 * finds the file busy, and has to try again.
 */
export function isLockedFile(path: string): boolean {
  if (!existsSync(path)) return false;
  const handle = newHandle(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    handle.pragma('schema_version');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    handle.close();
  }
}

/** Reports whether another process holds the database: nothing was written, and a later attempt can succeed. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Reports whether an error comes from SQLite itself, and not from the code that handled its rows. */
export const isSqlite = (error: unknown): boolean => error instanceof Sqlite.SqliteError;

const LOCAL_DISK =
  'Keep the state folder on a local disk (not a network or synchronised folder), and install paybatch again.';

/** Reads the settings back: a commit that returned must be on disk, regardless of the defaults of the build or the file system. */
function reliedOn(connection: Connection): readonly Relied[] {
  const version = String(connection.all('SELECT sqlite_version() AS version')[0]?.['version']);
  const is = (setting: string, right: string | bigint, what: string): Relied => {
    const found = connection.setting(setting);
    return { what, holds: found === right, found: `${setting} is ${String(found)}`, remedy: LOCAL_DISK };
  };
  return [
    {
      what: `SQLite is ${OLDEST_SQLITE.join('.')} or newer`,
      holds: isAtLeast(version, OLDEST_SQLITE),
      found: version,
      remedy: LOCAL_DISK,
    },
    is('journal_mode', 'wal', 'changes are logged before they are made (WAL)'),
    is('synchronous', FULL, 'a commit is on disk before it is answered (FULL)'),
    is('fullfsync', 1n, 'a sync reaches the disk itself'),
    is('foreign_keys', 1n, 'references between tables are checked'),
  ];
}

function assertDurable(connection: Connection): void {
  const wrong = reliedOn(connection).filter(({ holds }) => !holds);
  if (wrong.length === 0) return;
  throw new Fault(
    'ledger-unsafe',
    `The ledger cannot be kept safe here: ${wrong.map(refusedText).join('; ')}.`,
    LOCAL_DISK,
  );
}

function isAtLeast(version: string, oldest: readonly [number, number, number]): boolean {
  const parts = version.split('.').map(Number);
  invariant(parts.length === 3, `${version} is a version of SQLite`);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** A string literal in a statement, or the placeholder of a value. */
const TEXT_OR_VALUE = /'[^']*'|[?]/g;

/**
 * Returns the statement with a plus before each placeholder, which changes no value. When a bare `?` is bound, SQLite plans
 * a statement with `LIMIT ?`, a join or `MIN` again, because of statistics that the ledger does not have. Planning took ten
 * times as long as the statement itself.
 */
const plannedOnce = (sql: string): string => sql.replace(TEXT_OR_VALUE, (found) => (found === '?' ? '+?' : found));

/**
 * Checks that the files of a ledger are still the ones that were opened. SQLite keeps writing to a file whose name was taken
 * away, without noticing, while the next run starts with the file that has the name by then: two runs would send, each with a
 * lease of its own.
 */
class OpenedFiles {
  readonly #path: string;
  readonly #numbers = new Map<string, string>();

  /**
   * Must be called before the database at the path is opened, because another file may have the name a moment later. The
   * file must exist.
   */
  constructor(path: string) {
    this.#path = path;
    this.#note(path);
  }

  /** Must be called after the database was opened, because its write-ahead log does not exist earlier. */
  noteLog(): void {
    this.#note(`${this.#path}-wal`);
  }

  /** Throws a Fault `ledger-unsafe` if one of the files was removed, moved or replaced since it was opened. Changes nothing. */
  assertInPlace(): void {
    const file = this.#missing();
    if (file === undefined) return;
    throw new Fault(
      'ledger-unsafe',
      `${file} was removed, moved or replaced while this run was writing to it, so this run stopped before it sent anything more.`,
      `If it was moved, put it back to ${dirname(this.#path)} and continue with \`paybatch resume\`. If it is gone, run the same sheet again, under the same name: every payment is looked up before it is sent.`,
    );
  }

  get areInPlace(): boolean {
    return this.#missing() === undefined;
  }

  #note(file: string): void {
    this.#numbers.set(file, fileNumber(file));
  }

  #missing(): string | undefined {
    for (const [file, number] of this.#numbers) {
      // A file that this run cannot see counts as missing, for any reason: the next run could not see it either.
      if (fileNumberIfAny(file) !== number) return file;
    }
    return undefined;
  }
}
