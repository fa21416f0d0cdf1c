/**
 * A ledger as a run sees it that sends one lane of a batch: the orders of the other lanes are out of its sight, so nothing that sends
 * or follows can choose them. What is about the batch as a whole it reads, and never writes: a doubt ends the run, because only who
 * has the whole batch can reconcile it.
 */

import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Ledger } from './ledger.ts';
import { doubtedMeanwhile } from './shared-mark.ts';
import { isWithin } from './span.ts';

/** The ledger with as much of the batch as stands in this lane. The lane is taken before anything is written (`takeLane`). */
export async function ledgerOfLane(ledger: Ledger, batch: BatchId, lane: number): Promise<Ledger> {
  const span = await ledger.spanOfLane(batch, lane);
  const { after: before, upTo } = span;
  return {
    ...ledger,
    async recordRun(one, version, terms) {
      await ledger.recordRun(one, version, { ...terms, lane });
      // From here on a doubt shows at the next claim; one that arose before is for who has the whole batch.
      if ((await ledger.doubt(one)) !== undefined) throw doubtedMeanwhile(one);
    },
    unsentOrders: (one, limit, after = 0) => ledger.unsentOrders(one, limit, Math.max(after, before), upTo),
    smallestUnsent: (one, limit) => ledger.smallestUnsent(one, limit, span),
    unsentPositions: (one) => ledger.unsentPositions(one, span),
    dueOrders: (one, now, limit, after) => ledger.dueOrders(one, now, limit, after, span),
    nextDueAt: (one) => ledger.nextDueAt(one, span),
    latestAccepted: (one, limit) => ledger.latestAccepted(one, limit, span),
    async findOrder(one, id) {
      const found = await ledger.findOrder(one, id);
      return found && isWithin(found.position, span) ? found : undefined;
    },
    tallies: (one) => ledger.tallies(one, span),
    besideLane: ledger.countBeside(batch, span),
    async suspect() {
      await ledger.suspect();
      throw doubtedMeanwhile(batch);
    },
    async planRetry() {
      invariant(false, 'further attempts are planned by who has the whole batch');
    },
  };
}
