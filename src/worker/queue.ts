/**
 * The queue of the workers, in its own schema next to the ledger's. It only signals work and records nothing: a job names a batch
 * and nothing else, and the worker that takes it reads in the ledger what is to be done. The queue is used through the SQL
 * that graphile-worker offers, so a process that only signals work needs no package.
 */

import { numberOf, type SqlRow, type SqlValue, textOf } from '../database/database.ts';
import { connect, type PostgresConnection } from '../database/postgres/connection.ts';
import { faultOf, unreachable } from '../database/postgres/faults.ts';
import { NOTICED_SOON } from '../database/postgres/session.ts';
import { lockedOf } from '../database/postgres/session-locks.ts';
import { type Clock, hastened } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import { sha256 } from '../domain/ids.ts';
import type { SharedLedger } from '../ledger/ledger.ts';

/** The only task: to continue a batch. */
export const TASK = 'send';

/** Longest name that PostgreSQL keeps: it cuts longer ones off, and two could become one. */
const NAME_MAX = 63;

/** How long a job is left to the worker that has just taken it before that worker has to show that it is alive, in milliseconds. */
const TAKEN_MS = 2000;

/** Silence after which a worker is taken to hang, or its computer to sleep, in milliseconds. A live worker reports every few seconds. */
const SILENT_MS = 60_000;

/** Most attempts at a job. The queue never abandons one: what the ledger says decides whether a batch is continued. */
const ATTEMPTS = 32_767;

/** Returns the schema of the queue of a ledger. Two ledgers in one database have two. */
export function queueSchema(ledgerSchema: string): string {
  const name = `${ledgerSchema}_queue`;
  if (name.length <= NAME_MAX) return name;
  return `${ledgerSchema.slice(0, NAME_MAX - 15)}_${sha256(ledgerSchema).slice(0, 8)}_queue`;
}

/** Returns the batch that a job is about, if the job is one of paybatch's. */
export function batchIn(payload: unknown): BatchId | undefined {
  if (typeof payload !== 'object' || payload === null || !('batch' in payload)) return undefined;
  if (typeof payload.batch !== 'string') return undefined;
  return payload.batch as BatchId; // the ledger decides whether there is such a batch
}

/** A connection to the queue of a ledger, which can also read the tables of the ledger. Every call rejects with a Fault. */
export class Queue implements AsyncDisposable {
  readonly #connection: PostgresConnection;
  readonly #reached: SharedLedger;
  readonly #schema: string;

  private constructor(connection: PostgresConnection, reached: SharedLedger) {
    this.#connection = connection;
    this.#reached = reached;
    this.#schema = queueSchema(reached.address.schema);
  }

