/**
 * What the two loops of a run share: they claim, submit and look up orders here, and record what was learnt. Five other
 * objects do the rest: what the run may rely on (`trust`), what may leave (`admission`), what is asked of the service
 * (`requests`), what is written to the ledger (`journal`), and what the money shows (`money`).
 */

import type { Fact } from '../domain/fact.ts';
import { advance, isSuperseded, type OrderState, openAlarms } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { reasonOf } from '../service/client/reply.ts';
import { Admission, CLAIM_FRESH_MS } from './admission.ts';
import { MoneyWatch } from './brakes.ts';
import { holdsBack } from './circuit-breaker.ts';
import { dueAfter, followedUntil, isSendOnce, isYoung, type Policy } from './decision.ts';
import { Journal } from './journal.ts';
import type { LookUpResult } from './look-up.ts';
import { claimOf, type Happening, progressOf, type RunState, startOfRun } from './run-state.ts';
import { APART_OF_SILENCE, elsewhereStop, stopOf } from './stop-reasons.ts';
import { Requests } from './submit.ts';
import type { DispatchDeps, RunControl, RunStart, RunTask } from './task.ts';
import { Trust } from './trust.ts';
import { SHOWN_MS_MAX } from './witnesses.ts';

/** Longest rest before admission is asked again whether an order may be claimed, in milliseconds. A callback does not end this rest. */
const REST_MS_MAX = 15_000;

export class Run {
  readonly task: RunTask;
  readonly deps: DispatchDeps;
  readonly control: RunControl;
  readonly trust: Trust;
  readonly admission: Admission;
  readonly requests: Requests;
  readonly journal: Journal;
  readonly money: MoneyWatch;
  /** Number of recordings about orders that are in progress. */
  #learning = 0;

  /** `deps.clock` is the steady clock of the run; `start.wall` is the machine's own clock, which may jump. */
  constructor(task: RunTask, deps: DispatchDeps, control: RunControl, start: RunStart) {
    const { sending, inDoubt } = task.settings;
    const { ledger, clock, emit, readBalance } = deps;
    [this.task, this.deps, this.control] = [task, deps, control];
    this.trust = new Trust(task, { ...deps, isOther: () => control.stop(elsewhereStop) }, start);
    const wokeAt = (): number | undefined => this.trust.suspension.wokeAt;
    const asking = { ...deps, signal: control.followSignal, wokeAt, quietMs: inDoubt.quietMs };
    this.requests = new Requests(asking, sending.concurrency);
    this.journal = new Journal(task, { ledger, clock, heed: (stop) => control.heed(stop) });
    const state = startOfRun(start.tallies, sending.concurrency, task.maySubmit);
    this.admission = new Admission(state, task.settings, { clock, stop: (...why) => control.stop(stopOf(...why)) });
    this.money = new MoneyWatch({ ledger, clock, emit, readBalance, batch: task.batch, run: this.admission });
  }

  get state(): RunState {
    return this.admission.state;
  }

  /** Moves the run state by something that happened, and adapts how many requests may be in flight. */
  happened(happening: Happening): void {
    this.admission.happened(happening);
    this.requests.mayBe(this.state.service.concurrency);
  }

  get policy(): Policy {
    return this.trust.policy(this.state);
  }

  get maySend(): boolean {
    return this.task.maySubmit && !this.control.sendSignal.aborted;
  }

  /** Reports whether this order may still be submitted in this run, for the first time or again. */
  maySubmit(state: OrderState): boolean {
    return this.maySend && !isSuperseded(state);
  }

  /** Reports whether planned orders have to wait; if they do, rests for a while first. */
  async waitsItsTurn(planned: readonly StoredOrder[]): Promise<boolean> {
    await this.money.lookAtWallet(this.control.sendSignal);
    const waitMs = this.admission.waitMsOf(planned);
    if (waitMs === undefined) return false;
    const { clock, ledger } = this.deps;
    this.happened({ type: 'paused', until: clock.now() + waitMs });
    this.#emitProgress();
    await this.admission.rest(waitMs > 0 ? Math.min(waitMs, REST_MS_MAX) : REST_MS_MAX, this.control.sendSignal);
    const nextAt = await ledger.nextDueAt(this.task.batch);
    const awaited = (this.calledBackUntil ?? 0) > clock.now();
    const isIdle = nextAt === undefined && !awaited && this.state.inFlight.size === 0 && this.#learning === 0;
    this.happened({ type: 'rested', isIdle });
    return true;
  }

