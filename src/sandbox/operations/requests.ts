/** What every request goes through: it is read, compared with the books, accepted, answered, and looked up. */
import { invariant } from '../../domain/invariant.ts';
import type { Money } from '../../domain/money.ts';
import { type BookedRequest, requestKey, type ShownPart, shownPart } from '../books/booked.ts';
import type { Bookkeeper } from '../books/bookkeeper.ts';
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
import type { Call, Handler, ServiceContext } from '../service-context.ts';
import {
  duplicateEndOf,
  type MagicTable,
  magicOf,
  type PartPlan,
  planOf,
  repetitionId,
  type ShownStatus,
} from '../settle.ts';

/** What an operation provides to the books that keep its requests. */
export interface KeptRequest {
  /** Reads the body of a request, or says what is wrong with each field. The journal keeps bodies as they were received. */
  readonly read: (body: unknown) => RequestCheck;
  /** Returns the bodies of the callback, in the order in which they are sent; absent if there is no callback. */
  readonly tells?: (request: BookedRequest, at: number, books: Bookkeeper) => readonly object[];
}

/** The handling of one kind of requests, as far as kinds differ. */
export interface Way extends KeptRequest {
  readonly kind: RequestKind;
  /** The field that must be unique, as complaints name it. */
  readonly idField: string;
  /** Returns the field that a complaint names if the currency of a part has no wallet. */
  readonly currencyField?: (index: number) => string;
  /** The field that a complaint names if the ending of the payee has the request refused. */
  readonly payeeField?: string;
  /** What a repeated identifier leads to, unless the scenario says otherwise; if absent, it is always refused. */
  readonly repeats?: DuplicateMode;
  /** What the last digits of a payee choose. */
  readonly magic: MagicTable;
  /** Returns a plan that replaces the ordinary one. */
  plan?(ordinary: PartPlan, key: string, scenario: Scenario): PartPlan;
  accept(booked: BookedRequest, context: ServiceContext): Reply;
  /** Returns the refusal of a request that was read; if absent, the refusal is a validation error. */
  refuse?(errors: FieldErrors, id: string, call: Call, context: ServiceContext): Reply;
  /** Returns the complaint about an identifier that was used before; if absent, the general one. */
  usedBefore?(id: string): string;
}

/** Returns the handler that takes requests of a kind. A refused request leaves nothing except the count of its submissions. */
export const taking =
  (way: Way): Handler =>
  (call, context) => {
    const check = way.read(call.body);
    if (!check.ok) return refusal(way, check.errors, check.readId, call, context);
    const { request } = check;
    const { id } = request;
    const struck = new Set(request.parts.map(({ payee }) => magicOf(way.magic, payee)?.submission));
    if (struck.has('refused')) {
      const field = way.payeeField ?? way.idField;
      return refusal(way, { [field]: [`The ${field} field is not valid.`] }, id, call, context);
    }
    const booked = context.books.request(way.kind, id);
    if (booked) return repeated(way, request, booked, call, context);
    const key = requestKey(way.kind, id);
    if (struck.has('dropped-before') && context.books.posts(key) === 0) {
      context.books.lose(key);
      return droppedReply;
    }
    const errors = unfitErrors(way, request, context);
    if (errors) return refusal(way, errors, id, call, context);
    const accepted = way.accept(take(way, request, call, context), context);
    return struck.has('dropped-after') ? droppedReply : accepted;
  };

/** Refuses a request. `id`: its identifier; absent if the body could not be read. */
const refusal = (way: Way, errors: FieldErrors, id: string | undefined, call: Call, context: ServiceContext): Reply =>
  way.refuse && id !== undefined ? way.refuse(errors, id, call, context) : validationReply(errors, context.random);

/**
 * Answers a request whose identifier the books already hold. Spec: "Limits" says only that it must be unique. Published for
 * payment orders is that a repeated id is accepted, and that a duplicate outcome is reported instead of acting on it. Each
 * accepted repetition has its own id of the service, as published for refused ones; records show that of the first.
 */
