/**
 * The ledger: what happened, on disk before and after every step. Everything that is written goes through a lease that
 * one process holds; facts are appended and never changed; the rest is moved by them in the same transaction.
 */
import { randomUUID } from 'node:crypto';
import type { BatchHeader, HeldOrder, PlannedBlock, ResultRow, Tally } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { RunTerms, StopRecord } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import * as reading from './batches.ts';
import { changeKey } from './change-key.ts';
import { type NewSalt, randomSalt } from './commitment.ts';
import type { Database } from './database.ts';
import type { LedgerDoubt } from './doubt.ts';
import { differences, type LedgerEvidence } from './evidence.ts';
import { facts } from './facts.ts';
import { Keyring } from './keyring.ts';
import { holderOf, type LeaseHolder } from './lease.ts';
import { type DoubtReason, type LedgerFiles, type MarkedBatch, markBeside, ownFiles } from './mark.ts';
import { MarkKeeper } from './mark-keeper.ts';
import { quoteOf, unsentNeed } from './need.ts';
import * as orders from './orders.ts';
import { knownPayees, type LedgerPayees, paymentsTo, paymentsToOthers, unpaidRows } from './payees.ts';
import { type Account, clientChanges, identityOf, type LedgerAccount, Pin } from './pin.ts';
import { planBatch } from './plan.ts';
import { planRetry, type RetryPlan } from './plan-retry.ts';
import { Proof } from './proof.ts';
import { type RunHistory, runHistory } from './runs.ts';
import { ledgerSchema } from './schema.ts';
import { lastFactOf } from './signed-head.ts';
import type { LedgerKeys } from './signing.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import type { OrderStep, StoredOrder } from './stored-order.ts';
import { Writer } from './writer.ts';

export type {
  Account,
  DoubtReason,
  LeaseHolder,
  LedgerKeys,
  MarkedBatch,
  OrderStep,
  RetryPlan,
  RunHistory,
  StoredOrder,
};

export interface LedgerOptions {
  /** The ledger's file; its folder is made when it is missing. */
  readonly path: string;
  /** A second mark of the ledger (`mark.ts`), outside of its folder: it tells when the folder itself was lost. */
  readonly markCopy?: string;
  /** Where the key is that it is signed with. Never in its own folder: who edits the ledger would have it. */
  readonly keys: LedgerKeys;
  readonly clock: Clock;
  /** Who takes the lease, should it be taken. */
  readonly holder: LeaseHolder;
  /** Whether a process of this machine still runs. */
  readonly isAlive: (holder: LeaseHolder) => boolean;
  /** Told when the lease is waited for, because nobody can tell yet whether its holder lives. */
  readonly onSilence?: (holder: LeaseHolder, forMs: number) => void;
  /** Ends that waiting. */
  readonly signal?: AbortSignal;
}

/**
 * What the ledger says is proven before it is given out: a Fault `ledger-unsafe` (exit 10) names the first record that is not what
 * its facts say, `configuration` (exit 2) the key that is missing.
 *
 * Every method that writes resolves when the record is on disk, and rejects with a Fault `ledger-unsafe` (exit 10) when
 * it may not be; no later write is then taken. Methods marked "lease" need `takeLease` first, and reject with
 * `ledger-held` (exit 75) when another run has taken it over.
 */
