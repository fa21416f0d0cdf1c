/** Orders as the ledger keeps them, read to be sent or followed. What moves them is in `order-moves.ts`. */
import type { BatchId, OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { isSuperseded, openAlarms } from '../domain/order.ts';
import { sendOnceSubmissions } from '../domain/submission.ts';
import { type Database, hexOf, numberOf, type SqlRow, type SqlValue, textOf } from './database.ts';
import { leaseOf } from './lease.ts';
import { changed, otherVersion } from './proof-faults.ts';
import { decodeState, encodeState } from './record-text.ts';
import { type DuePlace, type OrderStep, type StoredOrder, textsIn } from './stored-order.ts';
import type { Writer } from './writer.ts';

export type { OrderStep, StoredOrder };

/** Beyond the position of any order. */
export const ALL: number = Number.MAX_SAFE_INTEGER;

/** Where orders are read. */
export interface OrdersRead {
  readonly database: Database;
  /**
   * Whether orders are what was recorded of them last; false: something was recorded since they were read. Fault `ledger-unsafe`
   * when they were changed.
   */
  readonly areCurrent: (orders: readonly StoredOrder[]) => Promise<boolean>;
}

/** Orders are read again at most so often because something was recorded of them meanwhile: by this process itself, group by group. */
const READS_MAX = 100;

const ORDERS = `SELECT o.position, o.batch, o.phase, o.alarmed, o.superseded, o.version, o.due_at, o.state, o.lines,
  b.body, b.origin, b.salt FROM pay_order o JOIN order_body b ON b.position = o.position`;
const UNSENT = `${ORDERS} WHERE o.batch = ? AND o.phase = 'planned' AND o.superseded = 0 AND o.position > ?
  AND o.position <= ? ORDER BY o.position LIMIT ?`;
const SMALLEST = `${ORDERS} WHERE o.position IN (SELECT position FROM pay_order WHERE batch = ? AND phase = 'planned'
  AND superseded = 0 AND position <= ? AND submission NOT IN (${sendOnceSubmissions.map(() => '?').join(', ')}) ORDER BY id LIMIT ?)
  ORDER BY o.id`;
const POSITIONS = `SELECT position FROM pay_order WHERE batch = ? AND phase = 'planned' AND superseded = 0 AND position > ?
  AND position <= ? ORDER BY position LIMIT ?`;
/** Orders that are read by their positions at once, at most: the text of the statement is one. */
export const PLACES_MAX = 128;
const AT = `${ORDERS} WHERE o.batch = ? AND o.phase = 'planned' AND o.superseded = 0 AND o.position IN (${Array(PLACES_MAX).fill('?').join(', ')})`;
const BEGUN = `SELECT 1 FROM pay_order WHERE batch = ? AND phase <> 'planned' LIMIT 1`;
const UNPROVABLE = `SELECT COUNT(*) AS number FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ?
  AND p.outcome IS NULL AND o.outcome = 'unsent' AND o.superseded = 0 AND o.submission IN (${sendOnceSubmissions.map(() => '?').join(', ')})`;
const DUE = `${ORDERS} WHERE o.batch = ? AND o.due_at <= ? AND (o.due_at, o.position) > (?, ?) AND o.phase <> 'planned'
  ORDER BY o.due_at, o.position LIMIT ?`;
const ONE = `${ORDERS} WHERE o.batch = ? AND o.id = ?`;
const ALARMED = `${ORDERS} WHERE o.batch = ? AND o.alarmed = 1 ORDER BY o.position LIMIT ?`;
const NEXT_DUE = `SELECT MIN(due_at) AS due_at FROM pay_order WHERE batch = ? AND due_at IS NOT NULL AND phase <> 'planned'`;
/** A line that a person resolved is asked about too: the service may say otherwise by now. */
const RESOLVED = `phase = 'settled' AND id IN (SELECT order_id FROM fact WHERE batch = ? AND type = 'order-resolved')`;
const REOPEN = `UPDATE pay_order SET due_at = ? WHERE batch = ? AND (phase IN ('claimed', 'in-doubt', 'accepted') OR ${RESOLVED}
  OR id IN (SELECT order_id FROM payout WHERE batch = ? AND outcome = 'timed-out'))`;

/** Orders that were never claimed and that no later batch holds, in sheet order, after this position and up to that one. */
export const unsentOrders = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  after = 0,
  upTo = ALL,
): Promise<StoredOrder[]> => storedOrders(reading, UNSENT, [batch, after, upTo, limit]);

/** Orders up to this position that are still to be sent and that look-ups can prove unsent, the smallest ids first. */
export const smallestUnsent = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  upTo = ALL,
): Promise<StoredOrder[]> => storedOrders(reading, SMALLEST, [batch, upTo, ...sendOnceSubmissions, limit]);

/** Positions that are read at once, at most. */
const POSITIONS_READ = 10_000;

