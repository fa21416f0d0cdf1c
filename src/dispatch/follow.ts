/**
 * The loop that looks at what is due until nothing will be. Most orders are looked up. Those that were proven absent are submitted once
 * more, or for the first time after all; `decision.ts` says so, and what that relies on is fresh when they leave.
 */
import type { OrderId } from '../domain/ids.ts';
import { unreachable } from '../domain/invariant.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import type { Callbacks } from './callback-reader.ts';
import { isSendOnce, nextStep, type Policy, type Step } from './decision.ts';
import { SHOWN_MS_MAX, shuffled } from './probes.ts';
import type { Recovery } from './recovery.ts';
import type { Run } from './run.ts';
import { staleProofStop } from './stop-reasons.ts';

/** Orders looked at between two reads of what is due. */
const DUE_BLOCK = 128;
/** How often callbacks are looked for where somebody listens, in milliseconds. */
const CALLBACKS_MS = 250;

/** An order that is due, and what is done with it. */
interface Turn {
  readonly order: StoredOrder;
  readonly step: Step;
  /** It is to be submitted once more, or for the first time after all. */
  readonly isAgain: boolean;
}

export class Follower {
  readonly #run: Run;
  readonly #recovery: Recovery;
  /** What the service sent by itself, where somebody listens. */
  readonly #callbacks: Callbacks | undefined;
  /** Most orders of the next block that is submitted again where another run may do the same. */
  #againMost = 1;
  /** Until when the block before it is waited for, and since when no answer was fresh enough for one; in milliseconds of the run's clock. */
  #shownBy = 0;
  #staleSince: number | undefined;

