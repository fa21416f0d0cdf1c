/**
 * The orders of further attempts at a row, whoever made them: their ids follow from the batch and the row alone, so a ledger
 * that was lost can have made no others.
 */
import { airtimePurchase } from '../contract/airtime.ts';
import { billPayment } from '../contract/bills.ts';
import { paymentOrder } from '../contract/payment-order.ts';
import type { Attempt, BatchHeader, PlannedOrder } from '../domain/batch.ts';
import type { TraceNumber } from '../domain/ids.ts';
import { InvariantError, invariant, unreachable } from '../domain/invariant.ts';
import type { SubmissionName } from '../domain/submission.ts';
import type { BodyTerms } from './order-body.ts';
import { ATTEMPTS_MAX, draftBehind, type FailedAttempt, nextAttempt } from './plan-retry.ts';

/** Every attempt that can come after this one, in turn. */
export function laterAttempts(
  { row, payout, trace, state, body }: Attempt,
  batch: BatchHeader,
): readonly PlannedOrder[] {
  const { submission, attempt, id } = state;
  const terms = termsBehind(submission, body, trace);
  const later: PlannedOrder[] = [];
  let before: FailedAttempt = { row, payout, order: id, trace, attempt, draft: draftBehind(submission, body, trace) };
  while (before.attempt < ATTEMPTS_MAX) {
    const order = nextAttempt(before, batch, terms);
    const [line] = order.lines;
    invariant(line, 'a further attempt pays one row');
    later.push({ ...order, lines: [{ ...line, replaces: id }] });
    before = { ...before, order: order.id, trace: line.trace, attempt: order.attempt };
  }
  return later;
}

/** What the exact body of an order says beside the payout: this configuration may be another one than that of the lost ledger. */
function termsBehind(submission: SubmissionName, body: string, trace: TraceNumber): BodyTerms {
  const sent: unknown = JSON.parse(body);
  switch (submission) {
    case 'payment-order': {
      const { paymentNotes: notes, paymentOrderLines: lines } = paymentOrder.parse(sent);
      const line = lines.find(({ transaction }) => transaction.systemTraceAuditNumber === trace);
      invariant(line, 'an order holds the lines that it was planned with');
      return { notes, routeOf: () => line.transaction };
    }
    case 'airtime':
      return { notes: '', callbackUrl: airtimePurchase.parse(sent).callbackURL, routeOf: noRoute };
    case 'bill-payment': {
      const { callBackUrl, routeId, serviceId } = billPayment.parse(sent);
      invariant(routeId !== undefined, 'a bill was planned with its route');
      const service = { routeId, serviceId: String(serviceId) };
      return { notes: '', callbackUrl: callBackUrl, routeOf: noRoute, billServiceOf: () => service };
    }
    default:
      return unreachable(submission);
  }
}

function noRoute(): never {
  throw new InvariantError('Only payment orders name a route of their own');
}
