/**
 * Orders as their facts have them. The state of an order is never stored: it is its facts, folded by `advance`. What stands in the
 * tables beside the facts finds an order, and is never believed.
 */
import type { Commitments, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { fromWire } from '../domain/money.ts';
import { advance, isSuperseded, type LineState, type OrderState, openAlarms, outcomeOfLine } from '../domain/order.ts';
import { isCalledPending } from '../domain/order-line.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type ChainedFact, factHash } from './chain.ts';
import { bodyHash, originHash, ROW_COLUMNS } from './commitment.ts';
import { hexOf, numberOf, type Reader, type SqlRow, type SqlValue, textOf } from './database.ts';
import { decodeFact, factsOfOrders, inPlaces, POSITION_PLACES, type RawFact } from './facts.ts';
import { changed, otherVersion } from './proof-faults.ts';

/** An order with what the ledger knows of it. A change is written only if the version is still the same. */
export interface StoredOrder {
  /** Place among all orders of the ledger, in the order in which they were planned. */
  readonly position: number;
  readonly state: OrderState;
  /** Number of facts recorded of the order. */
  readonly version: number;
  /** To what its plan commits: its exact body, what that was made of, and the rows that it pays. */
  readonly commitments: Commitments;
  /** The exact body of every submission. Empty, as the next two, where the people of its batch were deleted. */
  readonly body: string;
  /** What it was made of (`PlannedOrder.origin`). */
  readonly origin: string;
  /** With which its plan commits to both. */
  readonly salt: string;
  readonly batch: BatchId;
  /** When the order is to be looked at again, in wall-clock milliseconds; null when nothing is left to do. */
  readonly dueAt: number | null;
}

/** A place in the order in which orders fall due. */
export type DuePlace = Pick<StoredOrder, 'dueAt' | 'position'>;

/** What happened to an order since it was read, and when to look at it again. */
export interface OrderStep {
  readonly order: StoredOrder;
  readonly facts: readonly Fact[];
  readonly dueAt: number | null;
}

/**
 * The texts of an order, read with `body` and `origin`. Both are empty where the people of its batch were deleted, and one that is no
 * text is empty too: no plan commits to that, so the proof says that it was changed.
 */
export const textsIn = ({ body, origin }: SqlRow): Pick<StoredOrder, 'body' | 'origin'> => ({
  body: typeof body === 'string' ? body : '',
  origin: typeof origin === 'string' ? origin : '',
});

/** What all facts of an order come to. */
export interface Folded {
  readonly state: OrderState;
  /** To what its plan commits. */
  readonly commitments: Commitments;
  readonly digest: OrderDigest;
}

/** An order that was read, with its facts folded. */
export interface RecordedOrder extends Folded {
  readonly row: SqlRow;
  readonly position: number;
  readonly batch: BatchId;
}

/** What cannot be of an order, in words. */
interface Unfoldable {
  readonly row: SqlRow;
  readonly wrong: string;
}

export const isFolded = (one: RecordedOrder | Unfoldable): one is RecordedOrder => !('wrong' in one);

/** Folds the facts of one order. Throws an `InvariantError`, `SyntaxError` or `TypeError` when they cannot be. */
export function fold(facts: readonly RawFact[]): Folded {
  let folded: Folded | undefined;
  for (const raw of facts) folded = foldNext(folded, raw);
  invariant(folded, 'an order has facts');
  return folded;
}

/** The same with one fact more. */
export function foldNext(before: Folded | undefined, raw: RawFact): Folded {
  const fact = decodeFact(raw) as Fact; // it is about an order
  const commitments = fact.type === 'order-planned' ? fact.commitments : before?.commitments;
  const state = advance(before?.state, fact);
  invariant(commitments, 'a plan commits to the texts of its orders');
  return { state, commitments, digest: digestAfter(before?.digest ?? NO_FACTS, raw) };
}

/** As the ledger gives it out. */
export function storedOrder({ row, position, batch, state, commitments, digest }: RecordedOrder): StoredOrder {
  return {
    position,
    state,
    version: digest.version,
    commitments,
    ...textsIn(row),
    salt: hexOf(row, 'salt'),
    batch,
    dueAt: row['due_at'] === null ? null : numberOf(row, 'due_at'),
  };
}

/** Whether the exact bytes of an order, and what they were made of, are what its plan commits to. */
export const hasOwnTexts = ({ row, position, commitments }: RecordedOrder): boolean => {
  const kept = { position, ...textsIn(row), salt: hexOf(row, 'salt') };
  return bodyHash(kept) === commitments.body && originHash(kept) === commitments.origin;
};

/** Whether a purge has left nothing of them. */
export const isPurgedOrder = ({ row: { body, origin, salt } }: RecordedOrder): boolean =>
  body === null && origin === null && salt === null;

/** How an order stands: equal ones have the same facts. */
interface OrderDigest {
  /** Facts of the order. */
  readonly version: number;
  /** 128 bits, as hexadecimal digits: nobody who edits a ledger chooses what they are over. */
  readonly hash: string;
}

const HASH_BYTES = 16;
const VERSION_BYTES = 4;
const BYTES = VERSION_BYTES + HASH_BYTES;
/** Orders that are kept in one piece. */
const TOGETHER = 256;

/** Before the first fact of an order. */
const NO_FACTS: OrderDigest = { version: 0, hash: '' };

/** A fact with its own hash in the chain of its batch. */
interface HashedFact extends ChainedFact {
  readonly hash: string;
}

/** After one more fact. */
const digestAfter = (before: OrderDigest, fact: HashedFact): OrderDigest => ({
  version: before.version + 1,
  hash: factHash(`${before.hash}${fact.hash}`, fact).slice(0, 2 * HASH_BYTES),
});

export const isSameDigest = (one: OrderDigest, other: OrderDigest): boolean =>
  one.version === other.version && one.hash === other.hash;

/** A fact with the position of the order that it is about; missing: it is about none. */
export interface PlacedFact extends HashedFact {
  readonly position: number | undefined;
}

/**
 * What the orders of one batch had come to when their facts were proven, or recorded by this process: for each how many facts it has,
 * and a hash over all that they say; whoever edits a fact may leave its own hash as it is. An order that is read again is held against
 * that, so nothing has to be believed of what the tables say by then. 20 bytes an order: a batch may have a million.
 */
export class OrderDigests {
  readonly #pieces = new Map<number, Buffer>();
  /** Facts of the batch that they tell of: all up to this number. */
  number = 0;

  /** Of the order at this position. */
  of(position: number): OrderDigest {
    const piece = this.#pieces.get(Math.floor(position / TOGETHER));
    const at = (position % TOGETHER) * BYTES;
    const version = piece?.readUInt32BE(at) ?? 0;
    if (!piece || version === 0) return NO_FACTS;
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

  /** The next fact of the batch. One that is known already changes nothing. */
  follow(fact: PlacedFact): void {
    const { number, position } = fact;
    if (number <= this.number) return;
    this.number = number;
    if (position !== undefined) this.set(position, digestAfter(this.of(position), fact));
  }
}

const COLUMNS = `o.position, o.id, o.batch, o.attempt, o.submission, o.phase, o.outcome, o.version, o.due_at, o.alarmed,
  o.superseded, b.position AS kept_at, b.body, b.origin, b.salt`;
/**
 * The texts `b` of orders `o`. Two plain columns PostgreSQL would merge, and read all bodies of the ledger before those that it asks
 * for: each block of a proof would take longer than the one before. A sum has no order of its own, so each body is found by the index.
 */
export const ITS_BODY = 'order_body b ON b.position = o.position + 0';
/** Orders `o`, with their texts. What follows says which. One whose texts are gone is read all the same: nothing may hide an order. */
export const ORDERS = `SELECT ${COLUMNS} FROM pay_order o LEFT JOIN ${ITS_BODY}`;

/** Reads orders and their facts; `which` goes on after `ORDERS`. */
export async function recordedOrders(
  reader: Reader,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly (RecordedOrder | Unfoldable)[]> {
  const rows = await reader.read(`${ORDERS} ${which}`, values);
  const facts = await factsOfOrders(
    reader,
    rows.map((row) => numberOf(row, 'position')),
  );
  return rows.map((row) => recordedOrder(row, facts.get(numberOf(row, 'position')) ?? []));
}

function recordedOrder(row: SqlRow, facts: readonly RawFact[]): RecordedOrder | Unfoldable {
  const [position, batch] = [numberOf(row, 'position'), textOf(row, 'batch') as BatchId]; // was stored as one
  const id = textOf(row, 'id');
  if (facts.length === 0) return { row, wrong: `order ${id}: no fact has planned it` };
  if (row['kept_at'] === null) return { row, wrong: `order ${id}: its body is missing` };
  if (facts.some((fact) => fact.batch !== batch)) return { row, wrong: `order ${id}: is of another batch` };
  try {
    return { row, position, batch, ...fold(facts) };
  } catch (error) {
    if (!(error instanceof InvariantError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return { row, wrong: `order ${id}: its facts cannot follow each other (${error.message})` };
  }
}

/** Where orders are read. */
export interface OrdersRead {
  readonly database: Reader;
  /**
   * Whether orders are what was recorded of them last; false: something was recorded since they were read. Fault `ledger-unsafe`
   * when they were changed (`held-orders.ts`).
   */
  readonly areCurrent: (orders: readonly RecordedOrder[]) => Promise<boolean>;
}

/** Orders are read again at most so often because something was recorded of them meanwhile: by this process itself, group by group. */
const READS_MAX = 100;

/** Orders with their facts folded, each as it was recorded last: what was recorded while they were read is read again. `which` goes on after `ORDERS`. */
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

/** The same of the orders at these positions, whatever became of them. */
export async function currentOrdersAt(
  reading: OrdersRead,
  positions: readonly number[],
): Promise<readonly RecordedOrder[]> {
  const orders: RecordedOrder[] = [];
  for (const asked of inPlaces(positions)) orders.push(...(await currentOrders(reading, AT_POSITIONS, asked)));
  return orders;
}

/** Rows in one question. Each question has as many places, so that it is prepared once. */
const ROWS_AT_ONCE = 64;
const PLACES = Array(ROWS_AT_ONCE).fill('?').join(', ');
const ROWS = `SELECT ${ROW_COLUMNS}, charge_minor, order_id, trace, outcome, fee_minor FROM payout
  WHERE batch = ? AND sheet_row IN (${PLACES})`;

/** The rows that orders of one batch pay, by their number in the sheet; one that is gone is missing. */
export const rowsOfOrders = (
  database: Reader,
  batch: BatchId,
  orders: readonly Pick<StoredOrder, 'state'>[],
): Promise<ReadonlyMap<number, SqlRow>> =>
  rowsAt(
    database,
    batch,
    orders.flatMap(({ state }) => state.lines.map(({ row }) => row)),
  );

/** Rows of a batch by their number in the sheet; one that is not there is missing. */
export async function rowsAt(
  database: Reader,
  batch: BatchId,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, SqlRow>> {
  const found = new Map<number, SqlRow>();
  for (let from = 0; from < numbers.length; from += ROWS_AT_ONCE) {
    const asked = numbers.slice(from, from + ROWS_AT_ONCE);
    const last = asked.at(-1) ?? 0;
    const filled = [...asked, ...Array<number>(ROWS_AT_ONCE - asked.length).fill(last)];
    for (const row of await database.read(ROWS, [batch, ...filled])) found.set(numberOf(row, 'sheet_row'), row);
  }
  return found;
}

/** What the tables say of an order beside its facts, as it follows from these: it is found by that. */
export const indexOf = (state: OrderState) => ({
  attempt: state.attempt,
  submission: state.submission,
  phase: state.phase,
  outcome: orderOutcomeOf(state),
  alarmed: openAlarms(state).length > 0 ? 1 : 0,
  superseded: isSuperseded(state) ? 1 : 0,
});

/** Names of the columns of the index in which an order is not what its facts say. */
export function otherColumns({ row, state, digest }: RecordedOrder): readonly string[] {
  const said = { id: state.id, ...indexOf(state), version: digest.version };
  return Object.entries(said).flatMap(([column, value]) => {
    const found = row[column];
    return (typeof found === 'bigint' ? Number(found) : found) === value ? [] : [column];
  });
}

/** Who pays a row: a line of an order, and what was quoted for it. */
export interface RowOwner {
  readonly state: OrderState;
  readonly line: LineState;
  /** In minor units. */
  readonly charge: string | null;
}

/** What the facts say of a row beyond its sheet, as its columns hold it. `isLeftOut`: of one without an owner. */
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

/** What a completed line cost; nothing else is a fee, and a fee that cannot be read is none. */
export function feeOf(line: LineState): bigint | null {
  if (line.phase !== 'completed' || !line.report) return null;
  return fromWire(line.report.feeAmount, line.amount.currency)?.minor ?? null;
}

/** The outcome of every line of the order of which the service and people have said nothing. */
function orderOutcomeOf(state: OrderState): Outcome {
  const [line] = state.lines;
  invariant(line, 'an order has a line');
  const { resolved, report, ...unsaid } = line;
  return outcomeOfLine(state, { ...unsaid, phase: 'open' });
}

/** The outcome of a line where it is another one than the outcome of its order, else null. */
export function ownOutcomeOf(state: OrderState, line: LineState): Outcome | null {
  if (line.phase === 'open' && !line.resolved && !isCalledPending(line)) return null;
  const outcome = outcomeOfLine(state, line);
  return outcome === orderOutcomeOf(state) ? null : outcome;
}
