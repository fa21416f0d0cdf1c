/**
 * One look-up just ahead of a claim. Nothing on a computer shows that its disk was put back, or that the batch is paid from
 * somewhere else; the service does. So where a run cannot be sure (`mustLookFirst`), each order is asked for once. One that
 * is found although it was never sent from here puts the ledger in doubt: everything is reconciled before more leaves.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { mustLookFirst } from './decision.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Rounds } from './rounds.ts';
import type { Run } from './run.ts';
import { formlessNotice } from './stop-reasons.ts';

export class LookAhead {
  readonly #run: Run;
  readonly #reconciliation: Reconciliation;
  readonly #rounds: Rounds;
  #hasToldFormless = false;

  constructor(run: Run, reconciliation: Reconciliation, rounds: Rounds) {
    this.#run = run;
    this.#reconciliation = reconciliation;
    this.#rounds = rounds;
  }

  /** Those of the planned orders that may be sent now; none where one of them showed something that speaks against all. */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const cleared = new Set<StoredOrder>();
    const { control } = this.#run;
    await Promise.all(
      orders.map((order) => control.guard(async () => void ((await this.#mayLeave(order)) && cleared.add(order)))),
    );
    return this.#reconciliation.isDue ? [] : orders.filter((order) => cleared.has(order));
  }

  async #mayLeave(order: StoredOrder): Promise<boolean> {
    const { policy } = this.#run;
    if (policy.lookFirst && !this.#reconciliation.hasCleared(order)) return false;
    // Two ledgers in doubt may find out the same side by side: the first of what they send has to be the same, and asked for.
    const isAsked = policy.lookFirst
      ? !this.#run.state.hasBegun || this.#run.standstill.isLong || this.#reconciliation.wasLate(order)
      : mustLookFirst(order.state, policy);
    if (!isAsked) return true;
    const { seen, reason } = await this.#run.seek(order);
    switch (seen) {
      case 'unknown':
        this.#rounds.hasMoved();
        return true;
      case 'found':
        this.#rounds.hasMoved();
        await (policy.lookFirst ? this.#reconciliation.othersSend() : this.#run.doubts.arise());
        return false;
      case 'unclear':
        if (await this.#run.hasNoForm(order.state)) return this.#goesOnFormless();
        this.#rounds.isUnclear(reason);
        return false;
    }
  }

  #goesOnFormless(): boolean {
    if (!this.#hasToldFormless) this.#run.deps.tell(formlessNotice);
    this.#hasToldFormless = true;
    return true;
  }
}