export interface Ledger extends LedgerAccount, LedgerDoubt, LedgerEvidence, LedgerPayees {
  /**
   * Gives the epoch. Fault `ledger-held` naming the holder while another one lives. One that is gone is replaced; one that
   * only seems to be is watched for a minute before. Fault `configuration` when another account was first to plan a batch.
   */
  takeLease(): Promise<number>;
  /** Who has the lease, as it is written there; undefined while nobody has it. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Lease. Says that this run lives; needed at least once in a minute in which nothing else is written. */
  renewLease(): Promise<void>;
  /**
   * Lease. A Fault `ledger-held` when another run has taken it, `ledger-unsafe` when the files are no longer the ones that
   * were opened: nobody else is kept out then. It reads alone.
   */
  proveLease(): Promise<void>;
  /** Lease. Records that a run works on the batch from here on, and on which terms. */
  recordRun(batch: BatchId, version: string, terms?: RunTerms): Promise<void>;
  /** Lease. Records why the run that `recordRun` began came to its end, and what stopped it from sending. */
  recordStop(reason: string, stop?: StopRecord): Promise<void>;
  /** How the latest run of the batch began and ended since its latest plan. */
  runHistory(batch: BatchId): Promise<RunHistory>;
  /**
   * Lease, and `useFor`. Records the whole plan of a batch or nothing of it, and that it supersedes the orders of earlier ones
   * that it holds. The source must not write to the ledger meanwhile.
   */
  planBatch(
    header: BatchHeader,
    blocks: AsyncIterable<PlannedBlock> | Iterable<PlannedBlock>,
    held?: Iterable<HeldOrder>,
  ): Promise<void>;
  /**
   * Lease. Records all new attempts or none of them: each row belongs to its new order from then on, and the old order
   * and its facts stay. Fault `ledger-unsafe` when an order has changed since it was read.
   */
  planRetry(plan: RetryPlan): Promise<void>;
  findBatch(id: BatchId): Promise<BatchHeader | undefined>;
  /** The batch that a person calls so: by its name, in any case, or by the id of one without. */
  findBatchCalled(called: string): Promise<BatchHeader | undefined>;
  latestBatch(): Promise<BatchHeader | undefined>;
  /** All batches, the latest first. */
  batches(): Promise<readonly BatchHeader[]>;
  /** Orders that were never claimed and not superseded, in sheet order; `after`: only those planned after this position. */
  unsentOrders(batch: BatchId, limit: number, after?: number): Promise<readonly StoredOrder[]>;
  /** Those of them that look-ups can prove unsent, the smallest ids first. */
  smallestUnsent(batch: BatchId, limit: number): Promise<readonly StoredOrder[]>;
  /** Whether an order of the batch was claimed, found or otherwise heard of since it was planned. */
  isBegun(batch: BatchId): Promise<boolean>;
  /** Amount and charges of the rows that are still to be sent. It reads every row. */
  unsentNeed(batch: BatchId): Promise<{ readonly amount: Money; readonly charges: Money }>;
  /** The charge that was quoted for a row; undefined when none was. */
  quoteOf(batch: BatchId, row: number): Promise<Money | undefined>;
  /** Rows still to be sent of which no look-up can prove that they are unpaid: their orders are of a send-once submission. */
  unverifiableRows(batch: BatchId): Promise<number>;
  /** Orders due by `now`, the longest due first. */
  dueOrders(batch: BatchId, now: number, limit: number): Promise<readonly StoredOrder[]>;
  nextDueAt(batch: BatchId): Promise<number | undefined>;
  findOrder(batch: BatchId, id: OrderId): Promise<StoredOrder | undefined>;
  /** What the service contradicted in this batch; empty while nothing speaks against it that no person has dealt with. */
  alarms(batch: BatchId): Promise<readonly string[]>;
  /** Orders with such alarms, in sheet order. */
  alarmedOrders(batch: BatchId): Promise<readonly StoredOrder[]>;
  /**
   * Lease. Claims orders of the batch for sending: only what it gives back may be posted. `dueAt` null: nobody but who
   * claims looks at them; should it die, `reopen` makes them due. Fault `ledger-unsafe` when an order has changed since
   * it was read; nothing is claimed then.
   */
  claim(
    orders: readonly StoredOrder[],
    at: number,
    epoch: number,
    dueAt: number | null,
  ): Promise<readonly StoredOrder[]>;
  /** Lease. Appends what happened, moves the orders by it, and gives them back as they are now. Faults as `claim`. */
  record(steps: readonly OrderStep[]): Promise<readonly StoredOrder[]>;
  /** Orders that the service was the last to accept, as far as this ledger knows; the latest first. */
  latestAccepted(batch: BatchId, limit: number): Promise<readonly StoredOrder[]>;
  /** Lease. Makes every order whose outcome may still change due at `now`; ones never claimed stay unsent. */
  reopen(batch: BatchId, now: number): Promise<void>;
  /** Count, amount and fees of every outcome that occurs. */
  tallies(batch: BatchId): Promise<readonly Tally[]>;
  /** One row of the sheet by its number. */
  findRow(batch: BatchId, row: number): Promise<ResultRow | undefined>;
  /** Every row of the sheet, in sheet order, in blocks. */
  resultRows(batch: BatchId): AsyncIterable<readonly ResultRow[]>;
  close(): Promise<void>;
}

/** Opens a ledger, or makes a new one. Throws a Fault `ledger-unsafe` when it cannot be relied on. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const database = openSqliteDatabase(options.path, ledgerSchema);
  try {
    return await ledgerOn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What a ledger takes from its machine, unless it is told otherwise. */
interface LedgerPorts {
  readonly files?: LedgerFiles;
  readonly newUuid?: () => string;
  readonly newSalt?: NewSalt;
}

