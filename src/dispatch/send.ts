/**
 * The loop that sends planned orders: what may leave now is asked for where that has to be, claimed in one durable transaction,
 * and submitted while the next block is claimed. The first payments of a run go ahead (`anchors.ts`), the last order of all
 * goes alone (`last-order.ts`).
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { ANCHORS, Anchors, CANDIDATES } from './anchors.ts';
import { LookAhead } from './look-ahead.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Rounds } from './rounds.ts';
import type { Run } from './run.ts';
import { silenceStop } from './stop-reasons.ts';

/** Longest random wait before the first look, in milliseconds: two who begin in one moment do not stay side by side. */
const APART_MS_MAX = 100;
/** The same as a part of the silence where the ledger was doubted in the middle of the run: two who met each other must not meet again. */
const APART_OF_SILENCE = 1 / 4;
/** So often all of the first orders are asked for at most, where answers are lost. */
const PASSES_MAX = 3;

/** Longest rest before it is asked again whether the last order may leave, in milliseconds; whatever is learnt ends it. */
const LAST_REST_MS = 15_000;

export class Sender {
  readonly #run: Run;
  readonly #reconciliation: Reconciliation;
  readonly #ahead: LookAhead;
  readonly #anchors: Anchors;

  constructor(run: Run, reconciliation: Reconciliation, rounds: Rounds) {
    this.#run = run;
    this.#reconciliation = reconciliation;
    this.#ahead = new LookAhead(run, reconciliation, rounds);
    this.#anchors = new Anchors(run);
  }

  /** Sends block by block, while one is in flight the next is claimed, until nothing more may leave or the ledger is doubted again. */
  async send(): Promise<void> {
    const run = this.#run;
    let inFlight: Promise<void> = Promise.resolve();
    if (run.task.maySubmit) run.happened({ type: 'sending-began' });
    // A failure stops the block that is in flight at once, so it is caught before that block is waited for.
    await run.control.guard(async () => {
      await this.#sendAhead();
      do {
        for await (const claimed of this.#claimedBlocks()) {
          const block = run.submitAll(claimed);
          await inFlight;
          inFlight = block;
        }
      } while (this.#maySend && (await this.#reconciliation.again()));
    });
    await inFlight;
    run.happened({ type: 'sending-ended' });
    // Who rests until the next order is due has to see that none may follow.
    run.due.note(run.deps.clock.now());
  }

  get #maySend(): boolean {
    return this.#run.maySend && !this.#reconciliation.isDue;
  }

  /** Asks for the smallest ids of what is planned, and lets the first of them go ahead (`anchors.ts`). */
  async #sendAhead(): Promise<void> {
    const run = this.#run;
    const { ledger, clock, random } = run.deps;
    const hasMet = run.doubts.since !== undefined;
    const apartMs = hasMet ? run.policy.inDoubt.quietMs * APART_OF_SILENCE : APART_MS_MAX;
    if (
      this.#maySend &&
      (hasMet || !run.state.hasBegun) &&
      (await ledger.smallestUnsent(run.task.batch, 1)).length > 0
    ) {
      await clock.sleep(random() * apartMs, run.control.sendSignal);
    }
    while (this.#maySend && !this.#anchors.areDone) {
      const smallest = await ledger.smallestUnsent(run.task.batch, CANDIDATES);
      if (smallest.length === 0) break;
      if (await run.waitsItsTurn(smallest)) continue;
      if (smallest.length === 1 && !(await this.#lastMayLeave())) break;
      const aheadMs = run.standstill.clockAheadMs;
      const unsent = await this.#lastAskedFor(smallest);
      // What a ledger in doubt has not cleared, another round will not clear either.
      if (unsent.length === 0 && run.policy.lookFirst) break;
      if (unsent.length > 0) await this.#anchors.lead(unsent, aheadMs);
    }
    if (!this.#reconciliation.isDue) run.happened({ type: 'first-payments-through' });
  }

  /**
   * Those of the orders that may go ahead, all of them known to be unsent by the latest round; none when one was found, or nothing more
   * can be learnt. Where it took several rounds, the first answers are old: all are asked for once more. Where answers are lost again
   * and again, the first of them are asked for last, and whichever is answered then goes.
   */
  async #lastAskedFor(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const ahead = allButTheLast(orders);
    for (let left = PASSES_MAX; left > 0 && this.#maySend; left--) {
      const rounds = await this.#roundsUntilUnsent(orders);
      if (rounds === undefined) return [];
      if (rounds === 1) return this.#maySend ? ahead : [];
    }
    while (this.#maySend) {
      const answered = await this.#ahead.cleared(ahead.slice(0, ANCHORS));
      if (answered.length > 0) return this.#maySend ? answered : [];
      if (!(await this.#reconciliation.again())) break;
    }
    return [];
  }

  /** In how many rounds each of the orders was known to be unsent; undefined: one was found, or nothing more can be learnt. */
  async #roundsUntilUnsent(orders: readonly StoredOrder[]): Promise<number | undefined> {
    let left = orders;
    for (let rounds = 1; this.#maySend; rounds++) {
      const cleared = new Set(await this.#ahead.cleared(left));
      left = left.filter((order) => !cleared.has(order));
      if (left.length === 0) return rounds;
      if (!this.#maySend || !(await this.#reconciliation.again())) break;
    }
    return undefined;
  }

  /** Whether the last order may leave, when that is known. */
  async #lastMayLeave(): Promise<boolean> {
    const { admission, lastOrder, control } = this.#run;
    while (this.#maySend && lastOrder.mayLeave === 'not yet') await admission.rest(LAST_REST_MS, control.sendSignal);
    if (lastOrder.mayLeave === 'no') control.stop(silenceStop);
    return this.#maySend;
  }

  /**
   * Goes once over what is planned, and claims what may be sent, when it may be sent. The last order of all goes alone, when all
   * others were answered: what was lost of them can be proven absent beside it (`controls.ts`).
   */
  async *#claimedBlocks(): AsyncGenerator<readonly StoredOrder[]> {
    const run = this.#run;
    for (let after = 0; this.#maySend; ) {
      const most = run.admission.claimMost;
      let found = await run.deps.ledger.unsentOrders(run.task.batch, most + 1, after);
      if (found.length === 1) {
        yield [];
        if (!(await this.#lastMayLeave())) return;
        found = await run.deps.ledger.unsentOrders(run.task.batch, 1, after);
      }
      const planned = found.length > most ? found.slice(0, most) : allButTheLast(found);
      const last = planned.at(-1);
      if (!last) return;
      // What waited is read again: callbacks may have moved it.
      if (await run.waitsItsTurn(planned)) continue;
      const aheadMs = run.standstill.clockAheadMs;
      const cleared = await this.#anchors.lead(await this.#ahead.cleared(planned), aheadMs);
      const claimed = this.#maySend ? await run.claim(cleared, aheadMs) : [];
      after = claimed.length < cleared.length ? (claimed.at(-1)?.position ?? after) : last.position;
      if (claimed.length > 0) yield claimed;
    }
  }
}

/** All but the last, where there are several. */
const allButTheLast = (orders: readonly StoredOrder[]): readonly StoredOrder[] =>
  orders.length > 1 ? orders.slice(0, -1) : orders;
