/**
 * What an interrupted planning leaves behind: rows, orders and facts without a batch. Nothing reads them. Before another plan is
 * recorded, they give up their ids and the name of their batch, because the same sheet makes the same ids again. The facts
 * stay, as all facts do, and nothing is proven of them; a purge deletes the people.
 */

import type { Database, Statement } from '../database/database.ts';
import type { BatchId } from '../domain/ids.ts';
import { PLANNING } from './lease.ts';
import type { Recording } from './writer.ts';

/** Rows or orders in one group, so that nobody else who records something waits. */
const BLOCK = 500;

const HAS_ROWS = 'SELECT 1 AS found FROM payout WHERE batch = ? LIMIT 1';
const HAS_ORDERS = 'SELECT 1 AS found FROM pay_order WHERE batch = ? LIMIT 1';
const FREE_ROWS = `UPDATE payout SET batch = ?, order_id = NULL, trace = NULL, charge_minor = NULL, outcome = 'invalid'
  WHERE batch = ? AND sheet_row IN (SELECT sheet_row FROM payout WHERE batch = ? ORDER BY sheet_row LIMIT ${BLOCK})`;
const FREE_ORDERS = `UPDATE pay_order SET batch = ?, id = 'unplanned ' || position, superseded = 1
  WHERE position IN (SELECT position FROM pay_order WHERE batch = ? ORDER BY position LIMIT ${BLOCK})`;

/** Needs the lease of planning, under which no other plan is being recorded. */
export async function freeUnplanned(database: Database, { writer, proof }: Recording): Promise<void> {
  const { plans } = proof.ledgerState;
  const inBlocks = async (has: string, batch: BatchId, free: Statement): Promise<void> => {
    while ((await database.read(has, [batch])).length > 0) await writer.write([PLANNING], () => [free]);
  };
  for (const batch of proof.chains.batches) {
    if (plans.has(batch)) continue;
    // No batch has such a name, because the names of batches have no blanks around them.
    const name = ` ${proof.chains.endOf(batch).number} ${batch}`;
    await inBlocks(HAS_ROWS, batch, { sql: FREE_ROWS, values: [name, batch, batch] });
    await inBlocks(HAS_ORDERS, batch, { sql: FREE_ORDERS, values: [name, batch] });
  }
}
