/**
 * Transactions of several connections on one simulated database, with the locks of the real one. What a transaction has written is
 * played and taken back again until it is committed, so nobody else sees it before. A `file` has one writer (SQLite); a `server`
 * locks rows, and each statement sees what was committed before it (PostgreSQL, read committed).
 */
import { type Reader, RowsDiffer, type Statement } from '../../../src/database/database.ts';
import type { Connection } from '../../../src/database/sqlite.ts';
import { StillReaders } from './still-readers.ts';

export type Engine = 'file' | 'server';

/** One writer at a time: the lock of a file. */
const WHOLE_FILE = 'file';

export interface TransactionsDeps {
  readonly engine: Engine;
  readonly connection: Connection;
  /** All that is committed. */
  readonly content: () => Buffer;
  /** Simulated time goes on by itself, whoever waits. */
  readonly after: (ms: number, run: () => void) => void;
  readonly committed: () => void;
}

interface Waiter {
  readonly by: Transaction;
  readonly give: (has: boolean) => void;
}

export class Transactions {
  readonly deps: TransactionsDeps;
  readonly #holders = new Map<string, Transaction>();
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #stills = new StillReaders();
  /** Whoever is connected is cut off: the database is another one now. */
  isOver = false;

  constructor(deps: TransactionsDeps) {
    this.deps = deps;
  }

  /** Begins a transaction; undefined: a file is written by somebody else for longer than is waited for. */
  async begin(waitMs: number): Promise<Transaction | undefined> {
    const made = new Transaction(this);
    if (this.deps.engine === 'server' || (await this.lock(made, WHOLE_FILE, waitMs))) return made;
    return undefined;
  }

  isFree(by: Transaction, key: string): boolean {
    const holder = this.#holders.get(key);
    return holder === undefined || holder === by;
  }

  /** Gives a lock as soon as it is free; false when that takes longer than it is waited for. What is over gets none, and needs none. */
  lock(by: Transaction, key: string, waitMs: number): Promise<boolean> {
    if (by.isOver) return Promise.resolve(true);
    if (this.isFree(by, key)) {
      this.#holders.set(key, by);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = { by, give: resolve };
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiter]);
      this.deps.after(waitMs, () => {
        const waiting = this.#waiting.get(key) ?? [];
        if (!waiting.includes(waiter)) return;
        this.#waiting.set(
          key,
          waiting.filter((one) => one !== waiter),
        );
        resolve(false);
      });
    });
  }

  /** Lets go of all that a transaction had; whoever waited longest is next. */
  release(by: Transaction): void {
    for (const [key, holder] of [...this.#holders]) {
      if (holder !== by) continue;
      this.#holders.delete(key);
      const [next, ...others] = (this.#waiting.get(key) ?? []).filter((waiter) => !waiter.by.isOver);
      this.#waiting.set(key, others);
      if (!next) continue;
      this.#holders.set(key, next.by);
      next.give(true);
    }
  }

  /** Lets a reader stand still until its work is done. */
  still<T>(isWanted: () => boolean, work: (still: Reader['read']) => Promise<T>): Promise<T> {
    return this.#stills.read(isWanted, () => this.deps.connection, work);
  }

  /** Plays statements on top of others, and keeps them or takes all of it back. */
  play(before: readonly Statement[], statements: readonly Statement[], isKept: boolean): void {
    if (isKept) this.#stills.freeze(this.deps.content);
    const { connection } = this.deps;
    connection.run('BEGIN IMMEDIATE', []);
    try {
      for (const { sql, values } of before) connection.run(sql, values);
      for (const statement of statements) {
        const rows = connection.run(statement.sql, statement.values);
        if (statement.expect !== undefined && rows !== statement.expect) throw new RowsDiffer(statement, rows);
      }
      if (isKept) connection.run('COMMIT', []);
    } finally {
      if (connection.inTransaction) connection.run('ROLLBACK', []);
    }
    if (isKept) this.deps.committed();
  }
}

export class Transaction {
  readonly #all: Transactions;
  #log: readonly Statement[] = [];
  /** It was committed or taken back; nothing of it goes on. */
  isOver = false;
  /** Its commit has left: whatever becomes of its process, it arrives. */
  isCommitting = false;
  /** How often something was heard of it. */
  heard = 0;

  constructor(all: Transactions) {
    this.#all = all;
  }

  /** Runs a block. Gives false when a lock was not to be had in time; throws `RowsDiffer`, and what the database says. */
  async run(block: readonly Statement[], waitMs: number): Promise<boolean> {
    this.heard += 1;
    let pending: Statement[] = [];
    for (const statement of block) {
      const key = this.#all.deps.engine === 'server' ? lockOf(statement) : undefined;
      if (key !== undefined) {
        if (!this.#all.isFree(this, key)) {
          this.#play(pending);
          pending = [];
        }
        if (!(await this.#all.lock(this, key, waitMs))) return false;
      }
      pending.push(statement);
    }
    this.#play(pending);
    return true;
  }

  #play(statements: readonly Statement[]): void {
    if (this.isOver || statements.length === 0) return;
    this.#all.play(this.#log, statements, false);
    this.#log = [...this.#log, ...statements];
  }

  /** Keeps all of it, unless the server has given it up. */
  commit(): boolean {
    if (this.isOver) return false;
    try {
      this.#all.play([], this.#log, true);
    } finally {
      this.end();
    }
    return true;
  }

  /** Takes all of it back, unless it is over. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#all.release(this);
  }
}

const isLeaseName = (value: unknown): value is string =>
  typeof value === 'string' && /^(planning|practice|batch .*)$/.test(value);

/** The row that a statement locks, as far as another process might want it too; whatever else is written stands behind the head. */
function lockOf({ sql, values }: Statement): string | undefined {
  const [, table] = /^(?:UPDATE|INSERT INTO) (\w+)/.exec(sql) ?? [];
  if (table === 'lease') return `lease ${values.find(isLeaseName) ?? ''}`;
  return table === 'head' || table === 'epoch' || table === 'meta' ? table : undefined;
}
