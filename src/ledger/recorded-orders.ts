/**
 * Orders as their facts describe them. The state of an order is never stored: it is the fold of its facts by `advance`. The
 * other columns of the tables find an order, and are never believed.
 */

import { numberOf, type Reader, type SqlRow, type SqlValue, textOf } from '../database/database.ts';
import type { Commitments, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { fromWire } from '../domain/money.ts';
import { advance, isSuperseded, type LineState, type OrderState, openAlarms, outcomeOfLine } from '../domain/order.ts';
import { isCalledPending } from '../domain/order-line.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type ChainedFact, factHash } from './chain.ts';
import { bodyHash, originHash, ROW_COLUMNS } from './commitment.ts';
import { decodeFact, factsOfOrders, inPlaces, POSITION_PLACES, type RawFact } from './facts.ts';
import { changed, otherVersion } from './proof-faults.ts';

/** An order with what the ledger knows about it. A change is written only if the version is still the same. */
export interface StoredOrder {
  /** Place among all orders of the ledger, in the order in which they were planned. */
  readonly position: number;
  readonly state: OrderState;
  /** Number of facts recorded about the order. */
  readonly version: number;
  /** What the plan of the order commits to: its exact body, what that was made from, and the rows that it pays. */
  readonly commitments: Commitments;
  /** The exact body of every submission. Empty, like `origin` and `salt`, if the people of its batch were deleted. */
  readonly body: string;
  /** What the body was made from (`PlannedOrder.origin`). */
  readonly origin: string;
  /** The salt with which the plan commits to both texts. */
  readonly salt: string;
  readonly batch: BatchId;
  /** When the order is to be looked at again, in wall-clock milliseconds; null if nothing is left to do. */
  readonly dueAt: number | null;
}

/** A place in the sequence in which orders fall due. */
export type DuePlace = Pick<StoredOrder, 'dueAt' | 'position'>;

/** What happened to an order since it was read, and when to look at it again. */
export interface OrderStep {
  readonly order: StoredOrder;
  readonly facts: readonly Fact[];
  readonly dueAt: number | null;
}

/** The texts of an order, and their salt as digits, as facts have their hashes (`facts.ts`). */
export const TEXTS = `b.body, b.origin, NULLIF(lower(hex(b.salt)), '') AS salt`;

/**
 * Returns the texts of an order from a row with `TEXTS`. All are empty if the people of its batch were deleted. A value that
 * is not a text becomes empty too: no plan commits to that, so the proof says that it was changed.
 */
export const textsIn = ({ body, origin, salt }: SqlRow): Pick<StoredOrder, 'body' | 'origin' | 'salt'> => ({
  body: typeof body === 'string' ? body : '',
  origin: typeof origin === 'string' ? origin : '',
  salt: typeof salt === 'string' ? salt : '',
});

/** The result of all facts of an order. */
export interface Folded {
  readonly state: OrderState;
  /** What the plan of the order commits to. */
  readonly commitments: Commitments;
  /** Number of the facts. */
  readonly version: number;
}

/** An order that was read, with its facts folded. */
export interface RecordedOrder extends Folded {
  readonly row: SqlRow;
  readonly facts: readonly RawFact[];
  readonly position: number;
  readonly batch: BatchId;
}

/** An order whose facts cannot be folded, and why, in words. */
interface Unfoldable {
  readonly row: SqlRow;
  readonly wrong: string;
}

export const isFolded = (one: RecordedOrder | Unfoldable): one is RecordedOrder => !('wrong' in one);

/** Folds the facts of one order. Throws an `InvariantError`, `SyntaxError` or `TypeError` if they cannot be folded. */
export function fold(facts: readonly RawFact[]): Folded {
  let folded: Folded | undefined;
  for (const raw of facts) folded = foldNext(folded, raw);
  invariant(folded, 'an order has facts');
  return folded;
}

/** Folds one more fact. Throws as `fold`. */
export function foldNext(before: Folded | undefined, raw: RawFact): Folded {
  const fact = decodeFact(raw) as Fact; // it is about an order
  const commitments = fact.type === 'order-planned' ? fact.commitments : before?.commitments;
  const state = advance(before?.state, fact);
  invariant(commitments, 'a plan commits to the texts of its orders');
  return { state, commitments, version: (before?.version ?? 0) + 1 };
}

/** Returns an order as the ledger hands it out. */
export function storedOrder({ row, position, batch, state, commitments, version }: RecordedOrder): StoredOrder {
  return {
    position,
    state,
    version,
    commitments,
    ...textsIn(row),
    batch,
    dueAt: row['due_at'] === null ? null : numberOf(row, 'due_at'),
  };
}

/** Reports whether the exact bytes of an order, and what they were made from, are what its plan commits to. */
export const hasOwnTexts = ({ row, position, commitments }: RecordedOrder): boolean => {
  const kept = { position, ...textsIn(row) };
  return bodyHash(kept) === commitments.body && originHash(kept) === commitments.origin;
};

/** Reports whether body, origin and salt of an order are gone, as after a purge. */
export const isPurgedOrder = ({ row: { body, origin, salt } }: RecordedOrder): boolean =>
  body === null && origin === null && salt === null;

/** A digest of the facts of an order: equal digests mean the same facts. */
interface OrderDigest {
  /** Number of facts of the order. */
  readonly version: number;
  /** 128 bits, as hexadecimal digits. That is enough, because a person who edits a ledger cannot choose what was hashed. */
  readonly hash: string;
}

const HASH_BYTES = 16;
const VERSION_BYTES = 4;
const BYTES = VERSION_BYTES + HASH_BYTES;
/** Number of orders whose digests are kept in one buffer. */
const TOGETHER = 256;

/** The digest before the first fact of an order. */
const NO_FACTS: OrderDigest = { version: 0, hash: '' };

/** A fact with its own hash in the chain of its batch. */
interface HashedFact extends ChainedFact {
  readonly hash: string;
}

export const digestOf = (facts: readonly HashedFact[]): OrderDigest => facts.reduce(digestAfter, NO_FACTS);

/** Returns the digest after one more fact. */
const digestAfter = (before: OrderDigest, fact: HashedFact): OrderDigest => ({
  version: before.version + 1,
  hash: factHash(`${before.hash}${fact.hash}`, fact).slice(0, 2 * HASH_BYTES),
});

export const isSameDigest = (one: OrderDigest, other: OrderDigest): boolean =>
  one.version === other.version && one.hash === other.hash;

/** A fact with the position of the order that it is about; `undefined` if it is about none. */
export interface PlacedFact extends HashedFact {
  readonly position: number | undefined;
}

/**
 * What the orders of one batch had come to when their facts were proven, or recorded by this process: for each order the
 * number of its facts, and a hash over everything that they say, because a person who edits a fact may leave the stored hash
 * of the fact as it is. An order that is read again is compared with its digest, so nothing that the tables say by then has
 * to be believed. A digest has 20 bytes, because a batch may have a million orders.
 */
export class OrderDigests {
  readonly #pieces = new Map<number, Buffer>();
  /** Number of the last fact of the batch that the digests cover, like all facts before it. */
  number = 0;

  /** Returns the number of facts of the order at this position. */
  versionOf(position: number): number {
    return this.#pieces.get(Math.floor(position / TOGETHER))?.readUInt32BE((position % TOGETHER) * BYTES) ?? 0;
  }

  /** Returns the digest of the order at this position. */
  of(position: number): OrderDigest {
    const version = this.versionOf(position);
    const piece = this.#pieces.get(Math.floor(position / TOGETHER));
    if (!piece || version === 0) return NO_FACTS;
    const at = (position % TOGETHER) * BYTES;
    return { version, hash: piece.toString('hex', at + VERSION_BYTES, at + BYTES) };
  }

  set(position: number, { version, hash: digits }: OrderDigest): void {
    const number = Math.floor(position / TOGETHER);
    const piece = this.#pieces.get(number) ?? Buffer.alloc(TOGETHER * BYTES);
    this.#pieces.set(number, piece);
    const at = (position % TOGETHER) * BYTES;
    piece.writeUInt32BE(version, at);
    piece.write(digits, at + VERSION_BYTES, HASH_BYTES, 'hex');
  }

  /** Takes the next fact of the batch. A fact that is covered already changes nothing. */
  follow(fact: PlacedFact): void {
    const { number, position } = fact;
    if (number <= this.number) return;
    this.number = number;
    if (position !== undefined) this.set(position, digestAfter(this.of(position), fact));
  }
}

const COLUMNS = `o.position, o.id, o.batch, o.attempt, o.submission, o.phase, o.outcome, o.version, o.due_at, o.alarmed,
  o.superseded, b.position AS kept_at, ${TEXTS}`;
/**
 * The texts `b` of orders `o`. If both sides were plain columns, PostgreSQL would choose a merge join, and read all bodies
 * of the ledger that come before the requested ones: each block of a proof would take longer than the one before. A sum has
 * no order of its own, so each body is found by the index.
 */
export const ITS_BODY = 'order_body b ON b.position = o.position + 0';
/** Orders `o`, with their texts; a condition follows. An order whose texts are gone is still read: nothing may hide an order. */
export const ORDERS = `SELECT ${COLUMNS} FROM pay_order o LEFT JOIN ${ITS_BODY}`;

/** Reads orders and their facts. `which` is the SQL that follows `ORDERS`. */
export async function recordedOrders(
  reader: Reader,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly (RecordedOrder | Unfoldable)[]> {
  const rows = await reader.read(`${ORDERS} ${which}`, values);
  const facts = await factsOfOrders(reader, rows);
  return rows.map((row) => recordedOrder(row, facts.get(numberOf(row, 'position')) ?? []));
}

function recordedOrder(row: SqlRow, facts: readonly RawFact[]): RecordedOrder | Unfoldable {
  const [position, batch] = [numberOf(row, 'position'), textOf(row, 'batch') as BatchId]; // a column of batch ids
  const id = textOf(row, 'id');
  if (facts.length === 0) return { row, wrong: `order ${id}: no fact has planned it` };
  if (row['kept_at'] === null) return { row, wrong: `order ${id}: its body is missing` };
  if (facts.some((fact) => fact.batch !== batch)) return { row, wrong: `order ${id}: is of another batch` };
  try {
    return { row, facts, position, batch, ...fold(facts) };
  } catch (error) {
    if (!(error instanceof InvariantError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return { row, wrong: `order ${id}: its facts cannot follow each other (${error.message})` };
  }
}

/** The source of orders, and the check of what was read from it. */
export interface OrdersRead {
  readonly database: Reader;
  /**
   * Reports whether orders are as they were last recorded, or whether something was recorded since they were read.
   * Throws a Fault `ledger-unsafe` if an order was changed (`held-orders.ts`).
   */
  readonly areCurrent: (orders: readonly RecordedOrder[]) => Promise<boolean>;
}

/**
 * How many times orders are read while something is recorded about them in the meantime, which this process itself does group
 * by group.
 */
const READS_MAX = 100;

/**
 * Returns orders with their facts folded, each as it was recorded last: if something is recorded while they are read, they
 * are read again. `which` is the SQL that follows `ORDERS`.
 */
export async function currentOrders(
  { database, areCurrent }: OrdersRead,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly RecordedOrder[]> {
  for (let tries = 1; tries <= READS_MAX; tries += 1) {
    const found = await recordedOrders(database, which, values);
    const orders = found.filter(isFolded);
    for (const one of found) if (!isFolded(one)) throw changed(one.wrong);
    if (await areCurrent(orders)) return orders;
  }
  throw otherVersion();
}

const AT_POSITIONS = `WHERE o.position IN (${POSITION_PLACES})`;

/** Like `currentOrders`, but returns the orders at these positions, in any state. */
export async function currentOrdersAt(
  reading: OrdersRead,
  positions: readonly number[],
): Promise<readonly RecordedOrder[]> {
  const orders: RecordedOrder[] = [];
  for (const asked of inPlaces(positions)) orders.push(...(await currentOrders(reading, AT_POSITIONS, asked)));
  return orders;
}

/** Rows in one query. Every query has this number of placeholders, so that it is prepared once. */
const ROWS_AT_ONCE = 256;
/**
 * Rows are found by the trace number of the line that pays them, which has an index of its own. For a batch and row numbers,
 * PostgreSQL would read all rows of a batch that is new to it, for each claim.
 */
const ROWS = `SELECT ${ROW_COLUMNS}, batch, charge_minor, order_id, trace, outcome, fee_minor
  FROM payout WHERE trace IN (${Array(ROWS_AT_ONCE).fill('?').join(', ')})`;

/** Returns the rows that orders of one batch pay, by their number in the sheet. A row that is gone, or of another line, is absent. */
export async function rowsOfOrders(
  database: Reader,
  batch: BatchId,
  orders: readonly { readonly state: { readonly lines: readonly Pick<LineState, 'trace'>[] } }[],
): Promise<ReadonlyMap<number, SqlRow>> {
  const traces = orders.flatMap(({ state }) => state.lines.map(({ trace }) => trace));
  const found = new Map<number, SqlRow>();
  for (let from = 0; from < traces.length; from += ROWS_AT_ONCE) {
    const asked = traces.slice(from, from + ROWS_AT_ONCE);
    const filled = Array.from({ length: ROWS_AT_ONCE }, (_, index) => asked[index] ?? asked[0] ?? '');
    for (const row of await database.read(ROWS, filled))
      if (row['batch'] === batch) found.set(numberOf(row, 'sheet_row'), row);
  }
  return found;
}

/**
 * Returns the index of an order: what the tables say about it in addition to its facts, and by which it is found. It follows from the
 * facts.
 */
export const indexOf = (state: OrderState) => ({
  attempt: state.attempt,
  submission: state.submission,
  phase: state.phase,
  outcome: orderOutcomeOf(state),
  alarmed: openAlarms(state).length > 0 ? 1 : 0,
  superseded: isSuperseded(state) ? 1 : 0,
});

/** Returns the names of the columns of the index in which an order is not what its facts say. */
export function otherColumns({
  row,
  state,
  version,
}: Pick<RecordedOrder, 'row' | 'state' | 'version'>): readonly string[] {
  const said: SqlRow = { id: state.id, ...indexOf(state), version };
  return Object.keys(said).filter((column) => {
    const found = row[column];
    return (typeof found === 'bigint' ? Number(found) : found) !== said[column];
  });
}

/** What pays a row: a line of an order, and the charge that was quoted for it. */
export interface RowOwner {
  readonly state: OrderState;
  readonly line: LineState;
  /** In minor units; null if no charge was quoted. */
  readonly charge: string | null;
}

/**
 * Returns what the facts say about a row beyond its sheet, as its columns hold it. `isLeftOut` is read only for a row without
 * an owner.
 */
export const saidOfRow = (owner: RowOwner | undefined, isLeftOut: boolean) =>
  owner
    ? {
        order_id: owner.state.id,
        trace: owner.line.trace,
        charge_minor: owner.charge === null ? null : BigInt(owner.charge),
        outcome: ownOutcomeOf(owner.state, owner.line),
        fee_minor: feeOf(owner.line),
      }
    : { ...ofNoOrder, outcome: isLeftOut ? ('left-out' as const) : ('invalid' as const) };

const ofNoOrder = { order_id: null, trace: null, charge_minor: null, fee_minor: null };

/** Returns the fee of a completed line. No other line has a fee, and a fee that cannot be read counts as none. */
export function feeOf(line: LineState): bigint | null {
  if (line.phase !== 'completed' || !line.report) return null;
  return fromWire(line.report.feeAmount, line.amount.currency)?.minor ?? null;
}

/** Returns the outcome of those lines of the order of which neither the service nor a person has said anything. */
function orderOutcomeOf(state: OrderState): Outcome {
  const [line] = state.lines;
  invariant(line, 'an order has a line');
  const { trace, row, amount } = line;
  return outcomeOfLine(state, { trace, row, amount, phase: 'open' });
}

/** Returns the outcome of a line if it differs from the outcome of its order, otherwise null. */
export function ownOutcomeOf(state: OrderState, line: LineState): Outcome | null {
  if (line.phase === 'open' && !line.resolved && !isCalledPending(line)) return null;
  const outcome = outcomeOfLine(state, line);
  return outcome === orderOutcomeOf(state) ? null : outcome;
}
