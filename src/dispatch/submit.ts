/** Submits one claimed order: the stored bytes, once, the way it was planned. What comes back is a fact, whatever it is. */
import type { CallInput, Client } from '../client/client.ts';
import { type Reply, reasonOf } from '../client/reply.ts';
import { submitOperations } from '../contract/submission.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import { differs, given, shown } from './evidence.ts';

type SubmitOperation = (typeof submitOperations)[keyof typeof submitOperations];

/** What may keep a submission from leaving until the last moment. */
type BeforeLeaving = Pick<CallInput<SubmitOperation>, 'signal' | 'beforeLeaving'>;

/**
 * The environment that a run's acceptances come from, by the name that the first one gave. A proxy that leads some of them
 * elsewhere would have a practice environment say "completed". The name alone proves nothing: one of practice has been seen to
 * call itself live.
 */
export class Environment {
  #name: string | undefined;

  /** What is wrong with an acceptance from there; undefined for one that says nothing, or the same. */
  contradictionOf(name: string | null | undefined): string | undefined {
    if (!name) return undefined;
    this.#name ??= name;
    return differs(name, this.#name)
      ? `the acceptance comes from ${shown(name)}, and others came from ${shown(this.#name)}`
      : undefined;
  }
}

export async function submit(
  { id, submission }: OrderState,
  body: string,
  client: Client,
  clock: Clock,
  environment: Environment,
  leaving: BeforeLeaving = {},
): Promise<{ readonly facts: readonly Fact[]; readonly reply: Reply<unknown> }> {
  const operation: SubmitOperation = submitOperations[submission];
  const reply = await client.call(operation, { ...leaving, rendered: body });
  const at = clock.now();
  if (reply.tag !== 'accepted') {
    const tag = reply.tag === 'unauthorised' && reply.unsent ? 'not-sent' : reply.tag;
    return { reply, facts: [{ type: 'order-answered', order: id, at, tag, reason: reasonOf(reply) }] };
  }
  const { originatorConversationId, systemConversationId, appDomainName } = reply.value.message;
  const reason =
    originatorConversationId.toLowerCase() === id
      ? environment.contradictionOf(appDomainName)
      : `the acceptance names another order (${shown(originatorConversationId)})`;
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
    ...given('serviceId', systemConversationId),
  };
  return { reply, facts: [accepted] };
}