  /**
   * Claims as many of the orders as may be claimed now, and returns those. Their claims are durable, so they may be sent.
   * `aheadMs`: how far the machine's clock was ahead when it was decided that the orders may leave; a sleep since then counts
   * as a sleep after the claim.
   */
  async claim(orders: readonly StoredOrder[], aheadMs: number): Promise<readonly StoredOrder[]> {
    const chosen = this.admission.choose(orders);
    if (chosen.length === 0) return [];
    const claimed = await this.journal.claim(chosen);
    this.happened(claimOf(chosen, claimed));
    const { suspension, known } = this.trust;
    suspension.isOver();
    for (const { state } of claimed) {
      known.add(state.id);
      suspension.isClaimed(state.id, aheadMs);
    }
    return claimed;
  }

  /** Postpones an order that may not be claimed now: until sending no longer pauses, and at least until its own next step is due. */
  postpone(order: StoredOrder): Promise<void> {
    const { policy, deps, maySend } = this;
    const now = deps.clock.now();
    const pauseMs = this.admission.waitMsOf([order]) ?? 0;
    const own = dueAfter(order.state, policy, now, maySend) ?? now;
    return this.wake(order, Math.max(own, now + Math.max(pauseMs, policy.polling.firstMs)));
  }

  /**
   * Notes that these orders leave while another run may send the others too. `untilShown` waits for them, and no order is
   * submitted again before that either.
   */
  leavesApart(orders: readonly StoredOrder[]): void {
    const { policy, deps, trust } = this;
    const shown = orders.filter(({ state }) => !isSendOnce(state) && policy.hasLookUp(state.submission));
    if (shown.length === 0) return;
    const ids = shown.map(({ state }) => state.id);
    const now = deps.clock.now();
    // Orders that the service did not show in time are not awaited a second time together with these.
    if (!trust.latest.isAwaited(now)) trust.latest.giveUp();
    // An order that is still not shown after a silence makes every later "unknown" worthless. The next ones leave well before that.
    const partMs = policy.inDoubt.quietMs * APART_OF_SILENCE;
    trust.latest.awaits(ids, now + Math.min(SHOWN_MS_MAX, partMs, policy.polling.deadlineMs));
  }

  /** Waits until the service shows the orders that left last, or has had enough time for it. */
  async untilShown(): Promise<void> {
    const { deps, trust, control, admission } = this;
    while (trust.latest.isAwaited(deps.clock.now()) && this.maySend)
      await admission.rest(REST_MS_MAX, control.sendSignal);
  }

