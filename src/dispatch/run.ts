/** What the two loops of a run share: claiming, submitting, looking up and recording orders. */
import pLimit, { type LimitFunction } from 'p-limit';
import { reasonOf } from '../client/reply.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import { advance, isSuperseded, type OrderState, openAlarms } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { Admission, CLAIM_FRESH_MS } from './admission.ts';
import { Beside } from './beside.ts';
import { CallbackDeadlines } from './callback-deadlines.ts';
import { Callbacks } from './callback-reader.ts';
import { holdsBack } from './circuit-breaker.ts';
import { Coming } from './coming.ts';
import { Controls } from './controls.ts';
import { isYoung, type Policy, type PolicyTerms } from './decision.ts';
import { Doubts } from './doubts.ts';
import { dueAfter } from './due.ts';
import { DueRest } from './due-rest.ts';
import { believedFees, noteFeesAbove, type QuoteOf, quotesOf } from './fee-guard.ts';
import { LastOrder } from './last-order.ts';
import { LookUp, type LookUpResult, lookUpsOf } from './look-up.ts';
import { Recorder } from './recorder.ts';
import { RunControl } from './run-control.ts';
import { RunProgress } from './run-progress.ts';
import { claimOf, type Happening, type RunState, startOfRun } from './run-state.ts';
import { Shown } from './shown.ts';
import { Standstill } from './standstill.ts';
import { elsewhereStop } from './stop-reasons.ts';
import { Environment, submit } from './submit.ts';
import type { DispatchDeps, RunStart, RunTask } from './task.ts';
import { Unproven } from './unproven.ts';
import { WalletWatch } from './wallet-watch.ts';

/** Longest rest before it is asked again whether an order may be claimed, in milliseconds: callbacks tell nobody here. */
const REST_MS_MAX = 15_000;

export class Run {
  readonly task: RunTask;
  readonly deps: DispatchDeps;
  readonly control: RunControl;
  readonly admission: Admission;
  /** What the service shows of the payments that go ahead of the others. */
  readonly shown: Shown;
  /** Whether the last order of all may leave. */
  readonly lastOrder = new LastOrder();
  /** Orders that may need a person's word. */
  readonly unproven = new Unproven();
  /** Orders that the service showed in this run, or that this run has claimed. */
  readonly known = new Set<OrderId>();
  readonly #progress: RunProgress;
  readonly #quoteOf: QuoteOf;
  readonly due: DueRest;
  /** What the service sent by itself, where somebody listens. */
  readonly callbacks: Callbacks | undefined;
  readonly #limit: LimitFunction;
  readonly #lookUp: LookUp;
  readonly #terms: PolicyTerms;
  /** The batch was begun before. */
  readonly asksEach: boolean;
  readonly doubts: Doubts;
  /** Whether somebody else may have begun since this run claimed last. */
  readonly standstill: Standstill;
  /** So many orders are submitted again next, at most, where another run may do the same. */
  againMost = 1;
  readonly #controls = new Controls();
  readonly #coming = new Coming();
  readonly #recorder: Recorder;
  readonly #environment = new Environment();
  readonly beside: Beside;
  readonly #wallet: WalletWatch | undefined;
  /** Orders about which something is being recorded. */
  #learning = 0;
  readonly #callbackDeadlines: CallbackDeadlines;

