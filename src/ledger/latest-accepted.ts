/** Which orders the service was the last to accept. */
import type { BatchId, OrderId } from '../domain/ids.ts';
import { numberOf, type SqlRow, textOf } from './database.ts';
import { factDataIn } from './facts.ts';
import { findOrder, type OrdersRead } from './orders.ts';
import type { StoredOrder } from './stored-order.ts';

const ANSWERED = `SELECT seq, order_id, type, data, packed FROM fact WHERE batch = ? AND type = 'order-answered'
  AND seq < ? ORDER BY seq DESC LIMIT ?`;

/** The orders that the service was the last to accept, as far as this ledger knows; the latest first. */
export async function latestAccepted(reading: OrdersRead, batch: BatchId, limit: number): Promise<StoredOrder[]> {
  const found: OrderId[] = [];
  // One after another: nearly every answer is an acceptance.
  for (let before = Number.MAX_SAFE_INTEGER; found.length < limit; ) {
    const answers = await reading.database.read(ANSWERED, [batch, before, limit]);
    const last = answers.at(-1);
    if (!last) break;
    found.push(...answers.filter(isAcceptance).map((row) => textOf(row, 'order_id') as OrderId)); // recorded of an order
    before = numberOf(last, 'seq');
  }
  const orders = await Promise.all(found.slice(0, limit).map((id) => findOrder(reading, batch, id)));
  return orders.filter((order) => order !== undefined);
}

const isAcceptance = (row: SqlRow): boolean => factDataIn(row).includes('"tag":"accepted"');
