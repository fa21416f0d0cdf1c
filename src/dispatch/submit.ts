/** Submits one claimed order: the stored bytes, once. What comes back is a fact, whatever it is. */
import type { CallInput, Client } from '../client/client.ts';
import { type Reply, reasonOf } from '../client/reply.ts';
import type { ValueOf } from '../contract/operation.ts';
import { submitOrder } from '../contract/payment-order.ts';
import type { Clock } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';

/** What may keep a submission from leaving until the last moment. */
type Gate = Pick<CallInput<typeof submitOrder>, 'signal' | 'beforeLeaving'>;

export async function submit(
  { id }: OrderState,
  body: string,
  client: Client,
  clock: Clock,
  gate: Gate = {},
): Promise<{ readonly facts: readonly Fact[]; readonly reply: Reply<ValueOf<typeof submitOrder>> }> {
  const reply = await client.call(submitOrder, { ...gate, rendered: body });
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
