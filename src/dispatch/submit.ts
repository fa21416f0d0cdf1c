/**
 * The requests of a run to the service, with a limit on those in flight: it submits each claimed order once, as the stored
 * bytes and in the way that was planned, and it looks orders up. Every result of a submission becomes a fact.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import type { CallInput, Client } from '../service/client/client.ts';
import { type Reply, reasonOf } from '../service/client/reply.ts';
import type { AnyOperation } from '../service/contract/operation.ts';
import { acceptanceOf } from '../service/submissions/acceptance.ts';
import { differs, given, shown } from '../service/submissions/evidence.ts';
import { submissions } from '../service/submissions/index.ts';
import { LookUp, type LookUpDeps, type LookUpResult } from './look-up.ts';

/** What can keep a submission from leaving until the last moment. */
type BeforeLeaving = Pick<CallInput<AnyOperation>, 'signal' | 'beforeLeaving'>;

/**
 * The environment that a run's acceptances come from, by the name in the first of them. A proxy that sends some requests
 * elsewhere would have a practice environment say "completed". An equal name proves nothing: a practice environment has been
 * seen to call itself live.
 */
class Environment {
  #name: string | undefined;

  /** Returns what is wrong with an acceptance from the named environment; `undefined` if it has no name, or the same one. */
  contradictionOf(name: string | null | undefined): string | undefined {
    if (!name) return undefined;
    this.#name ??= name;
    return differs(name, this.#name)
      ? `the acceptance comes from ${shown(name)}, and others came from ${shown(this.#name)}`
      : undefined;
  }
}

async function submit(
  { id, submission }: OrderState,
  body: string,
  client: Client,
  clock: Clock,
  environment: Environment,
  leaving: BeforeLeaving,
): Promise<Pick<Submitted, 'facts' | 'reply'>> {
  const reply = await client.call(submissions[submission].operation, { ...leaving, rendered: body });
  const at = clock.now();
  if (reply.tag !== 'accepted') {
    const tag = reply.tag === 'unauthorised' && reply.unsent ? 'not-sent' : reply.tag;
    return { reply, facts: [{ type: 'order-answered', order: id, at, tag, reason: reasonOf(reply) }] };
  }
  const { order: named, serviceId, environment: takenBy } = acceptanceOf(reply.value);
  const reason =
    named.toLowerCase() === id
      ? environment.contradictionOf(takenBy)
      : `the acceptance names another order (${shown(named)})`;
  if (reason !== undefined) {
    return {
      reply,
      facts: [
        { type: 'order-answered', order: id, at, tag: 'ambiguous', reason },
        { type: 'order-alarmed', order: id, at, reason },
      ],
    };
  }
  const accepted: Fact = {
    type: 'order-answered',
    order: id,
    at,
    tag: 'accepted',
    reason: reasonOf(reply),
    ...given('serviceId', serviceId),
  };
  return { reply, facts: [accepted] };
}

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
  readonly #environment = new Environment();

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
    return this.#limit(async () => {
      const startedAtMs = clock.monotonicMs();
      return { startedAtMs, ...(await submit(state, body, client, clock, this.#environment, leaving)) };
    });
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