/** Where the orders stand that were never claimed and that no later batch holds, in sheet order. */
export async function unsentPositions(database: Database, batch: BatchId, upTo = ALL): Promise<number[]> {
  const positions: number[] = [];
  for (let last = 0; ; ) {
    const rows = await database.read(POSITIONS, [batch, last, upTo, POSITIONS_READ]);
    for (const row of rows) positions.push(numberOf(row, 'position'));
    last = positions.at(-1) ?? last;
    if (rows.length < POSITIONS_READ) return positions;
  }
}

/** Those of the orders at these positions, `PLACES_MAX` at most, that are still to be sent; in the order of the positions. */
export async function unsentAt(
  reading: OrdersRead,
  batch: BatchId,
  positions: readonly number[],
): Promise<StoredOrder[]> {
  const [first] = positions;
  if (first === undefined) return [];
  invariant(positions.length <= PLACES_MAX, 'so many orders are read by their positions');
  const places = Array.from({ length: PLACES_MAX }, (_, index) => positions[index] ?? first);
  const orders = await storedOrders(reading, AT, [batch, ...places]);
  const turnOf = new Map(positions.map((position, turn) => [position, turn]));
  return orders.toSorted((a, b) => (turnOf.get(a.position) ?? 0) - (turnOf.get(b.position) ?? 0));
}

/** Whether anything happened to an order of the batch since it was planned. */
export const isBegun = async (database: Database, batch: BatchId): Promise<boolean> =>
  (await database.read(BEGUN, [batch])).length > 0;

/** Rows that are still to be sent and whose orders are of a send-once submission. */
export async function unverifiableRows(database: Database, batch: BatchId): Promise<number> {
  const [row] = await database.read(UNPROVABLE, [batch, ...sendOnceSubmissions]);
  return row ? numberOf(row, 'number') : 0;
}

/**
 * Orders to be looked at by `now`, the longest due first, those after a place alone; a planned one is for who sends, whatever
 * woke it.
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

/** An order of the batch by its own id. */
export async function findOrder(reading: OrdersRead, batch: BatchId, id: OrderId): Promise<StoredOrder | undefined> {
  const [order] = await storedOrders(reading, ONE, [batch, id]);
  if (order && order.state.id !== id) throw changed(`order ${id}: is another one`);
  return order;
}

/** Orders with alarms that are read at most: each stops all sending by itself. */
const ALARMED_MAX = 1000;

/** Orders with alarms that nobody has dealt with, in sheet order. */
export const alarmedOrders = async (reading: OrdersRead, batch: BatchId): Promise<StoredOrder[]> =>
  storedOrders(reading, ALARMED, [batch, ALARMED_MAX]);

/** What the service contradicted and nobody has dealt with, in sheet order, each once. */
export async function alarms(reading: OrdersRead, batch: BatchId): Promise<readonly string[]> {
  return [...new Set((await alarmedOrders(reading, batch)).flatMap(({ state }) => openAlarms(state)))];
}

/** Makes every order that the service may still say something new about due at `now`; timed-out lines are watched. */
export const reopen = (writer: Writer, batch: BatchId, now: number): Promise<void> =>
  writer.write([leaseOf(batch)], () => [{ sql: REOPEN, values: [now, batch, batch, batch] }]);

async function storedOrders(
  { database, areCurrent }: OrdersRead,
  sql: string,
  values: readonly SqlValue[],
): Promise<StoredOrder[]> {
  for (let tries = 1; tries <= READS_MAX; tries += 1) {
    const rows = await database.read(sql, values);
    const orders = readable(() => rows.map(storedOrder));
    if (await areCurrent(orders)) return orders;
  }
  throw otherVersion();
}

/** What is read before all of its batch is proven may be anything. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw changed(`an order cannot be read (${error.message})`);
  }
}

function storedOrder(row: SqlRow): StoredOrder {
  const state = decodeState(row);
  const texts = encodeState(state);
  // Its seal is over the texts that such a state has, so the same state in another text would pass for what was recorded.
  if (row['state'] !== texts.state || row['lines'] !== texts.lines)
    throw changed(`order ${state.id}: differs from its facts`);
  // By these columns it was found, and they are in no seal.
  const said = [row['phase'], numberOf(row, 'alarmed') === 1, numberOf(row, 'superseded') === 1];
  const stands = [state.phase, openAlarms(state).length > 0, isSuperseded(state)];
  if (said.some((value, index) => value !== stands[index]))
    throw changed(`order ${state.id}: is not where it was found`);
  return {
    position: numberOf(row, 'position'),
    state,
    version: numberOf(row, 'version'),
    ...textsIn(row),
    salt: hexOf(row, 'salt'),
    batch: textOf(row, 'batch') as BatchId, // was stored as one
    dueAt: row['due_at'] === null ? null : numberOf(row, 'due_at'),
  };
}
