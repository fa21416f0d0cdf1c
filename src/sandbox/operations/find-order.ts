import type { BookedLine, BookedOrder } from '../books/orders.ts';
import { complain, type FieldErrors, hasErrors } from '../fields.ts';
import { json, notFoundReply, queryErrorReply, type Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { isSparse, sparseRecord } from './sparse-record.ts';
import { statusRecordOf } from './status-record.ts';

const ID_TYPE = 'OriginatorConversationId';

/** The lines of an order without those of its repetitions. */
const firstLines = ({ lines }: BookedOrder): readonly BookedLine[] =>
  lines.filter(({ wire }, index) => lines.findIndex((line) => line.wire.trace === wire.trace) === index);

/** Spec: "Find payment order". Both parameters are required. */
export function findOrder(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('id') ?? '';
  const idType = call.query.get('idtype') ?? '';
  const errors: FieldErrors = {};
  if (idType === '') complain(errors, 'IdType', 'The IdType field is required.');
  else if (idType !== ID_TYPE) complain(errors, 'IdType', `The IdType field must be ${ID_TYPE}.`);
  if (id === '') complain(errors, 'Id', 'The Id field is required.');
  if (hasErrors(errors)) return queryErrorReply(errors, call.at, context.random);
  const order = context.books.order(id);
  const scenario = context.scenario();
  if (!order || call.at < order.takenAt + scenario.knobs['read-lag']) return notFoundReply(id);
  const shown = scenario.duplicates === 'hide' ? { ...order, lines: firstLines(order) } : order;
  const record = statusRecordOf(shown, context.books, call.at);
  return json(200, isSparse(scenario, order.key, call.at) ? sparseRecord(record) : record);
}
