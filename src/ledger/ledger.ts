/**
 * The ledger: the record of what happened, on disk before and after every step. Every write needs a lease that one process
 * holds; facts are appended and never changed; everything else is moved by facts, in the same transaction.
 */

import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { SharedLedger } from '../database/postgres/address.ts';
import { openSqliteDatabase } from '../database/sqlite-database.ts';
import type { Schema } from '../database/tables-version.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { type Account, AccountBinding, clientChanges, identityOf, type LedgerAccount } from './account-binding.ts';
import { approvalPolicy, changeApprovers, claimedSince, type LedgerApprovals, paidSince } from './approvals.ts';
import { backedUpByServer, backUp, type LedgerBackup } from './backup.ts';
import { type LedgerStops, type RecordedStop, stopsInterface } from './batch-stops.ts';
import * as reading from './batches.ts';
import { changeKey } from './change-key.ts';
import { type BegunBatch, checkpointBeside, type LedgerFiles, ownFiles, type RecoveryReason } from './checkpoint.ts';
import { CheckpointKeeper } from './checkpoint-keeper.ts';
import { type NewSalt, randomSalt } from './commitment.ts';
import { differences, type LedgerEvidence, readEvidence } from './evidence.ts';
import { facts, ledgerFactsSince } from './facts.ts';
import { areCurrent } from './held-orders.ts';
import type { LedgerJournal, LedgerLease, LedgerQueries, LedgerRecovery } from './interfaces.ts';
import { Keyring } from './keyring.ts';
import { atWorkText, type HeldLease, heldBy, type LeaseHolder, leaseOf } from './lease.ts';
import { leaseInterface } from './lease-interface.ts';
import { type LedgerMove, type Moved, type MoveOrder, movedByServer, moveLedger } from './move-ledger.ts';
import { claim, record } from './order-moves.ts';
import * as orders from './orders.ts';
import { latestAccepted } from './orders.ts';
import { openOutstanding, quotesOf, unsentOutstanding } from './outstanding.ts';
import {
  batchesPaying,
  knownPayees,
  type LedgerPayees,
  type ProveFound,
  paidRows,
  paymentsTo,
  paymentsToOthers,
  seemsToHavePaid,
  unpaidIn,
  unpaidRows,
} from './payees.ts';
import { planBatch } from './plan.ts';
import { planRetry } from './plan-retry.ts';
import { Proof } from './proof.ts';
import { batchOf, type LedgerRetention, lastFactAt, purgeBatch, purgedFault } from './purge.ts';
import type { OrdersRead, StoredOrder } from './recorded-orders.ts';
import { type RecordedRun, type RunHistory, recordedRuns, runHistory } from './runs.ts';
import { ledgerSchema } from './schema.ts';
import { lastFactOf } from './signed-head.ts';
import type { LedgerKeys } from './signing.ts';
import { openUpToDate, type Upgrade, type Upgraded } from './upgrade.ts';
import { elsewhereNotice } from './whereabouts.ts';
import { Writer } from './writer.ts';

export type {
  Account,
  BegunBatch,
  HeldLease,
  LeaseHolder,
  LedgerKeys,
  LedgerLease,
  LedgerQueries,
  Moved,
  MoveOrder,
  RecordedRun,
  RecordedStop,
  RecoveryReason,
  RunHistory,
  SharedLedger,
  StoredOrder,
  Upgrade,
  Upgraded,
};
export { atWorkText, heldBy };

export interface LedgerOptions {
  /**
   * The ledger's file; its folder is created if it is missing. A shared ledger has no such file, but its checkpoint is still
   * named after this path.
   */
  readonly path: string;
  /** The PostgreSQL that has the ledger, instead of a file. */
  readonly shared?: SharedLedger;
  /**
   * The file of the ledger's checkpoint (`checkpoint.ts`), whose name ends in `.json`. Outside of the ledger's folder it
   * shows when that was lost. If absent, the checkpoint is next to the ledger.
   */
  readonly checkpointPath?: string;
  /**
   * Where the key is kept that the ledger is signed with. Never in the ledger's own folder: anyone who edits the ledger
   * would have the key.
   */
  readonly keys: LedgerKeys;
  readonly clock: Clock;
  /** The process that takes leases, as described to others. */
  readonly holder: LeaseHolder;
  /**
   * Called when waiting for another process begins that has what this one needs, with that process and the longest wait in
   * milliseconds.
   */
  readonly onHeld?: (who: string, forMs: number) => void;
  /** Allows tables of an older version to be brought up to date. If absent, an older ledger is refused. */
  readonly upgrade?: Upgrade;
  /** Called when the server that has the ledger is away, and waiting for it begins. If absent, the server is not waited for. */
  readonly onAway?: (fault: Fault, forMs: number) => void;
  /** Ends any waiting. */
  readonly signal?: AbortSignal;
}