  /** Submits claimed orders. An order that may no longer leave when its turn comes is recorded as never sent. */
  async submitAll(claimed: readonly StoredOrder[]): Promise<void> {
    await Promise.all(claimed.map((order) => this.control.guard(() => this.#submitOne(order))));
  }

  async #submitOne(order: StoredOrder): Promise<void> {
    const { clock } = this.deps;
    const { id } = order.state;
    let held = false;
    const beforeLeaving = async (): Promise<boolean> => {
      held = holdsBack(this.state.service, id) || !(await this.#mayLeave(order));
      return !held;
    };
    const leaving = { signal: this.control.sendSignal, beforeLeaving };
    const { facts, reply, startedAtMs } = await this.requests.submit(order, leaving);
    this.trust.suspension.isSent(id);
    // An order that was held back says nothing about the service.
    if (this.maySend && !held) {
      const answer = { ...reply, order: id, reason: reasonOf(reply), startedAtMs, endedAtMs: clock.monotonicMs() };
      this.happened({ type: 'answered', answer });
    }
    this.happened({ type: 'submission-ended', order: id });
    this.admission.review();
    // Begins before the answer is on record, so that nothing more leaves in the meantime.
    const sighted = isSighting(order.state, facts) ? this.trust.enterRecovery('held') : undefined;
    await Promise.all([sighted, this.learn(order, facts)]);
    this.admission.landed(id);
  }

  /**
   * Reports whether a submission may still leave; asked at the last moment. A claim that is too old goes back: if this
   * process died now, the next run would count silence from its own start, so nothing may leave much later than it was
   * claimed.
   */
  async #mayLeave({ state }: StoredOrder): Promise<boolean> {
    await this.deps.ledger.proveLease();
    const now = this.deps.clock.now();
    const { suspension, recoveryAt } = this.trust;
    if (now - (state.lastClaimedAt ?? 0) + suspension.sleptSince(state.id) > CLAIM_FRESH_MS) return false;
    // Claimed before recovery was entered, when it was not known yet that this ledger may not be the latest.
    if ((state.lastClaimedAt ?? 0) <= (recoveryAt ?? Number.NEGATIVE_INFINITY)) return false;
    // Since the claim the computer may have slept for longer than the service keeps an id.
    return !state.mayHaveArrived || isYoung(state, this.policy, now);
  }

  /** Looks up an order, and records what was learnt. Returns the order as it is on record then. */
  async look(order: StoredOrder): Promise<StoredOrder> {
    return this.learn(order, await this.requests.factsOf(order));
  }

  /** Looks for an order that this ledger never sent. Records what is found, and nothing if the order is not found. */
  async seek(order: StoredOrder): Promise<LookUpResult> {
    const result = await this.requests.resultOf(order.state, order.body);
    if (result.facts.length > 0) await this.learn(order, result.facts);
    return result;
  }

  /** Makes an order due at `dueAt`; by default immediately, because there is news of it. */
  async wake(order: StoredOrder, dueAt: number = this.deps.clock.now()): Promise<void> {
    this.happened({ type: 'woken' });
    await this.journal.record({ order, facts: [], dueAt });
  }

  /** Records facts about an order, and when the order is to be looked at again. */
  async learn(order: StoredOrder, learnt: readonly Fact[]): Promise<StoredOrder> {
    this.#learning += 1;
    const { deps, admission, trust } = this;
    const facts = await this.money.believed(order.state, learnt);
    if (facts.some(({ type }) => type === 'order-observed')) trust.known.add(order.state.id);
    const state = facts.reduce<OrderState>(advance, order.state);
    // Before the record is on disk: otherwise more money could leave in the meantime on evidence that is known to be wrong.
    this.control.raise(openAlarms(state));
    trust.learnt(order.state, state, facts);
    const now = deps.clock.now();
    const awaited = trust.probes.dueAt(state, now) ?? trust.latest.dueAt(state, now);
    const dueAt = awaited ?? dueAfter(state, this.policy, now, this.maySubmit(state));
    const after = await this.journal.record({ order, facts, dueAt });
    const until = state.phase === 'settled' ? undefined : followedUntil(state, this.policy, deps.clock.now());
    this.happened({ type: 'recorded', move: [order.state, after.state], followedUntil: until });
    trust.recorded(after.state);
    this.#emitProgress();
    if (this.task.settings.overchargeMost) await this.money.noteFees(order.state, after.state);
    this.#learning -= 1;
    admission.review();
    admission.wake();
    return after;
  }

  /** Time until which callbacks are awaited that are the only source of an order's final outcome; `undefined` if none are. */
  get calledBackUntil(): number | undefined {
    return this.deps.callbacks && this.trust.calledBackUntil;
  }

  #emitProgress(): void {
    this.deps.emit({ type: 'progress', ...progressOf(this.state, this.deps.clock.now()) });
  }
}

/**
 * Reports whether the service says that it already holds an order that was claimed only once, and so left only once: another
 * sender has sent it, or something on the way repeats requests. After an earlier claim, our own submission may be the one
 * that arrived.
 */
const isSighting = ({ posts }: OrderState, facts: readonly Fact[]): boolean =>
  posts === 1 && facts.some((fact) => fact.type === 'order-answered' && fact.tag === 'exists');
