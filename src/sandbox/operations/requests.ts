/**
 * Handles every request that is not a payment order: reads it, compares it with the books, accepts it, answers it, and looks
 * it up.
 */
import type { BookedPart, BookedRequest } from '../books/booked.ts';
import { postKey } from '../books/journal.ts';
import { statusAt } from '../books/statement.ts';
import type { CheckedRequest, RequestCheck, RequestKind } from '../checked-request.ts';
import type { FieldErrors } from '../fields.ts';
import {
  APP_DOMAIN_NAME,
  droppedReply,
  json,
  notFoundReply,
  type Reply,
  serviceTime,
  validationReply,
} from '../reply.ts';
import type { DuplicateMode, Scenario } from '../scenario.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { duplicateEndOf, type LinePlan, type magicOf, planPart, repetitionId, type ShownStatus } from '../settle.ts';

/** What an operation provides to the books that keep its requests. */
export interface KeptRequest {
  /** Reads the body of a request, or says what is wrong with each field. The journal keeps bodies as they were received. */
  readonly read: (body: unknown) => RequestCheck;
  /** Returns the bodies of the callback, in the order in which they are sent; absent if there is no callback. */
  readonly tells?: (request: BookedRequest, at: number) => readonly object[];
}

/** The handling of one kind of requests, as far as kinds differ. */
export interface Way extends KeptRequest {
  readonly kind: RequestKind;
  /** The field that must be unique, as complaints name it. */
  readonly idField: string;
  /** The field that a complaint names if the currency has no wallet. */
  readonly currencyField?: string;
  /** The field that a complaint names if the ending of the payee has the request refused. */
  readonly payeeField?: string;
  /** What a repeated identifier leads to, unless the scenario says otherwise; if absent, it is always refused. */
  readonly repeats?: DuplicateMode;
  readonly magic: (payee: string) => ReturnType<typeof magicOf>;
  /** Returns a plan that replaces the ordinary one. */
  plan?(ordinary: LinePlan, key: string, scenario: Scenario): LinePlan;
  accept(booked: BookedRequest, context: ServiceContext): Reply;
}

/** Answers a request by its way. A refused request leaves nothing except the count of its submissions. */
export function takeRequest(way: Way, call: Call, context: ServiceContext): Reply {
  const check = way.read(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const { request } = check;
  const struck = new Set(request.parts.map(({ payee }) => way.magic(payee)?.submission));
  if (struck.has('refused')) {
    const field = way.payeeField ?? way.idField;
    return validationReply({ [field]: [`The ${field} field is not valid.`] }, context.random);
  }
  const booked = context.books.request(way.kind, request.id);
  if (booked) return repeated(way, { request, booked }, call, context);
  const key = postKey(way.kind, request.id);
  if (struck.has('dropped-before') && context.books.posts(key) === 0) {
    context.books.lose(key);
    return droppedReply;
  }
  const errors = unfitErrors(way, request, context);
  if (errors) return validationReply(errors, context.random);
  const accepted = way.accept(take(way, request, call, context), context);
  return struck.has('dropped-after') ? droppedReply : accepted;
}

interface Repeated {
  readonly request: CheckedRequest;
  readonly booked: BookedRequest;
}

/** Answers a request whose identifier the books already hold. Spec: "Limits" says only that it must be unique. */
function repeated(way: Way, { request, booked }: Repeated, call: Call, context: ServiceContext): Reply {
  switch (way.repeats && (context.scenario().duplicates ?? way.repeats)) {
    case 'execute':
    case 'hide':
      return way.accept(take(way, request, call, context), context);
    case 'replay':
      context.books.repeat(request.id, 'replayed', way.kind);
      return way.accept(booked, context);
    case 'accept-then-9':
      context.books.repeat(request.id, 'accepted-as-9', way.kind);
      return way.accept({ ...booked, serviceId: repetitionId(booked.key, context.books.posts(booked.key)) }, context);
    default:
      context.books.repeat(request.id, 'refused', way.kind);
      return validationReply({ [way.idField]: [notUnique(way.idField)] }, context.random);
  }
}

const notUnique = (field: string): string => `The ${field} must be unique: it was used before.`;

/**
 * Returns why the books cannot hold a well-formed request, or `undefined`: a number that is not unique, or a currency
 * without a wallet.
 */
function unfitErrors(
  way: Way,
  { id, trace, reference, parts }: CheckedRequest,
  context: ServiceContext,
): FieldErrors | undefined {
  const used =
    trace !== undefined && context.books.hasTrace(trace)
      ? 'systemTraceAuditNumber'
      : reference !== undefined && context.books.hasReference(reference)
        ? 'checkoutReference'
        : undefined;
  if (used) {
    context.books.repeat(id, 'refused', way.kind);
    return { [used]: [notUnique(used)] };
  }
  for (const { movement } of parts) {
    if (!movement || context.books.wallet(movement.amount.currency)) continue;
    return { [way.currencyField ?? 'currency']: [`There is no wallet in ${movement.amount.currency}.`] };
  }
  return undefined;
}

function take(way: Way, request: CheckedRequest, call: Call, context: ServiceContext): BookedRequest {
  const scenario = context.scenario();
  const key = postKey(way.kind, request.id);
  const plans = request.parts.map(({ payee }, index) => {
    const ordinary = planPart(key, index, way.magic(payee), scenario);
    return way.plan?.(ordinary, key, scenario) ?? ordinary;
  });
  return context.books.takeRequest(request, plans, call.received);
}

/**
 * Returns an acceptance. Spec: acceptance response of airtime and bills; observed for deposits. `more` is added to its five
 * fields.
 */
export const acceptanceOf = (
  booked: BookedRequest,
  remarks: string,
  context: ServiceContext,
  more: object = {},
): Reply =>
  json(context.scenario().knobs['accept-status'], {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      systemConversationId: booked.serviceId,
      originatorConversationId: booked.id,
      remarks,
      timestamp: serviceTime(booked.takenAt),
      ...more,
    },
  });

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

/** Returns the request, or `undefined` until the read lag of the scenario is over. */
export const visible = (
  request: BookedRequest | undefined,
  call: Call,
  context: ServiceContext,
): BookedRequest | undefined =>
  request && call.at >= request.takenAt + context.scenario().knobs['read-lag'] ? request : undefined;

/** Returns the answer to a look-up that does not say what to look up. Spec: "Errors" 1. */
export const missingParameter = (name: string, context: ServiceContext): Reply =>
  validationReply({ [name]: [`The ${name} field is required.`] }, context.random);

/** Returns the status of a part, or that of a duplicate while its request is shown as one. */
export const partStatusAt = (request: BookedRequest, part: BookedPart, at: number): ShownStatus =>
  at < request.shownAsDuplicateUntil ? duplicateEndOf(request.key) : statusAt(part, at);

/** Returns the status of a request as a whole: that of its only part, or of the part that holds it back. */
export function requestStatusAt(request: BookedRequest, at: number): ShownStatus {
  const statuses = request.parts.map((part) => partStatusAt(request, part, at));
  const open = statuses.find(({ code }) => code === null);
  const completed = 4;
  return open ?? statuses.find(({ status }) => status !== completed) ?? statuses[0] ?? duplicateEndOf(request.key);
}
