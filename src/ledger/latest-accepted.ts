/** Which orders the service was the last to accept. */
import type { BatchId, OrderId } from '../domain/ids.ts';
import { textOf } from './database.ts';
import { findOrder, type OrdersRead } from './orders.ts';
import type { StoredOrder } from './stored-order.ts';

const ACCEPTED = `SELECT order_id FROM fact WHERE batch = ? AND type = 'order-answered' AND data LIKE '%"tag":"accepted"%'
  ORDER BY seq DESC LIMIT ?`;

/** The orders that the service was the last to accept, as far as this ledger knows; the latest first. */
export async function latestAccepted(reading: OrdersRead, batch: BatchId, limit: number): Promise<StoredOrder[]> {
  const found = await reading.database.read(ACCEPTED, [batch, limit]);
  const ids = found.map((row) => textOf(row, 'order_id') as OrderId); // recorded of an order
  const orders = await Promise.all(ids.map((id) => findOrder(reading, batch, id)));
  return orders.filter((order) => order !== undefined);
}