  constructor(run: Run, recovery: Recovery, callbacks: Callbacks | undefined) {
    [this.#run, this.#recovery, this.#callbacks] = [run, recovery, callbacks];
  }

  /** Follows the orders of a run until each has its final word or is parked, the run is stopped, or recovery is entered. */
  async follow(): Promise<void> {
    const run = this.#run;
    const { ledger, clock } = run.deps;
    const { due } = run.journal;
    const { followSignal } = run.control;
    const longestMs = this.#callbacks && CALLBACKS_MS;
    while (this.#isOn) {
      due.begins();
      await this.#callbacks?.take();
      if (await this.#takeDue()) continue;
      // Read before the ledger is asked: what is sent last must not be missed.
      const { isSending } = run.state;
      const nextAt = await ledger.nextDueAt(run.task.batch);
      if (nextAt === undefined && !isSending) {
        // A callback may have waited for the last submission, or have come while the last orders were looked at.
        if (await this.#callbacks?.take()) continue;
        const awaitedMs = (run.calledBackUntil ?? 0) - clock.now();
        if (awaitedMs <= 0) return;
        await clock.sleep(Math.min(awaitedMs, CALLBACKS_MS), followSignal);
        continue;
      }
      await due.rest(nextAt, followSignal, longestMs);
    }
  }

  get #isOn(): boolean {
    return !this.#run.control.followSignal.aborted && !this.#recovery.isDue;
  }

  /**
   * Takes all that is due by now, and says whether anything was. While one block is looked up the next is read, so that no look-up
   * waits for a record; nothing is submitted again while another block is in flight. Where somebody listens it takes one block alone: a
   * callback may move orders while none of them is in flight, and has to be read soon.
   */
  async #takeDue(): Promise<boolean> {
    const { ledger, clock } = this.#run.deps;
    const now = clock.now();
    // From now on they are looked up when any other order would be.
    if (now >= this.#shownBy) this.#run.trust.again.giveUp();
    let inFlight: { readonly ids: ReadonlySet<OrderId>; readonly done: Promise<void> } | undefined;
    let last: StoredOrder | undefined;
    while (this.#isOn) {
      const due = await ledger.dueOrders(this.#run.task.batch, now, DUE_BLOCK, last);
      if (due.length === 0) break;
      last = due.at(-1);
      // One of which a first fact is on record may be due again already, while the next is on its way.
      const free = due.filter(({ state }) => !inFlight?.ids.has(state.id));
      const at = clock.now();
      let turns = this.#turnsOf(free, at);
      const goesAgain = turns.some(({ isAgain }) => isAgain);
      if (goesAgain) {
        await inFlight?.done;
        turns = this.#turnsOf(free, at);
      }
      const done = this.#takeAll(turns, at);
      await (goesAgain ? done : inFlight?.done);
      inFlight = { ids: new Set(free.map(({ state }) => state.id)), done };
      if (this.#callbacks) break;
    }
    await inFlight?.done;
    return last !== undefined;
  }

  /** The turn of each of the orders, by what is known now. */
  #turnsOf(due: readonly StoredOrder[], now: number): readonly Turn[] {
    const { policy } = this.#run;
    return due.map((order) => {
      const step = nextStep(order.state, policy, now);
      return { order, step, isAgain: step.do === 'submit' && this.#run.maySubmit(order.state) };
    });
  }

  /** Does what the decision says for orders that are due. */
  async #takeAll(turns: readonly Turn[], now: number): Promise<void> {
    const { control, trust } = this.#run;
    const aheadMs = trust.standstill.clockAheadMs;
    const again = turns.filter(({ isAgain }) => isAgain).map(({ order }) => order);
    const others = turns.filter(({ isAgain }) => !isAgain);
    let cleared: readonly StoredOrder[] = [];
    await Promise.all([
      ...others.map((turn) => control.guard(() => this.#take(turn, now))),
      control.guard(async () => {
        cleared = await this.#recovery.mayGoAgain(again);
      }),
    ]);
    if (cleared.length > 0) await this.#sendAgain(cleared, aheadMs);
  }

  async #take({ order, step }: Turn, at: number): Promise<void> {
    const run = this.#run;
    const { id } = order.state;
    switch (step.do) {
      case 'look-up':
        await run.look(order);
        return;
      case 'park': {
        const after = await run.look(order);
        const still = nextStep(after.state, run.policy, at).do === 'park';
        if (still && !after.state.overdue) await run.learn(after, [{ type: 'order-overdue', order: id, at }]);
        return;
      }
      case 'refuse':
        await run.learn(order, [{ type: 'order-refused', order: id, at }]);
        return;
      // It may not be sent in this run, but what became of it can still be found out.
      case 'submit':
        if (neverTransmitted(order.state)) await run.learn(order, []);
        else await run.look(order);
        return;
      case 'nothing':
        await run.learn(order, []);
        return;
      default:
        unreachable(step);
    }
  }

  /**
   * Submits as many of the orders as may be; the others wait. Other look-ups may have taken minutes since these were last said to be
   * unknown, and another ledger may have sent them meanwhile, so whatever was said longer ago than a claim is good for is asked
   * once more. `aheadMs`: see `Run.claim`.
   */
  async #sendAgain(orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
    if (this.#run.trust.looksFirst) return this.#sendApart(orders, aheadMs);
    const { policy, deps, admission, control } = this.#run;
    const now = deps.clock.now();
    // Nothing is asked for what has to wait all the same.
    const most = admission.waitMsOf(orders) === undefined ? admission.claimMost : 0;
    const next = orders.slice(0, most);
    const fresh = next.filter(({ state }) => !isOld(state, policy, now));
    const old = next.filter(({ state }) => isOld(state, policy, now));
    await Promise.all([
      this.#submit(fresh, aheadMs),
      ...old.map((order) => control.guard(() => this.#submitIfAbsent(order, aheadMs))),
      ...this.#wait(orders.slice(most)),
    ]);
  }

  /**
   * The same where another run may do it in this moment: two copies of a folder hold the same orders, and come to the same proof at the
   * same time. So few leave, drawn by chance, and more each time; the service has to show them before the next ones leave, because until
   * then it does not show what the other run has sent meanwhile either. All are looked up just before. An order that was proven absent
   * and is held all the same was sent by another run.
   */
  async #sendApart(orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
    const run = this.#run;
    const { deps, admission, trust } = run;
    if (trust.again.isWaiting || admission.waitMsOf(orders) !== undefined)
      return void (await Promise.all(this.#wait(orders)));
    const looked = await this.#lookedAt(orders);
    if (looked === undefined) return this.#recovery.othersSend();
    const { policy } = run;
    const now = deps.clock.now();
    const left = looked.filter(({ state }) => nextStep(state, policy, now).do === 'submit' && run.maySubmit(state));
    const fresh = left.filter(({ state }) => !isOld(state, policy, now));
    this.#staleSince = fresh.length > 0 || left.length === 0 ? undefined : (this.#staleSince ?? now);
    if (this.#staleSince !== undefined && now - this.#staleSince >= policy.polling.deadlineMs)
      run.control.stop(staleProofStop);
    const next = new Set(shuffled(fresh, deps.random).slice(0, Math.min(this.#againMost, admission.claimMost)));
    if (next.size > 0) {
      this.#againMost *= 2;
      this.#shownBy = now + Math.min(SHOWN_MS_MAX, policy.polling.deadlineMs);
      const shown = [...next].filter(({ state }) => !isSendOnce(state) && policy.hasLookUp(state.submission));
      trust.again.awaits(shown.map(({ state }) => state.id));
    }
    const rest = left.filter((order) => !next.has(order));
    await Promise.all([this.#submit([...next], aheadMs), ...this.#wait(rest)]);
  }

  /**
   * The orders after one look-up of each; `undefined` when another run has sent one of them. A look-up whose answer is lost takes as long
   * as an answer is good for: then the others are looked up again without it.
   */
  async #lookedAt(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[] | undefined> {
    const run = this.#run;
    const latest = new Map(orders.map((order) => [order.position, order]));
    for (let asked = orders; ; ) {
      const began = run.deps.clock.now();
      const looked = await Promise.all(asked.map((order) => run.look(order)));
      if (looked.some(isHeld)) return undefined;
      for (const after of looked) latest.set(after.position, after);
      const now = run.deps.clock.now();
      const heard = looked.filter(({ state }) => (state.lastUnknownAt ?? 0) >= began);
      const isFresh = heard.length === 0 || heard.some(({ state }) => !isOld(state, run.policy, now));
      if (isFresh || run.control.sendSignal.aborted) return [...latest.values()];
      asked = heard;
    }
  }

  async #submit(orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
    const claimed = orders.length > 0 ? await this.#run.claim(orders, aheadMs) : [];
    const ids = new Set(claimed.map(({ state }) => state.id));
    const rest = orders.filter(({ state }) => !ids.has(state.id));
    await Promise.all([this.#run.submitAll(claimed), ...this.#wait(rest)]);
  }

  /** By itself: by the time that a slower look-up of another one was answered, its own would be old again. */
  async #submitIfAbsent(order: StoredOrder, aheadMs: number): Promise<void> {
    const run = this.#run;
    const after = await run.look(order);
    const { policy, deps } = run;
    const { state } = after;
    const now = deps.clock.now();
    if (nextStep(state, policy, now).do !== 'submit' || !run.maySubmit(state)) return;
    if (!isOld(state, policy, now)) return this.#submit([after], aheadMs);
    if (now - (state.lastUnknownAt ?? 0) >= policy.polling.deadlineMs) run.control.stop(staleProofStop);
    await Promise.all(this.#wait([after]));
  }

  #wait(orders: readonly StoredOrder[]): readonly Promise<void>[] {
    return this.#run.maySend ? orders.map((order) => this.#run.postpone(order)) : [];
  }
}

const isHeld = ({ state }: StoredOrder): boolean => state.phase === 'accepted' || state.phase === 'settled';

/** What never left from a ledger in no doubt is nowhere, whatever was said of it. */
const isOld = (state: OrderState, { lookFirst }: Policy, now: number): boolean =>
  (lookFirst || !neverTransmitted(state)) && now - (state.lastUnknownAt ?? now) > CLAIM_FRESH_MS;
