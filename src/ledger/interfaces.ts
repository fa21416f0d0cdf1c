/**
 * What a ledger can be asked: who may write, what is written, what it says, and whether it knows everything that was sent.
 * Most callers need one of these interfaces.
 *
 * What the ledger says is proven before it is returned: a Fault `ledger-unsafe` (exit 10) names the first record that is not
 * what its facts say, and a Fault `configuration` (exit 2) names a key that is missing.
 */

import type { Relied } from '../database/database.ts';
import type { BatchHeader, HeldOrder, PlannedBlock, ResultRow, Tally } from '../domain/batch.ts';
import type { RunTerms, StopDetails } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { BegunBatch, ClosedBatch, RecoveryReason } from './checkpoint.ts';
import type { HeldLease } from './lease.ts';
import type { Outstanding } from './outstanding.ts';
import type { RetryPlan } from './plan-retry.ts';
import type { DuePlace, OrderStep, StoredOrder } from './recorded-orders.ts';
import type { RecordedRun, RunHistory } from './runs.ts';

/** Leases: who may write. One process at a time holds the lease of a batch, and one holds the lease of planning. */
export interface LedgerLease {
  /**
   * Takes the lease of a batch or, without `batch`, the lease of planning, under which batches are planned, tried again and
   * purged, and the ledger as a whole is changed. Returns the epoch. Fault `ledger-held`, naming the holder, while another
   * process has the lease; planning is first waited for for some seconds, and on PostgreSQL any lease as long as a vanished
   * computer may keep its locks. Fault `configuration` if another account was first to plan a batch.
   */
  takeLease(batch?: BatchId): Promise<number>;
  /** Takes every existing lease: no other process works on anything from then on. Faults as `takeLease`. */
  takeEveryLease(): Promise<void>;
  /** Takes the lease for the books of the practice service, which one process at a time may keep. Faults as `takeLease`. */
  takePractice(): Promise<void>;
  /** Releases the lease of a batch or, without `batch`, the lease of planning. */
  releaseLease(batch?: BatchId): Promise<void>;
  /** Returns the leases that a process has, or did not release before it ended. */
  heldLeases(): Promise<readonly HeldLease[]>;
  /** Like `heldLeases`, but only the leases of other processes that are running. */
  othersAtWork(): Promise<readonly HeldLease[]>;
  /** Returns what a commit relies on, and whether each of these conditions holds. */
  relied(): Promise<readonly Relied[]>;
  /**
   * Throws a Fault `ledger-held` if another run has taken a lease of this process, and `ledger-unsafe` if the files are no
   * longer the ones that were opened, or the place of the locks does not answer: other processes are not kept out then.
   * Writes nothing.
   */
  proveLease(): Promise<void>;
}

/**
 * The journal: what is written. Every method resolves when the record is on disk, and rejects with a Fault `ledger-unsafe`
 * (exit 10) if it may not be; no later write is accepted then. All methods need the lease of the batch, and reject with
 * `ledger-held` (exit 75) if another run has taken it over.
 */
export interface LedgerJournal {
  /** Records that a run works on the batch from now on, and on which terms. */
  recordRun(batch: BatchId, version: string, terms?: RunTerms): Promise<void>;
  /** Records why the run that `recordRun` began ended, what stopped it from sending, and what was left in the wallet. */
  recordStop(reason: string, stop?: StopDetails): Promise<void>;
  /**
   * Needs `useFor`, the lease of planning, and the leases of the batches of `held`. Records the plan of a batch, and that it
   * supersedes the orders of earlier batches in `held`. The batch exists when all of its plan is recorded, and not before.
   * After that this process has the lease of the new batch, in the epoch of the planning.
   */
  planBatch(
    header: BatchHeader,
    blocks: AsyncIterable<PlannedBlock> | Iterable<PlannedBlock>,
    held?: readonly HeldOrder[],
  ): Promise<void>;
  /**
   * Records all new attempts or none of them. From then on each row belongs to its new order; the old order and its facts
   * stay. A retry by a person needs the lease of planning, too. Fault `ledger-unsafe` if an order has changed since it was
   * read.
   */
  planRetry(plan: RetryPlan): Promise<void>;
  /**
   * Claims orders of the batch for sending: only those that it returns may be posted. With `dueAt` null, only the process
   * that claims looks at the orders; if that process dies, `reopen` makes them due. Fault `ledger-unsafe` if an order has
   * changed since it was read; nothing is claimed then. Returns no orders if a person has stopped the batch (`LedgerStops`).
   */
  claim(
    orders: readonly StoredOrder[],
    at: number,
    epoch: number,
    dueAt: number | null,
  ): Promise<readonly StoredOrder[]>;
  /** Appends what happened, moves the orders by that, and returns them as they are now. Faults as `claim`. */
  record(steps: readonly OrderStep[]): Promise<readonly StoredOrder[]>;
  /** Makes every order due at `now` whose outcome may still change. Orders that were never claimed stay unsent. */
  reopen(batch: BatchId, now: number): Promise<void>;
}

