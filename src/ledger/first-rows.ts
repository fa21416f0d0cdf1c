/**
 * A view of a ledger for a run that sends only the first rows of a batch. It hides the planned orders after those rows, so
 * that the code that sends cannot choose them. The hidden orders stay unsent under their own ids, for the next run.
 */
import type { Tally } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { subtract } from '../domain/money.ts';
import type { Ledger } from './ledger.ts';
import type { Outstanding } from './outstanding.ts';

/** Orders read at a time to see how many rows they cover. */
const BLOCK_ORDERS = 256;

/**
 * Returns a ledger that shows only the first unsent orders of the batch, in sheet order, which together have at most `rows`
 * rows.
 */
export async function ledgerOfFirstRows(ledger: Ledger, batch: BatchId, rows: number): Promise<Ledger> {
  const upTo = await lastPositionOf(ledger, batch, rows);
  return {
    ...ledger,
    unsentOrders: (one, limit, after) => ledger.unsentOrders(one, limit, after, upTo),
    smallestUnsent: (one, limit) => ledger.smallestUnsent(one, limit, upTo),
    unsentPositions: (one) => ledger.unsentPositions(one, upTo),
    unsentOutstanding: (one) => ledger.unsentOutstanding(one, upTo),
    async tallies(one) {
      const [tallies, all, own] = await Promise.all([
        ledger.tallies(one),
        ledger.unsentOutstanding(one),
        ledger.unsentOutstanding(one, upTo),
      ]);
      return tallies.map((tally) => (tally.outcome === 'unsent' ? without(tally, all, own) : tally));
    },
  };
}

const without = (tally: Tally, all: Outstanding, own: Outstanding): Tally => ({
  ...tally,
  count: tally.count - (all.rows - own.rows),
  amount: subtract(tally.amount, subtract(all.amount, own.amount)),
});

/**
 * Returns the position of the last order that fits. An order is sent as a whole or not at all, so the orders may cover fewer
 * than `rows` rows.
 */
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
