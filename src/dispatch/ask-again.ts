/** Asks the service about orders once more, outside of a run, and records what it says before anything is decided by it. */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { believedFees } from './fee-guard.ts';
import { LookUp, type LookUpResult } from './look-up.ts';
import { lookUpsOf } from './submissions.ts';

export interface AskDeps {
  readonly ledger: Pick<Ledger, 'record' | 'quoteOf'>;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

export interface AskSettings {
  /** Look-ups in flight at once. */
  readonly concurrency: number;
  /** Silence after which the service must know an order that it took, in milliseconds. */
  readonly quietMs: number;
}

/**
 * What a look-up came to. `found`: the service holds the order, and said how it stands. `unknown`: it does not know it, in
 * the form that it uses for that. `no-answer`: nothing can be concluded. `nobody`: there is no look-up to ask.
 */
export type AskedResult = 'found' | 'unknown' | 'no-answer' | 'nobody';

export interface Asked {
  /** As the ledger has it now. */
  readonly order: StoredOrder;
  readonly told: AskedResult;
  /** What was said this time; none where nothing can be concluded. */
  readonly facts: readonly Fact[];
}

export class AskAgain {
  readonly #deps: AskDeps;
  readonly #settings: AskSettings;
  readonly #limit: LimitFunction;
  readonly #lookUp: LookUp;

  constructor(deps: AskDeps, settings: AskSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#limit = pLimit(settings.concurrency);
    this.#lookUp = new LookUp({ ...deps, quietMs: settings.quietMs });
  }

  /** Lease. Looks recorded orders up, in the order in which they are given. */
  async about(orders: readonly StoredOrder[]): Promise<readonly Asked[]> {
    const asked: Asked[] = [];
    for (let from = 0; from < orders.length; from += this.#settings.concurrency) {
      const group = orders.slice(from, from + this.#settings.concurrency);
      const answers = await Promise.all(group.map((order) => this.#ask(order)));
      // The next run makes due whatever is open; an earlier due time would keep it waiting for an order that has its end.
      const steps = group.map((order, index) => ({ order, facts: answers[index]?.facts ?? [], dueAt: null }));
      const recorded = await this.#deps.ledger.record(steps);
      for (const [index, order] of recorded.entries()) {
        const { told = 'no-answer', facts = [] } = answers[index] ?? {};
        asked.push({ order, told, facts });
      }
    }
    return asked;
  }

  /** What the service shows of an order that this ledger has not recorded. Records nothing. */
  resultOf(state: OrderState, body: string): Promise<LookUpResult> {
    return this.#limit(() => this.#lookUp.resultOf(state, body));
  }

  async #ask({ state, body, batch }: StoredOrder) {
    if (!lookUpsOf(this.#deps.client)(state.submission)) return { facts: [], told: 'nobody' } as const;
    const { ledger } = this.#deps;
    const facts = await believedFees(state, await this.#lookUp.factsOf(state, body), (row) =>
      ledger.quoteOf(batch, row),
    );
    if (facts.some(({ type }) => type === 'order-unknown')) {
      // Of what was never sent that is no news.
      return { facts: state.phase === 'planned' ? [] : facts, told: 'unknown' } as const;
    }
    return { facts, told: facts.length > 0 ? 'found' : 'no-answer' } as const;
  }
}