  /** Opens a connection. Throws a Fault `configuration` if the server refuses the login, `ledger-unsafe` if it cannot be reached. */
  static async open(reached: SharedLedger): Promise<Queue> {
    let connection: PostgresConnection;
    try {
      connection = await connect(reached);
    } catch (error) {
      throw unreachable(error, reached.address);
    }
    const queue = new Queue(connection, reached);
    try {
      await connection.exec(`${NOTICED_SOON}; SET search_path TO ${reached.address.schema}`);
      return queue;
    } catch (error) {
      await connection.close();
      throw faultOf(error, reached.address);
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs a query on the tables of the queue or of the ledger. */
  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    try {
      return await this.#connection.read(sql, values);
    } catch (error) {
      throw faultOf(error, this.#reached.address);
    }
  }

  /** Returns which of these locks of the ledger are held by any session. */
  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    return lockedOf(this, this.#reached.address.schema, names);
  }

  /** Reports whether a worker has ever created the queue. */
  async isThere(): Promise<boolean> {
    return (await this.read('SELECT 1 AS found FROM pg_namespace WHERE nspname = ?', [this.#schema])).length > 0;
  }

  /** Asks for work on a batch in `inMs` milliseconds, no matter what was asked before. There is one job for each batch. */
  async ring(batch: BatchId, inMs = 0): Promise<void> {
    await this.#add(batch, 'replace', inMs);
  }

  /** Asks for work on a batch immediately, unless it already has a job. */
  async fill(batch: BatchId): Promise<void> {
    await this.#add(batch, 'unsafe_dedupe', 0);
  }

  async #add(batch: BatchId, mode: 'replace' | 'unsafe_dedupe', inMs: number): Promise<void> {
    await this.read(
      `SELECT id FROM ${this.#schema}.add_job(identifier := ?, payload := ?::json, job_key := ?,
        job_key_mode := ?, run_at := now() + ?::bigint * interval '1 millisecond', max_attempts := ?)`,
      [TASK, JSON.stringify({ batch }), batch, mode, Math.round(inMs), ATTEMPTS],
    );
  }

  /** Returns the batches that have a job, whether or not it was taken. */
  async asked(): Promise<ReadonlySet<string>> {
    const rows = await this.read(`SELECT key FROM ${this.#schema}.jobs WHERE key IS NOT NULL`);
    return new Set(rows.map((row) => textOf(row, 'key')));
  }

  /** Returns the number of jobs that could be taken now. */
  async waiting(): Promise<number> {
    const [row] = await this.read(this.#waiting, [0]);
    return row ? numberOf(row, 'jobs') : 0;
  }

  /**
   * Returns the batches that were taken first, by any worker: one for each job that could have been taken for `forMs`
   * milliseconds and was not. All workers choose the same ones, so one batch that waits ends the work on one other.
   */
  async longestTaken(forMs: number): Promise<ReadonlySet<string>> {
    const rows = await this.read(
      `SELECT key FROM ${this.#schema}.jobs WHERE locked_at IS NOT NULL AND key IS NOT NULL
        ORDER BY run_at, id LIMIT (${this.#waiting})`,
      [Math.round(forMs)],
    );
    return new Set(rows.map((row) => textOf(row, 'key')));
  }

  get #waiting(): string {
    return `SELECT count(*) AS jobs FROM ${this.#schema}.jobs WHERE locked_at IS NULL AND attempts < max_attempts
      AND run_at <= now() - ?::bigint * interval '1 millisecond'`;
  }

  /**
   * Lets this connection show from now on that the worker is alive: the server releases the lock when the connection ends,
   * however it does.
   */
  async live(worker: string): Promise<void> {
    await this.read('SELECT pg_advisory_lock(hashtextextended(?, 0))', [`${this.#schema} ${worker}`]);
  }

  /** Reports that a worker still works on its jobs: a process that was suspended keeps its connections. */
  async beat(worker: string): Promise<void> {
    await this.read(`UPDATE ${this.#schema}._private_jobs SET locked_at = now() WHERE locked_by = ? RETURNING id`, [
      worker,
    ]);
  }

  /**
   * Frees the jobs of workers that are no longer alive, and returns the names of those workers. graphile-worker itself waits
   * four hours, because it cannot know. If one of them is alive after all, the lease of the batch keeps the next worker away.
   */
  async freeDead(clock: Pick<Clock, 'haste'>): Promise<readonly string[]> {
    const rows = await this.read(
      `SELECT DISTINCT j.locked_by FROM ${this.#schema}.jobs j
        WHERE j.locked_at < now() - ?::bigint * interval '1 millisecond'
          OR j.locked_at < now() - ?::bigint * interval '1 millisecond' AND NOT EXISTS (
            SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
              AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(? || j.locked_by, 0))`,
      [Math.round(hastened(SILENT_MS, clock)), Math.round(hastened(TAKEN_MS, clock)), `${this.#schema} `],
    );
    const dead = rows.map((row) => textOf(row, 'locked_by'));
    // `force_unlock_workers` would leave the time at which they were asked for, as if they had waited ever since.
    for (const worker of dead)
      await this.read(
        `UPDATE ${this.#schema}._private_jobs SET locked_at = NULL, locked_by = NULL, run_at = now()
          WHERE locked_by = ? RETURNING id`,
        [worker],
      );
    // Of a job that was asked for again while it was taken, the queue keeps the first one as failed.
    const spent = `SELECT array_agg(id) FROM ${this.#schema}.jobs WHERE locked_at IS NULL AND attempts >= max_attempts`;
    if (dead.length > 0) await this.read(`SELECT id FROM ${this.#schema}.complete_jobs((${spent}))`);
    return dead;
  }
}
