/**
 * The orders of further attempts at a row, whoever made them: their ids follow from the batch and the row alone, so a ledger
 * that was lost can have made no others.
 */
import type { Attempt, PlannedOrder } from '../domain/batch.ts';
import { invariant } from '../domain/invariant.ts';
import { type IdentifiedBatch, identityIn, orderFrom, originLineOf, originOf } from './order-origin.ts';
import { ATTEMPTS_MAX } from './plan-retry.ts';

/**
 * Every attempt that can come after this one, in turn, on its own terms: this configuration may be another one than that of
 * the lost ledger. Throws a Fault `ledger-unsafe` when what is kept of the order is not what it was made of.
 */
export function laterAttempts(order: Attempt, batch: IdentifiedBatch): readonly PlannedOrder[] {
  const { row, state } = order;
  const origin = originOf(order, batch);
  const line = state.lines.find((one) => one.row === row);
  invariant(line, `order ${state.id} pays row ${row}`);
  const { id, attempt } = state;
  const rows = [{ row, amount: line.amount, replaces: id }];
  const lines = [originLineOf(origin, order, row)];
  return Array.from({ length: Math.max(ATTEMPTS_MAX - attempt, 0) }, (_, index) =>
    orderFrom(identityIn(batch, attempt + 1 + index), { ...origin, lines }, rows),
  );
}