/** A ledger with all of its parts: leases, the journal, queries, and what it says about accounts, recovery, evidence and people. */
export interface Ledger
  extends LedgerLease,
    LedgerJournal,
    LedgerQueries,
    LedgerAccount,
    LedgerApprovals,
    LedgerBackup,
    LedgerRecovery,
    LedgerEvidence,
    LedgerMove,
    LedgerRetention,
    LedgerStops,
    LedgerPayees,
    AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Opens a ledger, or creates a new one. Throws a Fault `ledger-unsafe` if the ledger cannot be relied on, and
 * `ledger-version` if its tables have another version. `schema` describes the tables of the ledger.
 */
export async function openLedger(options: LedgerOptions, schema = ledgerSchema): Promise<Ledger> {
  const { path: file, shared } = options;
  if (shared) return openSharedLedger(shared, options, schema);
  const open = (olderToo: boolean) => openSqliteDatabase(file, schema, olderToo);
  const database = await openUpToDate(open, schema, { ...options, file });
  try {
    return await ledgerOn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a ledger on PostgreSQL. The server says which ledger it is; its checkpoints stay on this computer. */
async function openSharedLedger(shared: SharedLedger, options: LedgerOptions, schema: Schema): Promise<Ledger> {
  // Loaded here, because a ledger in a file does not need it.
  const { openPostgresDatabase } = await import('../database/postgres/postgres-database.ts');
  const { onceThere } = await import('../database/postgres/await-server.ts');
  const now = (): number => options.clock.now();
  const open = (olderToo: boolean) => openPostgresDatabase(shared, schema, now, olderToo);
  const database = await onceThere(() => openUpToDate(open, schema, options), options);
  try {
    const files = { ...ownFiles, identityOf: () => database.place };
    const ledger = await ledgerOn(database, options, { files });
    return {
      ...ledger,
      backUp: () => Promise.reject(backedUpByServer()),
      moveTo: () => Promise.reject(movedByServer()),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What a ledger takes from its machine, unless the caller provides something else. */
interface LedgerPorts {
  readonly files?: LedgerFiles;
  readonly newUuid?: () => string;
  readonly newSalt?: NewSalt;
}

/** Returns the ledger of an open database, which is closed with the ledger. */
export async function ledgerOn(
  database: Database,
  options: LedgerOptions,
  { files = ownFiles, newUuid = randomUUID, newSalt = randomSalt }: LedgerPorts = {},
): Promise<Ledger> {
  const { path, checkpointPath = checkpointBeside(path) } = options;
  const { ledgerUuid } = await identityOf({ ...options, database }, newUuid);
  const tablesVersion = await database.tablesVersion();
  const keyring = new Keyring(ledgerUuid, options.keys);
  const proof = new Proof({ database, ledgerUuid, keyring });
  const binding = new AccountBinding(database);
  const writer = new Writer({ ...options, database, ledgerUuid, proof, keyring, newSalt });
  const { leases } = writer;
  const recording = { writer, proof };
  const read: OrdersRead = { database, areCurrent: (found) => areCurrent(recording, found) };
  const { machine } = options.holder;
  const place = { ...(machine !== undefined && { machine }), file: files.identityOf(path) };
  const { clock } = options;
  const checkpoints = new CheckpointKeeper({
    database,
    ledgerUuid,
    proof,
    keyring,
    path: checkpointPath,
    files,
    place,
    clock,
  });
  /** Each helper proves something before it is read: a batch, the payments of all batches since a time, or only the facts. */
  const of = <T>(batch: BatchId, read: () => Promise<T>): Promise<T> => proof.batch(batch).then(read);
  const since = <T>(plannedAt: number, find: (prove: ProveFound) => Promise<T>): Promise<T> =>
    proof.rowsSince(plannedAt).then(() => find(proveFound));
  const proveFound: ProveFound = (found) => proof.found(found, read);
  const proven = <T>(read: () => Promise<T>): Promise<T> => proof.facts().then(read);
  const { lease, takeOf, takeStopping, withLatest } = leaseInterface({
    database,
    writer,
    binding,
    proof,
    checkpoints,
    tablesVersion,
  });
  const close = async (): Promise<void> => {
    await writer.releaseAll();
    await database.close();
  };
  return {
    useFor: (account) => binding.useFor(account),
    boundTo: () => binding.boundTo(),
    renewClient: (account, said) =>
      withLatest(() => binding.renewClient(account, said, recording, options.clock.now())),
    changeKey: (said) => withLatest(() => changeKey({ database, recording, keyring, at: options.clock.now() }, said)),
    approvalPolicy: () => proven(() => approvalPolicy(database)),
    async paidSince(from, currency) {
      await proof.everyFact();
      for (const batch of await claimedSince(database, from)) await proof.batch(batch);
      return paidSince(database, from, currency);
    },
    changeApprovers: (change) => withLatest(() => changeApprovers(database, recording, change, options.clock.now())),
    clientChanges: () => proven(() => clientChanges(database)),
    ...lease,
    async recordRun(batch, version, terms) {
      await proof.batch(batch);
      await writer.recordRun(batch, version, terms);
      await checkpoints.begin(batch, leases.epoch, writer.head);
    },
    async recordStop(reason, stop) {
      // Otherwise a run with nothing more to send would end well, on a file that nobody opens again.
      database.assertInPlace();
      await writer.recordStop(reason, stop);
      await checkpoints.advance(writer.head);
    },
    runHistory: (batch) => proven(() => runHistory(database, batch)),
    recordedRuns: (batch) => proven(() => recordedRuns(database, batch)),
    recoveryReason: (batch) => proven(() => checkpoints.recoveryReason(batch)),
    trustNew: () => checkpoints.trustNew(leases.epoch, writer.head),
    suspect: () => checkpoints.suspect(leases.epoch, writer.head),
    endRecovery: (batch, which) => checkpoints.endRecovery(batch, which),
    lostBatches: () => proven(() => checkpoints.lostBatches()),
    closeLost: (closed) => checkpoints.close(closed, leases.epoch, writer.head),
    async planBatch(header, blocks, held = []) {
      await binding.hold();
      const { bind, account } = binding;
      await planBatch(database, recording, { header, blocks, held, bind, account, newSalt });
    },
    planRetry: (plan) => planRetry(database, recording, plan, newSalt),
    findBatch: (id) => proven(() => reading.findBatch(database, id)),
    findBatchCalled: (called) => proven(() => reading.findBatchCalled(database, called)),
    latestBatch: () => proven(() => reading.latestBatch(database)),
    batchesSince: (batch) => proven(() => reading.batchesSince(database, batch)),
    batches: () => proven(() => reading.batches(database)),
    unsentOrders: (batch, limit, after, upTo) => of(batch, () => orders.unsentOrders(read, batch, limit, after, upTo)),
    latestAccepted: (batch, limit) => of(batch, () => latestAccepted(read, batch, limit)),
    smallestUnsent: (batch, limit, upTo) => of(batch, () => orders.smallestUnsent(read, batch, limit, upTo)),
    unsentPositions: (batch, upTo) => of(batch, () => orders.unsentPositions(database, batch, upTo)),
    unsentAt: (batch, positions) => of(batch, () => orders.unsentAt(read, batch, positions)),
    isBegun: (batch) => of(batch, () => orders.isBegun(database, batch)),
    hasFound: (batch) => proven(() => orders.hasFound(database, batch)),
    unsentOutstanding: (batch, upTo) => of(batch, () => unsentOutstanding(database, batch, upTo)),
    unsentElsewhere: (batch) => proven(() => unsentOutstanding(database, batch)),
    openOutstanding: (batch) => proven(() => openOutstanding(database, batch)),
    quoteOf: async (batch, row) => (await of(batch, () => quotesOf(database, batch, row, row))).get(row),
    quotesOf: (batch, from, to) => of(batch, () => quotesOf(database, batch, from, to)),
    unverifiableRows: (batch) => of(batch, () => orders.unverifiableRows(database, batch)),
    dueOrders: (batch, now, limit, after) => of(batch, () => orders.dueOrders(read, batch, now, limit, after)),
    nextDueAt: (batch) => of(batch, () => orders.nextDueAt(database, batch)),
    findOrder: (batch, id) => of(batch, () => orders.findOrder(read, batch, id)),
    alarms: (batch) => of(batch, () => orders.alarms(read, batch)),
    alarmedOrders: (batch) => of(batch, () => orders.alarmedOrders(read, batch)),
    async claim(claimed, at, epoch, dueAt) {
      const moved = await claim(database, recording, claimed, { at, epoch, dueAt });
      // Before the first order can be sent: a copy of the ledger from before this claim must be known as one.
      await checkpoints.advance(writer.head);
      for (const batch of new Set(moved.map((order) => order.batch))) checkpoints.requireNoNewRecovery(batch);
      return moved;
    },
    record: (steps) => record(recording, steps),
    reopen: (batch, now) => of(batch, () => orders.reopen(writer, batch, now)),
    ...stopsInterface({ recording, database, checkpoints, takeStopping, clock: options.clock }),
    knownPayees: (payees) => proven(() => knownPayees(database, payees, (batch) => proof.batch(batch))),
    paymentsTo: (payees, from) => since(from, (prove) => paymentsTo(database, payees, from, prove)),
    paymentsToOthers: (asked, from) => since(from, (prove) => paymentsToOthers(database, asked, from, prove)),
    batchesPaying: (people, from) => proven(() => batchesPaying(database, people, from)),
    async *paidRows(batch) {
      await proof.batch(batch);
      yield* paidRows(database, batch);
    },
    unpaidRows: (asked, from) => since(from, (prove) => unpaidRows(database, asked, from, prove)),
    unpaidIn: (batch, askedAmong) => unpaidIn(database, batch, proof.provenRows(batch), askedAmong, proveFound),
    seemsToHavePaid: (batch) => proven(() => seemsToHavePaid(database, batch)),
    async tallies(batch) {
      await proof.batch(batch);
      // What other processes have recorded since counts. If nothing was recorded, an edit of the tables changes nothing.
      await writer.catchUp();
      return proof.talliesOf(batch) ?? reading.tallies(database, batch);
    },
    talliesElsewhere: (batch) => proven(() => reading.tallies(database, batch)),
    findRow: (batch, row) => of(batch, () => reading.findRow(read, batch, row)),
    proveWhole: (batch) => proof.whole(batch),
    async *resultRows(batch) {
      await proof.whole(batch);
      yield* reading.resultRows(read, batch);
    },
    head: () => proven(async () => proof.head),
    signedBy: () => proven(async () => proof.head && { ledger: ledgerUuid, key: proof.head.key }),
    headAt: (seq) => proven(() => proof.headAt(seq)),
    lastFactOf: (batch) => proven(() => lastFactOf(database, batch)),
    hasSigned: (head) => proven(async () => proof.hasSigned(head)),
    async *facts(batch) {
      await (batch === undefined ? proof.everyFact() : proof.whole(batch));
      yield* facts(database, batch);
    },
    async *ledgerFactsSince(seq) {
      await proof.facts();
      yield* ledgerFactsSince(database, seq);
    },
    evidence: (batch, use) => proven(() => readEvidence(batch, { database, keyring, ledger: ledgerUuid }, use)),
    verify: () => differences(proof, checkpoints),
    purges: () => proven(async () => proof.ledgerState.purges),
    async requireKept(batch) {
      await proof.facts();
      const purge = proof.ledgerState.purges.get(batch);
      if (purge) throw purgedFault(purge);
    },
    lastFactAt: (batch) => proven(() => lastFactAt(database, batch)),
    batchOf: (order) => proven(() => batchOf(database, order)),
    async purge(batch, by) {
      await takeOf(batch.id);
      await purgeBatch(database, recording, batch, { at: options.clock.now(), by });
      await checkpoints.advance(writer.head);
      await writer.release(leaseOf(batch.id));
    },
    async backUp(target, older) {
      await proof.facts();
      return backUp(target, older, { path, ledger: ledgerUuid, keyring });
    },
    elsewhere: () => elsewhereNotice(database),
    moveTo: (target, order) =>
      moveLedger({ ...recording, database, ledgerUuid, keyring, checkpoints, ...options }, target, order),
    compact: () => database.compact(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
