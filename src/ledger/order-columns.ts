/** What the tables say of an order and its rows in columns of their own: it follows from the state alone. */
import { invariant } from '../domain/invariant.ts';
import { fromWire } from '../domain/money.ts';
import { type LineState, type OrderState, outcomeOfLine } from '../domain/order.ts';
import { isCalledPending } from '../domain/order-line.ts';
import type { Outcome } from '../domain/outcome.ts';

/** Who pays a row: a line of an order, and what was quoted for it. */
export interface RowOwner {
  readonly state: OrderState;
  readonly line: LineState;
  /** In minor units. */
  readonly charge: string | null;
}

/** What the facts say of a row beyond its sheet, as its columns hold it. `isLeftOut`: of one without an owner. */
export const saidOfRow = (owner: RowOwner | undefined, isLeftOut: boolean) =>
  owner
    ? {
        order_id: owner.state.id,
        trace: owner.line.trace,
        charge_minor: owner.charge === null ? null : BigInt(owner.charge),
        outcome: ownOutcomeOf(owner.state, owner.line),
        fee_minor: feeOf(owner.line),
      }
    : { ...ofNoOrder, outcome: isLeftOut ? ('left-out' as const) : ('invalid' as const) };

const ofNoOrder = { order_id: null, trace: null, charge_minor: null, fee_minor: null };

/** What a completed line cost; nothing else is a fee, and a fee that cannot be read is none. */
export function feeOf(line: LineState): bigint | null {
  if (line.phase !== 'completed' || !line.report) return null;
  return fromWire(line.report.feeAmount, line.amount.currency)?.minor ?? null;
}

/** The outcome of every line of the order of which the service and people have said nothing. */
export function orderOutcomeOf(state: OrderState): Outcome {
  const [line] = state.lines;
  invariant(line, 'an order has a line');
  const { resolved, report, ...unsaid } = line;
  return outcomeOfLine(state, { ...unsaid, phase: 'open' });
}

/** The outcome of a line where it is another one than the outcome of its order, else null. */
export function ownOutcomeOf(state: OrderState, line: LineState): Outcome | null {
  if (line.phase === 'open' && !line.resolved && !isCalledPending(line)) return null;
  const outcome = outcomeOfLine(state, line);
  return outcome === orderOutcomeOf(state) ? null : outcome;
}
