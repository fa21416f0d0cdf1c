/**
 * Orders that only a person's word can settle. A service that was down for the whole of a first batch took nothing, and says "unknown"
 * of each order; no other order was accepted beside which that could be believed (`controls.ts`). A resume alone changes nothing. The
 * word of the provider on one order does: sent again and accepted, it is what the others are proven beside.
 */
import type { OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import { isSendOnce, type Policy } from './decision.ts';

/** Clear "unknown" answers before the provider is to be asked. */
const UNKNOWNS_LEAST = 2;

export class Unproven {
  readonly #orders = new Map<OrderId, OrderState>();

  /** Takes note of an order as it stands now. */
  note(state: OrderState): void {
    const { id, phase, unknowns, answer, saidAbsent } = state;
    const isLost =
      phase === 'in-doubt' && unknowns >= UNKNOWNS_LEAST && answer?.tag !== 'exists' && answer?.tag !== 'refused';
    if (isLost && saidAbsent === undefined && !neverTransmitted(state) && !isSendOnce(state))
      this.#orders.set(id, state);
    else this.#orders.delete(id);
  }

  /** The first row of the sheet of which the provider has to be asked; undefined where the next run can prove all by itself. */
  rowToAskFor({ shownSince }: Pick<Policy, 'shownSince'>, unsent: number): number | undefined {
    // What is still to be sent can be accepted, and the others proven beside it.
    if (unsent > 0) return undefined;
    const lost = [...this.#orders.values()].filter((state) => shownSince(state) === undefined);
    if (lost.length === 0) return undefined;
    return Math.min(...lost.flatMap(({ lines }) => lines.map(({ row }) => row)));
  }
}
