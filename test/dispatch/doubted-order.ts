/** An order in doubt and the policy of a live account, for tests of what may happen next. */
import type { Policy } from '../../src/dispatch/decision.ts';
import type { OrderId, TraceNumber } from '../../src/domain/ids.ts';
import type { LineState, OrderState } from '../../src/domain/order.ts';
import { kes } from '../support/amounts.ts';

export const NOW = 1_000_000_000;
export const GAP = 60_000;
export const QUIET = 120_000;
export const AGE = 86_400_000;
export const RESENDS = 3;

export const lineIn = (phase: LineState['phase'], more: Partial<LineState> = {}): LineState => ({
  trace: 't' as TraceNumber,
  row: 2,
  amount: kes(100n),
  phase,
  ...more,
});

/** A person's word that a line was not paid. */
export const notPaid: NonNullable<LineState['resolved']> = { paid: false, by: 'amina@desk', at: 1, alarms: 0 };

/** Claimed once, and nothing more is known of it. */
export const doubted: OrderState = {
  id: 'o' as OrderId,
  submission: 'payment-order',
  attempt: 1,
  phase: 'in-doubt',
  lines: [lineIn('open')],
  posts: 1,
  mayHaveArrived: false,
  unknowns: 0,
  overdue: false,
  alarms: [],
};

export const policy: Policy = {
  polling: { firstMs: 2_000, maxMs: 60_000, deadlineMs: 900_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: GAP, quietMs: QUIET, maxAgeMs: AGE, maxResends: RESENDS },
  startedAt: 0,
  visibleSince: () => 0,
  hasLookUp: () => true,
};
