/**
 * The disk of a simulated machine: the SQL port of the ledger on a database in memory that outlives its processes. A
 * commit is kept or lost by the setting that the real ledger opens its file with, which is read from the real thing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  type Database,
  type Reader,
  RowsDiffer,
  type SqlRow,
  type SqlValue,
  type Statement,
} from '../../../src/database/database.ts';
import { SERVER_PLACE } from '../../../src/database/postgres/address.ts';
import { Connection, openDurable } from '../../../src/database/sqlite.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { ledgerSchema } from '../../../src/ledger/schema.ts';
import type { Chance } from '../../support/seeded-random.ts';
import { CheckpointDisk } from './checkpoint-disk.ts';
import { LockTable, locksOf } from './locks.ts';
import { type Host, never, type SimulatedProcess } from './machine.ts';
import { SharedDatabase } from './shared-database.ts';
import { StillReaders } from './still-readers.ts';
import { type Engine, Transactions } from './transactions.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

/** Commits that a disk without a sync at each may forget. */
const FORGOTTEN_MAX = 6;
/** `PRAGMA synchronous`: FULL and EXTRA sync a write-ahead log at each commit, NORMAL and OFF do not. */
const SYNCS_EACH_COMMIT = 2n;

type Group = Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>;

/** Hears what becomes of the writes of one process. */
export interface DiskListener {
  /** A group is on the disk. */
  wrote(): void;
  /** The process learns that a write failed. */
  failed(): void;
}

/** A database on which several processes work at the same time. */
export interface Shared {
  readonly engine: Engine;
  readonly after: (ms: number, run: () => void) => void;
}

/** Commits after which a copy may be behind. */
const HISTORY = 12;

/** The computer whose checkpoint is on the disk of the ledger. */
const DESK = 'desk';

export class Disk {
  readonly #chance: Chance;
  readonly #witness: Witness;
  readonly #habits: World['disk'];
  #connection: Connection;
  #handle: Sqlite.Database;
  /** Contents after the latest commits, the oldest first; kept only where a commit can be forgotten. */
  #latest: Buffer[] = [];
  #writes = 0;
  readonly #stills = new StillReaders();
  #checkpointsSynced = 0;
  #failed = false;
  readonly checkpoints: CheckpointDisk;
  /** Its leases. Files that are locked stay where they are when the ledger beside them is replaced. */
  readonly locks: LockTable;
  /** The ledger was put back or lost beneath whoever works on it: two may have the same lease, each of one of them. */
  wasReplaced = false;
  readonly #shared: Shared | undefined;
  #transactions: Transactions | undefined;
  /** Checkpoints of other computers. */
  readonly #marksElsewhere = new Map<Host, CheckpointDisk>();
  readonly #replaced: Connection[] = [];
  /** Which database each of several processes has open. */
  readonly #seenBy = new Map<SimulatedProcess, Connection>();
  #tellCheckpoint: CheckpointDisk['emit'];
  /** Contents after the latest commits, for whoever puts one of them back; kept when it is wanted. */
  history: Buffer[] | undefined;
  readonly #now: () => number;
  /** The latest ledger that was made on it: those of another disk have other numbers. */
  ledgers = 1;
  calm = false;

  /** `isServer`: computers reach it over a network. */
  constructor(
    { chance, witness, now, isServer }: { chance: Chance; witness: Witness; now: () => number; isServer: boolean },
    habits: World['disk'],
    shared?: Shared,
  ) {
    this.#chance = chance;
    this.#now = now;
    this.#shared = shared;
    this.checkpoints = this.#newCheckpoints();
    this.#witness = witness;
    this.#habits = habits;
    this.#handle = new Sqlite(emptyLedger());
    this.#connection = new Connection(this.#handle);
    this.locks = new LockTable(isServer, now);
    this.#transactions = this.#newTransactions();
  }

