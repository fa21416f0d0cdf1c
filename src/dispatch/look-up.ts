/**
 * Looks orders up by their own id. The specification does not show the answer for an unknown id, so its form is learnt from
 * the service itself, with ids that no order has; only that form counts as "unknown". This holds for orders whose look-up is
 * documented; for the others, only a record that is found says anything.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock, Random } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import { madeUpOrderId, type OrderId } from '../domain/ids.ts';
import { hasResolvedLine, type OrderState } from '../domain/order.ts';
import type { SubmissionName } from '../domain/submission.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { Client } from '../service/client/client.ts';
import type { Reply } from '../service/client/reply.ts';
import { submissions } from '../service/submissions/index.ts';
import type { LookUpWay } from '../service/submissions/submission.ts';
import { believedFees } from './brakes.ts';

/** Lead that one form needs over all others together before it counts, because something on the way may have answered. */
const LEAD = 5;
/** Most made-up ids that are looked up in one run; a service whose answers do not agree by then never will. */
const SAMPLES_MAX = 15;
/** Made-up ids looked up at the same time, in addition to the look-ups that the run may have in flight. */
const SAMPLES_AT_ONCE = 3;

export interface LookUpDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the wait for a look-up's turn; a look-up that was not made proves nothing. */
  readonly signal: AbortSignal;
  /** Silence after which the service must know an order that it took, in milliseconds. */
  readonly quietMs: number;
  /** When the computer was last found to have slept for long; absent if the caller does not act on an order being absent. */
  readonly wokeAt?: () => number | undefined;
}

/** What a look-up showed of an order, and the facts of the record that was found. */
export interface LookUpResult {
  readonly seen: 'found' | 'unknown' | 'unclear';
  readonly facts: readonly Fact[];
  /** Reason for an unclear answer, in words; absent if the answer could be read and proves nothing. */
  readonly reason?: string;
}

const UNKNOWN: LookUpResult = { seen: 'unknown', facts: [] };
const UNCLEAR: LookUpResult = { seen: 'unclear', facts: [] };
const SLEPT_OVER: LookUpResult = { ...UNCLEAR, reason: 'the computer slept before it read the answer' };

/** Asks the service for the record of an id. The signal ends the wait for the request's turn. */
export const askFor = (
  id: OrderId,
  { operation, queryOf }: LookUpWay,
  { client, signal }: Pick<LookUpDeps, 'client' | 'signal'>,
): Promise<Reply<unknown>> => client.call(operation, { query: queryOf(id), signal });

/** Returns a function that reports whether orders submitted in a given way have a look-up whose path this client knows. */
export function lookUpsOf(client: Client): (submission: SubmissionName) => boolean {
  return (submission) => client.knows(submissions[submission].lookUp.operation);
}

export class LookUp {
  readonly #deps: LookUpDeps;
  /** Forms in which made-up ids were answered; clear answers only. */
  readonly #forms: string[] = [];
  /** Number of made-up ids to which the service itself gave an answer that cannot be read. */
  #blanks = 0;
  #sampling: Promise<boolean> | undefined;
  /** Orders that this run has found unknown before: proof counts from one run only. */
  readonly #unknownHere = new Set<OrderId>();
  /** Forms in which the service answered about an order that it had taken: they do not mean "unknown". */
  readonly #disproven = new Set<string>();

  constructor(deps: LookUpDeps) {
    this.#deps = deps;
  }

  /** Returns what the service says about an order, as facts; none if its answer proves nothing, or the order cannot be looked up. */
  async factsOf(state: OrderState, body: string): Promise<readonly Fact[]> {
    const { client, clock } = this.#deps;
    if (!lookUpsOf(client)(state.submission)) return [];
    const { seen, facts } = await this.resultOf(state, body);
    if (seen !== 'unknown' || submissions[state.submission].protocol === 'send-once') return facts;
    const firstInRun = !this.#unknownHere.has(state.id);
    this.#unknownHere.add(state.id);
    return [{ type: 'order-unknown', order: state.id, at: clock.now(), ...(firstInRun && { firstInRun }) }];
  }

