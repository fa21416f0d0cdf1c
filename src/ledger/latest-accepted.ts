/** Which orders the service was the last to accept. */
import type { BatchId } from '../domain/ids.ts';
import type { OrdersRead } from './current-orders.ts';
import { numberOf } from './database.ts';
import { ordersAt } from './orders.ts';
import type { StoredOrder } from './stored-order.ts';

const ACCEPTED = `SELECT position FROM fact WHERE batch = ? AND type = 'order-answered' AND data LIKE '%"tag":"accepted"%'
  ORDER BY seq DESC LIMIT ?`;

/** The orders that the service was the last to accept, as far as this ledger knows; the latest first. */
export async function latestAccepted(reading: OrdersRead, batch: BatchId, limit: number): Promise<StoredOrder[]> {
  const found = await reading.database.read(ACCEPTED, [batch, limit]);
  const positions = found.map((row) => numberOf(row, 'position'));
  const orders = new Map((await ordersAt(reading, positions)).map((order) => [order.position, order]));
  return positions.flatMap((position) => orders.get(position) ?? []);
}
