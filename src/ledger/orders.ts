/** Reads orders that are to be sent or followed. `order-moves.ts` moves them. */

import { type Database, numberOf, type SqlValue } from '../database/database.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { isSuperseded, openAlarms } from '../domain/order.ts';
import { sendOnceSubmissions } from '../domain/submission.ts';
import { leaseOf } from './lease.ts';
import { changed } from './proof-faults.ts';
import {
  currentOrders,
  currentOrdersAt,
  type DuePlace,
  type OrderStep,
  type OrdersRead,
  type StoredOrder,
  storedOrder,
} from './recorded-orders.ts';
import type { Writer } from './writer.ts';

export type { OrderStep, StoredOrder };

/** A position beyond that of any order. */
export const ALL: number = Number.MAX_SAFE_INTEGER;

const UNSENT = `WHERE o.batch = ? AND o.phase = 'planned' AND o.superseded = 0 AND o.position > ?
  AND o.position <= ? ORDER BY o.position LIMIT ?`;
const SMALLEST = `WHERE o.position IN (SELECT position FROM pay_order WHERE batch = ? AND phase = 'planned'
  AND superseded = 0 AND position <= ? AND submission NOT IN (${sendOnceSubmissions.map(() => '?').join(', ')}) ORDER BY id LIMIT ?)
  ORDER BY o.id`;
const POSITIONS = `SELECT position FROM pay_order WHERE batch = ? AND phase = 'planned' AND superseded = 0 AND position > ?
  AND position <= ? ORDER BY position LIMIT ?`;
const BEGUN = `SELECT 1 FROM pay_order WHERE batch = ? AND phase <> 'planned' LIMIT 1`;
const FOUND = `SELECT 1 FROM pay_order o WHERE o.batch = ? AND o.phase <> 'planned' AND NOT EXISTS (SELECT 1 FROM fact f
  WHERE f.position = o.position AND f.type = 'order-claimed') LIMIT 1`;
const UNPROVABLE = `SELECT COUNT(*) AS number FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ?
  AND p.outcome IS NULL AND o.outcome = 'unsent' AND o.superseded = 0 AND o.submission IN (${sendOnceSubmissions.map(() => '?').join(', ')})`;
const DUE = `WHERE o.batch = ? AND o.due_at <= ? AND (o.due_at, o.position) > (?, ?) AND o.phase <> 'planned'
  ORDER BY o.due_at, o.position LIMIT ?`;
const ONE = `WHERE o.batch = ? AND o.id = ?`;
const ALARMED = `WHERE o.batch = ? AND o.alarmed = 1 ORDER BY o.position LIMIT ?`;
const NEXT_DUE = `SELECT MIN(due_at) AS due_at FROM pay_order WHERE batch = ? AND due_at IS NOT NULL AND phase <> 'planned'`;
/** A line that a person resolved is looked up too: the service may say otherwise by now. */
const RESOLVED = `phase = 'settled' AND position IN (SELECT position FROM fact WHERE batch = ? AND type = 'order-resolved')`;
const REOPEN = `UPDATE pay_order SET due_at = ? WHERE batch = ? AND (phase IN ('claimed', 'in-doubt', 'accepted') OR ${RESOLVED}
  OR id IN (SELECT order_id FROM payout WHERE batch = ? AND outcome = 'timed-out'))`;

/**
 * Returns orders that were never claimed and that no later batch holds, in sheet order, after the position `after` and up to
 * the position `upTo`.
 */
export const unsentOrders = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  after = 0,
  upTo = ALL,
): Promise<StoredOrder[]> => storedOrders(reading, UNSENT, [batch, after, upTo, limit]);

/** Returns unsent orders up to the position `upTo` that look-ups can prove unsent, the smallest ids first. */
export const smallestUnsent = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  upTo = ALL,
): Promise<StoredOrder[]> => storedOrders(reading, SMALLEST, [batch, upTo, ...sendOnceSubmissions, limit]);

/** The most positions that are read at a time. */
const POSITIONS_READ = 10_000;

/** Returns the positions of orders that were never claimed and that no later batch holds, in sheet order. */
export async function unsentPositions(database: Database, batch: BatchId, upTo = ALL): Promise<number[]> {
  const positions: number[] = [];
  for (let last = 0; ; ) {
    const rows = await database.read(POSITIONS, [batch, last, upTo, POSITIONS_READ]);
    for (const row of rows) positions.push(numberOf(row, 'position'));
    last = positions.at(-1) ?? last;
    if (rows.length < POSITIONS_READ) return positions;
  }
}

