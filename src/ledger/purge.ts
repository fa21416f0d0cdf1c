/**
 * Deletes the people of a batch. Names, phones, accounts and texts of the service are deleted with their salts; ids, hashes,
 * amounts, receipts and outcomes stay, and a fact records the purge and what is left. Facts, head and chain still prove each
 * other, because they have only ever held hashes of what is deleted.
 *
 * A batch is purged in one transaction, so a crash leaves it either complete or purged. `Database.compact` overwrites what
 * SQLite still has of it in the file, and can be repeated at any time.
 */

import { blocksOf, type Database, numberOf, type Reader, type Statement, textOf } from '../database/database.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { rowsLeft } from './batch-proof.ts';
import { factsOfOrders } from './facts.ts';
import { leaseOf, PLANNING } from './lease.ts';
import { fold, otherColumns } from './recorded-orders.ts';
import type { Recording } from './writer.ts';

/** The part of `Ledger` that deletes the people of batches. */
export interface LedgerRetention {
  /** Returns the purges of all batches whose people were deleted. */
  purges(): Promise<ReadonlyMap<BatchId, PurgeRecord>>;
  /**
   * Throws a Fault `usage` if the people of a batch were deleted: nothing of that batch can be sent, looked up or recorded
   * any more.
   */
  requireKept(batch: BatchId): Promise<void>;
  /** Returns when the last fact of a batch was recorded, in wall-clock milliseconds. */
  lastFactAt(batch: BatchId): Promise<number>;
  /** Returns the batch of an order, or `undefined` if this ledger does not have the order. */
  batchOf(order: string): Promise<BatchId | undefined>;
  /**
   * Needs the lease of planning. Deletes the people of a finished batch. The caller makes sure that nothing in the batch is
   * open.
   */
  purge(batch: BatchHeader, by: string): Promise<void>;
  /**
   * Needs a lease. Removes every byte of deleted data from the files of the ledger. Fault `ledger-held` while another
   * program reads them.
   */
  compact(): Promise<void>;
}

const LAST_AT = 'SELECT MAX(happened_at) AS at FROM fact WHERE batch = ?';
const BATCH_OF = 'SELECT o.batch FROM pay_order o JOIN batch b ON b.id = o.batch WHERE o.id = ?';

export const lastFactAt = async (database: Reader, batch: BatchId): Promise<number> =>
  numberOf((await database.read(LAST_AT, [batch]))[0] ?? {}, 'at');

export const batchOf = async (database: Reader, order: string): Promise<BatchId | undefined> =>
  (await database.read(BATCH_OF, [order])).map((row) => textOf(row, 'batch') as BatchId)[0]; // a column of batch ids

/** Returns the Fault for any work on a batch whose people were deleted. */
export const purgedFault = ({ batch, at }: PurgeRecord): Fault =>
  new Fault(
    'usage',
    `The names, phones and accounts of batch ${batch} were deleted on ${new Date(at).toISOString().slice(0, 10)} (purge), so nothing in the batch can be sent, looked up or retried. Nothing was sent.`,
    `What became of it: \`paybatch report ${batch}\`. Pay what is still owed with a new sheet under its own batch name.`,
  );

/** Orders that are read at a time. */
const BLOCK = 500;

const ORDERS = `SELECT position, id, attempt, submission, version, phase, outcome, alarmed, superseded FROM pay_order
  WHERE batch = ? AND position > ? ORDER BY position LIMIT ${BLOCK}`;

const FORGET_FACTS = 'UPDATE fact SET text = NULL, salt = NULL WHERE batch = ? AND text IS NOT NULL';
const FORGET_BODIES = `UPDATE order_body SET body = NULL, origin = NULL, salt = NULL
  WHERE position IN (SELECT position FROM pay_order WHERE batch = ?)`;
const FORGET_ROWS = `UPDATE payout SET reference = NULL, name = NULL, payout = NULL, payee = NULL, texts = '[]', issues = '[]',
  salt = NULL WHERE batch = ?`;
/** The people of plans that were interrupted (`unplanned.ts`) are deleted with those of any batch. */
const UNPLANNED = 'batch NOT IN (SELECT id FROM batch)';
const FORGET_UNPLANNED = [
  `${FORGET_BODIES.replace('batch = ?', UNPLANNED)} AND salt IS NOT NULL`,
  `${FORGET_ROWS.replace('batch = ?', UNPLANNED)} AND salt IS NOT NULL`,
];

/**
 * Deletes the people of a batch, or nothing. The batch is proven first, so that the deleted data is known to have been what
 * the facts say.
 */
export async function purgeBatch(
  database: Database,
  { writer, proof }: Recording,
  { id }: BatchHeader,
  { at, by }: Pick<PurgeRecord, 'at' | 'by'>,
): Promise<void> {
  await proof.batchUnderLease(id);
  const left = await rowsLeft(database, id);
  await assertWordsMoveNothing(database, id);
  await writer.write([PLANNING, leaseOf(id)], (append) => [
    append(id, { type: 'batch-purged', batch: id, at, by, left }),
    ...[FORGET_FACTS, FORGET_BODIES, FORGET_ROWS].map((sql): Statement => ({ sql, values: [id] })),
    ...FORGET_UNPLANNED.map((sql): Statement => ({ sql, values: [] })),
  ]);
  proof.purged({ batch: id, at, by });
}

/**
 * Asserts that the texts in facts move no order. Otherwise nothing could be proven after the texts are deleted, which would
 * be a bug.
 */
async function assertWordsMoveNothing(database: Reader, batch: BatchId): Promise<void> {
  for await (const orders of blocksOf(database, ORDERS, [batch], 'position')) {
    const facts = await factsOfOrders(database, orders);
    for (const row of orders) {
      const position = numberOf(row, 'position');
      const wordless = (facts.get(position) ?? []).map((fact) => ({ ...fact, text: undefined }));
      const others = otherColumns({ row, ...fold(wordless) });
      invariant(others.length === 0, 'deleting the texts of an order does not change its state');
    }
  }
}
