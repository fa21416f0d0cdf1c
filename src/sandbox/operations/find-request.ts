/** The way of every look-up of a request: the identifier must be given, and the books must hold it. */
import type { BookedPart, BookedRequest } from '../books/register.ts';
import { statusAt } from '../books/statement.ts';
import type { ShownStatus } from '../line-end.ts';
import { json, notFoundReply, type Reply, validationReply } from '../reply.ts';
import type { RequestKind } from '../requests/checked-request.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { duplicateEndOf } from '../settle.ts';

interface LookUp {
  readonly kind: RequestKind;
  /** The query parameter, as complaints name it. */
  readonly parameter: string;
  /** What is looked up, in words. */
  readonly what: string;
  record(request: BookedRequest, at: number): object;
}

/** Answers a look-up by one query parameter. */
export function findRequest({ kind, parameter, what, record }: LookUp, call: Call, context: ServiceContext): Reply {
  const id = call.query.get(parameter.toLowerCase()) ?? '';
  if (id === '') return missingParameter(parameter, context);
  const request = visible(context.books.request(kind, id), call, context);
  return request ? json(200, record(request, call.at)) : notFoundReply(id, parameter, what);
}

/** The request once the read lag of the scenario is over. */
export const visible = (
  request: BookedRequest | undefined,
  call: Call,
  context: ServiceContext,
): BookedRequest | undefined =>
  request && call.at >= request.takenAt + context.scenario().knobs['read-lag'] ? request : undefined;

/** The answer to a look-up that does not say of what. Spec: "Errors" 1. */
export const missingParameter = (name: string, context: ServiceContext): Reply =>
  validationReply({ [name]: [`The ${name} field is required.`] }, context.random);

/** How a part stands, or that it is a duplicate while its request is shown as one. */
export const partStatusAt = (request: BookedRequest, part: BookedPart, at: number): ShownStatus =>
  at < request.shownAsDuplicateUntil ? duplicateEndOf(request.key) : statusAt(part, at);

/** What a request is about as a whole: its only part, or the one that holds it back. */
export function requestStatusAt(request: BookedRequest, at: number): ShownStatus {
  const statuses = request.parts.map((part) => partStatusAt(request, part, at));
  const open = statuses.find(({ code }) => code === null);
  const completed = 4;
  return open ?? statuses.find(({ status }) => status !== completed) ?? statuses[0] ?? duplicateEndOf(request.key);
}