/** Returns those of the orders at these positions that are still unsent, in the order of the positions. */
export async function unsentAt(
  reading: OrdersRead,
  batch: BatchId,
  positions: readonly number[],
): Promise<StoredOrder[]> {
  const found = await ordersAt(reading, positions);
  const orders = new Map(found.map((order) => [order.position, order]));
  return positions.flatMap((position) => {
    const order = orders.get(position);
    const isUnsent = order?.batch === batch && order.state.phase === 'planned' && !isSuperseded(order.state);
    return isUnsent ? order : [];
  });
}

/** Reports whether anything happened to an order of the batch since it was planned. */
export const isBegun = async (database: Database, batch: BatchId): Promise<boolean> =>
  (await database.read(BEGUN, [batch])).length > 0;

/** Reports whether the service showed an order of the batch that was never claimed in this ledger: it was sent before, or elsewhere. */
export const hasFound = async (database: Database, batch: BatchId): Promise<boolean> =>
  (await database.read(FOUND, [batch])).length > 0;

/** Returns the number of unsent rows whose orders are of a send-once submission. */
export async function unverifiableRows(database: Database, batch: BatchId): Promise<number> {
  const [row] = await database.read(UNPROVABLE, [batch, ...sendOnceSubmissions]);
  return row ? numberOf(row, 'number') : 0;
}

/**
 * Returns orders that are due by `now`, the longest due first, and only those after the place `after`. Planned orders are
 * left out, no matter what made them due: the code that sends takes care of them.
 */
export async function dueOrders(
  reading: OrdersRead,
  batch: BatchId,
  now: number,
  limit: number,
  after: DuePlace = { dueAt: null, position: 0 },
): Promise<StoredOrder[]> {
  const place = [after.dueAt ?? Number.MIN_SAFE_INTEGER, after.position];
  return storedOrders(reading, DUE, [batch, now, ...place, limit]);
}

export async function nextDueAt(database: Database, batch: BatchId): Promise<number | undefined> {
  const [row] = await database.read(NEXT_DUE, [batch]);
  return row && row['due_at'] !== null ? numberOf(row, 'due_at') : undefined;
}

/** Returns an order of the batch by its id. */
export async function findOrder(reading: OrdersRead, batch: BatchId, id: OrderId): Promise<StoredOrder | undefined> {
  const [order] = await storedOrders(reading, ONE, [batch, id]);
  if (order && order.state.id !== id) throw changed(`order ${id}: is not the one that was asked for`);
  return order;
}

/** The most orders with alarms that are read: any one of them stops all sending. */
const ALARMED_MAX = 1000;

/** Returns the orders with alarms that no person has dealt with, in sheet order. */
export const alarmedOrders = async (reading: OrdersRead, batch: BatchId): Promise<StoredOrder[]> =>
  storedOrders(reading, ALARMED, [batch, ALARMED_MAX]);

/** Returns what the service contradicted and no person has dealt with, in sheet order, each text once. */
export async function alarms(reading: OrdersRead, batch: BatchId): Promise<readonly string[]> {
  return [...new Set((await alarmedOrders(reading, batch)).flatMap(({ state }) => openAlarms(state)))];
}

/** Returns the orders at these positions, in any state. */
export const ordersAt = async (reading: OrdersRead, positions: readonly number[]): Promise<StoredOrder[]> =>
  (await currentOrdersAt(reading, positions)).map(storedOrder);

/** Makes every order due at `now` about which the service may still say something new, including orders with timed-out lines. */
export const reopen = (writer: Writer, batch: BatchId, now: number): Promise<void> =>
  writer.write([leaseOf(batch)], () => [{ sql: REOPEN, values: [now, batch, batch, batch] }]);

const storedOrders = async (reading: OrdersRead, which: string, values: readonly SqlValue[]): Promise<StoredOrder[]> =>
  (await currentOrders(reading, which, values)).map(storedOrder);

const ACCEPTED = `SELECT position FROM fact WHERE batch = ? AND type = 'order-answered' AND data LIKE '%"tag":"accepted"%'
  ORDER BY seq DESC LIMIT ?`;

/** Returns the orders that the service accepted last, as far as this ledger knows, the latest first. */
export async function latestAccepted(reading: OrdersRead, batch: BatchId, limit: number): Promise<StoredOrder[]> {
  const found = await reading.database.read(ACCEPTED, [batch, limit]);
  const positions = found.map((row) => numberOf(row, 'position'));
  const orders = new Map((await ordersAt(reading, positions)).map((order) => [order.position, order]));
  return positions.flatMap((position) => orders.get(position) ?? []);
}
