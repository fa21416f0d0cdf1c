/** Orders that a run leaves out, and the ledger as a run sees it that must never send them. */
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { type Money, subtract } from '../domain/money.ts';
import type { Ledger } from './ledger.ts';
import type { StoredOrder } from './orders.ts';

export interface LeftOut {
  /** Not submitted for the first time, nor again. What was sent of them is still followed. */
  readonly orders: ReadonlySet<OrderId>;
  /** Those of their rows that count as not sent, and those of these that no look-up can prove unsent. */
  readonly unsent: {
    readonly rows: number;
    readonly unprovable: number;
    readonly amount: Money;
    readonly charges: Money;
  };
}

/** The same ledger, to which these orders are not among what is to be sent, and in which nobody can claim them. */
export function withoutOrders(ledger: Ledger, { orders, unsent }: LeftOut): Ledger {
  if (orders.size === 0) return ledger;
  const isLeftOut = ({ state }: StoredOrder): boolean => orders.has(state.id);
  return {
    ...ledger,
    async unsentOrders(batch, limit, after = 0) {
      const found: StoredOrder[] = [];
      for (let last = after; found.length < limit; ) {
        const block = await ledger.unsentOrders(batch, limit, last);
        const end = block.at(-1);
        if (!end) break;
        found.push(...block.filter((order) => !isLeftOut(order)));
        last = end.position;
      }
      return found.slice(0, limit);
    },
    async smallestUnsent(batch, limit) {
      const found = await ledger.smallestUnsent(batch, limit + orders.size);
      return found.filter((order) => !isLeftOut(order)).slice(0, limit);
    },
    async unsentNeed(batch) {
      const { amount, charges } = await ledger.unsentNeed(batch);
      return { amount: subtract(amount, unsent.amount), charges: subtract(charges, unsent.charges) };
    },
    unprovableRows: async (batch) => (await ledger.unprovableRows(batch)) - unsent.unprovable,
    claim(claimed, ...terms) {
      invariant(!claimed.some(isLeftOut), 'an order that is left out is never claimed');
      return ledger.claim(claimed, ...terms);
    },
  };
}
