/** Facts about one order, for tests of what becomes of it. */
import type { AnswerTag, Fact, LineReport } from '../../src/domain/fact.ts';
import type { OrderId, TraceNumber } from '../../src/domain/ids.ts';
import type { Money } from '../../src/domain/money.ts';
import { advance, type OrderPhase, type OrderState } from '../../src/domain/order.ts';
import { amountIn } from './amounts.ts';

export const ORDER = '9d01af18-8ef4-87ee-b842-32c2b97ce940' as OrderId;
export const traceOf = (row: number): TraceNumber => `trace-${row}` as TraceNumber;

export const planned = (rows: readonly number[] = [2], amount: Money = amountIn('1500')): Fact => ({
  type: 'order-planned',
  order: ORDER,
  at: 1,
  submission: 'payment-order',
  attempt: 1,
  lines: rows.map((row) => ({ trace: traceOf(row), row, amount })),
});

export const claimed = (at = 10): Fact => ({ type: 'order-claimed', order: ORDER, at, epoch: 1 });
export const answered = (tag: AnswerTag, at = 20): Fact => ({
  type: 'order-answered',
  order: ORDER,
  at,
  tag,
  reason: tag,
});
export const unknown = (at = 30): Fact => ({ type: 'order-unknown', order: ORDER, at });
export const refused = (at = 40): Fact => ({ type: 'order-refused', order: ORDER, at });
export const overdue = (at = 50): Fact => ({ type: 'order-overdue', order: ORDER, at });
export const alarmed = (reason = 'another payee', at = 60): Fact => ({
  type: 'order-alarmed',
  order: ORDER,
  at,
  reason,
});

/** A person's word on the line of a row. */
export const resolved = (paid: boolean, row = 2, at = 80): Fact => ({
  type: 'order-resolved',
  order: ORDER,
  at,
  trace: traceOf(row),
  paid,
  by: 'amina@desk',
  ...(paid ? { receipt: 'QK1' } : { note: 'the provider says so' }),
});

/** A line as a status record tells it; paid in full with status 4 unless told otherwise. */
export const report = (status = 4, over: Partial<LineReport> = {}): LineReport => ({
  trace: traceOf(2),
  status,
  statusText: `status ${status}`,
  paidAmount: status === 4 ? '1500' : '0',
  feeAmount: '0',
  ...over,
});

export const observed = (lines: readonly LineReport[], processed = true, at = 70): Fact => ({
  type: 'order-observed',
  order: ORDER,
  at,
  processed,
  lines,
});

/** The state after these facts, which begin with a plan of one line for row 2 unless they bring their own. */
export function stateAfter(...facts: readonly Fact[]): OrderState {
  const all = facts[0]?.type === 'order-planned' ? facts : [planned(), ...facts];
  let state: OrderState | undefined;
  for (const fact of all) state = advance(state, fact);
  return state as OrderState; // there is at least the plan
}

/** One way to each phase. */
export const ways: Readonly<Record<OrderPhase, readonly Fact[]>> = {
  planned: [planned()],
  claimed: [planned(), claimed()],
  'in-doubt': [planned(), claimed(), answered('ambiguous')],
  accepted: [planned(), claimed(), answered('accepted')],
  refused: [planned(), claimed(), answered('refused'), refused()],
  settled: [planned(), claimed(), answered('accepted'), observed([report()])],
};