  /**
   * Reports whether the service holds an order. For a send-once submission, any documented refusal to show it counts as
   * `unknown`: that proves nothing, and a caller that acts on it must know more. The same applies if the order cannot be
   * looked up.
   */
  async resultOf(state: OrderState, body: string): Promise<LookUpResult> {
    const { client, clock } = this.#deps;
    if (!lookUpsOf(client)(state.submission)) return UNKNOWN;
    const { lookUp } = submissions[state.submission];
    const wokeAt = this.#deps.wokeAt?.();
    const reply = await this.#ask(lookUp, state.id);
    const at = clock.now();
    if (reply.tag === 'accepted') {
      const facts = lookUp.factsOf(state, body, reply.value, at);
      return facts.length > 0 ? { seen: 'found', facts } : UNCLEAR;
    }
    if (submissions[state.submission].protocol === 'send-once') return reply.tag === 'refused' ? UNKNOWN : UNCLEAR;
    const form = formOf(reply, state.id);
    if (form === undefined || form !== (await this.#learnUnknown(lookUp))) return { ...UNCLEAR, reason: reply.reason };
    if (this.#wasTaken(state, at)) this.#disproven.add(form);
    // The answer dates from before the sleep, and another sender may have sent the order since.
    if (this.#deps.wokeAt?.() !== wokeAt) return SLEPT_OVER;
    return this.#disproven.has(form) ? UNCLEAR : UNKNOWN;
  }

  /**
   * Reports whether no answer of this service means "unknown": as many made-up ids as allowed were answered and no form
   * leads, or the leading form was also given for orders that the service had taken. Looks up made-up ids if that is still
   * open.
   */
  async hasNoForm(submission: SubmissionName): Promise<boolean> {
    const form = await this.#learnUnknown(submissions[submission].lookUp);
    if (form !== undefined) return this.#disproven.has(form);
    return this.#forms.length + this.#blanks >= SAMPLES_MAX;
  }

  #ask(lookUp: LookUpWay, id: OrderId): Promise<Reply<unknown>> {
    return askFor(id, lookUp, this.#deps);
  }

  /** Reports whether the service took the order so long ago that it must know it by now, however late its look-ups are. */
  #wasTaken(state: OrderState, at: number): boolean {
    // An order that a person settled may never have reached the service.
    if (hasResolvedLine(state)) return false;
    const { phase, lastEndedAt, lastClaimedAt } = state;
    const sentAt = Math.max(lastEndedAt ?? 0, lastClaimedAt ?? 0);
    return (phase === 'accepted' || phase === 'settled') && at - sentAt >= this.#deps.quietMs;
  }

  /**
   * Returns the form in which ids that no order has are answered; `undefined` if no form leads. It is learnt once per run,
   * when the first refusal has to be understood, and again for made-up ids that got no clear answer.
   */
  async #learnUnknown(lookUp: LookUpWay): Promise<string | undefined> {
    for (;;) {
      const { form, lead } = leaderOf(this.#forms);
      if (lead >= LEAD) return form;
      const missing = Math.min(LEAD - lead, SAMPLES_MAX - this.#forms.length - this.#blanks, SAMPLES_AT_ONCE);
      if (missing <= 0) return undefined;
      this.#sampling ??= this.#sample(lookUp, missing).finally(() => {
        this.#sampling = undefined;
      });
      if (!(await this.#sampling)) return undefined;
    }
  }

  /** Looks up made-up ids, and reports whether each of them got a clear answer. */
  async #sample(lookUp: LookUpWay, count: number): Promise<boolean> {
    const ids = Array.from({ length: count }, () => madeUpOrderId(this.#deps.random));
    const replies = await Promise.all(ids.map((id) => this.#ask(lookUp, id)));
    const clear = ids.flatMap((id, index) => formOf(replies[index], id) ?? []);
    this.#blanks += replies.filter(({ tag, ...reply }) => tag === 'ambiguous' && 'status' in reply).length;
    this.#forms.push(...clear);
    return clear.length === count;
  }
}

/** Returns the most frequent form, and its lead over all others together. */
function leaderOf(forms: readonly string[]): { readonly form: string | undefined; readonly lead: number } {
  const [most = []] = [...Map.groupBy(forms, (form) => form).values()].toSorted((a, b) => b.length - a.length);
  return { form: most[0], lead: most.length * 2 - forms.length };
}

/** Returns the shape of a documented refusal, without what differs from id to id; `undefined` for any other reply. */
export function formOf(reply: Reply<unknown> | undefined, id: OrderId): string | undefined {
  if (reply?.tag !== 'refused') return undefined;
  const complaints = reply.problem.complaints.map(
    ({ field, message }) => `${field}=${message.toLowerCase().replaceAll(id, '#')}`,
  );
  return [reply.status, reply.problem.shape, ...complaints].join('|');
}

export interface AskDeps {
  readonly ledger: Pick<Ledger, 'record' | 'quoteOf'>;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

interface AskSettings {
  /** Most look-ups in flight at the same time. */
  readonly concurrency: number;
  /** Silence after which the service must know an order that it took, in milliseconds. */
  readonly quietMs: number;
}

/**
 * The result of a look-up. `found`: the service holds the order, and said its state. `unknown`: the service does not know
 * the order, in the form that it uses for that. `no-answer`: nothing can be concluded. `nobody`: there is no look-up for the
 * order.
 */
type AskedResult = 'found' | 'unknown' | 'no-answer' | 'nobody';

export interface Asked {
  /** The order as the ledger has it now. */
  readonly order: StoredOrder;
  readonly result: AskedResult;
  /** What this look-up showed; empty if nothing can be concluded. */
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

  /** Lease. Looks up recorded orders, in the given sequence, and records what is learnt. */
  async about(orders: readonly StoredOrder[]): Promise<readonly Asked[]> {
    const asked: Asked[] = [];
    for (let from = 0; from < orders.length; from += this.#settings.concurrency) {
      const group = orders.slice(from, from + this.#settings.concurrency);
      const answers = await Promise.all(group.map((order) => this.#ask(order)));
      // The next run makes every open order due. An earlier due time would make it wait for an order that has ended.
      const steps = group.map((order, index) => ({ order, facts: answers[index]?.facts ?? [], dueAt: null }));
      const recorded = await this.#deps.ledger.record(steps);
      for (const [index, order] of recorded.entries()) {
        const { result = 'no-answer', facts = [] } = answers[index] ?? {};
        asked.push({ order, result, facts });
      }
    }
    return asked;
  }

  /** Returns what the service shows about an order that this ledger has not recorded. Records nothing. */
  resultOf(state: OrderState, body: string): Promise<LookUpResult> {
    return this.#limit(() => this.#lookUp.resultOf(state, body));
  }

  async #ask({ state, body, batch }: StoredOrder) {
    if (!lookUpsOf(this.#deps.client)(state.submission)) return { facts: [], result: 'nobody' } as const;
    const { ledger } = this.#deps;
    const facts = await believedFees(state, await this.#lookUp.factsOf(state, body), (row) =>
      ledger.quoteOf(batch, row),
    );
    if (facts.some(({ type }) => type === 'order-unknown')) {
      // For an order that was never sent, "unknown" says nothing new.
      return { facts: state.phase === 'planned' ? [] : facts, result: 'unknown' } as const;
    }
    return { facts, result: facts.length > 0 ? 'found' : 'no-answer' } as const;
  }
}
