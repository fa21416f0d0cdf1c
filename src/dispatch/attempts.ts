/**
 * Looks for other orders of a row that a lost ledger had made. An attempt is made only after the one before it failed for
 * good. So where an order failed, or where the service does not know it (of one that was refused nothing is left), the row
 * may have been paid under the id of a later attempt, or in an order that was grouped otherwise.
 */
import { type Attempt, type PlannedOrder, plannedFact } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { advance, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { LookUpResult } from './look-up.ts';

export interface AttemptsDeps {
  readonly clock: Clock;
  /** The other orders of a row, in turn (`batch/other-orders.ts`). */
  readonly ordersBeside: (attempt: Attempt) => readonly PlannedOrder[];
  /** What the service shows of an order; records nothing. */
  readonly resultOf: (state: OrderState, body: string) => Promise<LookUpResult>;
}

/** An order of a row that the service holds, with what it says of it. */
export interface AttemptFound {
  readonly seen: 'found';
  readonly order: PlannedOrder;
  readonly facts: readonly Fact[];
  /** As it stands by those facts. */
  readonly state: OrderState;
}

/** The first that the service holds, or else how clear it is that it holds none, and where it is not: of which. */
export type Beyond =
  | AttemptFound
  | { readonly seen: 'unknown' }
  | { readonly seen: 'unclear'; readonly order: PlannedOrder };

/** `next`: up to the attempt after the one that is known. Where the service holds nothing of a batch, no more can have been made. */
export type Depth = 'next' | 'all';

export class Attempts {
  readonly #deps: AttemptsDeps;
  /** Those that are not there: nobody else makes any while this run has the ledger. */
  readonly #absent = new Set<OrderId>();

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  /** Looks up every other order of a row that can be there beside or after one, until one gets another answer than `unknown`. */
  async after({ state, body, origin }: StoredOrder, row: number, depth: Depth): Promise<Beyond> {
    const { clock, ordersBeside, resultOf } = this.#deps;
    for (const order of ordersBeside({ row, state, body, origin })) {
      if (this.#absent.has(order.id)) continue;
      if (depth === 'next' && order.attempt > state.attempt + 1) break;
      const planned = advance(undefined, plannedFact(order, clock.now()));
      const { seen, facts } = await resultOf(planned, order.body);
      if (seen === 'unclear') return { seen, order };
      if (seen === 'found') return { seen, order, facts, state: facts.reduce<OrderState>(advance, planned) };
      this.#absent.add(order.id);
    }
    return { seen: 'unknown' };
  }
}