  /** `deps.clock` is the steady time of the run (`steady-clock.ts`); `wall` is the machine's own, which may jump. */
  constructor(task: RunTask, deps: DispatchDeps, { tallies, wall, asksEach }: RunStart) {
    const { sending, polling, inDoubt } = task.settings;
    [this.task, this.deps, this.#quoteOf] = [task, deps, quotesOf(deps.ledger, task.batch)];
    const shownSince = (state: OrderState) => this.#controls.shownSince(state);
    this.#terms = { polling, inDoubt, startedAt: deps.clock.now(), shownSince, hasLookUp: lookUpsOf(deps.client) };
    this.asksEach = asksEach;
    this.doubts = new Doubts(task.lookFirst, { ...deps, quietMs: inDoubt.quietMs });
    this.standstill = new Standstill({ steady: deps.clock, wall, quietMs: inDoubt.quietMs });
    this.#progress = new RunProgress(deps);
    [this.#callbackDeadlines, this.due] = [new CallbackDeadlines(this.#terms), new DueRest(deps.clock)];
    this.control = new RunControl(task, deps.tell);
    this.shown = new Shown(() => this.control.stop(elsewhereStop));
    this.#limit = pLimit(sending.concurrency);
    const asking = { signal: this.control.followSignal, wokeAt: () => this.standstill.wokeAt };
    this.#lookUp = new LookUp({ ...deps, ...asking, quietMs: inDoubt.quietMs });
    this.callbacks = deps.callbacks && new Callbacks(deps.callbacks, this);
    const { ledger, clock, readBalance } = deps;
    this.#recorder = new Recorder((group) => this.#written(() => ledger.record(group)), clock, this.due);
    const state = startOfRun(tallies, sending.concurrency, task.maySubmit);
    this.admission = new Admission(state, task.settings, { clock, stop: (why) => this.control.stop(why) });
    this.beside = new Beside({ ...deps, task, control: this.control, happened: (one) => this.happened(one) });
    this.#wallet =
      readBalance && new WalletWatch({ ledger, clock, readBalance, batch: task.batch, admission: this.admission });
  }

  get state(): RunState {
    return this.admission.state;
  }

  /** Takes note of what decides what may leave. */
  happened(happening: Happening): void {
    this.admission.happened(happening);
    const { concurrency } = this.state.service;
    if (this.#limit.concurrency !== concurrency) this.#limit.concurrency = concurrency;
  }

  get policy(): Policy {
    const { count, since: doubtedAt, dealtAt: reconciledAt } = this.doubts;
    const { clockAheadMs, wokeAt, isLong } = this.standstill.clocks;
    return {
      ...this.#terms,
      clockAheadMs,
      ...(wokeAt !== undefined && { wokeAt }),
      lookFirst: count > 0,
      ...(doubtedAt !== undefined && { doubtedAt }),
      moreComes: this.state.isSending || this.#coming.isAny,
      reconciledAt,
      askEach: this.asksEach || !this.state.hasBegun || isLong,
    };
  }

  /** Whether the service answers so differently for ids that nobody has that no form means "unknown". */
  hasNoForm({ submission }: OrderState): Promise<boolean> {
    return this.#limit(() => this.#lookUp.hasNoForm(submission));
  }

  /** Whether each order is looked up just before it leaves: this run may not be the only one. */
  get looksFirst(): boolean {
    return this.doubts.count > 0 || this.asksEach;
  }

  get maySend(): boolean {
    return this.task.maySubmit && !this.control.sendSignal.aborted;
  }

  /** Whether this order may still be submitted in this run, for the first time or again. */
  maySubmit(state: OrderState): boolean {
    return this.maySend && !isSuperseded(state);
  }

  /** Writes to the ledger, and heeds what others have recorded meanwhile: it is read with each group. */
  async #written<T>(write: () => Promise<T>): Promise<T> {
    const written = await write();
    this.control.heed(this.deps.ledger.knownStop(this.task.batch));
    return written;
  }

  async keep(over: AbortSignal): Promise<void> {
    await this.control.guard(() => this.beside.keep(over));
  }

  /** Whether planned orders have to wait; if so, it waits for a while. */
  async waitsItsTurn(planned: readonly StoredOrder[]): Promise<boolean> {
    await this.#wallet?.look(this.control.sendSignal);
    const waitMs = this.admission.waitMsOf(planned);
    if (waitMs === undefined) return false;
    const { clock, ledger } = this.deps;
    this.#progress.pauses(waitMs, this.state);
    await this.admission.rest(waitMs > 0 ? Math.min(waitMs, REST_MS_MAX) : REST_MS_MAX, this.control.sendSignal);
    const nextAt = await ledger.nextDueAt(this.task.batch);
    const awaited = (this.callbacksAwaitedUntil ?? 0) > clock.now();
    const isIdle = nextAt === undefined && !awaited && this.state.inHand.size === 0 && this.#learning === 0;
    this.happened({ type: 'rested', isIdle });
    return true;
  }

  /**
   * Claims as many of the orders as may be now: what it gives back may be sent, because its claim is durable. `aheadMs`: the clocks as
   * they stood when it was decided that the orders may leave; a sleep since then counts as one after the claim.
   */
  async claim(orders: readonly StoredOrder[], aheadMs: number): Promise<readonly StoredOrder[]> {
    const chosen = this.admission.choose(orders);
    if (chosen.length === 0) return [];
    const { ledger, clock } = this.deps;
    const claimed = await this.#written(() => ledger.claim(chosen, clock.now(), this.task.epoch, null));
    this.happened(claimOf(chosen, claimed));
    this.standstill.isOver();
    for (const { state } of claimed) {
      this.known.add(state.id);
      this.standstill.isClaimed(state.id, aheadMs);
    }
    return claimed;
  }

  /** Lets an order that may not be claimed now be due later, within its own time. */
  postpone(order: StoredOrder): Promise<void> {
    const { policy, deps, maySend } = this;
    const now = deps.clock.now();
    const pauseMs = this.admission.waitMsOf([order]) ?? 0;
    const own = dueAfter(order.state, policy, now, maySend) ?? now;
    return this.wake(order, Math.max(own, now + Math.max(pauseMs, policy.polling.firstMs)));
  }

  /** Submits claimed orders; those that may no longer leave when their turn comes are recorded as never sent. */
  async submitAll(claimed: readonly StoredOrder[]): Promise<void> {
    await Promise.all(claimed.map((order) => this.control.guard(() => this.#submitOne(order))));
  }

  async #submitOne(order: StoredOrder): Promise<void> {
    const { client, clock } = this.deps;
    const { id } = order.state;
    let held = false;
    const beforeLeaving = async (): Promise<boolean> => {
      held = holdsBack(this.state.service, id) || !(await this.#mayLeave(order));
      return !held;
    };
    const { facts, reply, startedAtMs } = await this.#limit(async () => {
      const began = clock.monotonicMs();
      const leaving = { signal: this.control.sendSignal, beforeLeaving };
      const submitted = await submit(order.state, order.body, client, clock, this.#environment, leaving);
      return { startedAtMs: began, ...submitted };
    });
    this.standstill.isSent(id);
    // What was held back says nothing about the service.
    if (this.maySend && !held) {
      const answer = { ...reply, order: id, reason: reasonOf(reply), startedAtMs, endedAtMs: clock.monotonicMs() };
      this.happened({ type: 'answered', answer });
    }
    this.happened({ type: 'submission-ended', order: id });
    this.admission.review();
    // Before it is on record: nothing more leaves meanwhile.
    const sighted = isSighting(order.state, facts) ? this.doubts.arise('held') : undefined;
    await Promise.all([sighted, this.learn(order, facts)]);
    this.admission.putDown(id);
  }

  /**
   * Asked when a submission is about to leave. One that was claimed too long ago goes back: should this process die now,
   * the next run counts silence from its own start, and nothing of the claim may leave much later than that.
   */
  async #mayLeave({ state }: StoredOrder): Promise<boolean> {
    await this.deps.ledger.proveLease();
    const now = this.deps.clock.now();
    if (now - (state.lastClaimedAt ?? 0) + this.standstill.sleptSince(state.id) > CLAIM_FRESH_MS) return false;
    // It was claimed by a ledger of which nobody knew yet that it is not the latest.
    if ((state.lastClaimedAt ?? 0) <= (this.doubts.since ?? Number.NEGATIVE_INFINITY)) return false;
    // Since it was claimed the computer may have slept for longer than the service keeps an id.
    return !state.mayHaveArrived || isYoung(state, this.policy, now);
  }

  /** Looks an order up, and records what was learnt. */
  async look(order: StoredOrder): Promise<StoredOrder> {
    return this.learn(order, await this.#limit(() => this.#lookUp.factsOf(order.state, order.body)));
  }

  /** Looks for an order that this ledger never sent; records what is found, and nothing when it is not. */
  async seek(order: StoredOrder): Promise<LookUpResult> {
    const result = await this.resultOf(order.state, order.body);
    if (result.facts.length > 0) await this.learn(order, result.facts);
    return result;
  }

  /** What the service shows of an order; records nothing. */
  resultOf(state: OrderState, body: string): Promise<LookUpResult> {
    return this.#limit(() => this.#lookUp.resultOf(state, body));
  }

  /** Makes an order due, at once when there is news of it. */
  async wake(order: StoredOrder, dueAt: number = this.deps.clock.now()): Promise<void> {
    this.happened({ type: 'woken' });
    await this.#recorder.add({ order, facts: [], dueAt });
  }

  /** Records facts of an order and when it is to be looked at again. */
  async learn(order: StoredOrder, told: readonly Fact[]): Promise<StoredOrder> {
    this.#learning += 1;
    const { deps, admission } = this;
    const facts = await believedFees(order.state, told, this.#quoteOf);
    if (facts.some(({ type }) => type === 'order-observed')) this.known.add(order.state.id);
    const state = facts.reduce<OrderState>(advance, order.state);
    // Before the record is on disk: until then more money could leave on evidence that is known to be wrong.
    this.control.raise(openAlarms(state));
    this.shown.note(order.state, facts);
    this.#controls.note(order.state, facts);
    this.#coming.note(state, facts);
    const now = deps.clock.now();
    const dueAt = this.shown.dueAt(state, now) ?? dueAfter(state, this.policy, now, this.maySubmit(state));
    const after = await this.#recorder.add({ order, facts, dueAt });
    this.happened({ type: 'recorded', move: [order.state, after.state] });
    this.#callbackDeadlines.note(after.state);
    this.lastOrder.note(after.state);
    this.unproven.note(after.state);
    this.#progress.learnt(state, this);
    const { overchargeMost } = this.task.settings;
    if (overchargeMost) await noteFeesAbove(order.state, after.state, { ...deps, quoteOf: this.#quoteOf, admission });
    this.#learning -= 1;
    admission.review();
    admission.wake();
    return after;
  }

  /** Until when callbacks are waited for that are the only final word of orders; undefined when there are none to wait for. */
  get callbacksAwaitedUntil(): number | undefined {
    return this.callbacks && this.#callbackDeadlines.until;
  }
}

/**
 * Whether the service says of an order that it holds it although it was claimed once, and so left once: somebody else has sent it, or
 * something on the way repeats requests. After an earlier claim it may be our own that has arrived.
 */
const isSighting = ({ posts }: OrderState, facts: readonly Fact[]): boolean =>
  posts === 1 && facts.some((fact) => fact.type === 'order-answered' && fact.tag === 'exists');
