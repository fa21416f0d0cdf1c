/**
 * The loop that sends planned orders: what may leave now is asked for where that has to be, claimed in one durable transaction,
 * and submitted while the next block is claimed. The first payments of a run go ahead (`anchors.ts`), the last order of all
 * goes alone (`last-order.ts`).
 *
 *     (13 asked for ──→ 1 alone) × 3 ──→ the others of the 13 asked for ──┬──(trusts its ledger)──→ blocks, in the order of the sheet
 *                                                                        └──(looks first)──→ blocks of 1, 2, 4 … 64, drawn,
 *                                                                                            each order asked for before
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { ANCHORS, Anchors, CANDIDATES } from './anchors.ts';
import { LookAhead } from './look-ahead.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Rounds } from './rounds.ts';
import type { Run } from './run.ts';
import { DrawnOrder, type SendingOrder, SheetOrder, shuffled } from './sending-order.ts';
import { APART_OF_SILENCE, silenceStop } from './stop-reasons.ts';

/**
 * Longest random wait before the first look, in milliseconds, where a run looks first and where it does not: two who begin in one moment
 * do not stay side by side. Where silences are short, so is everybody's patience: no longer than a part of one.
 */
const APART_MS_MAX = 2000;
const APART_MS_SURE = 100;
/** So many leave together at most where each is looked up first: the first blocks are 1, 2, 4 … of them. */
const BLOCK_MAX = 64;
/** So often all of the first orders are asked for at most, where answers are lost. */
const PASSES_MAX = 3;

/** Longest rest before it is asked again whether the last order may leave, in milliseconds; whatever is learnt ends it. */
const LAST_REST_MS = 15_000;

export class Sender {
  readonly #run: Run;
  readonly #reconciliation: Reconciliation;
  readonly #ahead: LookAhead;
  readonly #anchors: Anchors;
  /** Positions of the smallest ids as they go first, in an order that this process has drawn. */
  #first: readonly number[] = [];
  /** So many leave together next where each is looked up first. */
  #blockSize = 1;
  /** How often the service had shown what was not sent from here when that began to grow. */
  #found = 0;

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

