/**
 * The other orders that may pay a row, even if a lost ledger made them: their ids follow from the batch and the row alone, so
 * a lost ledger cannot have made any others.
 */
import type { Attempt, Payout, PlannedOrder } from '../domain/batch.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { ATTEMPTS_MAX } from '../domain/retry-refusal.ts';
import { settled, unsettled } from '../service/submissions/order-body.ts';
import type { BodyTerms } from '../service/submissions/submission.ts';
import {
  type IdentifiedBatch,
  identityIn,
  type OriginLine,
  orderFrom,
  originLineOf,
  originOf,
} from './order-origin.ts';

/**
 * Returns every other order that can hold the row of this one, in the order in which to ask about them. They are built from
 * the terms recorded with this order, because the present configuration may differ from that of the lost ledger. If this
 * order begins with another row, the same attempt in an order that begins with this row comes first: the sheet may have been
 * sorted or grouped otherwise. Then comes every possible later attempt. Throws a Fault `ledger-unsafe` if this order does not
 * follow from its recorded origin.
 */
export function otherOrders(order: Attempt, batch: IdentifiedBatch): readonly PlannedOrder[] {
  const { row, state } = order;
  const origin = originOf(order, batch);
  const place = state.lines.findIndex((one) => one.row === row);
  const line = state.lines[place];
  invariant(line, `order ${state.id} pays row ${row}`);
  const { id, attempt } = state;
  const lines = [originLineOf(origin, order, row)];
  const first = place === 0 ? attempt + 1 : attempt;
  return Array.from({ length: Math.max(ATTEMPTS_MAX + 1 - first, 0) }, (_, index) => {
    const number = first + index;
    const paid = { row, amount: line.amount, ...(number > attempt && { replaces: id }) };
    return orderFrom(identityIn(batch, number), { ...origin, lines }, [paid]);
  });
}

/** An attempt that failed for good. */
interface FailedAttempt {
  readonly row: number;
  readonly payout: Payout;
  readonly order: OrderId;
  readonly attempt: number;
  readonly made: OriginLine;
}

/** Returns the order of the next attempt, with one line. */
export function nextAttempt(failed: FailedAttempt, batch: IdentifiedBatch, terms: BodyTerms): PlannedOrder {
  const { row, payout, made, order, attempt } = failed;
  const draft = settled(unsettled(made.draft), payout, terms);
  const lines = [{ rowKey: made.rowKey, draft }];
  const rows = [{ row, amount: payout.amount, replaces: order }];
  return orderFrom(identityIn(batch, attempt + 1), { ...terms, lines }, rows);
}
