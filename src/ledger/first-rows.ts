/**
 * A ledger as a run sees it that sends the first rows of a batch and no others: planned orders behind them are out of its sight, so
 * nothing that sends can choose them. They stay what they are, unsent under their own ids, for the next run.
 */
import type { Tally } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { subtract } from '../domain/money.ts';
import type { Ledger } from './ledger.ts';
import type { Need } from './need.ts';

/** Orders read at a time to see how many rows they cover. */
const BLOCK_ORDERS = 256;

/** The ledger with as many of the batch's unsent orders as have no more than so many rows, in sheet order. */
export async function ledgerOfFirstRows(ledger: Ledger, batch: BatchId, rows: number): Promise<Ledger> {
  const upTo = await lastPositionOf(ledger, batch, rows);
  return {
    ...ledger,
    unsentOrders: (one, limit, after) => ledger.unsentOrders(one, limit, after, upTo),
    smallestUnsent: (one, limit) => ledger.smallestUnsent(one, limit, upTo),
    unsentPositions: (one) => ledger.unsentPositions(one, upTo),
    unsentNeed: (one) => ledger.unsentNeed(one, upTo),
    async tallies(one) {
      const [tallies, all, own] = await Promise.all([
        ledger.tallies(one),
        ledger.unsentNeed(one),
        ledger.unsentNeed(one, upTo),
      ]);
      return tallies.map((tally) => (tally.outcome === 'unsent' ? without(tally, all, own) : tally));
    },
  };
}

const without = (tally: Tally, all: Need, own: Need): Tally => ({
  ...tally,
  count: tally.count - (all.rows - own.rows),
  amount: subtract(tally.amount, subtract(all.amount, own.amount)),
});

/** An order leaves as a whole or not at all, so the last one may leave some of the rows unused. */
async function lastPositionOf(ledger: Ledger, batch: BatchId, rows: number): Promise<number> {
  let covered = 0;
  for (let after = 0; ; ) {
    const orders = await ledger.unsentOrders(batch, BLOCK_ORDERS, after);
    for (const { state, position } of orders) {
      covered += state.lines.length;
      if (covered > rows) return after;
      after = position;
    }
    if (orders.length < BLOCK_ORDERS) return after;
  }
}
