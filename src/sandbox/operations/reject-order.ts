import { statusAt } from '../books/statement.ts';
import { lineEndTable } from '../line-end.ts';
import { json, notFoundReply, type Reply, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/**
 * Spec: "Reject order". Every line that is Pending or Queued becomes Rejected and answers `0`; any other line stays as it
 * is and answers `1`. Refusals come with HTTP 200.
 */
export function rejectOrder(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('originatorconversationid') ?? '';
  if (id === '') {
    const message = 'The OriginatorConversationId field is required.';
    return validationReply({ OriginatorConversationId: [message] }, context.random);
  }
  const order = context.books.order(id);
  if (!order) return notFoundReply(id);
  const rejected = new Set(context.books.reject(order));
  const paymentOrderlines = order.lines.map((line, index) => {
    const done = rejected.has(index);
    const shown = done ? lineEndTable.withdrawn : statusAt(line, call.at);
    return {
      originatorConversationId: id,
      transactionStatus: shown.status,
      transactionStatusDescription: shown.text,
      resultCode: done ? '0' : '1',
      resultCodeDescription: done ? 'Success' : 'The transaction cannot be rejected on its current status.',
    };
  });
  return json(200, { paymentOrderlines });
}
