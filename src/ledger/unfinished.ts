/**
 * Finds batches that may have work left, without any proof. The answers only say where to look: a caller that continues a
 * batch opens the ledger as every run does, and believes only what is proven then.
 */

import { numberOf, type Reader, textOf } from '../database/database.ts';
import type { BatchId } from '../domain/ids.ts';

/** A batch and the number of its latest fact. While that number is unchanged, nothing has happened to the batch. */
export interface BatchEnd {
  readonly batch: BatchId;
  readonly lastFact: number;
}

const LAST = '(SELECT MAX(f.seq) FROM fact f WHERE f.batch = b.id)';
const ENDS = `SELECT b.id, ${LAST} AS last_fact FROM batch b ORDER BY b.number`;
const END = `SELECT b.id, ${LAST} AS last_fact FROM batch b WHERE b.id = ?`;
const UNSENT = "SELECT 1 AS found FROM pay_order WHERE batch = ? AND phase = 'planned' AND superseded = 0 LIMIT 1";
const OPEN =
  "SELECT 1 AS found FROM pay_order WHERE batch = ? AND phase IN ('claimed', 'in-doubt', 'accepted') LIMIT 1";

const endOf = (row: Parameters<typeof textOf>[0]): BatchEnd => ({
  batch: textOf(row, 'id') as BatchId, // a column of batch ids
  lastFact: numberOf(row, 'last_fact'),
});

/** Returns all batches in the order in which they were planned. */
export const batchEnds = async (reader: Reader): Promise<readonly BatchEnd[]> => (await reader.read(ENDS)).map(endOf);

/** Returns one batch, or `undefined` if it is not in the ledger. */
export const batchEnd = async (reader: Reader, batch: BatchId): Promise<BatchEnd | undefined> =>
  (await reader.read(END, [batch])).map(endOf)[0];

/**
 * Reports whether an order of the batch is unsent or has no final outcome yet. For a long batch that is finished, this reads
 * every order.
 */
export async function isUnfinished(reader: Reader, batch: BatchId): Promise<boolean> {
  for (const sql of [UNSENT, OPEN]) if ((await reader.read(sql, [batch])).length > 0) return true;
  return false;
}
