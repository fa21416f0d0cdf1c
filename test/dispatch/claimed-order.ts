import type { OrderId } from '../../src/domain/ids.ts';
import type { LineState, OrderState } from '../../src/domain/order.ts';
import { kes } from '../support/amounts.ts';

/** An order of one line that was claimed once, with some of its state changed. */
export const claimedOrder = (id = 'o', changes: Partial<OrderState> = {}): OrderState => ({
  id: id as OrderId,
  submission: 'payment-order',
  attempt: 1,
  phase: 'claimed',
  lines: [{ trace: 't', row: 2, amount: kes(1n), phase: 'open' } as unknown as LineState],
  posts: 1,
  mayHaveArrived: false,
  unknowns: 0,
  overdue: false,
  alarms: [],
  ...changes,
});
