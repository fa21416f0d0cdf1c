/**
 * The SQL port: everything that the ledger needs from a database. Statements are plain SQL that both SQLite and PostgreSQL
 * understand, with `?` for every value; an adapter prepares each text once. Methods return promises because a database may
 * be reached over a network.
 */

import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';

/** A value of a statement. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** One row by column name. Every integer arrives as a bigint, so that no digit of money is ever lost. */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** Number of rows that must be changed or returned; any other number rolls the whole group back with `RowsDiffer`. */
  readonly expect?: number;
}

export interface Reader {
  /** Reads rows. Sees what is committed, and nothing of a group that is still being written. */
  read(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/**
 * Locks that a process takes by name. A lock ends with its process, however that ends, and no clock decides about it. For
 * SQLite it is a file that the operating system locks; for PostgreSQL it is a lock of the session that writes.
 */
export interface Locks {
  /** Takes a lock. Returns false if another process has it, or another open ledger in this process. */
  tryLock(name: string): Promise<boolean>;
  /** Releases a lock that this ledger has. */
  unlock(name: string): Promise<void>;
  /** Returns those of the locks that any process has, those of this ledger included. */
  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** How long the lock of a vanished computer may remain, in milliseconds. */
  readonly lingersMs: number;
}

export interface Database extends Reader, Locks {
  /**
   * Like `read`, but reads where the locks are. Rejects with a Fault `ledger-unsafe` if the locks may be gone: a lock file
   * was replaced, the session has ended, or it does not answer.
   */
  readLocked(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Runs work with a reader that shows one unchanging snapshot of the database, whatever others write in the meantime. */
  snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs all statements in one durable transaction, and resolves when they are on disk. Groups run one after the other,
   * never mixed; an iterable is not read before its turn has come. A block of statements is taken as a whole, and the next
   * one is requested only after all of it succeeded. If the iterable throws, nothing is kept and its error is passed on. If
   * the database fails, rejects with a Fault `ledger-unsafe`, and accepts no later write.
   */
  write(statements: Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>): Promise<void>;
  /**
   * Throws a Fault `ledger-unsafe` if what is written is no longer where the next process will look for it: files were
   * removed, moved or replaced, or a connection was lost. Changes nothing.
   */
  assertInPlace(): void;
  /**
   * Rewrites the file, so that no byte of deleted data is left in it or in its log. Fault `ledger-held` while others read
   * the earlier content, `file-unwritten` if there is no room; then nothing has changed, and the call can be repeated.
   */
  compact(): Promise<void>;
  /** Returns the current version of the tables, which a newer paybatch may have changed since they were opened. */
  tablesVersion(): Promise<number>;
  /** Returns what a commit relies on here, and whether each of these conditions holds. */
  relied(): Promise<readonly Relied[]>;
  /** Waits for the writes that were requested, then closes. */
  close(): Promise<void>;
}

/** A database whose tables may be those of an older version. */
export interface UpgradableDatabase extends Database {
  /**
   * Brings the tables to the version that the database was opened for, in one durable transaction. `group` comes first, as
   * in `write`. At the end `prove` reads the migrated tables; if it throws, nothing is kept and its error is passed on. No
   * other process writes in the meantime.
   */
  migrate(group: readonly Statement[], prove: (migrated: Reader) => Promise<void>): Promise<void>;
}

/**
 * The error for a statement that touched another number of rows than it had to: another process was first, or the group is
 * wrong.
 */
export class RowsDiffer extends Error {
  override readonly name = 'RowsDiffer';
  readonly sql: string;

  constructor(statement: Statement, rows: number) {
    super(`${rows} rows instead of ${statement.expect}: ${statement.sql}`);
    this.sql = statement.sql;
  }
}

/**
 * The Fault for another process that wrote for longer than a statement waits. Nothing was written, and the same group can be
 * tried again.
 */
export class DatabaseBusy extends Fault {
  constructor(place: string, cause: unknown) {
    super(
      'ledger-held',
      `Another program is writing to the ledger ${place}.`,
      'Wait until it has finished, then try again.',
      { cause },
    );
  }
}

/** Reads a text column that is never null. */
export const textOf = (row: SqlRow, column: string): string => row[column] as string; // the schema says NOT NULL

/** Reads a column of bytes as lower-case hexadecimal. Hashes and salts are bytes in tables, to be short, and texts elsewhere. */
export function hexOf(row: SqlRow, column: string): string {
  const bytes = row[column];
  return bytes instanceof Uint8Array
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
    : '';
}

/**
 * Yields rows block by block, each block after the last one by the column `key`. `sql` has a limit, and its last placeholder
 * is for the value of `key` after which the block begins.
 */
export async function* blocksOf(
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
  key: string,
): AsyncGenerator<readonly SqlRow[]> {
  for (let next = reader.read(sql, [...values, 0]); ; ) {
    const rows = await next;
    const last = rows.at(-1);
    if (!last) return;
    // Read ahead: a server reads the next block while this one is used.
    next = reader.read(sql, [...values, numberOf(last, key)]);
    next.catch(() => undefined); // the next await throws it; nobody asks for it once the caller has stopped
    yield rows;
  }
}

/** Yields blocks of rows as what each row says. */
export async function* mappedBlocks<T>(
  blocks: AsyncIterable<readonly SqlRow[]>,
  valueIn: (row: SqlRow) => T,
): AsyncGenerator<readonly T[]> {
  for await (const rows of blocks) yield rows.map(valueIn);
}

/** Returns the bytes of a hash or a salt, for a column. */
export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** Reads an integer column that is never null and far below 2^53: times, versions, counts, never money. */
export const numberOf = (row: SqlRow, column: string): number => Number(row[column]);

/** Reads an integer column as money in minor units; null counts as 0. */
export const minorOf = (row: SqlRow, column: string): bigint => (row[column] as bigint | null) ?? 0n;
/** Runs work one piece after the other, in the order in which it was requested. */
export class Turns {
  #over: Promise<void> = Promise.resolve();

  /** Runs work when its turn has come, and resolves or rejects as it does. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#over.then(work);
    this.#over = done.then(nothing, nothing);
    return done;
  }

  /** Resolves when all requested work is done, however it ended. */
  get over(): Promise<void> {
    return this.#over;
  }
}

const nothing = (): void => undefined;

/**
 * One condition that a ledger relies on, so that a commit that returned is still there after a power cut, and what was found
 * of it.
 */
export interface Relied {
  /** The condition, worded to follow "relied on:". */
  readonly what: string;
  readonly holds: boolean;
  /** If set, a condition that does not hold is only reported, and nothing is refused. */
  readonly isWarning?: boolean;
  /** What was found, in words. */
  readonly found: string;
  /** What to do to make the condition hold. */
  readonly remedy: string;
}

/** Returns the part of a refusal that is about one condition. */
export const refusedText = ({ what, found }: Relied): string => `it needs that ${what}, and finds: ${found}`;

/** How long to wait for another process that writes, in milliseconds. The longest group is the purge of a long batch. */
const BUSY_MS = 600_000;
/** Pause between two tries, in milliseconds. */
const BUSY_LOOK_MS = 50;

export interface PatientWriter {
  readonly database: Pick<Database, 'write'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a group while other processes write too. While the database is busy, it tries again, and lets the event loop run in
 * between. `make` builds the group again for each try, and `mayAgain` reports whether it still can.
 */
export async function writePatiently(
  { database, clock, signal }: PatientWriter,
  make: () => Parameters<Database['write']>[0],
  mayAgain: () => boolean = () => true,
): Promise<void> {
  const beganMs = clock.monotonicMs();
  for (;;) {
    try {
      return await database.write(make());
    } catch (error) {
      const isOver = signal?.aborted === true || clock.monotonicMs() - beganMs >= BUSY_MS;
      if (!(error instanceof DatabaseBusy) || isOver || !mayAgain()) throw error;
      await clock.sleep(BUSY_LOOK_MS, signal);
    }
  }
}