/** Queries: what the ledger says about batches, orders and rows. */
export interface LedgerQueries {
  /** Returns how the latest run of the batch since its latest plan began and ended. */
  runHistory(batch: BatchId): Promise<RunHistory>;
  /** Returns every run of the batch, the earliest first. */
  recordedRuns(batch: BatchId): Promise<readonly RecordedRun[]>;
  findBatch(id: BatchId): Promise<BatchHeader | undefined>;
  /** Returns the batch that a person means: by its name, in any case, or by its id if it has no name. */
  findBatchCalled(called: string): Promise<BatchHeader | undefined>;
  latestBatch(): Promise<BatchHeader | undefined>;
  /** Returns the other batches about which something was recorded since this one was planned. */
  batchesSince(batch: BatchId): Promise<readonly BatchId[]>;
  /** Returns all batches, the latest first. */
  batches(): Promise<readonly BatchHeader[]>;
  /**
   * Returns orders that were never claimed and not superseded, in sheet order: only those planned after the position
   * `after`, and up to the position `upTo`.
   */
  unsentOrders(batch: BatchId, limit: number, after?: number, upTo?: number): Promise<readonly StoredOrder[]>;
  /** Returns those of the unsent orders that look-ups can prove unsent, the smallest ids first. */
  smallestUnsent(batch: BatchId, limit: number, upTo?: number): Promise<readonly StoredOrder[]>;
  /** Returns the positions of orders that were never claimed and not superseded, in sheet order, up to the position `upTo`. */
  unsentPositions(batch: BatchId, upTo?: number): Promise<readonly number[]>;
  /** Returns those of the orders at these positions that are still unsent, in the order of the positions. */
  unsentAt(batch: BatchId, positions: readonly number[]): Promise<readonly StoredOrder[]>;
  /** Reports whether an order of the batch was claimed, found or otherwise heard of since it was planned. */
  isBegun(batch: BatchId): Promise<boolean>;
  /**
   * Reports whether an order of the batch was found at the service without ever being claimed in this ledger. Its payment may
   * be older than the batch. Reads the index, and proves nothing of the batch.
   */
  hasFound(batch: BatchId): Promise<boolean>;
  /** Returns what the unsent rows need from the wallet. Reads every row. */
  unsentOutstanding(batch: BatchId, upTo?: number): Promise<Outstanding>;
  /**
   * Like `unsentOutstanding`, for a batch that another process is sending. Reads the index, and proves nothing of the batch:
   * otherwise each of sixteen workers would prove the batches of the fifteen others.
   */
  unsentElsewhere(batch: BatchId): Promise<Outstanding>;
  /**
   * Like `unsentOutstanding`, plus the rows that were claimed, or accepted by the service and not finished. Reads the index, and
   * proves nothing of the batch.
   */
  openOutstanding(batch: BatchId): Promise<Outstanding>;
  /** Returns the charge that was quoted for a row, or `undefined` if there was none. */
  quoteOf(batch: BatchId, row: number): Promise<Money | undefined>;
  /** Returns the charges that were quoted for the rows `from` to `to`, by row. A row without a quote is absent. */
  quotesOf(batch: BatchId, from: number, to: number): Promise<ReadonlyMap<number, Money>>;
  /** Returns the number of unsent rows that no look-up can prove unpaid, because their orders are of a send-once submission. */
  unverifiableRows(batch: BatchId): Promise<number>;
  /** Returns orders that are due by `now`, the longest due first; with `after`, only those that come after that place. */
  dueOrders(batch: BatchId, now: number, limit: number, after?: DuePlace): Promise<readonly StoredOrder[]>;
  nextDueAt(batch: BatchId): Promise<number | undefined>;
  findOrder(batch: BatchId, id: OrderId): Promise<StoredOrder | undefined>;
  /** Returns what the service contradicted in this batch and no person has dealt with. */
  alarms(batch: BatchId): Promise<readonly string[]>;
  /** Returns the orders with alarms that no person has dealt with, in sheet order. */
  alarmedOrders(batch: BatchId): Promise<readonly StoredOrder[]>;
  /** Returns the orders that the service accepted last, as far as this ledger knows, the latest first. */
  latestAccepted(batch: BatchId, limit: number): Promise<readonly StoredOrder[]>;
  /** Returns count, amount and fees of every outcome that occurs. */
  tallies(batch: BatchId): Promise<readonly Tally[]>;
  /** Like `tallies`, for a batch of another run. Reads the index, and proves nothing of the batch. */
  talliesElsewhere(batch: BatchId): Promise<readonly Tally[]>;
  /** Returns one row of the sheet by its number. */
  findRow(batch: BatchId, row: number): Promise<ResultRow | undefined>;
  /** Proves a batch as a whole as it is now, unless nothing was recorded about it since that was last done. */
  proveWhole(batch: BatchId): Promise<void>;
  /** Yields every row of the sheet, in sheet order, in blocks. */
  resultRows(batch: BatchId): AsyncIterable<readonly ResultRow[]>;
}

/** The part of `Ledger` about recovery: whether the ledger knows everything that was sent. */
export interface LedgerRecovery {
  /**
   * Returns why every order of the batch must be looked up before it is sent: an earlier state of this ledger, or another
   * ledger in its place, may have sent it. Returns `undefined` if the ledger knows everything that was sent.
   */
  recoveryReason(batch: BatchId): Promise<RecoveryReason | undefined>;
  /** Needs a lease. Ends the recovery of a new ledger, because the caller knows that nothing was ever sent from here. */
  trustNew(): Promise<void>;
  /**
   * Needs a lease. Puts every batch of the ledger in recovery, because the service shows payments that this ledger never
   * sent.
   */
  suspect(): Promise<void>;
  /**
   * Needs a lease. Ends the recovery of a batch of which every order was sent or found. With `andUnnamed`, also ends it for
   * everything that no checkpoint names.
   */
  endRecovery(batch: BatchId, which: { readonly andUnnamed: boolean }): Promise<void>;
  /**
   * Returns the batches that another ledger here, or another state of this one, had begun, that this ledger does not have,
   * and that no person has closed.
   */
  lostBatches(): Promise<readonly BegunBatch[]>;
  /** Needs a lease. Records that a person has closed a lost batch, so that it needs no look-up any more. */
  closeLost(closed: ClosedBatch): Promise<void>;
}