  /** Waits for a random time before a run begins, and longer where it met somebody else: two who met must not meet again. */
  async #keepApart(): Promise<void> {
    const { deps, state, doubts, policy, control, task } = this.#run;
    const hasMet = doubts.since !== undefined;
    if (!this.#maySend || (!hasMet && state.hasBegun)) return;
    if ((await deps.ledger.smallestUnsent(task.batch, 1)).length === 0) return;
    const partMs = policy.inDoubt.quietMs * APART_OF_SILENCE;
    const mostMs = hasMet ? partMs : Math.min(this.#run.looksFirst ? APART_MS_MAX : APART_MS_SURE, partMs);
    await deps.clock.sleep(deps.random() * mostMs, control.sendSignal);
  }

  /**
   * Lets three of the smallest ids go ahead (`anchors.ts`) one by one, in an order that is drawn here, and asks for all of the smallest
   * before each. In the end all of them are asked for once more: whoever began in the same moment has sent others of them meanwhile.
   */
  async #sendAhead(): Promise<void> {
    const run = this.#run;
    const { ledger, random } = run.deps;
    await this.#keepApart();
    const smallestOf = () => ledger.smallestUnsent(run.task.batch, CANDIDATES);
    if (this.#maySend && !this.#anchors.areDone) {
      this.#first = shuffled(await smallestOf(), random).map(({ position }) => position);
      while (this.#maySend && !this.#anchors.areDone) {
        const smallest = await smallestOf();
        if (!(await this.#sendNextAhead(this.#inTurn(smallest), smallest.length === 1))) break;
      }
      if (this.#maySend && this.#anchors.areDone) await this.#ahead.watch(this.#inTurn(await smallestOf()));
    }
    if (!this.#reconciliation.isDue) run.happened({ type: 'first-payments-through' });
  }

  /** Those of the smallest ids that go first, in their turn. */
  #inTurn(smallest: readonly StoredOrder[]): readonly StoredOrder[] {
    const at = new Map(smallest.map((order) => [order.position, order]));
    return this.#first.flatMap((position) => at.get(position) ?? []);
  }

  /** Sends the next of these ahead; false when none of them may go. `isLast`: it is the last order of all. */
  async #sendNextAhead(orders: readonly StoredOrder[], isLast: boolean): Promise<boolean> {
    const run = this.#run;
    if (orders.length === 0) return false;
    if (await run.waitsItsTurn(orders)) return true;
    if (isLast && !(await this.#lastMayLeave())) return false;
    const aheadMs = run.standstill.clockAheadMs;
    const { lookFirst = false } = run.policy;
    // What a ledger in doubt has not cleared shows all the same whether somebody else sends it.
    const mayLeave = lookFirst ? orders.filter((order) => this.#reconciliation.hasCleared(order)) : orders;
    await this.#ahead.watch(orders.filter((order) => !mayLeave.includes(order)));
    const unsent = await this.#lastAskedFor(mayLeave);
    // And what it has not cleared, another round will not clear either.
    if (unsent.length === 0) return !lookFirst;
    await this.#anchors.lead(unsent.slice(0, 1), aheadMs);
    return true;
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
    const sending = await this.#sendingOrder();
    while (this.#maySend) {
      const most = this.#blockMost;
      // While blocks grow, what one of them shows is known before the next is asked for.
      if (this.#run.looksFirst && this.#blockSize < BLOCK_MAX) yield [];
      let found = await sending.next(most + 1);
      if (found.length === 1) {
        yield [];
        if (!(await this.#lastMayLeave())) return;
        found = await sending.next(1);
      }
      const planned = found.length > most ? found.slice(0, most) : allButTheLast(found);
      if (planned.length === 0) return;
      // What waited is read again: callbacks may have moved it.
      if (await run.waitsItsTurn(planned)) continue;
      const claimed = await this.#claimCleared(planned, sending);
      if (claimed.length > 0) yield claimed;
    }
  }

  /** Claims those of the orders that may leave, which the pass goes on behind; the first of them may have to go ahead. */
  async #claimCleared(planned: readonly StoredOrder[], sending: SendingOrder): Promise<readonly StoredOrder[]> {
    const run = this.#run;
    const aheadMs = run.standstill.clockAheadMs;
    const cleared = await this.#anchors.lead(await this.#ahead.cleared(planned), aheadMs);
    const claimed = this.#maySend ? await run.claim(cleared, aheadMs) : [];
    const last = (claimed.length < cleared.length ? claimed : planned).at(-1);
    if (last) sending.isBehind(last);
    if (claimed.length > 0) this.#blockSize = Math.min(this.#blockSize * 2, BLOCK_MAX);
    return claimed;
  }

  /** So many orders leave together at most. */
  get #blockMost(): number {
    const { claimMost } = this.#run.admission;
    if (!this.#run.looksFirst) return claimMost;
    return this.#anchors.areDone ? Math.min(this.#blockSize, claimMost) : 1;
  }

  /** In which order what is planned leaves now. Blocks begin small again where the service showed what was not sent from here. */
  #sendingOrder(): Promise<SendingOrder> {
    const { deps, task, doubts } = this.#run;
    if (doubts.found !== this.#found) [this.#found, this.#blockSize] = [doubts.found, 1];
    if (!this.#run.looksFirst) return Promise.resolve(new SheetOrder(deps.ledger, task.batch));
    return DrawnOrder.draw(deps.ledger, task.batch, { first: this.#first, random: deps.random });
  }
}

/** All but the last, where there are several. */
const allButTheLast = (orders: readonly StoredOrder[]): readonly StoredOrder[] =>
  orders.length > 1 ? orders.slice(0, -1) : orders;
