/**
 * Whether look-ups may show something more that was accepted. What was lost is proven absent beside such an order (`controls.ts`), so a
 * run that follows one has patience with the others; without one, waiting shows nothing.
 */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';
import { shownBy } from './controls.ts';
import { isSaidAbsent, isSendOnce } from './decision.ts';

export class Coming {
  readonly #orders = new Set<OrderId>();

  /** Takes note of an order as it stands now, and of what was learnt of it. */
  note(state: OrderState, facts: readonly Fact[]): void {
    if (mayBeShown(state) && shownBy(facts) === undefined) this.#orders.add(state.id);
    else this.#orders.delete(state.id);
  }

  get isAny(): boolean {
    return this.#orders.size > 0;
  }
}

/** Accepted, or submitted again on the word of a person. */
const mayBeShown = (state: OrderState): boolean =>
  state.phase === 'accepted' || (state.phase === 'in-doubt' && !isSendOnce(state) && isSaidAbsent(state));
