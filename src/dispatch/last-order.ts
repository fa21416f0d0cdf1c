/**
 * The last order of a batch is kept until all others were answered. What was lost of them can be proven absent only beside an
 * order that is accepted after them (`controls.ts`), and after the last none comes. Where nothing of a run was accepted it
 * waits until look-ups are answered again: sent into the same silence, it would be one more in doubt.
 */
import type { OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import { isSendOnce } from './decision.ts';

export class LastOrder {
  #isAccepted = false;
  /** A look-up of an order that was lost was answered clearly. */
  #isHeard = false;
  /** One was lost, and nobody could say what became of it. */
  #isLost = false;
  /** Orders that were lost and are not heard of yet. */
  readonly #silent = new Set<OrderId>();

  /** Takes note of an order as it stands now. */
  note(state: OrderState): void {
    const { id, phase, answer, unknowns, overdue } = state;
    this.#silent.delete(id);
    if (phase === 'accepted' || phase === 'settled') this.#isAccepted = true;
    // Of a send-once submission nothing is proven beside another, and no look-up may ever be made of it.
    if (isSendOnce(state) || phase !== 'in-doubt' || neverTransmitted(state) || answer?.tag === 'refused') return;
    if (unknowns > 0) this.#isHeard = true;
    else if (overdue) this.#isLost = true;
    else this.#silent.add(id);
  }

  get mayLeave(): 'yes' | 'not yet' | 'no' {
    if (this.#isAccepted || this.#isHeard) return 'yes';
    if (this.#silent.size > 0) return 'not yet';
    return this.#isLost ? 'no' : 'yes';
  }
}
