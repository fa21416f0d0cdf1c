/**
 * The loop that looks at due orders until no more will be due. Most are looked up. Those that were proven absent are
 * submitted again, or for the first time after all, when `decision.ts` says so; the evidence for that is fresh when they
 * leave.
 */
import type { OrderId } from '../domain/ids.ts';
import { unreachable } from '../domain/invariant.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import type { Callbacks } from './callback-reader.ts';
import { nextStep, type Policy, type Step } from './decision.ts';
import { shuffled } from './probes.ts';
import type { Recovery } from './recovery.ts';
import type { Run } from './run.ts';
import { staleProofStop } from './stop-reasons.ts';

/** Most orders looked at between two reads of what is due. */
const DUE_BLOCK = 128;
/** How often callbacks are read if a listener keeps them, in milliseconds. */
const CALLBACKS_MS = 250;

/** An order that is due, and the step that is taken with it. */
interface Turn {
  readonly order: StoredOrder;
  readonly step: Step;
  /** Whether the order is to be submitted again, or for the first time after all. */
  readonly isAgain: boolean;
}

export class Follower {
  readonly #run: Run;
  readonly #recovery: Recovery;
  /** The messages that the service sent on its own; absent if no listener keeps them. */
  readonly #callbacks: Callbacks | undefined;
  /** Most orders that are submitted again next, if another run may do the same. */
  #againMost = 1;
  /** When the first of them may leave, by the run's clock, and for which longest wait and recovery that was drawn. */
  #apart = { recoveries: -1, mostMs: 0, until: 0 };
  /** Since when no answer was fresh enough to submit any of them again, in milliseconds of the run's clock. */
  #staleSince: number | undefined;

  constructor(run: Run, recovery: Recovery, callbacks: Callbacks | undefined) {
    [this.#run, this.#recovery, this.#callbacks] = [run, recovery, callbacks];
  }

  /** Follows the orders of a run until each has a final outcome or is parked, the run is stopped, or recovery is entered. */
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
      // Read before the ledger is asked, so that the order sent last is not missed.
      const { isSending } = run.state;
      const nextAt = await ledger.nextDueAt(run.task.batch);
      if (nextAt === undefined && !isSending) {
        // A callback may have waited for the last submission, or arrived while the last orders were looked up.
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
   * Takes all orders that are due by now, and reports whether there were any. While one block is looked up the next is read,
   * so that no look-up waits for a record; nothing is submitted again while another block is in flight. If a listener keeps
   * callbacks, only one block is taken: a callback may move orders only while none of them is in flight, and has to be read
   * soon.
   */
  async #takeDue(): Promise<boolean> {
    const { ledger, clock } = this.#run.deps;
    const now = clock.now();
    let inFlight: { readonly ids: ReadonlySet<OrderId>; readonly done: Promise<void> } | undefined;
    let last: StoredOrder | undefined;
    while (this.#isOn) {
      const due = await ledger.dueOrders(this.#run.task.batch, now, DUE_BLOCK, last);
      if (due.length === 0) break;
      last = due.at(-1);
      // An order with a first fact on record may be due again already, while its next fact is still being recorded.
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

  /** Returns the turn of each order, by what is known now. */
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
    const aheadMs = trust.suspension.clockAheadMs;
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
      // The order may not be sent in this run, but what became of it can still be found out.
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
   * Submits as many of the orders as may be; the others wait. Other look-ups may have taken minutes since these orders were
   * last found unknown, and another ledger may have sent them in the meantime, so an answer older than `CLAIM_FRESH_MS` is
   * asked for again. `aheadMs`: see `Run.claim`.
   */
  async #sendAgain(orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
    if (this.#run.trust.looksFirst) return this.#sendApart(orders, aheadMs);
    const { policy, deps, admission, control } = this.#run;
    const now = deps.clock.now();
    // An order that has to wait anyway is not looked up.
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
   * Like `#sendAgain`, but for a run that may not be the only one: two copies of a folder hold the same orders, and come to
   * the same proof at the same time. So all orders are looked up just before, few of them leave, drawn by chance, and twice
   * as many each time. The next ones wait until the service shows these, because before that it does not show what the other
   * run has sent in the meantime either.
   */
  async #sendApart(orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
    const run = this.#run;
    const { deps, admission, trust } = run;
    const { recoveries } = trust;
    const mostMs = trust.apartMsMax(orders.some(({ state }) => !neverTransmitted(state)));
    if (recoveries !== this.#apart.recoveries || mostMs > this.#apart.mostMs) {
      this.#apart = { recoveries, mostMs, until: deps.clock.now() + deps.random() * mostMs };
      this.#againMost = 1;
    }
    const now = deps.clock.now();
    const { until } = this.#apart;
    if (now < until) return void (await Promise.all(orders.map((order) => run.wake(order, until))));
    if (trust.latest.isAwaited(now) || admission.waitMsOf(orders) !== undefined)
      return void (await Promise.all(this.#wait(orders)));
    const looked = await this.#lookedAt(orders);
    if (typeof looked === 'string') return this.#recovery.othersSend(looked);
    const { policy } = run;
    const then = deps.clock.now();
    const left = looked.filter(({ state }) => nextStep(state, policy, then).do === 'submit' && run.maySubmit(state));
    const fresh = left.filter(({ state }) => !isOld(state, policy, then));
    this.#staleSince = fresh.length > 0 || left.length === 0 ? undefined : (this.#staleSince ?? then);
    if (this.#staleSince !== undefined && then - this.#staleSince >= policy.polling.deadlineMs)
      run.control.stop(staleProofStop);
    const next = new Set(shuffled(fresh, deps.random).slice(0, Math.min(this.#againMost, admission.claimMost)));
    if (next.size > 0) this.#againMost *= 2;
    const rest = left.filter((order) => !next.has(order));
    await Promise.all([this.#submit([...next], aheadMs), ...this.#wait(rest)]);
  }

  /**
   * Looks each order up. If the service holds one of them after all, returns what that shows: an order that never left from
   * here (`turned-up`) was sent by another sender, any other may have been (`not-absent`). A look-up whose answer is lost takes
   * as long as an answer stays fresh, so the other orders are then looked up again without it.
   */
  async #lookedAt(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[] | 'turned-up' | 'not-absent'> {
    const run = this.#run;
    const latest = new Map(orders.map((order) => [order.position, order]));
    for (let asked = orders; ; ) {
      const began = run.deps.clock.now();
      const looked = await Promise.all(asked.map((order) => run.look(order)));
      const held = asked.filter((_order, at) => isHeld(looked[at]));
      if (held.length > 0) return held.some(({ state }) => neverTransmitted(state)) ? 'turned-up' : 'not-absent';
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
    if (this.#run.trust.looksFirst) this.#run.leavesApart(claimed);
    const ids = new Set(claimed.map(({ state }) => state.id));
    const rest = orders.filter(({ state }) => !ids.has(state.id));
    await Promise.all([this.#run.submitAll(claimed), ...this.#wait(rest)]);
  }

  /**
   * Looks the order up, and submits it if it is still absent. Each order is handled separately: by the time a slower look-up of
   * another order was answered, this answer would be old again.
   */
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

const isHeld = (order: StoredOrder | undefined): boolean =>
  order?.state.phase === 'accepted' || order?.state.phase === 'settled';

/**
 * Reports whether the latest "unknown" about an order is too old. An order that never left from a ledger not in recovery is
 * absent in any case.
 */
const isOld = (state: OrderState, { lookFirst }: Policy, now: number): boolean =>
  (lookFirst || !neverTransmitted(state)) && now - (state.lastUnknownAt ?? now) > CLAIM_FRESH_MS;
