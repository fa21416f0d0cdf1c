/**
 * What the two loops of a run share: claiming, submitting and recording orders, and everything that stops them. Sending
 * stops at an alarm, at the brake, at the signal and at a failure; from that moment no request of a submission leaves.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { unreachable } from '../domain/invariant.ts';
import { advance, type OrderState, standingAlarms } from '../domain/order.ts';
import type { InDoubtSettings, PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { Inbox } from '../ledger/inbox.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { Brake } from './brake.ts';
import { Callbacks } from './callbacks.ts';
import { nextStep, type Policy } from './decision.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LookUp, type Sight } from './look-up.ts';
import { Recorder } from './recorder.ts';
import type { Scoreboard } from './scoreboard.ts';
import { lookUpsOf } from './submissions.ts';
import { Environment, submit } from './submit.ts';

export interface DispatchDeps {
  readonly ledger: Ledger;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
  /** What the service sent by itself, as a listener keeps it; missing when nobody listens. */
  readonly callbacks?: Pick<Inbox, 'since'>;
}

export interface DispatchSettings {
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
}

export interface DispatchResult {
  /** Evidence of the service that contradicts the plan; sending stopped at the first. */
  readonly alarms: readonly string[];
  /** Why sending stopped before its end, in plain words. */
  readonly stopped?: string;
}

/** What a run works on, and how. */
export interface RunTask {
  readonly batch: BatchId;
  readonly epoch: number;
  readonly settings: DispatchSettings;
  /** Stops the run; what is in flight lands. */
  readonly signal: AbortSignal;
  /** False for a run that only follows what was sent. */
  readonly maySubmit: boolean;
  /** The ledger may not know all that was sent: every order is looked up before it is. */
  readonly lookFirst: boolean;
}

/** A claimed order leaves within this time or goes back, in milliseconds; a block is sent in a fraction of it. */
const CLAIM_FRESH_MS = 30_000;

export class Run {
  readonly task: RunTask;
  readonly deps: DispatchDeps;
  readonly brake: Brake;
  /** Whether planned orders are still going out. */
  sending: boolean;
  /** Aborted when nothing more may be submitted. */
  readonly sendSignal: AbortSignal;
  /** Aborted when nothing more is looked up either. */
  readonly followSignal: AbortSignal;
  /** What the service sent by itself, where somebody listens. */
  readonly callbacks: Callbacks | undefined;
  readonly #halted = new AbortController();
  readonly #broken = new AbortController();
  readonly #limit: LimitFunction;
  readonly #lookUp: LookUp;
  readonly #terms: Omit<Policy, 'clockAheadMs'>;
  readonly #wall: Clock;
  readonly #lease: LeaseKeeper;
  readonly #recorder: Recorder;
  readonly #scoreboard: Scoreboard;
  readonly #environment = new Environment();
  readonly #alarms: string[] = [];
  /**
   * Orders that are claimed and have no recorded answer yet. One may wait long for its turn, and nobody but its
   * submission decides about it; should the run die, the next one makes it due at once (`reopen`).
   */
  readonly #inHand = new Set<OrderId>();
  /** Accepted orders whose final word can only come by callback, and until when this run waits for it. */
  readonly #awaited = new Map<OrderId, number>();
  #failure: { readonly error: unknown } | undefined;

