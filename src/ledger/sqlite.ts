/**
 * Connections to SQLite, and the settings that decide whether a commit survives a power cut. The only importer of
 * better-sqlite3, whose build runs a write-ahead log with `synchronous=NORMAL` unless it is told otherwise: the last
 * commits would then be lost with the power.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { fileNumber, fileNumberIfAny } from '../files/file-identity.ts';
import { type Relied, refusedText, type SqlRow, type SqlValue } from './database.ts';

type Prepared = Sqlite.Statement<SqlValue[], SqlRow>;

/** First version without the bug that loses commits when two connections write and checkpoint at once. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** While a file is opened, another process holds it only for the length of one group. */
const BUSY_TIMEOUT_MS = 5000;

/** Pages of 4 KiB between checkpoints (a log of 64 MiB): an order changes its pages four times, and each one writes them again. */
const CHECKPOINT_PAGES = 16_000;

/** Memory for pages, in KiB, which SQLite takes as negative. What one block of orders touches is a fraction of the first. */
const CACHE_KIB = 4000;
/** The same of a connection that goes through a table once. */
const PASSING_CACHE_KIB = 2000;

/** `PRAGMA synchronous`: FULL. */
const FULL = 2n;

/** One connection: every text is prepared once. All calls block, and throw what SQLite throws. */
export class Connection {
  readonly #handle: Sqlite.Database;
  readonly #prepared = new Map<string, Prepared>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle.defaultSafeIntegers(true);
  }

  /** The rows that were changed, or returned by a statement that returns rows. */
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

  /** The value of a setting, as SQLite says it. */
  setting(name: string): unknown {
    return this.#handle.pragma(name, { simple: true });
  }

  /** For so many milliseconds it stands still at a lock of somebody else. */
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
 * A connection to a file that outlives it. SQLite's last connection to a file copies the write-ahead log into it and then
 * removes the log by its name, whoever's log that is by then: a run of which the ledger was taken away while it ended
 * removed that of the run after it, with its claims. A connection that may only read removes nothing, so one of those
 * closes last. What stays behind is an empty log. SQLite itself looks whether the file was moved, but only before its last
 * checkpoint, and better-sqlite3 does not offer its switch for this.
 */
export class DurableConnection extends Connection {
  readonly #last: Sqlite.Database;
  readonly #files: OpenedFiles;
  /** Who only looked leaves the log to those who write it. */
  #wrote = false;

  constructor(handle: Sqlite.Database, last: Sqlite.Database, files: OpenedFiles) {
    super(handle);
    this.#last = last;
    this.#files = files;
  }

  /** Throws a Fault `ledger-unsafe` when the files are no longer the ones that were opened. */
  assertInPlace(): void {
    this.#files.assertInPlace();
  }

  /** What its commits rely on, read back now. */
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

  /** Writes the file anew, and empties the log. False: others still read what was there before, so the log keeps it. */
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
      // All that was committed is in the log, which the next one reads.
    }
  }
}

/**
 * Opens a file, which must be there, for durable writing. Throws a Fault `ledger-unsafe` when any of the settings does not
 * hold, and when another file took its name meanwhile.
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

/** SQLite comes as a compiled file, which not every disk may run and not every system can. */
function newHandle(path: string, options?: Sqlite.Options): Sqlite.Database {
  try {
    return new Sqlite(path, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED')) throw error;
    throw new Fault(
      'configuration',
      `The SQLite that comes with paybatch cannot be loaded: ${error.message}. Nothing was sent.`,
      'Install paybatch on this computer, with the Node.js that runs it, and on a disk from which programs may run (not mounted noexec).',
      { cause: error },
    );
  }
}

/** Opens a second connection to a file that only reads it, and sees nothing but what is committed. */
export function openReader(path: string): Connection {
  const connection = new Connection(openToRead(path));
  connection.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${PASSING_CACHE_KIB}`);
  return connection;
}

/** All pages in one step: a copy that pauses would begin again with every commit of somebody else. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a database, as of one moment and with what is in its log, into a file that is there and empty. Nobody who writes is held
 * up. `changes`: statements that the copy is put through; references are not enforced meanwhile. The copy is one plain file. Throws what
 * SQLite throws.
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

/** It has read once: only then SQLite counts it among the connections of the file. */
function openToRead(path: string): Sqlite.Database {
  const handle = newHandle(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  handle.pragma('schema_version');
  return handle;
}

/** Opens a private database in a temporary file that vanishes when it is closed; nothing of it is durable. */
export function openTemporary(): Connection {
  const connection = new Connection(newHandle(''));
  connection.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA locking_mode = EXCLUSIVE;
     PRAGMA cache_size = -${PASSING_CACHE_KIB}`,
  );
  return connection;
}

/**
 * Opens a file that nobody else has open in this way until it is closed, also by the end of its process; undefined: somebody
 * has. It holds no data: what counts is the lock of the system, which no crash leaves behind.
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

/** Whether anybody has a file open in this way now. Whoever takes it in the very moment of this look has to try again. */
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

/** Another process holds the database: nothing was written, and trying again later can work. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Whether SQLite itself refused, and not what was done with its rows. */
export const isSqlite = (error: unknown): boolean => error instanceof Sqlite.SqliteError;

const LOCAL_DISK =
  'Keep the state folder on a local disk (not a network or synchronised folder), and install paybatch again.';

/** Reads the settings back: a commit that returned must be on disk, whatever the build or the file system thinks. */
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

/** A text in a statement, or the place of a value. */
const TEXT_OR_VALUE = /'[^']*'|[?]/g;

/**
 * The statement with a plus before each value, which changes none. SQLite plans a statement with `LIMIT ?`, with a join or with `MIN`
 * anew whenever a bare `?` is bound, because of statistics that the ledger has not; that took ten times as long as the statement.
 */
const plannedOnce = (sql: string): string => sql.replace(TEXT_OR_VALUE, (found) => (found === '?' ? '+?' : found));

/**
 * Whether a ledger's files are still the ones that were opened. SQLite goes on writing to a file whose name was taken away and sees
 * nothing of it, while the next run begins with whatever has the name then: two runs would send, each with a lease of its own.
 */
class OpenedFiles {
  readonly #path: string;
  readonly #numbers = new Map<string, string>();

  /** Call it before the database at the path, which must be there, is opened: another one may have the name a moment later. */
  constructor(path: string) {
    this.#path = path;
    this.#note(path);
  }

  /** Call it when the database is open: its write-ahead log is there only then. */
  noteLog(): void {
    this.#note(`${this.#path}-wal`);
  }

  /** Throws a Fault `ledger-unsafe` when one of them was removed, moved or replaced since. It only looks. */
  assertInPlace(): void {
    const file = this.#missing();
    if (file === undefined) return;
    throw new Fault(
      'ledger-unsafe',
      `${file} was removed, moved or replaced while this run was writing to it, so this run stopped before it sent anything more.`,
      `If it was moved, put it back to ${dirname(this.#path)} and go on with \`paybatch resume\`. If it is gone, run the same sheet again, under the same name: every payment is looked up before it is sent.`,
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
      // Whatever keeps this run from seeing it keeps the next one from it as well.
      if (fileNumberIfAny(file) !== number) return file;
    }
    return undefined;
  }
}
