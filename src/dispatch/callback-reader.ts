/**
 * Callbacks as a run reads them. If an order can be looked up, a callback only makes it due, because anybody could have sent
 * the callback. If it cannot be looked up, the body of the callback is the only final outcome, taken once and recorded with
 * its source.
 */

import type { CallbackMessage, CallbackPlace, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { answerJson } from '../service/client/answer-json.ts';
import { alarmAbout } from '../service/submissions/evidence.ts';
import { submissions } from '../service/submissions/index.ts';
import { nextStep, type Policy } from './decision.ts';
import type { RunState } from './run-state.ts';
import type { CallbackSource, RunControl } from './task.ts';

/** Messages read at a time. */
const BLOCK_MESSAGES = 128;

/** The parts of a run that callbacks use. */
interface Following {
  readonly deps: {
    readonly ledger: Pick<LedgerQueries, 'findOrder'>;
    readonly clock: { now(): number };
  };
  readonly task: { readonly batch: BatchId };
  readonly policy: Policy;
  readonly control: Pick<RunControl, 'followSignal'>;
  readonly state: Pick<RunState, 'inFlight'>;
  look(order: StoredOrder): Promise<StoredOrder>;
  learn(order: StoredOrder, facts: readonly Fact[]): Promise<StoredOrder>;
  wake(order: StoredOrder): Promise<void>;
}

export class Callbacks {
  readonly #inbox: CallbackSource;
  readonly #run: Following;
  /** Sequence number of the last message that this run is done with. */
  #seq = 0;

  constructor(inbox: CallbackSource, run: Following) {
    this.#inbox = inbox;
    this.#run = run;
  }

  /** Takes the messages that have come so far, while nothing is in flight. Returns the number of messages that changed something. */
  takeBeforeSending(): Promise<number> {
    return this.#take((order, messages) => this.#takeOne(order, messages));
  }

  /**
   * Takes the messages that have come since the last time; one about an order that is being submitted waits. Returns the
   * number of messages that changed something.
   */
  take(): Promise<number> {
    // A planned order may be claimed at any moment by the loop that sends.
    return this.#take(async (order, messages) => order.state.phase !== 'planned' && this.#takeOne(order, messages));
  }

  async #take(one: (order: StoredOrder, messages: readonly CallbackMessage[]) => Promise<boolean>): Promise<number> {
    let changed = 0;
    while (!this.#run.control.followSignal.aborted) {
      const block = await this.#inbox.since(this.#seq, BLOCK_MESSAGES);
      const waits = block.findIndex(({ subject }) => this.#run.state.inFlight.has(subject as OrderId));
      const ready = waits < 0 ? block : block.slice(0, waits);
      const taken = await Promise.all(
        [...Map.groupBy(ready, ({ subject }) => subject)].map(async ([subject, messages]) => {
          const order = await this.#run.deps.ledger.findOrder(this.#run.task.batch, subject as OrderId);
          return order !== undefined && (await one(order, messages)) ? messages.length : 0;
        }),
      );
      changed += taken.reduce((sum, count) => sum + count, 0);
      this.#seq = ready.at(-1)?.seq ?? this.#seq;
      if (ready.length < BLOCK_MESSAGES) break;
    }
    return changed;
  }

  /**
   * Handles callbacks about an order that, as far as this ledger knows, never left. It is looked up before it could be sent;
   * if it cannot be looked up, its callback is believed, or else raises an alarm.
   */
  async #takeUnsent(order: StoredOrder, messages: readonly CallbackMessage[]): Promise<boolean> {
    if (this.#canLookUp(order)) return (await this.#run.look(order)).version !== order.version;
    const after = await this.#believe(order, messages);
    if (after !== order) return true;
    const { id } = order.state;
    const reason = `a callback came for order ${id}, which this ledger never sent`;
    if (!order.state.alarms.includes(reason)) {
      await this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), reason)]);
    }
    return true;
  }

  /** Reports whether the messages about an order changed anything. */
  async #takeOne(order: StoredOrder, messages: readonly CallbackMessage[]): Promise<boolean> {
    if (order.state.phase === 'planned' || neverTransmitted(order.state)) return this.#takeUnsent(order, messages);
    if (!this.#canLookUp(order)) return (await this.#believe(order, messages)) !== order;
    const { clock } = this.#run.deps;
    const isDue = order.dueAt !== null && order.dueAt <= clock.now();
    if (isDue || nextStep(order.state, this.#run.policy, clock.now()).do === 'nothing') return false;
    await this.#run.wake(order);
    return true;
  }

  #canLookUp({ state }: StoredOrder): boolean {
    return this.#run.policy.hasLookUp(state.submission);
  }

  /** Records what the bodies say, if they were not taken before. Returns the order after that. */
  async #believe(order: StoredOrder, messages: readonly CallbackMessage[]): Promise<StoredOrder> {
    const way = submissions[order.state.submission];
    let after = order;
    for (const { seq, receivedAt, body } of messages) {
      const record = objectOf(body);
      if (!way.factsOfCallback || record === undefined || !isNews(after.state, { seq, receivedAt })) continue;
      const facts = way.factsOfCallback(after.state, after.body, record, this.#run.deps.clock.now(), {
        seq,
        receivedAt,
      });
      if (facts.length > 0) after = await this.#run.learn(after, facts);
    }
    return after;
  }
}

/**
 * Reports whether a message is later by its sequence number or by its time: numbers begin again with a new inbox, and clocks
 * are set back.
 */
const isNews = ({ lastCallback }: OrderState, { seq, receivedAt }: CallbackPlace): boolean =>
  lastCallback === undefined || seq > lastCallback.seq || receivedAt > lastCallback.receivedAt;

/** Returns the JSON object of a body; `undefined` for anything else, and for an object that has a name twice. */
function objectOf(body: string): object | undefined {
  const value = answerJson(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
