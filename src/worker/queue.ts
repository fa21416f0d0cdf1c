/**
 * The queue of the workers, in a schema of its own beside the ledger's. It is a bell and no record: a job names a batch and nothing
 * else, and whoever takes it reads in the ledger what is to be done. It is spoken to in the SQL that graphile-worker offers, so
 * whoever only rings needs no package.
 */
import { type Clock, hastened } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import { sha256 } from '../domain/ids.ts';
import { numberOf, type SqlRow, type SqlValue, textOf } from '../ledger/database.ts';
import type { SharedLedger } from '../ledger/ledger.ts';
import { connect, type PostgresConnection } from '../ledger/postgres/connection.ts';
import { faultOf, unreachable } from '../ledger/postgres/faults.ts';
import { NOTICED_SOON } from '../ledger/postgres/session.ts';
import { lockedOf } from '../ledger/postgres/session-locks.ts';

/** The one task: go on with a batch. */
export const TASK = 'send';

/** PostgreSQL cuts longer names off, and two could become one. */
const NAME_MAX = 63;

/** How long a job is left to whoever has just taken it, before it is asked whether that worker lives. */
const TAKEN_MS = 10_000;

/** A worker says that it lives every few seconds. One that has not for so long hangs, or its computer sleeps. */
const SILENT_MS = 60_000;

/** A job is not given up by the queue: whether a batch is gone on with is decided by what the ledger says. */
const ATTEMPTS = 32_767;

/** The schema of the queue of a ledger. Two ledgers of one database have two. */
export function queueSchema(ledgerSchema: string): string {
  const name = `${ledgerSchema}_queue`;
  if (name.length <= NAME_MAX) return name;
  return `${ledgerSchema.slice(0, NAME_MAX - 15)}_${sha256(ledgerSchema).slice(0, 8)}_queue`;
}

/** The batch that a job is about, if it is one of ours. */
export function batchIn(payload: unknown): BatchId | undefined {
  if (typeof payload !== 'object' || payload === null || !('batch' in payload)) return undefined;
  if (typeof payload.batch !== 'string') return undefined;
  return payload.batch as BatchId; // the ledger is asked whether it is one
}

/** A connection to the queue of a ledger, which sees the tables of the ledger too. Every call rejects with a Fault. */
export class Queue {
  readonly #connection: PostgresConnection;
  readonly #reached: SharedLedger;
  readonly #schema: string;

  private constructor(connection: PostgresConnection, reached: SharedLedger) {
    this.#connection = connection;
    this.#reached = reached;
    this.#schema = queueSchema(reached.address.schema);
  }

  /** Throws a Fault `configuration` when the server lets nobody in, `ledger-unsafe` when it cannot be reached. */
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

  /** Asks the tables of the ledger. */
  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    try {
      return await this.#connection.read(sql, values);
    } catch (error) {
      throw faultOf(error, this.#reached.address);
    }
  }

  /** Which of these locks of the ledger any session has. */
  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    return lockedOf(this, this.#reached.address.schema, names);
  }

  /** Whether a worker has ever made the queue. */
  async isThere(): Promise<boolean> {
    return (await this.read('SELECT 1 AS found FROM pg_namespace WHERE nspname = ?', [this.#schema])).length > 0;
  }

  /** Asks for work: so many milliseconds from now, whatever was asked before. There is one job for each batch. */
  async ring(batch: BatchId, inMs = 0): Promise<void> {
    await this.#add(batch, 'replace', inMs);
  }

  /** The same, unless a job asks for it by now. */
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

  /** Which batches are asked for by now: their jobs are taken, or not taken yet. */
  async asked(): Promise<ReadonlySet<string>> {
    const rows = await this.read(`SELECT key FROM ${this.#schema}.jobs WHERE key IS NOT NULL`);
    return new Set(rows.map((row) => textOf(row, 'key')));
  }

  /** Jobs that nobody has taken for so many milliseconds, although they might be. */
  async waiting(forMs = 0): Promise<number> {
    const [row] = await this.read(
      `SELECT count(*) AS jobs FROM ${this.#schema}.jobs WHERE locked_at IS NULL AND attempts < max_attempts
        AND run_at <= now() - ?::bigint * interval '1 millisecond'`,
      [Math.round(forMs)],
    );
    return row ? numberOf(row, 'jobs') : 0;
  }

  /** From now on this connection says that the worker lives: the server lets go of the lock when the connection ends, however it does. */
  async live(worker: string): Promise<void> {
    await this.read('SELECT pg_advisory_lock(hashtextextended(?, 0))', [`${this.#schema} ${worker}`]);
  }

  /** Says that a worker still works on its jobs: a process that was stopped keeps its connections. */
  async beat(worker: string): Promise<void> {
    await this.read(`UPDATE ${this.#schema}._private_jobs SET locked_at = now() WHERE locked_by = ? RETURNING id`, [
      worker,
    ]);
  }

  /**
   * Frees the jobs of workers that live no more, and gives their names. graphile-worker itself waits four hours, because it cannot
   * know. Should one of them live after all, then the lease of the batch keeps the next one away.
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
    for (const worker of dead) await this.read(`SELECT ${this.#schema}.force_unlock_workers(ARRAY[?::text])`, [worker]);
    // Of a job that was asked for once more while it was taken, the queue keeps the first as one that failed.
    const spent = `SELECT array_agg(id) FROM ${this.#schema}.jobs WHERE locked_at IS NULL AND attempts >= max_attempts`;
    if (dead.length > 0) await this.read(`SELECT id FROM ${this.#schema}.complete_jobs((${spent}))`);
    return dead;
  }
}
