/** Accepted orders whose final word can only come by callback, and until when a run waits for it. */
import type { OrderId } from '../domain/ids.ts';
import { type OrderState, openAlarms } from '../domain/order.ts';
import type { Policy } from './decision.ts';

export class CallbackDeadlines {
  readonly #policy: Policy;
  readonly #untilById = new Map<OrderId, number>();

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** Takes note of an order as it stands now. */
  note(state: OrderState): void {
    const { hasLookUp, startedAt, polling } = this.#policy;
    if (state.phase === 'accepted' && openAlarms(state).length === 0 && !hasLookUp(state.submission)) {
      const since = Math.max(startedAt, state.lastEndedAt ?? 0);
      this.#untilById.set(state.id, since + polling.deadlineMs);
    } else this.#untilById.delete(state.id);
  }

  /** Until when the last of them is waited for; undefined when there are none. */
  get until(): number | undefined {
    let until: number | undefined;
    for (const one of this.#untilById.values()) until = Math.max(until ?? 0, one);
    return until;
  }
}