  #newCheckpoints(): CheckpointDisk {
    const [chance, now] = [this.#chance, this.#now];
    const checkpoints = new CheckpointDisk({
      chance,
      now,
      latencyMs: () => this.latencyMs(),
      fails: () => this.#markFails(),
    });
    // Computers that share a server have a checkpoint each, which says nothing of what the others began.
    if (this.#shared?.engine === 'server') checkpoints.identity = `${SERVER_PLACE}/a timeline`;
    return checkpoints;
  }

  #newTransactions(): Transactions | undefined {
    if (!this.#shared) return undefined;
    const [connection, handle] = [this.#connection, this.#handle];
    const content = (): Buffer => handle.serialize();
    const committed = (): void => {
      if (this.history && handle === this.#handle) this.history = [...this.history.slice(1 - HISTORY), content()];
    };
    return new Transactions({ ...this.#shared, connection, content, committed });
  }

  /** Where a computer has its checkpoint: each has its own where a server has the ledger. */
  marksOf(host: Host): CheckpointDisk {
    if (this.#shared?.engine !== 'server' || host.name === DESK) return this.checkpoints;
    let known = this.#marksElsewhere.get(host);
    if (!known) {
      known = this.#newCheckpoints();
      known.identity = this.checkpoints.identity;
      known.emit = this.#tellCheckpoint;
      this.#marksElsewhere.set(host, known);
    }
    return known;
  }

  /** Tells whenever a checkpoint takes the place of another one, up to which fact either goes. */
  onCheckpoint(emit: (before: number, after: number) => void): void {
    this.#tellCheckpoint = emit;
    for (const checkpoints of [this.checkpoints, ...this.#marksElsewhere.values()]) checkpoints.emit = emit;
  }

  /** Another content takes the place of this one beneath all who work on it; `place`: what is said of it from now on. */
  replaceBeneath(content: Buffer, place: string | undefined): void {
    if (this.#transactions) this.#transactions.isOver = true;
    this.wasReplaced = true;
    if (this.#shared?.engine === 'server') this.locks.clear();
    this.#replaced.push(this.#connection);
    this.#handle = new Sqlite(content);
    this.#connection = new Connection(this.#handle);
    this.#transactions = this.#newTransactions();
    if (place === undefined) return;
    for (const checkpoints of [this.checkpoints, ...this.#marksElsewhere.values()]) checkpoints.identity = place;
  }

  /** The ledger's database as one process sees it. */
  attach(process: SimulatedProcess, listener: DiskListener): Database {
    const [transactions, chance] = [this.#transactions, this.#chance];
    if (!transactions) return new AttachedDatabase(this, process, listener);
    const onceIn = (times: number): boolean => chance.onceIn(times);
    this.#seenBy.set(process, this.#connection);
    return new SharedDatabase({
      transactions,
      locks: this.locks,
      process,
      listener,
      latencyMs: () => this.latencyMs(),
      onceIn,
    });
  }

  /** Lets a reader stand still until its work is done. */
  still<T>(isWanted: () => boolean, work: (still: Reader['read']) => Promise<T>): Promise<T> {
    return this.#stills.read(isWanted, () => this.#connection, work);
  }

  /** What is on the disk now, for the judge. */
  rows(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#connection.all(sql, values);
  }

  /** The same as a process sees it, which has the database still open that another one took the place of. */
  rowsSeenBy(process: SimulatedProcess, sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return (this.#seenBy.get(process) ?? this.#connection).all(sql, values);
  }

  content(): Buffer {
    return this.#handle.serialize();
  }

  close(): void {
    for (const connection of this.#replaced) connection.close();
    this.#connection.close();
  }

  /** Puts other content in the place of all that is there; an empty ledger when none is given. */
  replace(content?: Buffer): void {
    this.locks.clear();
    if (content === undefined) this.ledgers += 1;
    this.#stills.freeze(() => this.content());
    this.#connection.close();
    this.#handle = new Sqlite(content ?? emptyLedger());
    this.#connection = new Connection(this.#handle);
  }

  /** Takes over the whole folder of another disk, as it stands now; `isTold`: the file system shows that it is a copy. */
  copyFrom(other: Disk, isTold: boolean): void {
    this.replace(other.content());
    this.checkpoints.put(other.checkpoints.checkpoint);
    if (isTold) this.checkpoints.identity = 'a copy of the ledger';
  }

  /** The power fails: what was not synced is gone. */
  losePower(): void {
    const forgotten = this.#latest[Math.max(0, this.#latest.length - 1 - this.#chance.between(1, FORGOTTEN_MAX))];
    this.#latest = [];
    if (!syncsEachCommit() && forgotten) this.replace(forgotten);
    this.checkpoints.losePower();
  }

  #markFails(): boolean {
    if (!this.calm) this.#checkpointsSynced += 1;
    const fails = !this.calm && !this.#failed && this.#checkpointsSynced === this.#habits.failsAtCheckpoint;
    if (fails) this.#noteFailure('disk-full');
    return fails;
  }

  latencyMs(): number {
    const { latencyMs, slowShare } = this.#habits;
    if (!this.calm && slowShare > 0 && this.#chance.below(1000) < slowShare * 1000)
      return this.#chance.between(20, 3000);
    return latencyMs === 0 ? 0 : this.#chance.below(latencyMs);
  }

  /** Runs a group as one transaction. Throws what the adapter of the real ledger throws. */
  commit(group: Iterable<Statement | readonly Statement[]>): void {
    if (!this.calm) this.#writes += 1;
    const fails = !this.calm && !this.#failed && this.#writes === this.#habits.failsAtWrite;
    const kept = fails && this.#chance.onceIn(2);
    this.#stills.freeze(() => this.content());
    this.#connection.run('BEGIN IMMEDIATE', []);
    try {
      for (const one of group) this.#runAll('sql' in one ? [one] : one);
      if (fails && !kept) throw unsafe('disk full');
      this.#connection.run('COMMIT', []);
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK', []);
      if (fails) this.#noteFailure('disk-full');
      throw error instanceof Sqlite.SqliteError ? unsafe(error.message) : error;
    }
    if (!syncsEachCommit()) this.#latest = [...this.#latest.slice(-FORGOTTEN_MAX), this.content()];
    if (!kept) return;
    this.#noteFailure('disk-error');
    throw unsafe('input/output error');
  }

  #runAll(statements: readonly Statement[]): void {
    for (const statement of statements) {
      const rows = this.#connection.run(statement.sql, statement.values);
      if (statement.expect !== undefined && rows !== statement.expect) throw new RowsDiffer(statement, rows);
    }
  }

  #noteFailure(kind: 'disk-full' | 'disk-error'): void {
    this.#failed = true;
    this.#witness.saw(kind);
  }
}

class AttachedDatabase implements Database {
  readonly #disk: Disk;
  readonly #process: SimulatedProcess;
  readonly #listener: DiskListener;
  #turn: Promise<void> = Promise.resolve();
  #failure: Fault | undefined;

  constructor(disk: Disk, process: SimulatedProcess, listener: DiskListener) {
    this.#disk = disk;
    this.#process = process;
    this.#listener = listener;
  }

  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    if (this.#process.gone('read:before')) return never();
    this.#assertConnected();
    const rows = this.#disk.rows(sql, values);
    return this.#process.gone('read:after') ? never() : rows;
  }

  readLocked(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.read(sql, values);
  }

  get lingersMs(): number {
    return this.#disk.locks.lingersMs;
  }

  async tryLock(name: string): Promise<boolean> {
    if (this.#process.gone('read:before')) return never();
    this.#assertConnected();
    return locksOf(this.#disk.locks, this.#process).tryLock(name);
  }

  unlock(name: string): Promise<void> {
    return locksOf(this.#disk.locks, this.#process).unlock(name);
  }

  lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    return locksOf(this.#disk.locks, this.#process).lockedOf(names);
  }

  /** A server that heard nothing of this computer for long has closed its connections. */
  #assertConnected(): void {
    if (!this.#disk.locks.isCutOff(this.#process)) return;
    this.#failure ??= unsafe('the connection was closed');
    this.#listener.failed();
    throw this.#failure;
  }

  async snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T> {
    if (this.#process.gone('read:before')) return never();
    this.#assertConnected();
    return this.#disk.still(
      () => this.#process.alive,
      (read) => work({ read }),
    );
  }

  write(statements: Group): Promise<void> {
    const written = this.#turn.then(() => this.#group(statements));
    const over = (): void => undefined;
    this.#turn = written.then(over, over);
    return written;
  }

  async compact(): Promise<void> {
    // Nobody of these worlds deletes anything.
  }

  assertInPlace(): void {
    // Nobody takes files away beneath a simulated process.
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

  async #group(group: Group): Promise<void> {
    if (this.#process.gone('write:before')) return never();
    if (this.#failure) throw this.#failure;
    this.#assertConnected();
    const statements = Symbol.asyncIterator in group ? await collected(group) : group;
    return new Promise((resolve, reject) => {
      this.#process.reach(this.#disk.latencyMs(), () => {
        // A computer that slept meanwhile wakes without a connection.
        const error = this.#disk.locks.isCutOff(this.#process)
          ? unsafe('the connection was closed')
          : this.#commit(statements);
        if (this.#process.gone('write:committed')) return;
        this.#process.reach(this.#disk.latencyMs(), () => {
          if (error === undefined) return resolve();
          if (error instanceof Fault) this.#listener.failed();
          reject(error);
        });
      });
    });
  }

  #commit(statements: Iterable<Statement | readonly Statement[]>): unknown {
    try {
      this.#disk.commit(statements);
      this.#listener.wrote();
      return undefined;
    } catch (error) {
      // After a failed write the disk may hold less than it said: this process writes no more.
      if (error instanceof Fault) this.#failure = error;
      return error;
    }
  }
}

async function collected(blocks: AsyncIterable<readonly Statement[]>): Promise<readonly Statement[]> {
  const all: Statement[] = [];
  for await (const block of blocks) all.push(...block);
  return all;
}

const unsafe = (what: string): Fault => new Fault('ledger-unsafe', `The ledger cannot be written: ${what}.`, 'Resume.');

let empty: Buffer | undefined;

/** A ledger that nobody has used, with an index of the judge's own. */
function emptyLedger(): Buffer {
  if (empty === undefined) {
    const handle = new Sqlite(':memory:');
    for (const statement of ledgerSchema.statements) handle.exec(statement);
    handle.exec('CREATE INDEX judge_fact ON fact (position, type)');
    empty = handle.serialize();
    handle.close();
  }
  return empty;
}

let synced: boolean | undefined;

/** Whether the real ledger syncs its file at each commit. */
function syncsEachCommit(): boolean {
  if (synced === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-simulation-'));
    const file = path.join(folder, 'ledger.db');
    new Sqlite(file).close();
    const connection = openDurable(file);
    synced = (connection.setting('synchronous') as bigint) >= SYNCS_EACH_COMMIT;
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return synced;
}
