/** Another attempt at a row: the same payout under a new order id and trace number, on the terms of today. */
import type { PlannedOrder } from '../domain/batch.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Payout } from '../domain/payout.ts';
import { settled, unsettled } from '../submissions/order-body.ts';
import type { BodyTerms } from '../submissions/submission.ts';
import { type IdentifiedBatch, identityIn, type OriginLine, orderFrom } from './order-origin.ts';

/** After so many failures of one row it is not the service that has to be tried again, but the row that is wrong. */
export const ATTEMPTS_MAX = 5;

/** An attempt that failed for good. */
export interface FailedAttempt {
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
