/** Moves orders by facts, in one transaction: claims orders before they are sent, and records what became of them. */

import { type Database, RowsDiffer, type Statement } from '../database/database.ts';
import type { Fact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, type OrderState } from '../domain/order.ts';
import type { Append } from './commit.ts';
import { areCurrent, assertClaimable } from './held-orders.ts';
import { leaseLost, leaseOf } from './lease.ts';
import { ordersAt } from './orders.ts';
import { otherVersion } from './proof-faults.ts';
import { feeOf, indexOf, type OrderStep, type OrdersRead, ownOutcomeOf, type StoredOrder } from './recorded-orders.ts';
import type { Recording, Writer } from './writer.ts';

interface Move {
  readonly before: OrderState;
  readonly facts: readonly Fact[];
  readonly after: StoredOrder;
}

const MOVE_ORDER = `UPDATE pay_order SET phase = ?, outcome = ?, version = ?, due_at = ?, alarmed = ?, superseded = ?
  WHERE position = ? AND version = ?`;
const MOVE_PAYOUT = 'UPDATE payout SET outcome = ?, fee_minor = ? WHERE batch = ? AND sheet_row = ? AND order_id = ?';

/** The terms of a claim. `dueAt` is when an order is looked at next, if nothing else is heard of it. */
interface ClaimTerms {
  readonly at: number;
  readonly epoch: number;
  readonly dueAt: number | null;
}

/**
 * Claims orders for sending. When it resolves, the claim is on disk, and bodies, rows and states are proven to be those of
 * the facts. Throws a Fault `ledger-held` if the lease has another epoch, and `ledger-unsafe` if an order has another
 * version or is not what was planned; nothing is claimed then. Claiming a superseded order is a bug. If a person has stopped
 * a batch of these orders, nothing is claimed, and the result is empty (`batch-stops.ts`).
 */
export async function claim(
  database: Database,
  recording: Recording,
  orders: readonly StoredOrder[],
  { at, epoch, dueAt }: ClaimTerms,
): Promise<readonly StoredOrder[]> {
  const { writer, proof } = recording;
  for (const [batch, ofBatch] of Map.groupBy(orders, (order) => order.batch)) {
    const ours = writer.leases.epochOf(leaseOf(batch));
    if (epoch !== ours) throw leaseLost(`epoch ${epoch} is over; this is epoch ${ours}`);
    await proof.batch(batch);
    await unlessLost(writer, async () => {
      const read: OrdersRead = { database, areCurrent: (found) => areCurrent(recording, found) };
      await assertClaimable(database, batch, ofBatch, await ordersAt(read, positionsOf(ofBatch)));
    });
  }
  const moves = orders.map((order) =>
    moveOf({ order, facts: [{ type: 'order-claimed', order: order.state.id, at, epoch }], dueAt }),
  );
  const batches = new Set(orders.map((order) => order.batch));
  return writeMoves(recording, moves, () => [...batches].every((batch) => !proof.ledgerState.stops.has(batch)));
}

/** Facts that `record` refuses, because each is recorded together with other changes. */
const ownWays: ReadonlySet<Fact['type']> = new Set([
  'order-planned',
  'order-claimed',
  'order-retried',
  'order-superseded',
]);

/** Appends the facts, and moves the orders by them. Faults as `claim`; nothing is recorded then. */
export async function record(recording: Recording, steps: readonly OrderStep[]): Promise<readonly StoredOrder[]> {
  for (const { order, facts } of steps) {
    for (const fact of facts) {
      invariant(fact.order === order.state.id, 'a fact is recorded of its own order');
      invariant(!ownWays.has(fact.type), `${fact.type} has its own way in`);
    }
  }
  await assertProven(recording, steps);
  return writeMoves(recording, steps.map(moveOf));
}

function moveOf({ order, facts, dueAt }: OrderStep): Move {
  let state = order.state;
  for (const fact of facts) state = advance(state, fact);
  return { before: order.state, facts, after: { ...order, state, version: order.version + facts.length, dueAt } };
}

/** Throws a Fault `ledger-unsafe` if one of the orders has moved since it was read. */
export async function assertProven(
  { writer, proof }: Recording,
  steps: readonly Pick<OrderStep, 'order'>[],
): Promise<void> {
  const orders = steps.map(({ order }) => order);
  for (const batch of new Set(orders.map((order) => order.batch))) await proof.batch(batch);
  await unlessLost(writer, async () => {
    for (const { batch, position, version } of orders) {
      if (proof.digestsOf(batch).versionOf(position) !== version) throw otherVersion();
    }
  });
}

/**
 * Runs a check. If it fails and the lease is lost, throws the Fault for that instead: after a pause of this process, the
 * next holder of the lease may have moved the order.
 */
async function unlessLost({ leases }: Writer, assert: () => Promise<void>): Promise<void> {
  try {
    await assert();
  } catch (error) {
    if (error instanceof Fault) await leases.prove();
    throw error;
  }
}

const positionsOf = (orders: readonly StoredOrder[]): readonly number[] => orders.map(({ position }) => position);

/**
 * Writes moves in one group. `mayMove` is called when the group is built, at the end of the facts that it continues; if it
 * returns false, nothing is written.
 */
async function writeMoves(
  { writer }: Recording,
  moves: readonly Move[],
  mayMove: () => boolean = () => true,
): Promise<readonly StoredOrder[]> {
  if (moves.length === 0) return [];
  let isMoved = true;
  try {
    const batches = new Set(moves.map(({ after }) => after.batch));
    const under = [...batches].map(leaseOf);
    const group = (append: Append): Iterable<Statement> => {
      isMoved = mayMove();
      return isMoved ? statementsOf(moves, append) : [];
    };
    await writer.write(under, group);
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw otherVersion(error);
  }
  return isMoved ? moves.map((move) => move.after) : [];
}

/** Returns the statements of steps that are written together with other statements. */
export const stepStatements = (steps: readonly OrderStep[], append: Append): Iterable<Statement> =>
  statementsOf(steps.map(moveOf), append);

function* statementsOf(moves: readonly Move[], append: Append): Generator<Statement> {
  for (const { before, facts, after } of moves) {
    const { position, state, version, dueAt, batch } = after;
    const { phase, outcome, alarmed, superseded } = indexOf(state);
    const moved = [phase, outcome, version, dueAt, alarmed, superseded];
    yield { sql: MOVE_ORDER, values: [...moved, position, version - facts.length], expect: 1 };
    for (const fact of facts) yield append(batch, fact, position);
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