function repeated(
  way: Way,
  request: CheckedRequest,
  booked: BookedRequest,
  call: Call,
  context: ServiceContext,
): Reply {
  const { kind, id, key } = booked;
  const again = (): Reply => way.accept({ ...booked, serviceId: repetitionId(key, context.books.posts(key)) }, context);
  switch (way.repeats && (context.scenario().duplicates ?? way.repeats)) {
    case 'execute':
    case 'hide':
      take(way, request, call, context);
      return again();
    case 'replay':
      context.books.repeat(kind, id, 'replayed');
      return way.accept(booked, context);
    case 'accept-then-9':
      context.books.repeat(kind, id, 'accepted-as-9');
      return again();
    default: {
      context.books.repeat(kind, id, 'refused');
      const complaint = way.usedBefore?.(id) ?? notUnique(way.idField);
      return refusal(way, { [way.idField]: [complaint] }, id, call, context);
    }
  }
}

const notUnique = (field: string): string => `The ${field} must be unique: it was used before.`;

/**
 * Returns why the books cannot hold a well-formed request, or `undefined`: a number that is not unique, or a currency
 * without a wallet.
 */
function unfitErrors(
  way: Way,
  { id, traces = [], reference, parts }: CheckedRequest,
  { books }: ServiceContext,
): FieldErrors | undefined {
  const isTraceUsed = new Set(traces).size < traces.length || traces.some((trace) => books.hasTrace(trace));
  const isReferenceUsed = reference !== undefined && books.hasReference(reference);
  if (isTraceUsed || isReferenceUsed) {
    books.repeat(way.kind, id, 'refused');
    const field = isTraceUsed ? 'systemTraceAuditNumber' : 'checkoutReference';
    return { [field]: [notUnique(field)] };
  }
  for (const [index, { movement }] of parts.entries()) {
    if (!movement || books.wallet(movement.amount.currency)) continue;
    return { [way.currencyField?.(index) ?? 'currency']: [`There is no wallet in ${movement.amount.currency}.`] };
  }
  return undefined;
}

function take(way: Way, request: CheckedRequest, call: Call, context: ServiceContext): BookedRequest {
  const scenario = context.scenario();
  const key = requestKey(way.kind, request.id);
  // The draws of orders have had this name since before there were other requests, and seeds are known by what they lead to.
  const drawn = way.kind === 'submit-order' ? `line|${request.id}` : `part|${key}`;
  const plans = request.parts.map(({ payee }, index) => {
    const ordinary = planOf(`${drawn}|${index}`, magicOf(way.magic, payee), scenario);
    return way.plan?.(ordinary, key, scenario) ?? ordinary;
  });
  const callback = way.kind === 'submit-order' ? context.orderCallbackUrl : undefined;
  return context.books.take(request, plans, call.received, callback);
}

/**
 * Returns an acceptance. Spec: acceptance response of payment orders, airtime and bills; observed for deposits. `more` is
 * added to its five fields.
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

/** Returns the handler of a look-up by one query parameter. */
export const finding =
  ({ kind, parameter, what, record }: LookUp): Handler =>
  (call, context) => {
    const id = call.query.get(parameter.toLowerCase()) ?? '';
    if (id === '') return missingParameter(parameter, context);
    const request = visible(context.books.request(kind, id), call, context);
    return request ? json(200, record(request, call.at)) : notFoundReply(id, parameter, what);
  };

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

/** Returns the status of a request as a whole: that of its only part, or of the part that holds it back. */
export function requestStatusAt(request: BookedRequest, at: number): ShownStatus {
  const shown = request.parts.map((part) => shownPart(request, part, at));
  const open = shown.find(({ code }) => code === null);
  const completed = 4;
  return open ?? shown.find(({ status }) => status !== completed) ?? shown[0] ?? duplicateEndOf(request.key);
}

/** Returns the amount of a request that has one part, apart from repetitions, and what is shown of the part that completed. */
export function paymentOf(request: BookedRequest, at: number): ShownPart & { readonly amount: Money } {
  const part = request.parts.findLast(({ result }) => result?.end === 'completed') ?? request.parts[0];
  invariant(part?.movement, `a request of ${request.kind} has an amount`);
  return { amount: part.movement.amount, ...shownPart(request, part, at) };
}
