/**
 * Orders as their facts have them. The state of an order is never stored: it is its facts, folded by `advance`. What stands in the
 * tables beside the facts finds an order, and is never believed.
 */
import type { Commitments, Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { advance, isSuperseded, type OrderState, openAlarms } from '../domain/order.ts';
import { bodyHash, originHash } from './commitment.ts';
import { hexOf, numberOf, type Reader, type SqlRow, type SqlValue, textOf } from './database.ts';
import { decodeFact } from './fact-record.ts';
import { factsOfOrders, type RawFact } from './facts.ts';
import { orderOutcomeOf } from './order-columns.ts';
import { digestAfter, NO_FACTS, type OrderDigest } from './order-digests.ts';
import { type StoredOrder, textsIn } from './stored-order.ts';

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
export interface Unfoldable {
  readonly row: SqlRow;
  readonly wrong: string;
}

export const isFolded = (one: RecordedOrder | Unfoldable): one is RecordedOrder => !('wrong' in one);

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
