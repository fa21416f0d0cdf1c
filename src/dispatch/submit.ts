/** Submits one claimed order: the stored bytes, once, the way it was planned. What comes back is a fact, whatever it is. */
import type { CallInput, Client } from '../client/client.ts';
import { type Reply, reasonOf } from '../client/reply.ts';
import { submitOperations } from '../contract/submission.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';

type SubmitOperation = (typeof submitOperations)[keyof typeof submitOperations];

/** What may keep a submission from leaving until the last moment. */
type Gate = Pick<CallInput<SubmitOperation>, 'signal' | 'beforeLeaving'>;

export async function submit(
  { id, submission }: OrderState,
  body: string,
  client: Client,
  clock: Clock,
  gate: Gate = {},
): Promise<{ readonly facts: readonly Fact[]; readonly reply: Reply<unknown> }> {
  const operation: SubmitOperation = submitOperations[submission];
  const reply = await client.call(operation, { ...gate, rendered: body });
  const at = clock.now();
  if (reply.tag !== 'accepted') {
    const tag = reply.tag === 'unauthorised' && reply.unsent ? 'not-sent' : reply.tag;
    return { reply, facts: [{ type: 'order-answered', order: id, at, tag, reason: reasonOf(reply) }] };
  }
  const { originatorConversationId, systemConversationId } = reply.value.message;
  if (originatorConversationId.toLowerCase() !== id) {
    const reason = `the acceptance names another order (${originatorConversationId.slice(0, 40)})`;
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
    ...(systemConversationId && { serviceId: systemConversationId }),
  };
  return { reply, facts: [accepted] };
}
