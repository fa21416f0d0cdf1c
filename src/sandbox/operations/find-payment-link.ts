import { json, notFoundReply, type Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { missingParameter, visible } from './find-request.ts';
import { linkRecordOf } from './payment-link.ts';

/** Observed, by `Id`. */
export function findPaymentLink(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('id') ?? '';
  if (id === '') return missingParameter('Id', context);
  const link = visible(context.books.request('create-payment-link', id), call, context);
  return link ? json(200, linkRecordOf(link, context)) : notFoundReply(id, 'Id', 'payment link');
}
