/** When an order is to be looked at again in a run. */
import { unreachable } from '../domain/invariant.ts';
import type { OrderState } from '../domain/order.ts';
import { nextStep, type Policy } from './decision.ts';

/** In wall-clock milliseconds; null: not any more in this run. */
export function dueAfter(state: OrderState, policy: Policy, now: number, maySend: boolean): number | null {
  // A line that timed out is looked at once a run, when `reopen` made it due.
  if (state.phase === 'settled') return null;
  const step = nextStep(state, policy, now);
  switch (step.do) {
    case 'look-up':
      return step.at;
    case 'submit':
      return maySend ? step.at : null;
    case 'refuse':
      return now;
    case 'park':
      return state.overdue ? null : now;
    case 'nothing':
      return null;
    default:
      return unreachable(step);
  }
}
