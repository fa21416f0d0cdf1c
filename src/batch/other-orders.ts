/**
 * The other orders that may pay a row, whoever made them: their ids follow from the batch and the row alone, so a ledger that
 * was lost can have made no others.
 */
import type { Attempt, Payout, PlannedOrder } from '../domain/batch.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
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
 * Every other order that can hold the row of this one, in turn, on its own terms: this configuration may be another one than that
 * of the lost ledger. First the same attempt in an order that begins with the row, where this one begins with another: the
 * sheet may have been sorted or grouped otherwise. Then every attempt that can come after. Throws a Fault `ledger-unsafe` when
 * what is kept of the order is not what it was made of.
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

/** After so many failures of one row it is not the service that has to be tried again, but the row that is wrong. */
export const ATTEMPTS_MAX = 5;

/** An attempt that failed for good. */
interface FailedAttempt {
  readonly row: number;
  readonly payout: Payout;
  readonly order: OrderId;
  readonly attempt: number;
  readonly made: OriginLine;
}

/** The order of the next attempt, with one line. */
export function nextAttempt(failed: FailedAttempt, batch: IdentifiedBatch, terms: BodyTerms): PlannedOrder {
  const { row, payout, made, order, attempt } = failed;
  const draft = settled(unsettled(made.draft), payout, terms);
  const lines = [{ rowKey: made.rowKey, draft }];
  const rows = [{ row, amount: payout.amount, replaces: order }];
  return orderFrom(identityIn(batch, attempt + 1), { ...terms, lines }, rows);
}
