/**
 * The three faces of a ledger: who may write, what is written, and what it says. Most callers need one of them.
 *
 * What the ledger says is proven before it is given out: a Fault `ledger-unsafe` (exit 10) names the first record that is not what
 * its facts say, `configuration` (exit 2) the key that is missing.
 */
import type { BatchHeader, HeldOrder, PlannedBlock, ResultRow, Tally } from '../domain/batch.ts';
import type { RunTerms, StopDetails } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { BegunBatch, ClosedBatch, DoubtReason } from './checkpoint.ts';
import type { Relied } from './database.ts';
import type { HeldLease } from './lease.ts';
import type { Need } from './need.ts';
import type { RetryPlan } from './plan-retry.ts';
import type { DuePlace, OrderStep, StoredOrder } from './recorded-orders.ts';
import type { RecordedRun, RunHistory } from './runs.ts';

/** Who may write. One process at a time holds the lease of a batch, and one that of planning. */
export interface LedgerLease {
  /**
   * Takes the lease of a batch, or, of none, that of planning: batches are planned, tried again and purged under it, and all is
   * changed that is about the ledger as a whole. Gives the epoch. Fault `ledger-held` naming the holder while another process has it;
   * planning is waited for some seconds before, and on PostgreSQL everything for as long as a computer that is gone keeps its locks.
   * Fault `configuration` when another account was first to plan a batch.
   */
  takeLease(batch?: BatchId): Promise<number>;
  /** Takes every lease that there is: nobody works on anything from then on. Faults as `takeLease`. */
  takeEveryLease(): Promise<void>;
  /** Takes the books of the practice service, which one process at a time may keep. Faults as `takeLease`. */
  takePractice(): Promise<void>;
  /** Gives back the lease of a batch, or that of planning. */
  releaseLease(batch?: BatchId): Promise<void>;
  /** Who has which lease, or ended without giving it back. */
  heldLeases(): Promise<readonly HeldLease[]>;
  /** The same of other processes that are there. */
  othersAtWork(): Promise<readonly HeldLease[]>;
  /** What a commit relies on, as it was found when the ledger was opened. */
  relied(): Promise<readonly Relied[]>;
  /**
   * A Fault `ledger-held` when another run has taken a lease of this process, `ledger-unsafe` when the files are no longer the
   * ones that were opened, or nobody answers where the locks are: nobody else is kept out then. It reads alone.
   */
  proveLease(): Promise<void>;
}

/**
 * What is written. Every method resolves when the record is on disk, and rejects with a Fault `ledger-unsafe` (exit 10) when it
 * may not be; no later write is then taken. All need the lease of the batch, and reject with `ledger-held` (exit 75) when another run has
 * taken it over.
 */
export interface LedgerJournal {
  /** Records that a run works on the batch from here on, and on which terms. */
  recordRun(batch: BatchId, version: string, terms?: RunTerms): Promise<void>;
  /** Records why the run that `recordRun` began came to its end, what stopped it from sending, and what was left in the wallet. */
  recordStop(reason: string, stop?: StopDetails): Promise<void>;
  /**
   * Needs `useFor`, the lease of planning, and those of the batches of `held`. Records the whole plan of a batch or nothing of
   * it, and that it supersedes the orders of earlier ones that it holds. The lease of the new batch is then ours, in the epoch of
   * the planning. The source must not write to the ledger meanwhile.
   */
  planBatch(
    header: BatchHeader,
    blocks: AsyncIterable<PlannedBlock> | Iterable<PlannedBlock>,
    held?: readonly HeldOrder[],
  ): Promise<void>;
  /**
   * Records all new attempts or none of them: each row belongs to its new order from then on, and the old order
   * and its facts stay. What a person tries again needs the lease of planning, too. Fault `ledger-unsafe` when an order has changed since it was read.
   */
  planRetry(plan: RetryPlan): Promise<void>;
  /**
   * Claims orders of the batch for sending: only what it gives back may be posted. `dueAt` null: nobody but who
   * claims looks at them; should it die, `reopen` makes them due. Fault `ledger-unsafe` when an order has changed since
   * it was read; nothing is claimed then. Gives nothing back when a person has stopped the batch (`LedgerStops`).
   */
  claim(
    orders: readonly StoredOrder[],
    at: number,
    epoch: number,
    dueAt: number | null,
  ): Promise<readonly StoredOrder[]>;
  /** Appends what happened, moves the orders by it, and gives them back as they are now. Faults as `claim`. */
  record(steps: readonly OrderStep[]): Promise<readonly StoredOrder[]>;
  /** Makes every order whose outcome may still change due at `now`; ones never claimed stay unsent. */
  reopen(batch: BatchId, now: number): Promise<void>;
}