  /** `deps.clock` is the steady time of the run (`steady-clock.ts`); `wall` is the machine's own, which may jump. */
  constructor(task: RunTask, deps: DispatchDeps, scoreboard: Scoreboard, wall: Clock) {
    const { sending, polling, inDoubt } = task.settings;
    this.task = task;
    this.deps = deps;
    const { lookFirst } = task;
    this.#terms = { polling, inDoubt, startedAt: deps.clock.now(), lookFirst, hasLookUp: lookUpsOf(deps.client) };
    this.brake = new Brake(deps.clock, sending.concurrency, polling.deadlineMs);
    this.sending = task.maySubmit;
    this.followSignal = AbortSignal.any([task.signal, this.#broken.signal]);
    this.sendSignal = AbortSignal.any([this.followSignal, this.#halted.signal]);
    this.#limit = pLimit(sending.concurrency);
    this.#lookUp = new LookUp({ ...deps, signal: this.followSignal, quietMs: inDoubt.quietMs });
    this.callbacks = deps.callbacks && new Callbacks(deps.callbacks, this);
    this.#wall = wall;
    this.#lease = new LeaseKeeper(deps.ledger, wall);
    this.#recorder = new Recorder((group) => deps.ledger.record(group), deps.clock);
    this.#scoreboard = scoreboard;
  }

  get policy(): Policy {
    return { ...this.#terms, clockAheadMs: Math.max(0, this.#wall.now() - this.deps.clock.now()) };
  }

  get maySend(): boolean {
    return this.task.maySubmit && !this.sendSignal.aborted;
  }

  /** What came of the run; throws what broke it. */
  result(): DispatchResult {
    if (this.#failure) throw this.#failure.error;
    const { stopped } = this.brake;
    return { alarms: this.#alarms, ...(stopped !== undefined && { stopped }) };
  }

  /** Does a part of the run. It never rejects: the first failure ends all parts, and is thrown when they have ended. */
  async guard(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      this.#failure ??= { error };
      this.#broken.abort();
    }
  }

  keepLease(over: AbortSignal): Promise<void> {
    return this.guard(() => this.#lease.keep(over));
  }

  /** From here on the orders may be sent: their claim is durable when this resolves. */
  async claim(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { ledger, clock } = this.deps;
    for (const { state } of orders) this.#inHand.add(state.id);
    const provenAt = this.#wall.now();
    const claimed = await ledger.claim(orders, clock.now(), this.task.epoch, null);
    this.#lease.proven(provenAt);
    for (const [index, order] of claimed.entries()) {
      const before = orders[index];
      if (before) this.#scoreboard.move(before.state, order.state);
    }
    return claimed;
  }

  /** Submits claimed orders; those that may no longer leave when their turn comes are recorded as never sent. */
  async submitAll(claimed: readonly StoredOrder[]): Promise<void> {
    await Promise.all(claimed.map((order) => this.guard(() => this.#submitOne(order))));
  }

  async #submitOne(order: StoredOrder): Promise<void> {
    const { client, clock } = this.deps;
    let held = false;
    const beforeLeaving = async (): Promise<boolean> => {
      held = !(await this.#mayLeave(order));
      return !held;
    };
    const { facts, reply, startedAtMs } = await this.#limit(async () => {
      const began = clock.monotonicMs();
      const gate = { signal: this.sendSignal, beforeLeaving };
      return { startedAtMs: began, ...(await submit(order.state, order.body, client, clock, this.#environment, gate)) };
    });
    // What was held back says nothing about the service.
    if (this.maySend && !held) this.brake.note(reply.tag, startedAtMs);
    this.#limit.concurrency = this.brake.concurrency;
    if (this.brake.stopped !== undefined) this.#halted.abort();
    await this.learn(order, facts);
    this.#inHand.delete(order.state.id);
  }

  /**
   * Asked when a submission is about to leave. One that was claimed too long ago goes back: should this process die now,
   * the next run counts silence from its own start, and nothing of the claim may leave much later than that.
   */
  async #mayLeave({ state }: StoredOrder): Promise<boolean> {
    await this.#lease.hold();
    return this.deps.clock.now() - (state.lastClaimedAt ?? 0) <= CLAIM_FRESH_MS;
  }

  /** Whether an order waits for its submission or for the answer to it. */
  hasInHand(order: OrderId): boolean {
    return this.#inHand.has(order);
  }

  /** Raises again what an earlier run left: nothing may be sent while the service contradicts the plan. */
  raiseKnown(alarms: readonly string[]): void {
    for (const reason of alarms) this.#raise(reason);
  }

  /** Looks an order up, and records what was learnt. */
  async look(order: StoredOrder): Promise<StoredOrder> {
    return this.learn(order, await this.#limit(() => this.#lookUp.factsOf(order.state, order.body)));
  }

  /** Looks for an order that this ledger never sent; records what is found, and nothing when it is not. */
  async seek(order: StoredOrder): Promise<Sight['seen']> {
    const { seen, facts } = await this.#limit(() => this.#lookUp.sightOf(order.state, order.body));
    if (facts.length > 0) await this.learn(order, facts);
    return seen;
  }

  /** Makes an order due at once: there is news of it. */
  async wake(order: StoredOrder): Promise<void> {
    const provenAt = this.#wall.now();
    await this.#recorder.add({ order, facts: [], dueAt: this.deps.clock.now() });
    this.#lease.proven(provenAt);
  }

  /** Records facts of an order and when it is to be looked at again. */
  async learn(order: StoredOrder, facts: readonly Fact[]): Promise<StoredOrder> {
    const state = facts.reduce<OrderState>(advance, order.state);
    // Before the record is on disk: until then more money could leave on evidence that is known to be wrong.
    for (const reason of standingAlarms(state)) this.#raise(reason);
    const provenAt = this.#wall.now();
    const after = await this.#recorder.add({ order, facts, dueAt: this.#dueAfter(state) });
    this.#lease.proven(provenAt);
    this.#scoreboard.move(order.state, after.state);
    this.#await(after.state);
    this.#tellProgress();
    return after;
  }

  /** Until when callbacks are waited for that are the only final word of orders; undefined when there are none to wait for. */
  get callbacksAwaitedUntil(): number | undefined {
    let until: number | undefined;
    if (this.callbacks) for (const one of this.#awaited.values()) until = Math.max(until ?? 0, one);
    return until;
  }

  #await(state: OrderState): void {
    const { hasLookUp, startedAt, polling } = this.policy;
    if (state.phase === 'accepted' && standingAlarms(state).length === 0 && !hasLookUp(state.submission)) {
      const since = Math.max(startedAt, state.lastEndedAt ?? 0);
      this.#awaited.set(state.id, since + polling.deadlineMs);
    } else this.#awaited.delete(state.id);
  }

  #raise(reason: string): void {
    if (this.#alarms.includes(reason)) return;
    this.#alarms.push(reason);
    this.brake.stop('the evidence of the service contradicts the plan');
    this.#halted.abort();
    this.deps.tell({ type: 'notice', level: 'alarm', message: reason });
  }

  /** When an order is to be looked at again in this run; null: not any more. */
  #dueAfter(state: OrderState): number | null {
    // A line that timed out is looked at once a run, when `reopen` made it due.
    if (state.phase === 'settled') return null;
    const now = this.deps.clock.now();
    const step = nextStep(state, this.policy, now);
    switch (step.do) {
      case 'look-up':
        return step.at;
      case 'submit':
        return this.maySend ? step.at : null;
      case 'refuse':
        return now;
      case 'park':
        return state.overdue ? null : now;
      case 'nothing':
        return null;
      default:
        return unreachable(step);
    }
  }

  #tellProgress(): void {
    const { done, payable, waiting, counts } = this.#scoreboard;
    this.deps.tell({ type: 'progress', done, of: payable, waiting, counts });
  }
}
