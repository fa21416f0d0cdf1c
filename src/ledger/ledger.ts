/**
 * The ledger: what happened, on disk before and after every step. Everything that is written goes through a lease that
 * one process holds; facts are appended and never changed; the rest is moved by them in the same transaction.
 */
import { randomUUID } from 'node:crypto';
import type { BatchHeader, HeldOrder, PlannedBlock, ResultRow, Tally } from '../domain/batch.ts';
import type { DatedClientChange } from '../domain/client-change.ts';
import type { Clock } from '../domain/clock.ts';
import type { EarlierPayment, MovedPayment, PayeesAsked, ReferredPayee, UnpaidRow } from '../domain/duplicate.ts';
import type { ClientChange, RunTerms, StopRecord } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import * as reading from './batches.ts';
import { chainStart } from './chain.ts';
import type { Database } from './database.ts';
import type { LedgerDoubt } from './doubt.ts';
import { facts, type StoredFact } from './facts.ts';
import { holderOf, type LeaseHolder } from './lease.ts';
import { type DoubtReason, type LedgerFiles, type MarkedBatch, markBeside, ownFiles } from './mark.ts';
import { MarkKeeper } from './mark-keeper.ts';
import { quoteOf, unsentNeed } from './need.ts';
import type { OrderStep, StoredOrder } from './orders.ts';
import * as orders from './orders.ts';
import { knownPayees, paymentsTo, paymentsToOthers, unpaidRows } from './payees.ts';
import { type Account, clientChanges, identityOf, Pin } from './pin.ts';
import { planBatch } from './plan.ts';
import { planRetry, type RetryPlan } from './plan-retry.ts';
import { type RunHistory, runHistory } from './runs.ts';
import { ledgerSchema } from './schema.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { verify } from './verify.ts';
import { Writer } from './writer.ts';

export type {
  Account,
  DoubtReason,
  LeaseHolder,
  MarkedBatch,
  OrderStep,
  RetryPlan,
  RunHistory,
  StoredFact,
  StoredOrder,
};

