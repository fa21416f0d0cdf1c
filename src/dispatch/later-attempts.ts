/**
 * Looks for further attempts at rows that a lost ledger had made. An attempt is made only after the one before it failed for
 * good. So where an order failed, or where the service does not know it (of one that was refused nothing is left), the row
 * may have been paid under the id of a later attempt.
 */
import { type PlannedOrder, plannedFact } from '../domain/batch.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Run } from './run.ts';

/** An attempt that the service holds, with what it says of it. */
export interface LaterFound {
  readonly seen: 'found';
  readonly order: PlannedOrder;
  readonly facts: readonly Fact[];
  /** As it stands by those facts. */
  readonly state: OrderState;
}

/** What the service holds of the attempts after one: the first that it holds, or how clear it is that there is none. */
type Later = LaterFound | { readonly seen: 'unknown' | 'unclear' };

export class LaterAttempts {
  readonly #run: Run;
  /** Attempts that are not there: nobody else makes any while this run has the ledger. */
  readonly #absent = new Set<OrderId>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** False for a ledger that knows all that was sent: whatever attempts there are, it made. */
  get isAsked(): boolean {
    const { policy, deps } = this.#run;
    return policy.lookFirst === true && deps.attemptsAfter !== undefined;
  }

  /** Looks up every attempt at a row that can come after an order, until one gets another answer than `unknown`. */
  async after({ state, body, origin }: StoredOrder, row: number): Promise<Later> {
    const { clock, attemptsAfter } = this.#run.deps;
    invariant(attemptsAfter, 'a run that asks for further attempts knows them');
    for (const order of attemptsAfter({ row, state, body, origin })) {
      if (this.#absent.has(order.id)) continue;
      const planned = advance(undefined, plannedFact(order, clock.now()));
      const { seen, facts } = await this.#run.sight(planned, order.body);
      if (seen === 'unclear') return { seen };
      if (seen === 'found') return { seen, order, facts, state: facts.reduce<OrderState>(advance, planned) };
      this.#absent.add(order.id);
    }
    return { seen: 'unknown' };
  }
}
