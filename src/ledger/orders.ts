/** Orders as the ledger keeps them: read to be sent or followed, and moved by facts in the same transaction. */
import type { Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, isSuperseded, type OrderState, openAlarms } from '../domain/order.ts';
import { sendOnceSubmissions } from '../domain/submission.ts';
import {
  type Database,
  hexOf,
  numberOf,
  RowsDiffer,
  type SqlRow,
  type SqlValue,
  type Statement,
  textOf,
} from './database.ts';
import type { Append } from './ending.ts';
import { leaseLost } from './lease.ts';
import type { Moving } from './moving.ts';
import { feeOf, orderOutcomeOf, ownOutcomeOf } from './order-columns.ts';
import { orderTexts, PACKED_COLUMNS, PACKED_TABLES } from './order-texts.ts';
import { changed, otherVersion } from './proof-faults.ts';
import { assertContent, assertState } from './sealed-orders.ts';
import { stateSeal } from './seals.ts';
import { ALL, everywhere, isWithin, type Span } from './span.ts';
import { packedOf, readState } from './state-texts.ts';
import type { DuePlace, OrderStep, StoredOrder } from './stored-order.ts';
import type { Writer } from './writer.ts';

export type { OrderStep, StoredOrder };

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

interface Move {
  readonly before: OrderState;
  readonly facts: readonly Fact[];
  readonly after: StoredOrder;
}

const COLUMNS = 'o.position, o.batch, o.phase, o.alarmed, o.superseded, o.version, o.due_at, o.state, o.lines';
const ORDERS = `SELECT ${COLUMNS}, ${PACKED_COLUMNS} FROM ${PACKED_TABLES}`;
const UNSENT = `${ORDERS} WHERE o.batch = ? AND o.phase = 'planned' AND o.superseded = 0 AND o.position > ?
  AND o.position <= ? ORDER BY o.position LIMIT ?`;
const SMALLEST = `${ORDERS} WHERE o.position IN (SELECT position FROM pay_order WHERE batch = ? AND phase = 'planned'
  AND superseded = 0 AND position > ? AND position <= ? AND submission NOT IN (${sendOnceSubmissions.map(() => '?').join(', ')}) ORDER BY id LIMIT ?)
  ORDER BY o.id`;
const BEGUN = `SELECT 1 FROM pay_order WHERE batch = ? AND phase <> 'planned' LIMIT 1`;
const UNPROVABLE = `SELECT COUNT(*) AS number FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ?
  AND p.outcome IS NULL AND o.outcome = 'unsent' AND o.superseded = 0 AND o.submission IN (${sendOnceSubmissions.map(() => '?').join(', ')})`;
const DUE = `${ORDERS} WHERE o.batch = ? AND o.due_at <= ? AND (o.due_at, o.position) > (?, ?) AND o.phase <> 'planned'
  AND o.position > ? AND o.position <= ? ORDER BY o.due_at, o.position LIMIT ?`;
const ONE = `${ORDERS} WHERE o.batch = ? AND o.id = ?`;
const ALARMED = `${ORDERS} WHERE o.batch = ? AND o.alarmed = 1 ORDER BY o.position LIMIT ?`;
/** A place with a sign in front is not looked for in an index: the first in the index by time ends the search. */
const NEXT_DUE = `SELECT MIN(due_at) AS due_at FROM pay_order
  WHERE batch = ? AND due_at IS NOT NULL AND phase <> 'planned' AND +position > ? AND +position <= ?`;
const moving = (columns: string): string => `UPDATE pay_order SET ${columns} WHERE position = ? AND version = ?`;
const MOVED = 'phase = ?, outcome = ?, version = ?, due_at = ?, alarmed = ?, superseded = ?, state = ?';
const MOVE_ORDER = moving(MOVED);
const MOVE_WITH_LINES = moving(`${MOVED}, lines = ?`);
const MOVE_PAYOUT = 'UPDATE payout SET outcome = ?, fee_minor = ? WHERE batch = ? AND sheet_row = ? AND order_id = ?';
/** A line that a person resolved is asked about too: the service may say otherwise by now. */
const RESOLVED = `phase = 'settled' AND id IN (SELECT order_id FROM fact WHERE batch = ? AND type = 'order-resolved')`;
const REOPEN = `UPDATE pay_order SET due_at = ? WHERE batch = ? AND position > ? AND position <= ? AND (phase IN ('claimed', 'in-doubt', 'accepted') OR ${RESOLVED}
  OR id IN (SELECT order_id FROM payout WHERE batch = ? AND outcome = 'timed-out'))`;

