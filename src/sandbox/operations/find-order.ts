import type { Call, Desk } from '../desk.ts';
import { json, notFoundReply, queryErrorReply, type Reply } from '../reply.ts';
import { statusRecordOf } from './status-record.ts';

const ID_TYPE = 'OriginatorConversationId';

/** Spec: "Find payment order". Both parameters are required. */
export function findOrder(call: Call, desk: Desk): Reply {
  const id = call.query.get('id') ?? '';
  const idType = call.query.get('idtype') ?? '';
  const errors: { readonly field: string; readonly message: string }[] = [];
  if (idType === '') errors.push({ field: 'IdType', message: 'The IdType field is required.' });
  else if (idType !== ID_TYPE) errors.push({ field: 'IdType', message: `The IdType field must be ${ID_TYPE}.` });
  if (id === '') errors.push({ field: 'Id', message: 'The Id field is required.' });
  if (errors.length > 0) return queryErrorReply(errors, call.at, desk.random);
  const order = desk.books.order(id);
  const isVisible = order && call.at >= order.takenAt + desk.scenario().knobs['read-lag'];
  return isVisible ? json(200, statusRecordOf(order, desk.books, call.at)) : notFoundReply(id);
}
