/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share one ledger: one claims and submits planned
 * orders, the other looks up what is due. An order is claimed in a durable transaction before it is submitted, and is
 * submitted again only when `decision.ts` says so.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { unreachable } from '../domain/invariant.ts';
import { advance, type OrderState } from '../domain/order.ts';
import type { InDoubtSettings, PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { Brake } from './brake.ts';
import { nextStep, type Policy } from './decision.ts';
import { LookUp } from './look-up.ts';
import { Recorder } from './recorder.ts';
import { Scoreboard } from './scoreboard.ts';
import { submit } from './submit.ts';

export interface DispatchDeps {
  readonly ledger: Ledger;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
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

/** Orders claimed in one transaction, as a multiple of the submissions in flight. */
const CLAIM_FACTOR = 4;
/** Orders looked up between two reads of what is due. */
const DUE_BLOCK = 128;
/** How often the follower looks for newly due orders while orders are still going out, in milliseconds. */
const FOLLOW_WHILE_SENDING_MS = 100;

/** How often a quiet run says that it still holds the ledger, in milliseconds: well within the life of the lease. */
const RENEW_LEASE_MS = 15_000;
/** Request time limits after which a submission has certainly ended: connecting, headers, body, and one to spare. */
const IN_FLIGHT_TIMEOUTS = 4;

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. `maySubmit` is
 * false for a run that only follows what was sent.
 */
export async function dispatch(
  batch: BatchId,
  epoch: number,
  settings: DispatchSettings,
  deps: DispatchDeps,
  signal: AbortSignal,
  maySubmit = true,
): Promise<DispatchResult> {
  await deps.ledger.reopen(batch, deps.clock.now());
  const run = new Run(batch, epoch, settings, deps, signal, new Scoreboard(await deps.ledger.tallies(batch)));
  await run.finish(maySubmit);
  return run.result();
}

class Run {
  readonly #batch: BatchId;
  readonly #epoch: number;
  readonly #deps: DispatchDeps;
  readonly #signal: AbortSignal;
  readonly #policy: Policy;
  readonly #sending: SendingSettings;
  readonly #limit: LimitFunction;
  readonly #brake: Brake;
  readonly #lookUp: LookUp;
  readonly #recorder: Recorder;
  readonly #scoreboard: Scoreboard;
  readonly #alarms: string[] = [];
  #maySubmit = false;
  #submitting = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    batch: BatchId,
    epoch: number,
    { sending, polling, inDoubt }: DispatchSettings,
    deps: DispatchDeps,
    signal: AbortSignal,
    scoreboard: Scoreboard,
  ) {
    this.#batch = batch;
    this.#epoch = epoch;
    this.#deps = deps;
    this.#signal = signal;
    this.#policy = { polling, inDoubt, startedAt: deps.clock.now() };
    this.#sending = sending;
    this.#limit = pLimit(sending.concurrency);
    this.#brake = new Brake(deps.clock, sending.concurrency, polling.deadlineMs);
    this.#lookUp = new LookUp(deps.client, deps.clock, deps.random);
    this.#scoreboard = scoreboard;
    this.#recorder = new Recorder((group) => deps.ledger.record(group), deps.clock);
  }

  result(): DispatchResult {
    const { stopped } = this.#brake;
    return { alarms: this.#alarms, ...(stopped !== undefined && { stopped }) };
  }

  async finish(maySubmit: boolean): Promise<void> {
    this.#maySubmit = maySubmit;
    this.#submitting = maySubmit;
    const sender = maySubmit
      ? this.#submitPlanned().finally(() => {
          this.#submitting = false;
        })
      : Promise.resolve();
    // A ledger that cannot be written ends both loops: the first rejection is the run's.
    await Promise.all([sender, this.#follow()]);
  }

  get #maySend(): boolean {
    const stopped = this.#signal.aborted || this.#failure !== undefined || this.#brake.stopped !== undefined;
    return this.#maySubmit && !stopped;
  }

  /** Claims planned orders block by block; while one block is in flight the next is claimed. */
  async #submitPlanned(): Promise<void> {
    let inFlight: Promise<void> = Promise.resolve();
    while (this.#maySend) {
      await this.#brake.ready(this.#signal);
      if (!this.#maySend) break;
      const size = this.#brake.concurrency * CLAIM_FACTOR;
      const planned = await this.#deps.ledger.unsentOrders(this.#batch, size);
      if (planned.length === 0) break;
      const block = this.#submitAll(await this.#claim(planned));
      await inFlight;
      inFlight = block;
    }
    await inFlight;
    if (this.#failure) throw this.#failure.error;
  }

  /** From here on the orders may be sent: their claim is durable when this resolves. */
  async #claim(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { ledger, clock } = this.#deps;
    const at = clock.now();
    // While it may be in flight nobody looks it up; after a crash `reopen` makes it due at once.
    const inFlightUntil = at + IN_FLIGHT_TIMEOUTS * this.#sending.requestTimeoutMs;
    const claimed = await ledger.claim(orders, at, this.#epoch, inFlightUntil);
    for (const [index, order] of claimed.entries()) {
      const before = orders[index];
      if (before) this.#scoreboard.move(before.state, order.state);
    }
    return claimed;
  }

  /** Submits claimed orders. It never rejects: what goes wrong stops the run and is thrown at its end. */
  async #submitAll(claimed: readonly StoredOrder[]): Promise<void> {
    const { client, clock } = this.#deps;
    this.#limit.concurrency = this.#brake.concurrency;
    const submitOne = async (order: StoredOrder): Promise<void> => {
      const { facts, reply } = await this.#limit(() => submit(order.state, order.body, client, clock));
      this.#brake.note(reply.tag);
      await this.#learn(order, facts);
    };
    try {
      await Promise.all(claimed.map(submitOne));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** Records facts of an order and when it is to be looked at again. */
  async #learn(order: StoredOrder, facts: readonly Fact[]): Promise<StoredOrder> {
    const state = facts.reduce<OrderState>(advance, order.state);
    const after = await this.#recorder.add({ order, facts, dueAt: this.#dueAfter(state) });
    for (const reason of after.state.alarms) this.#raise(reason);
    this.#scoreboard.move(order.state, after.state);
    this.#tellProgress();
    return after;
  }

  #raise(reason: string): void {
    if (this.#alarms.includes(reason)) return;
    this.#alarms.push(reason);
    this.#brake.stop('the evidence of the service contradicts the plan');
    this.#deps.tell({ type: 'notice', level: 'alarm', message: reason });
  }

  /** When an order is to be looked at again in this run; null: not any more. */
  #dueAfter(state: OrderState): number | null {
    const now = this.#deps.clock.now();
    const step = nextStep(state, this.#policy, now);
    switch (step.do) {
      case 'look-up':
        return step.at;
      case 'submit':
        return this.#maySend ? step.at : null;
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

  /** Looks at what is due until nothing will be, or the run is stopped. */
  async #follow(): Promise<void> {
    const { ledger, clock } = this.#deps;
    let renewAtMs = clock.monotonicMs() + RENEW_LEASE_MS;
    while (!this.#signal.aborted && !this.#failure) {
      if (clock.monotonicMs() >= renewAtMs) {
        await ledger.renewLease();
        renewAtMs = clock.monotonicMs() + RENEW_LEASE_MS;
      }
      const due = await ledger.dueOrders(this.#batch, clock.now(), DUE_BLOCK);
      if (due.length > 0) {
        await this.#takeAll(due);
        continue;
      }
      const submitting = this.#submitting;
      const nextAt = await ledger.nextDueAt(this.#batch);
      if (nextAt === undefined && !submitting) return;
      const waitMs = Math.max((nextAt ?? Number.POSITIVE_INFINITY) - clock.now(), 1);
      await clock.sleep(Math.min(waitMs, submitting ? FOLLOW_WHILE_SENDING_MS : RENEW_LEASE_MS), this.#signal);
    }
  }

  /** Does what the decision says for orders that are due: most are looked up, some are submitted again. */
  async #takeAll(due: readonly StoredOrder[]): Promise<void> {
    const now = this.#deps.clock.now();
    const again = this.#maySend ? due.filter(({ state }) => nextStep(state, this.#policy, now).do === 'submit') : [];
    const others = due.filter((order) => !again.includes(order));
    await Promise.all(others.map((order) => this.#take(order, now)));
    if (again.length > 0) {
      await this.#brake.ready(this.#signal);
      await this.#submitAll(await this.#claim(again));
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #take(order: StoredOrder, at: number): Promise<void> {
    const { id } = order.state;
    const step = nextStep(order.state, this.#policy, at);
    switch (step.do) {
      case 'look-up':
        await this.#look(order);
        return;
      case 'park': {
        const after = await this.#look(order);
        const still = nextStep(after.state, this.#policy, at).do === 'park';
        if (still && !after.state.overdue) await this.#learn(after, [{ type: 'order-overdue', order: id, at }]);
        return;
      }
      case 'refuse':
        await this.#learn(order, [{ type: 'order-refused', order: id, at }]);
        return;
      case 'submit':
      case 'nothing':
        await this.#learn(order, []);
        return;
      default:
        unreachable(step);
    }
  }

  async #look(order: StoredOrder): Promise<StoredOrder> {
    return this.#learn(order, await this.#limit(() => this.#lookUp.factsOf(order.state, order.body)));
  }

  #tellProgress(): void {
    const { done, payable, waiting, counts } = this.#scoreboard;
    this.#deps.tell({ type: 'progress', done, of: payable, waiting, counts });
  }
}