/** The ledger of a database that is open, and is closed with it. */
export async function ledgerOn(
  database: Database,
  options: LedgerOptions,
  { files = ownFiles, newUuid = randomUUID, newSalt = randomSalt }: LedgerPorts = {},
): Promise<Ledger> {
  const { path, markCopy } = options;
  const { ledgerUuid } = await identityOf(database, newUuid);
  const keyring = new Keyring(ledgerUuid, options.keys);
  const proof = new Proof({ database, ledgerUuid, keyring });
  const pin = new Pin(database);
  const writer = new Writer({ ...options, database, ledgerUuid, proof, keyring });
  const moving = { writer, proof };
  const paths = [markBeside(path), ...(markCopy === undefined ? [] : [markCopy])];
  const { machine } = options.holder;
  const place = { ...(machine !== undefined && { machine }), file: files.identityOf(path) };
  const marks = new MarkKeeper({ database, ledgerUuid, proof, keyring, paths, files, place, clock: options.clock });
  /** What is read is proven first: of a batch, of all batches since a time, or of the facts alone. */
  const of = <T>(batch: BatchId, read: () => Promise<T>): Promise<T> => proof.batch(batch).then(read);
  const since = <T>(plannedAt: number, read: () => Promise<T>): Promise<T> => proof.since(plannedAt).then(read);
  const proven = <T>(read: () => Promise<T>): Promise<T> => proof.facts().then(read);
  return {
    useFor: (account) => pin.useFor(account),
    tiedTo: () => pin.tiedTo(),
    renewClient: (account, said) => pin.renewClient(account, said, moving, options.clock.now()),
    changeKey: (said) => changeKey({ database, moving, keyring, at: options.clock.now() }, said),
    clientChanges: () => proven(() => clientChanges(database)),
    async takeLease() {
      if (writer.holds) return writer.epoch;
      const epoch = await writer.take();
      // From here on nobody else plans: whose it is now, it stays.
      await pin.hold();
      // Only now: the holder before could append until the epoch had changed.
      await proof.facts('again');
      await marks.judge();
      await marks.settle(epoch, writer.head);
      return epoch;
    },
    holder: () => holderOf(database),
    renewLease: () => writer.renew(),
    async proveLease() {
      database.assertInPlace();
      await writer.prove();
    },
    async recordRun(batch, version, terms) {
      await proof.batchAnew(batch);
      await writer.recordRun(batch, version, terms);
      await marks.begin(batch, writer.epoch, writer.head);
    },
    async recordStop(reason, stop) {
      await writer.recordStop(reason, stop);
      await marks.advance(writer.head);
    },
    runHistory: (batch) => proven(() => runHistory(database, batch)),
    doubt: (batch) => proven(() => marks.doubt(batch)),
    vouchNew: () => marks.vouch(writer.epoch, writer.head),
    suspect: () => marks.suspect(writer.epoch, writer.head),
    dispelDoubt: (batch, which) => marks.dispel(batch, which),
    lostBatches: () => proven(() => marks.lostBatches()),
    closeLost: (closed) => marks.close(closed, writer.epoch, writer.head),
    async planBatch(header, blocks, held = []) {
      await pin.hold();
      const { tie, account } = pin;
      await planBatch(database, moving, { header, blocks, held, tie, account, newSalt });
    },
    planRetry: (plan) => planRetry(database, moving, plan, newSalt),
    findBatch: (id) => proven(() => reading.findBatch(database, id)),
    findBatchCalled: (called) => proven(() => reading.findBatchCalled(database, called)),
    latestBatch: () => proven(() => reading.latestBatch(database)),
    batches: () => proven(() => reading.batches(database)),
    unsentOrders: (batch, limit, after) => of(batch, () => orders.unsentOrders(database, batch, limit, after)),
    latestAccepted: (batch, limit) => of(batch, () => orders.latestAccepted(database, batch, limit)),
    smallestUnsent: (batch, limit) => of(batch, () => orders.smallestUnsent(database, batch, limit)),
    isBegun: (batch) => of(batch, () => orders.isBegun(database, batch)),
    unsentNeed: (batch) => of(batch, () => unsentNeed(database, batch)),
    quoteOf: (batch, row) => of(batch, () => quoteOf(database, batch, row)),
    unverifiableRows: (batch) => of(batch, () => orders.unverifiableRows(database, batch)),
    dueOrders: (batch, now, limit) => of(batch, () => orders.dueOrders(database, batch, now, limit)),
    nextDueAt: (batch) => of(batch, () => orders.nextDueAt(database, batch)),
    findOrder: (batch, id) => of(batch, () => orders.findOrder(database, batch, id)),
    alarms: (batch) => of(batch, () => orders.alarms(database, batch)),
    alarmedOrders: (batch) => of(batch, () => orders.alarmedOrders(database, batch)),
    async claim(claimed, at, epoch, dueAt) {
      const moved = await orders.claim(moving, claimed, { at, epoch, dueAt });
      // Before the first of them can leave: a copy of the ledger from before this claim must be known as one.
      await marks.advance(writer.head);
      return moved;
    },
    record: (steps) => orders.record(moving, steps),
    reopen: (batch, now) => of(batch, () => orders.reopen(writer, batch, now)),
    knownPayees: (payees) => since(0, () => knownPayees(database, payees)),
    paymentsTo: (payees, from) => since(from, () => paymentsTo(database, payees, from)),
    paymentsToOthers: (asked, from) => since(from, () => paymentsToOthers(database, asked, from)),
    unpaidRows: (asked, from) => since(from, () => unpaidRows(database, asked, from)),
    tallies: (batch) => of(batch, () => reading.tallies(database, batch)),
    findRow: (batch, row) => of(batch, () => reading.findRow(database, batch, row)),
    async *resultRows(batch) {
      await proof.batch(batch);
      yield* reading.resultRows(database, batch);
    },
    head: () => proven(async () => proof.head),
    headAt: (seq) => proven(() => proof.headAt(seq)),
    lastFactOf: (batch) => proven(() => lastFactOf(database, batch)),
    hasSigned: (head) => proven(async () => proof.hasSigned(head)),
    facts: (batch) => facts(database, batch),
    verify: () => differences(proof, marks),
    async close() {
      await writer.release();
      await database.close();
    },
  };
}
