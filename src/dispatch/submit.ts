/**
 * The requests of a run to the service, with a limit on those in flight: it submits each claimed order once, as the stored
 * bytes and in the way that was planned, and it looks orders up. Every result of a submission becomes a fact.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { CallInput } from '../service/client/client.ts';
import { type Reply, reasonOf } from '../service/client/reply.ts';
import type { AnyOperation } from '../service/contract/operation.ts';
import { differs, given, shown } from '../service/submissions/evidence.ts';
import { submissions } from '../service/submissions/index.ts';
import { type Accepted, acceptanceOf } from '../service/submissions/submission.ts';
import { LookUp, type LookUpDeps, type LookUpResult } from './look-up.ts';

/** What can keep a submission from leaving until the last moment. */
type BeforeLeaving = Pick<CallInput<AnyOperation>, 'signal' | 'beforeLeaving'>;

/** The result of a submission. */
interface Submitted {
  readonly facts: readonly Fact[];
  readonly reply: Reply<unknown>;
  /** When the submission's turn came, in monotonic milliseconds. */
  readonly startedAtMs: number;
}

export class Requests {
  readonly #deps: LookUpDeps;
  readonly #limit: LimitFunction;
  readonly #lookUp: LookUp;
  /** The environment that the run's acceptances come from, by the name in the first of them. */
  #environment: string | undefined;

  constructor(deps: LookUpDeps, concurrency: number) {
    this.#deps = deps;
    this.#limit = pLimit(concurrency);
    this.#lookUp = new LookUp(deps);
  }

  /** Sets how many requests may be in flight from now on. */
  mayBe(concurrency: number): void {
    if (this.#limit.concurrency !== concurrency) this.#limit.concurrency = concurrency;
  }

  /** Submits a claimed order when its turn comes. */
  submit({ state, body }: StoredOrder, leaving: BeforeLeaving): Promise<Submitted> {
    const { client, clock } = this.#deps;
    const { id, submission } = state;
    return this.#limit(async () => {
      const startedAtMs = clock.monotonicMs();
      const reply = await client.call(submissions[submission].operation, { ...leaving, rendered: body });
      return { startedAtMs, reply, facts: this.#factsOfReply(id, reply, clock.now()) };
    });
  }

  /** Returns the facts that follow from the reply to a submission. */
  #factsOfReply(id: OrderId, reply: Reply<Accepted>, at: number): readonly Fact[] {
    const answered = { type: 'order-answered', order: id, at } as const;
    if (reply.tag !== 'accepted') {
      const tag = reply.tag === 'unauthorised' && reply.unsent ? 'not-sent' : reply.tag;
      return [{ ...answered, tag, reason: reasonOf(reply) }];
    }
    const { order: named, serviceId, environment } = acceptanceOf(reply.value);
    const reason =
      named.toLowerCase() === id
        ? this.#otherEnvironment(environment)
        : `the acceptance names another order (${shown(named)})`;
    if (reason === undefined) {
      return [{ ...answered, tag: 'accepted', reason: reasonOf(reply), ...given('serviceId', serviceId) }];
    }
    return [
      { ...answered, tag: 'ambiguous', reason },
      { type: 'order-alarmed', order: id, at, reason },
    ];
  }

  /**
   * Returns what is wrong with an acceptance from the named environment; `undefined` if it has no name, or the same one as the
   * others. A proxy that sends some requests elsewhere would have a practice environment say "completed". An equal name proves
   * nothing: a practice environment has been seen to call itself live.
   */
  #otherEnvironment(name: string | null | undefined): string | undefined {
    if (!name) return undefined;
    this.#environment ??= name;
    return differs(name, this.#environment)
      ? `the acceptance comes from ${shown(name)}, and others came from ${shown(this.#environment)}`
      : undefined;
  }

  /** Returns what the service says about an order, as facts. */
  factsOf({ state, body }: StoredOrder): Promise<readonly Fact[]> {
    return this.#limit(() => this.#lookUp.factsOf(state, body));
  }

  /** Returns what the service shows about an order. Records nothing. */
  resultOf(state: OrderState, body: string): Promise<LookUpResult> {
    return this.#limit(() => this.#lookUp.resultOf(state, body));
  }

  /** Reports whether no form in which this service answers about made-up ids means "unknown". */
  hasNoForm({ submission }: OrderState): Promise<boolean> {
    return this.#limit(() => this.#lookUp.hasNoForm(submission));
  }
}