export interface LedgerOptions {
  /** The ledger's file; its folder is made when it is missing. */
  readonly path: string;
  /** A second mark of the ledger (`mark.ts`), outside of its folder: it tells when the folder itself was lost. */
  readonly markCopy?: string;
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
 * Every method that writes resolves when the record is on disk, and rejects with a Fault `ledger-unsafe` (exit 10) when
 * it may not be; no later write is then taken. Methods marked "lease" need `takeLease` first, and reject with
 * `ledger-held` (exit 75) when another run has taken it over.
 */
export interface Ledger extends LedgerDoubt {
  /**
   * Says whose payments are recorded from here on. The plan of its first batch ties a ledger to its account: a Fault
   * `configuration` for any other one.
   */
  useFor(account: Account): Promise<void>;
  /**
   * Lease. Records that the client id is a new one of the account that the ledger is tied to. Fault `configuration` when an
   * address differs as well, `usage` when there is nothing to record.
   */
  renewClient(account: Account, said: Pick<ClientChange, 'by' | 'reason'>): Promise<ClientChange>;
  /** Every client id that took the place of another one, in the order in which they did. */
  clientChanges(): Promise<readonly DatedClientChange[]>;
  /** The account whose batches the ledger holds; undefined while it holds none. */
  tiedTo(): Promise<Account | undefined>;
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
  /** Rows still to be sent of which no look-up can prove that they are unpaid: their orders are of a strict submission. */
  unprovableRows(batch: BatchId): Promise<number>;
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
  /** Those of the payees (`Payout.payee`) that a completed payout of this ledger paid, whatever its batch. */
  knownPayees(payees: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /**
   * Payments to these payees (`Payout.payee`) that were made or may still be, of batches planned at `since` (wall-clock
   * milliseconds) or later. `scope` "planned": also those that failed for good.
   */
  paymentsTo(payees: readonly string[], since: number): Promise<readonly EarlierPayment[]>;
  /** Such payments under these references, to other payees than these; the latest batch first. */
  paymentsToOthers(asked: readonly ReferredPayee[], since: number): Promise<readonly MovedPayment[]>;
  /** Rows to these payees, or under these references to others, that such batches have orders for and have not paid. */
  unpaidRows(asked: PayeesAsked, since: number): Promise<readonly UnpaidRow[]>;
  /** Count, amount and fees of every outcome that occurs. */
  tallies(batch: BatchId): Promise<readonly Tally[]>;
  /** One row of the sheet by its number. */
  findRow(batch: BatchId, row: number): Promise<ResultRow | undefined>;
  /** Every row of the sheet, in sheet order, in blocks. */
  resultRows(batch: BatchId): AsyncIterable<readonly ResultRow[]>;
  /** Facts of a batch, or of the whole ledger, in the order in which they happened. */
  facts(batch?: BatchId): AsyncIterable<StoredFact>;
  /** What does not agree with the facts, in plain words; empty when the ledger is sound. */
  verify(): Promise<readonly string[]>;
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

/** The ledger of a database that is open, and is closed with it. `files` and `newUuid` are the machine's own when they are not given. */
export async function ledgerOn(
  database: Database,
  options: LedgerOptions,
  { files = ownFiles, newUuid = randomUUID }: { readonly files?: LedgerFiles; readonly newUuid?: () => string } = {},
): Promise<Ledger> {
  const { path, markCopy } = options;
  const { ledgerUuid } = await identityOf(database, newUuid);
  const start = chainStart(ledgerUuid);
  const pin = new Pin(database);
  const writer = new Writer({ ...options, database, start });
  const paths = [markBeside(path), ...(markCopy === undefined ? [] : [markCopy])];
  const { machine } = options.holder;
  const place = { ...(machine !== undefined && { machine }), file: files.identityOf(path) };
  const marks = new MarkKeeper({ database, ledgerUuid, start, paths, files, place, clock: options.clock });
  return {
    useFor: (account) => pin.useFor(account),
    tiedTo: () => pin.tiedTo(),
    renewClient: (account, said) => pin.renewClient(account, said, writer, options.clock.now()),
    clientChanges: () => clientChanges(database),
    async takeLease() {
      const epoch = await writer.take();
      // From here on nobody else plans: whose it is now, it stays.
      await pin.hold();
      await marks.judge();
      return epoch;
    },
    holder: () => holderOf(database),
    renewLease: () => writer.renew(),
    async proveLease() {
      database.assertInPlace();
      await writer.prove();
    },
    async recordRun(batch, version, terms) {
      await writer.recordRun(batch, version, terms);
      await marks.begin(batch, writer.epoch, writer.head);
    },
    async recordStop(reason, stop) {
      await writer.recordStop(reason, stop);
      await marks.advance(writer.head);
    },
    runHistory: (batch) => runHistory(database, batch),
    doubt: (batch) => marks.doubt(batch),
    vouchNew: () => marks.vouch(writer.epoch, writer.head),
    suspect: () => marks.suspect(writer.epoch, writer.head),
    dispelDoubt: (batch, which) => marks.dispel(batch, which),
    lostBatches: () => marks.lostBatches(),
    closeLost: (closed) => marks.close(closed, writer.epoch, writer.head),
    async planBatch(header, blocks, held = []) {
      await pin.hold();
      await planBatch(database, writer, { header, blocks, held, tie: pin.tie });
    },
    planRetry: (plan) => planRetry(database, writer, plan),
    findBatch: (id) => reading.findBatch(database, id),
    findBatchCalled: (called) => reading.findBatchCalled(database, called),
    latestBatch: () => reading.latestBatch(database),
    batches: () => reading.batches(database),
    unsentOrders: (batch, limit, after) => orders.unsentOrders(database, batch, limit, after),
    latestAccepted: (batch, limit) => orders.latestAccepted(database, batch, limit),
    smallestUnsent: (batch, limit) => orders.smallestUnsent(database, batch, limit),
    isBegun: (batch) => orders.isBegun(database, batch),
    unsentNeed: (batch) => unsentNeed(database, batch),
    quoteOf: (batch, row) => quoteOf(database, batch, row),
    unprovableRows: (batch) => orders.unprovableRows(database, batch),
    dueOrders: (batch, now, limit) => orders.dueOrders(database, batch, now, limit),
    nextDueAt: (batch) => orders.nextDueAt(database, batch),
    findOrder: (batch, id) => orders.findOrder(database, batch, id),
    alarms: (batch) => orders.alarms(database, batch),
    alarmedOrders: (batch) => orders.alarmedOrders(database, batch),
    async claim(claimed, at, epoch, dueAt) {
      const moved = await orders.claim(writer, claimed, at, epoch, dueAt);
      // Before the first of them can leave: a copy of the ledger from before this claim must be known as one.
      await marks.advance(writer.head);
      return moved;
    },
    record: (steps) => orders.record(writer, steps),
    reopen: (batch, now) => orders.reopen(writer, batch, now),
    knownPayees: (payees) => knownPayees(database, payees),
    paymentsTo: (payees, since) => paymentsTo(database, payees, since),
    paymentsToOthers: (asked, since) => paymentsToOthers(database, asked, since),
    unpaidRows: (asked, since) => unpaidRows(database, asked, since),
    tallies: (batch) => reading.tallies(database, batch),
    findRow: (batch, row) => reading.findRow(database, batch, row),
    resultRows: (batch) => reading.resultRows(database, batch),
    facts: (batch) => facts(database, batch),
    verify: () => verify(database, start),
    async close() {
      await writer.release();
      await database.close();
    },
  };
}
