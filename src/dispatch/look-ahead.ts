/**
 * One look-up just ahead of a claim. Nothing on a computer shows that its disk was put back, or that the batch is paid from
 * somewhere else; the service does. So where a run cannot be sure (`mustLookFirst`), each order is asked for once. One that
 * is found although it was never sent from here puts the ledger in doubt: everything is reconciled before more leaves.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import { mustLookFirst, type Policy } from './decision.ts';
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

  /**
   * Those of the planned orders that may be sent now; none where one of them showed something that speaks against all. A service that
   * throttles or loses an answer can hold one look-up for half a minute and more, and what was said of the others is as old by then.
   * Where nothing is left that is fresh, these others are asked again without it; else they wait for another round.
   */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { clock } = this.#run.deps;
    // Fewer each time: the look-up that made the others old was not answered, or its order would be fresh.
    for (let asked = orders; ; ) {
      const clearedAt = new Map<StoredOrder, number>();
      await this.#each(
        asked,
        async (order) => void ((await this.#mayLeave(order)) && clearedAt.set(order, clock.now())),
      );
      if (this.#reconciliation.isDue) return [];
      const oldestAt = clock.now() - CLAIM_FRESH_MS;
      const fresh = asked.filter((order) => (clearedAt.get(order) ?? Number.NEGATIVE_INFINITY) >= oldestAt);
      if (fresh.length > 0 || clearedAt.size === 0 || this.#run.control.sendSignal.aborted) {
        for (let stale = clearedAt.size - fresh.length; stale > 0; stale--) this.#rounds.isUnclear();
        return fresh;
      }
      asked = [...clearedAt.keys()];
    }
  }

  /** Looks whether somebody else has sent one of these, which are not to leave now. What is not clear tells nothing. */
  watch(orders: readonly StoredOrder[]): Promise<void> {
    const { policy } = this.#run;
    return this.#each(orders, async (order) => {
      if ((await this.#run.seek(order)).seen === 'found') await this.#isFound(policy);
    });
  }

  async #each(orders: readonly StoredOrder[], act: (order: StoredOrder) => Promise<void>): Promise<void> {
    await Promise.all(orders.map((order) => this.#run.control.guard(() => act(order))));
  }

  async #mayLeave(order: StoredOrder): Promise<boolean> {
    const { policy } = this.#run;
    if (policy.lookFirst && !this.#reconciliation.hasCleared(order)) return false;
    if (!policy.lookFirst && !mustLookFirst(order.state, policy)) return true;
    const { seen, reason } = await this.#run.seek(order);
    switch (seen) {
      case 'unknown':
        this.#rounds.hasMoved();
        return true;
      case 'found':
        this.#rounds.hasMoved();
        await this.#isFound(policy);
        return false;
      case 'unclear':
        if (!policy.lookFirst && (await this.#run.hasNoForm(order.state))) return this.#goesOnFormless();
        this.#rounds.isUnclear(reason);
        return false;
    }
  }

  /** By the policy of when it was asked for: a ledger that was in doubt then had found it unknown, so it has turned up since. */
  #isFound({ lookFirst }: Policy): Promise<void> {
    return lookFirst ? this.#reconciliation.othersSend() : this.#run.doubts.arise();
  }

  #goesOnFormless(): boolean {
    if (!this.#hasToldFormless) this.#run.deps.tell(formlessNotice);
    this.#hasToldFormless = true;
    return true;
  }
}