/** Orders that were never claimed and that no later batch holds, in sheet order, after this position and up to that one. */
export const unsentOrders = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  after = 0,
  upTo = ALL,
): Promise<StoredOrder[]> => storedOrders(reading, UNSENT, [batch, after, upTo, limit]);

/** Orders that are still to be sent and that look-ups can prove unsent, the smallest ids first. */
export const smallestUnsent = async (
  reading: OrdersRead,
  batch: BatchId,
  limit: number,
  { after, upTo }: Span = everywhere,
): Promise<StoredOrder[]> => storedOrders(reading, SMALLEST, [batch, after, upTo, ...sendOnceSubmissions, limit]);

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
  span: Span = everywhere,
): Promise<StoredOrder[]> {
  const place = [after.dueAt ?? Number.MIN_SAFE_INTEGER, after.position];
  return storedOrders(reading, DUE, [batch, now, ...place, span.after, span.upTo, limit]);
}

export async function nextDueAt(
  database: Database,
  batch: BatchId,
  { after, upTo }: Span = everywhere,
): Promise<number | undefined> {
  const [row] = await database.read(NEXT_DUE, [batch, after, upTo]);
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
export const reopen = (
  writer: Writer,
  batch: BatchId,
  now: number,
  { after, upTo }: Span = writer.leases.spanOf(batch) ?? everywhere,
): Promise<void> =>
  writer.write(writer.leases.namesOf(batch), () => [{ sql: REOPEN, values: [now, batch, after, upTo, batch, batch] }]);

/** What a claim is made for. `dueAt`: when an order is looked at next, if nothing else is heard of it. */
export interface ClaimTerms {
  readonly at: number;
  readonly epoch: number;
  readonly dueAt: number | null;
}

/**
 * Claims orders for sending: when it resolves, the claim is on disk, and bodies, rows and states are proven to be those of the
 * facts. Throws a Fault `ledger-held` when the lease has another epoch, `ledger-unsafe` when an order has another version, or is
 * not what was planned; nothing is claimed then. To claim one that was superseded is a bug. Nothing is claimed, and none given back,
 * when a person has stopped a batch of theirs (`batch-stops.ts`).
 */
export async function claim(
  database: Database,
  moving: Moving,
  orders: readonly StoredOrder[],
  { at, epoch, dueAt }: ClaimTerms,
): Promise<readonly StoredOrder[]> {
  const { writer, proof } = moving;
  for (const [batch, ofBatch] of Map.groupBy(orders, (order) => order.batch)) {
    const ours = writer.leases.epochOfBatch(batch);
    if (epoch !== ours) throw leaseLost(`epoch ${epoch} is over; this is epoch ${ours}`);
    await proof.batch(batch);
    await writer.loadSeals(positionsOf(ofBatch));
    await assertContent({ database, seals: proof.seals }, batch, ofBatch);
  }
  const moves = orders.map((order) =>
    moveOf({ order, facts: [{ type: 'order-claimed', order: order.state.id, at, epoch }], dueAt }),
  );
  const batches = new Set(orders.map((order) => order.batch));
  return writeMoves(moving, moves, () => [...batches].every((batch) => !proof.told.stops.has(batch)));
}

/** Facts that are recorded together with what else changes by them. */
const ownWays: ReadonlySet<Fact['type']> = new Set([
  'order-planned',
  'order-claimed',
  'order-retried',
  'order-superseded',
]);

/** Appends what happened, and moves the orders by it. The same Faults as `claim`; nothing is recorded then. */
export async function record(moving: Moving, steps: readonly OrderStep[]): Promise<readonly StoredOrder[]> {
  for (const { order, facts } of steps) {
    for (const fact of facts) {
      invariant(fact.order === order.state.id, 'a fact is recorded of its own order');
      invariant(!ownWays.has(fact.type), `${fact.type} has its own way in`);
    }
  }
  await assertProven(moving, steps);
  return writeMoves(moving, steps.map(moveOf));
}

function moveOf({ order, facts, dueAt }: OrderStep): Move {
  let state = order.state;
  for (const fact of facts) state = advance(state, fact);
  return { before: order.state, facts, after: { ...order, state, version: order.version + facts.length, dueAt } };
}

/** Throws a Fault `ledger-unsafe` when one of the orders is not as its facts have it. */
export async function assertProven(
  { writer, proof }: Moving,
  steps: readonly Pick<OrderStep, 'order'>[],
): Promise<void> {
  const orders = steps.map(({ order }) => order);
  for (const batch of new Set(orders.map((order) => order.batch))) await proof.batch(batch);
  await writer.loadSeals(positionsOf(orders));
  for (const order of orders) assertState(proof.seals, order);
}

export const positionsOf = (orders: readonly StoredOrder[]): readonly number[] =>
  orders.map(({ position }) => position);

/** `mayMove`: asked at the end of the facts at which the group is made; when it says no, nothing is written. */
async function writeMoves(
  { writer }: Moving,
  moves: readonly Move[],
  mayMove: () => boolean = () => true,
): Promise<readonly StoredOrder[]> {
  if (moves.length === 0) return [];
  let isMoved = true;
  try {
    const batches = new Set(moves.map(({ after }) => after.batch));
    for (const { after } of moves) assertInLane(writer, after);
    const under = [...batches].flatMap((batch) => writer.leases.namesOf(batch));
    const moved = positionsOf(moves.map(({ after }) => after));
    const group = (append: Append): Iterable<Statement> => {
      isMoved = mayMove();
      return isMoved ? statementsOf(moves, append) : [];
    };
    await writer.write(under, group, moved);
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw otherVersion(error);
  }
  return isMoved ? moves.map((move) => move.after) : [];
}

/** Who has one lane of a batch moves the orders that stand in it, and no others. */
function assertInLane({ leases }: Writer, { batch, position, state }: StoredOrder): void {
  const span = leases.spanOf(batch);
  invariant(
    !span || isWithin(position, span),
    `order ${state.id} stands in the lane of batch ${batch} that is held here`,
  );
}

/** The statements of steps that are written together with others. */
export const stepStatements = (steps: readonly OrderStep[], append: Append): Iterable<Statement> =>
  statementsOf(steps.map(moveOf), append);

function* statementsOf(moves: readonly Move[], append: Append): Generator<Statement> {
  for (const { before, facts, after } of moves) {
    const { position, state, version, dueAt, batch } = after;
    const alarmed = openAlarms(state).length > 0 ? 1 : 0;
    const flags = [alarmed, isSuperseded(state) ? 1 : 0];
    const packed = packedOf(state);
    const moved = [state.phase, orderOutcomeOf(state), version, dueAt, ...flags, packed.state];
    const place = [position, version - facts.length];
    // Most facts leave the lines as they are.
    if (state.lines === before.lines) yield { sql: MOVE_ORDER, values: [...moved, ...place], expect: 1 };
    else yield { sql: MOVE_WITH_LINES, values: [...moved, packed.lines, ...place], expect: 1 };
    for (const fact of facts) yield append(batch, fact);
    if (facts.length > 0) append.seals.moved(position, { version, state: stateSeal(packed.digest) });
    yield* payoutMoves(before, after);
  }
}

function* payoutMoves(before: OrderState, { state, batch }: StoredOrder): Generator<Statement> {
  for (const [index, line] of state.lines.entries()) {
    const earlier = before.lines[index];
    invariant(earlier, 'an order keeps its lines');
    // The row belongs to the order that replaced this one.
    if (line.replacedBy) continue;
    const outcome = ownOutcomeOf(state, line);
    const fee = feeOf(line);
    if (ownOutcomeOf(before, earlier) === outcome && feeOf(earlier) === fee) continue;
    yield { sql: MOVE_PAYOUT, values: [outcome, fee, batch, line.row, state.id], expect: 1 };
  }
}

async function storedOrders(
  { database, areCurrent }: OrdersRead,
  sql: string,
  values: readonly SqlValue[],
): Promise<StoredOrder[]> {
  for (let tries = 1; tries <= READS_MAX; tries += 1) {
    const rows = await database.read(sql, values);
    const orders = await readable(async () => {
      const textsOf = await orderTexts(database, rows);
      return rows.map((row) => storedOrder(row, textsOf(row)));
    });
    if (await areCurrent(orders)) return orders;
  }
  throw otherVersion();
}

/** What is read before all of its batch is proven may be anything. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw changed(`an order cannot be read (${error.message})`);
  }
}

function storedOrder(row: SqlRow, texts: Pick<StoredOrder, 'body' | 'origin'>): StoredOrder {
  const state = readState(row);
  // By these columns it was found, and they are in no seal.
  const said = [row['phase'], numberOf(row, 'alarmed') === 1, numberOf(row, 'superseded') === 1];
  const stands = [state.phase, openAlarms(state).length > 0, isSuperseded(state)];
  if (said.some((value, index) => value !== stands[index]))
    throw changed(`order ${state.id}: is not where it was found`);
  return {
    position: numberOf(row, 'position'),
    state,
    version: numberOf(row, 'version'),
    ...texts,
    salt: hexOf(row, 'salt'),
    batch: textOf(row, 'batch') as BatchId, // was stored as one
    dueAt: row['due_at'] === null ? null : numberOf(row, 'due_at'),
  };
}