/** What it says of batches, orders and rows. */
export interface LedgerQueries {
  /** How the latest run of the batch began and ended since its latest plan. */
  runHistory(batch: BatchId): Promise<RunHistory>;
  /** Every run of the batch, the first one first. */
  recordedRuns(batch: BatchId): Promise<readonly RecordedRun[]>;
  findBatch(id: BatchId): Promise<BatchHeader | undefined>;
  /** The batch that a person calls so: by its name, in any case, or by the id of one without. */
  findBatchCalled(called: string): Promise<BatchHeader | undefined>;
  latestBatch(): Promise<BatchHeader | undefined>;
  /** Other batches of which something was recorded since this one was planned. */
  batchesSince(batch: BatchId): Promise<readonly BatchId[]>;
  /** All batches, the latest first. */
  batches(): Promise<readonly BatchHeader[]>;
  /**
   * Orders that were never claimed and not superseded, in sheet order; `after`: only those planned after this position, `upTo`:
   * and no further than that one.
   */
  unsentOrders(batch: BatchId, limit: number, after?: number, upTo?: number): Promise<readonly StoredOrder[]>;
  /** Those of them that look-ups can prove unsent, the smallest ids first. */
  smallestUnsent(batch: BatchId, limit: number, upTo?: number): Promise<readonly StoredOrder[]>;
  /** Where the orders stand that were never claimed and not superseded, in sheet order; `upTo`: no further than this position. */
  unsentPositions(batch: BatchId, upTo?: number): Promise<readonly number[]>;
  /** Those of the orders at these positions that are still to be sent; in the order of the positions. */
  unsentAt(batch: BatchId, positions: readonly number[]): Promise<readonly StoredOrder[]>;
  /** Whether an order of the batch was claimed, found or otherwise heard of since it was planned. */
  isBegun(batch: BatchId): Promise<boolean>;
  /** What the rows need that are still to be sent. It reads every row. */
  unsentNeed(batch: BatchId, upTo?: number): Promise<Need>;
  /** The same with the rows that the service has taken and not finished, read from the index: it proves nothing of the batch. */
  openNeed(batch: BatchId): Promise<Need>;
  /** The charge that was quoted for a row; undefined when none was. */
  quoteOf(batch: BatchId, row: number): Promise<Money | undefined>;
  /** The same of the rows from one to another, by row; one without a quote is missing. */
  quotesOf(batch: BatchId, from: number, to: number): Promise<ReadonlyMap<number, Money>>;
  /** Rows still to be sent of which no look-up can prove that they are unpaid: their orders are of a send-once submission. */
  unverifiableRows(batch: BatchId): Promise<number>;
  /** Orders due by `now`, the longest due first; `after`: those alone that come after this one. */
  dueOrders(batch: BatchId, now: number, limit: number, after?: DuePlace): Promise<readonly StoredOrder[]>;
  nextDueAt(batch: BatchId): Promise<number | undefined>;
  findOrder(batch: BatchId, id: OrderId): Promise<StoredOrder | undefined>;
  /** What the service contradicted in this batch; empty while nothing speaks against it that no person has dealt with. */
  alarms(batch: BatchId): Promise<readonly string[]>;
  /** Orders with such alarms, in sheet order. */
  alarmedOrders(batch: BatchId): Promise<readonly StoredOrder[]>;
  /** Orders that the service was the last to accept, as far as this ledger knows; the latest first. */
  latestAccepted(batch: BatchId, limit: number): Promise<readonly StoredOrder[]>;
  /** Count, amount and fees of every outcome that occurs. */
  tallies(batch: BatchId): Promise<readonly Tally[]>;
  /** One row of the sheet by its number. */
  findRow(batch: BatchId, row: number): Promise<ResultRow | undefined>;
  /** Proves all of a batch as it is now, unless nothing was recorded of it since that was done. */
  proveWhole(batch: BatchId): Promise<void>;
  /** Every row of the sheet, in sheet order, in blocks. */
  resultRows(batch: BatchId): AsyncIterable<readonly ResultRow[]>;
}

/** What is asked and said about whether a ledger knows all that was sent: a part of `Ledger`, with its promises. */
export interface LedgerDoubt {
  /**
   * Why every order of the batch must be looked up before it is sent: an earlier state of this ledger, or another ledger
   * in its place, may have sent it. Undefined when the ledger knows all that was sent.
   */
  doubt(batch: BatchId): Promise<DoubtReason | undefined>;
  /** Lease. The word of who knows: nothing was ever sent from here. Dispels the doubt about a ledger that is new. */
  vouchNew(): Promise<void>;
  /** Lease. The service shows payments that this ledger never sent: every batch of it is in doubt from here on. */
  suspect(): Promise<void>;
  /**
   * Lease. Ends the doubt about a batch of which every order was sent or found. `andUnnamed`: and about all that no checkpoint
   * names.
   */
  dispelDoubt(batch: BatchId, which: { readonly andUnnamed: boolean }): Promise<void>;
  /** Batches that were begun before this ledger, or before the state that it was put back to, and that it does not have. */
  lostBatches(): Promise<readonly BegunBatch[]>;
  /** Lease. Records a person's word that one of them needs no look any more. */
  closeLost(closed: ClosedBatch): Promise<void>;
}
