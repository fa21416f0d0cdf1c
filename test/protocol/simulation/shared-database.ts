/**
 * The ledger's database as one of several processes sees it that work on it at the same time. Statements take their time, whoever
 * else writes meanwhile, and a process may die or be stopped between any two of them.
 */

import Sqlite from 'better-sqlite3';
import {
  type Database,
  DatabaseBusy,
  type Reader,
  type SqlRow,
  type SqlValue,
  type Statement,
} from '../../../src/database/database.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { ledgerSchema } from '../../../src/ledger/schema.ts';
import type { DiskListener } from './disk.ts';
import { type LockTable, locksOf } from './locks.ts';
import { never, type PointKind, type SimulatedProcess } from './machine.ts';
import type { Transaction, Transactions } from './transactions.ts';

/** How long the real adapters wait for a lock, in milliseconds. */
const LOCK_MS = { file: 100, server: 20_000 } as const;
/** How long the server waits for the next word of a transaction, in milliseconds. */
const ABANDONED_MS = 5000;
/** One read in so many takes its time. */
const SLOW_READS = 4;

type Group = Parameters<Database['write']>[0];

export interface SharedDeps {
  readonly transactions: Transactions;
  readonly locks: LockTable;
  readonly process: SimulatedProcess;
  readonly listener: DiskListener;
  /** How long the next journey to the database takes, in milliseconds. */
  readonly latencyMs: () => number;
  readonly onceIn: (times: number) => boolean;
}

export class SharedDatabase implements Database {
  readonly #deps: SharedDeps;
  #turn: Promise<void> = Promise.resolve();
  #failure: Fault | undefined;

  constructor(deps: SharedDeps) {
    this.#deps = deps;
  }

  read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    const { transactions } = this.#deps;
    return this.#read(async () => transactions.deps.connection.all(sql, values));
  }

  snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T> {
    const { transactions, process } = this.#deps;
    return transactions.still(
      () => process.alive,
      (read) => work({ read: (sql, values) => this.#read(() => read(sql, values)) }),
    );
  }

  readLocked(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#read(async () => {
      this.assertInPlace();
      return this.#deps.transactions.deps.connection.all(sql, values);
    });
  }

  get lingersMs(): number {
    return this.#deps.locks.lingersMs;
  }

  async tryLock(name: string): Promise<boolean> {
    const { process, locks, onceIn } = this.#deps;
    if (process.gone('read:before')) return never();
    if (onceIn(SLOW_READS)) await this.#pass();
    this.#assertConnected();
    return locksOf(locks, process).tryLock(name);
  }

  unlock(name: string): Promise<void> {
    return locksOf(this.#deps.locks, this.#deps.process).unlock(name);
  }

  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    return locksOf(this.#deps.locks, this.#deps.process).lockedOf(names);
  }

  async #read(look: () => Promise<readonly SqlRow[]>): Promise<readonly SqlRow[]> {
    const { process, onceIn } = this.#deps;
    if (process.gone('read:before')) return never();
    this.#assertConnected();
    if (onceIn(SLOW_READS)) await this.#pass();
    this.#assertConnected();
    const rows = await look();
    return process.gone('read:after') ? never() : rows;
  }

  write(group: Group): Promise<void> {
    const written = this.#turn.then(() => this.#transaction(group));
    const over = (): void => undefined;
    this.#turn = written.then(over, over);
    return written;
  }

  async compact(): Promise<void> {
    // Nobody of these worlds deletes anything.
  }

  assertInPlace(): void {
    if (this.#deps.transactions.isOver) throw this.#fail('it is another one now');
    if (this.#deps.locks.isRobbed(this.#deps.process)) throw this.#fail('the file of its lock was removed');
    if (this.#failure) throw this.#failure;
  }

  async tablesVersion(): Promise<number> {
    return ledgerSchema.version;
  }

  async relied(): Promise<readonly []> {
    return [];
  }

  async close(): Promise<void> {
    await this.#turn;
  }

  async #transaction(group: Group): Promise<void> {
    const { process, listener } = this.#deps;
    if (this.#point('write:before')) return never();
    if (this.#failure) throw this.#failure;
    const made = await this.#begun();
    process.died.then(() => {
      if (!made.isCommitting) made.end();
    });
    try {
      for await (const one of group) await this.#block(made, 'sql' in one ? [one] : one);
    } catch (error) {
      made.end();
      throw error;
    }
    made.isCommitting = true;
    await this.#journey();
    this.#assertConnected();
    let isKept = false;
    try {
      isKept = made.commit();
    } catch (error) {
      throw this.#said(error);
    }
    if (!isKept) throw this.#fail('the server gave the transaction up');
    if (process.alive) listener.wrote();
    if (this.#point('write:committed')) return never();
    await this.#pass();
  }

  async #begun(): Promise<Transaction> {
    const { transactions } = this.#deps;
    await this.#pass();
    this.#assertConnected();
    const made = await transactions.begin(LOCK_MS.file);
    if (!made) throw new DatabaseBusy('of the simulation', undefined);
    // Whoever waited for it may have died meanwhile.
    if (!this.#deps.process.alive) {
      made.end();
      return never();
    }
    return made;
  }

  async #block(made: Transaction, block: readonly Statement[]): Promise<void> {
    const { transactions } = this.#deps;
    const isServer = transactions.deps.engine === 'server';
    if (isServer) await this.#journey();
    this.#assertConnected();
    try {
      if (!(await made.run(block, LOCK_MS.server))) throw new DatabaseBusy('of the simulation', undefined);
    } catch (error) {
      throw this.#said(error);
    }
    if (!isServer) return;
    const { heard } = made;
    transactions.deps.after(ABANDONED_MS, () => {
      if (made.heard === heard && !made.isCommitting) made.end();
    });
    await this.#pass();
    if (made.isOver) throw this.#fail('the server gave the transaction up');
  }

  /** The way to the database: what has left arrives, whatever becomes of its process. */
  #journey(): Promise<void> {
    return new Promise((resolve) => this.#deps.transactions.deps.after(this.#deps.latencyMs(), resolve));
  }

  /** The way back, or time of its own: it ends with the process, and waits while that is stopped. */
  #pass(): Promise<void> {
    return new Promise((resolve) => this.#deps.process.reach(this.#deps.latencyMs(), resolve));
  }

  #point(kind: PointKind): boolean {
    return this.#deps.process.gone(kind);
  }

  /** A server that was put back, or heard nothing for long, has cut somebody off; a file that was taken away is still there for whoever has it open. */
  #assertConnected(): void {
    const { transactions, locks, process } = this.#deps;
    const isClosed = transactions.isOver && transactions.deps.engine === 'server';
    if (isClosed || locks.isCutOff(process)) throw this.#fail('the connection was closed');
  }

  #said(error: unknown): unknown {
    return error instanceof Sqlite.SqliteError ? this.#fail(error.message) : error;
  }

  #fail(why: string): Fault {
    this.#failure ??= new Fault('ledger-unsafe', `The ledger cannot be relied on: ${why}.`, 'Resume.');
    if (this.#deps.process.alive) this.#deps.listener.failed();
    return this.#failure;
  }
}
