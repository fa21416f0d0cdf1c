/**
 * The SQL port: all that the ledger asks of a database. Statements are plain SQL that SQLite and PostgreSQL both
 * understand, with `?` for every value; an adapter prepares each text once. The promise face is there for a database
 * that is reached over a network.
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
  /** Rows that must be changed or returned; any other number rolls the whole group back with `RowsDiffer`. */
  readonly expect?: number;
}

export interface Reader {
  /** Sees what is committed, and nothing of a group that is still being written. */
  read(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/**
 * Locks that a process takes by name. One ends with its process, however that ends, and no clock decides about it: a file that the
 * system locks for SQLite, a lock of the session that writes on PostgreSQL.
 */
export interface Locks {
  /** Takes a lock; false: another process has it, or another ledger that is open in this one. */
  tryLock(name: string): Promise<boolean>;
  /** Gives a lock back that this ledger has. */
  unlock(name: string): Promise<void>;
  /** Which of these locks anybody has, this ledger too. */
  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** For so many milliseconds the lock of a computer that is gone may be there still. */
  readonly lingersMs: number;
}

export interface Database extends Reader, Locks {
  /**
   * Reads where the locks are. Rejects with a Fault `ledger-unsafe` when they may be gone: a lock file was replaced, the session has
   * ended, or nobody answers in it.
   */
  readLocked(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Gives a reader to whom the database stands still, whoever writes meanwhile, until the work is done. */
  snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs all statements in one durable transaction and resolves when they are on disk. Groups run one after the other,
   * never mixed; an iterable is first asked for a statement when its turn has come. A block of statements is taken as a
   * whole, and what follows is asked for when all of it was good. When the iterable throws, nothing is kept and its error is
   * passed on. A database that fails is a Fault `ledger-unsafe`, and takes no later write.
   */
  write(statements: Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>): Promise<void>;
  /**
   * Throws a Fault `ledger-unsafe` when what is written is no longer where the next process will look for it: files that
   * were removed, moved or replaced. It only looks.
   */
  assertInPlace(): void;
  /**
   * Writes the file anew, so that no byte of what was deleted is left in it or in its log. Fault `ledger-held` while others read
   * from before, `file-unwritten` when there is no room; then nothing has changed, and it can be asked for again.
   */
  compact(): Promise<void>;
  /** The version of its tables as it is now: a newer paybatch may have changed them since they were opened. */
  tablesVersion(): Promise<number>;
  /** What a commit relies on here, as it was found when the database was opened. */
  relied(): Promise<readonly Relied[]>;
  /** Waits for the writes that were asked for, then closes. */
  close(): Promise<void>;
}

/** A database whose tables may be those of an older version. */
export interface UpgradableDatabase extends Database {
  /**
   * Makes its tables those of the version that it was opened for, in one durable transaction. `group` comes first, as in `write`. At the
   * end `prove` reads what was made of the tables; when it throws, nothing is kept and its error is passed on. Nobody else writes meanwhile.
   */
  migrate(group: readonly Statement[], prove: (migrated: Reader) => Promise<void>): Promise<void>;
}

/** A statement touched another number of rows than it had to: somebody else was there first, or the group is wrong. */
export class RowsDiffer extends Error {
  override readonly name = 'RowsDiffer';
  readonly sql: string;

  constructor(statement: Statement, rows: number) {
    super(`${rows} rows instead of ${statement.expect}: ${statement.sql}`);
    this.sql = statement.sql;
  }
}

/** Another process was writing for longer than a statement waits. Nothing was written, and the same group can be tried again. */
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

/** Reads a column of bytes as lower-case hexadecimal: hashes and salts are short in tables and texts elsewhere. */
export function hexOf(row: SqlRow, column: string): string {
  const bytes = row[column];
  return bytes instanceof Uint8Array
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
    : '';
}

/** The bytes of a hash or a salt, as a column takes them. */
export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** Reads an integer column that is never null and far below 2^53: times, versions, counts, never money. */
export const numberOf = (row: SqlRow, column: string): number => Number(row[column]);

/** Reads an integer column as money in minor units; null counts as nothing. */
export const minorOf = (row: SqlRow, column: string): bigint => (row[column] as bigint | null) ?? 0n;
/** Work that is done one after the other, in the order in which it was asked for. */
export class Turns {
  #over: Promise<void> = Promise.resolve();

  /** Resolves or rejects as the work does, which begins when its turn has come. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#over.then(work);
    this.#over = done.then(nothing, nothing);
    return done;
  }

  /** Resolves when all that was asked for is done, however it ended. */
  get over(): Promise<void> {
    return this.#over;
  }
}

const nothing = (): void => undefined;

/** One thing that a ledger relies on, so that a commit that returned is still there after a power cut, as it was found. */
export interface Relied {
  /** As it has to be: goes on after "relied on:". */
  readonly what: string;
  readonly holds: boolean;
  /** It is told when it does not hold, and nothing is refused. */
  readonly isWarning?: boolean;
  /** What was found, in words. */
  readonly found: string;
  /** What makes it hold. */
  readonly remedy: string;
}

/** The part of a refusal about one of them. */
export const refusedText = ({ what, found }: Relied): string => `it needs that ${what}, and finds: ${found}`;

/** How long somebody else may write, in milliseconds: the plan of a million rows takes a minute or two. */
const BUSY_MS = 600_000;
/** Between two tries meanwhile. */
const BUSY_LOOK_MS = 50;

export interface PatientWriter {
  readonly database: Pick<Database, 'write'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Writes a group while other processes write too: a database that is busy is asked again, and the event loop goes on meanwhile. The group is made anew for each try. `mayAgain`: whether it can be. */
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
