/**
 * Another attempt at a row: the same payout under a new order id and trace number. What the kind wrote for it is taken from
 * the body of the old order, because the sheet may have changed or be gone.
 */
import { airtimePurchase } from '../contract/airtime.ts';
import { billPayment } from '../contract/bills.ts';
import { paymentOrder } from '../contract/payment-order.ts';
import type { Draft } from '../contract/submission.ts';
import type { BatchHeader, PlannedOrder } from '../domain/batch.ts';
import {
  idNameOf,
  type OrderId,
  orderIdOf,
  type RowKey,
  rowKeyOf,
  sha256,
  type TraceNumber,
  traceNumberOf,
} from '../domain/ids.ts';
import { InvariantError, invariant, unreachable } from '../domain/invariant.ts';
import type { Payout } from '../domain/payout.ts';
import type { SubmissionName } from '../domain/submission.ts';
import { type BodyTerms, madeReference, renderBody } from './order-body.ts';
import { rowIdentity } from './row-identity.ts';

/** After so many failures of one row it is not the service that has to be tried again, but the row that is wrong. */
export const ATTEMPTS_MAX = 5;

/** An attempt that failed for good. */
export interface FailedAttempt {
  readonly row: number;
  readonly payout: Payout;
  readonly order: OrderId;
  readonly trace: TraceNumber;
  readonly attempt: number;
  readonly draft: Draft;
}

type Identity = Pick<BatchHeader, 'organisation' | 'identifiedAs' | 'key' | 'rows'>;

/** The order of the next attempt, with one line. */
export function nextAttempt(failed: FailedAttempt, batch: Identity, terms: BodyTerms): PlannedOrder {
  const { row, payout, draft, order } = failed;
  const attempt = failed.attempt + 1;
  const { key: batchKey } = batch;
  const identity = { organisation: idNameOf(batch), batchKey, attempt };
  const rowKey = rowKeyBehind(failed, batch);
  const trace = traceNumberOf(identity, rowKey);
  const id = orderIdOf(identity, rowKey);
  const { submission, body } = renderBody(id, [{ row: { payout, trace }, draft }], terms);
  const lines = [{ trace, row, amount: payout.amount, replaces: order }];
  return { id, submission, attempt, body, bodySha256: sha256(body), lines };
}

/**
 * The key from which the trace number of the failed attempt was derived. Equal rows without a reference differ in the number
 * of their occurrence alone, so it is found by trying them: a wrong one could pay another row twice.
 */
function rowKeyBehind({ row, payout, trace, attempt }: FailedAttempt, batch: Identity): RowKey {
  const { key: batchKey, rows } = batch;
  const organisation = idNameOf(batch);
  for (let occurrence = 1; occurrence <= rows; occurrence++) {
    const rowKey = rowKeyOf(rowIdentity(payout), occurrence);
    if (traceNumberOf({ organisation, batchKey, attempt }, rowKey) === trace) return rowKey;
  }
  throw new InvariantError(`The trace number of row ${row} follows from its payout`);
}

/** What the kind wrote for one payout, from the exact body that was sent for it. */
export function draftBehind(submission: SubmissionName, body: string, trace: TraceNumber): Draft {
  const sent: unknown = JSON.parse(body);
  switch (submission) {
    case 'payment-order': {
      const lines = paymentOrder.parse(sent).paymentOrderLines;
      const line = lines.find(({ transaction }) => transaction.systemTraceAuditNumber === trace);
      invariant(line, 'an order holds the lines that it was planned with');
      const { remitter, recipient } = line;
      const { amount, reference, accountNo } = line.transaction;
      const transaction = {
        amount,
        ...(reference !== madeReference(trace) && { reference }),
        ...(accountNo !== undefined && { accountNo }),
      };
      return { submission, line: { ...(remitter && { remitter }), recipient, transaction } };
    }
    case 'airtime': {
      const [recipient] = airtimePurchase.parse(sent).recipients;
      invariant(recipient, 'airtime is bought for somebody');
      return { submission, recipient };
    }
    case 'bill-payment': {
      const {
        originatorConversationId,
        routeId,
        serviceId,
        transactionType,
        saveBillerNumber,
        callBackUrl,
        ...payment
      } = billPayment.parse(sent);
      return { submission, service: String(serviceId), payment };
    }
    default:
      return unreachable(submission);
  }
}
