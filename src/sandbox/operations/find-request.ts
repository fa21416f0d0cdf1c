/** The way of every look-up of a request: the identifier must be given, and the books must hold it. */
import type { BookedPart, BookedRequest } from '../books/register.ts';
import { standingOf } from '../books/statement.ts';
import type { Call, Desk } from '../desk.ts';
import type { Standing } from '../line-end.ts';
import { json, notFoundReply, type Reply, validationReply } from '../reply.ts';
import type { RequestKind } from '../requests/checked-request.ts';
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
export function findRequest({ kind, parameter, what, record }: LookUp, call: Call, desk: Desk): Reply {
  const id = call.query.get(parameter.toLowerCase()) ?? '';
  if (id === '') return missingParameter(parameter, desk);
  const request = visible(desk.books.request(kind, id), call, desk);
  return request ? json(200, record(request, call.at)) : notFoundReply(id, parameter, what);
}

/** The request once the read lag of the scenario is over. */
export const visible = (request: BookedRequest | undefined, call: Call, desk: Desk): BookedRequest | undefined =>
  request && call.at >= request.takenAt + desk.scenario().knobs['read-lag'] ? request : undefined;

/** The answer to a look-up that does not say of what. Spec: "Errors" 1. */
export const missingParameter = (name: string, desk: Desk): Reply =>
  validationReply({ [name]: [`The ${name} field is required.`] }, desk.random);

/** How a part stands, or that it is a duplicate while its request is shown as one. */
export const shownStanding = (request: BookedRequest, part: BookedPart, at: number): Standing =>
  at < request.shownAsDuplicateUntil ? duplicateEndOf(request.key) : standingOf(part, at);

/** What a request is about as a whole: its only part, or the one that holds it back. */
export function wholeStanding(request: BookedRequest, at: number): Standing {
  const standings = request.parts.map((part) => shownStanding(request, part, at));
  const open = standings.find(({ code }) => code === null);
  const completed = 4;
  return open ?? standings.find(({ status }) => status !== completed) ?? standings[0] ?? duplicateEndOf(request.key);
}
