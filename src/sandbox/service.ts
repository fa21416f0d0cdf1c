/** Handles one request of the interface from arrival to answer, without any network: paths, faults, authorisation, handlers. */

import { sha256 } from '../domain/ids.ts';
import { jsonIn } from '../domain/json.ts';
import { type OperationKey, operations } from '../service/contract/index.ts';
import type { AnyOperation } from '../service/contract/operation.ts';
import { requestKey } from './books/booked.ts';
import { drawOf } from './draw.ts';
import { afterFaults, beforeFaults, errorPage, hasFaults, type Strike, strikeOf } from './faults.ts';
import { bound, isFields, namesOf, required, textInAnyCase } from './fields.ts';
import { handlers } from './operations/handlers.ts';
import { practicePathOf } from './practice-account.ts';
import { empty, json, type Reply, validationReply } from './reply.ts';
import type { Call, ServiceContext } from './service-context.ts';

const keys = Object.keys(operations) as readonly OperationKey[]; // the table's own keys
const pathOf = (key: OperationKey): string => {
  const { name, path }: AnyOperation = operations[key];
  return path ?? practicePathOf(name);
};
const paths: ReadonlySet<string> = new Set(keys.map(pathOf));
const byPlace = Map.groupBy(keys, (key) => `${operations[key].method} ${pathOf(key)}`);

/**
 * Returns the operation of a request, or `undefined` if nothing is answered there. Three operations share a path and differ
 * in their bodies.
 */
function operationAt(method: string, path: string, body: string): OperationKey | undefined {
  const [key, ...others] = byPlace.get(`${method} ${path}`) ?? [];
  return others.length === 0 ? key : billOperationOf(body);
}

/**
 * Returns the bill operation of a body. Spec: "Bill payment": 1 = Query Bill, 2 = Post Payment, 3 = Validate Account. Any
 * other type goes to the payment, which refuses it.
 */
function billOperationOf(body: string): OperationKey {
  const type = transactionTypeOf(body);
  if (type === 1) return 'queryBill';
  return type === 3 ? 'validateBill' : 'payBill';
}

/** The name of the transaction type, which may be in any case, like every other name. */
const typeNames = namesOf(required('integer', 'transactionType'));

function transactionTypeOf(body: string): unknown {
  const fields = bound(jsonIn(body), typeNames);
  return isFields(fields) ? fields['transactionType'] : undefined;
}

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly body: string;
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export class Service {
  readonly #context: ServiceContext;
  readonly requests = new Map<string, number>();
  readonly faults = new Map<string, number>();
  /** How often each repeatable request was seen, while there are faults. */
  readonly #seen = new Map<string, number>();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  /** Answers a request, and records its changes in the books. */
  answer(request: Received): Reply {
    const key = operationAt(request.method, request.path, request.body);
    if (!key) return empty(paths.has(request.path) ? 405 : 404);
    countUp(this.requests, operations[key].name);
    return this.#operate(key, request);
  }

  #operate(key: OperationKey, request: Received): Reply {
    const operation: AnyOperation = operations[key];
    const at = this.#context.books.advance();
    if (operation.host === 'token' && this.#failsToken()) return errorPage();
    const refusal = operation.authorised ? this.#context.tokens.refusal(request.authorization, at) : undefined;
    if (refusal) return refusal;
    const parsed = bodyOf(operation, request);
    if (parsed === notThisType || parsed === notJson) return this.#unreadable(operation, parsed);
    const call: Call = { at, body: parsed, received: request.body, query: queryOf(request.search) };
    const strike = operation.authorised ? this.#strike(operation, call) : {};
    if (strike.before) return beforeFaults[strike.before](call, this.#context);
    const reply = handlers[key](call, this.#context);
    return strike.after && !reply.dropped ? afterFaults[strike.after](reply) : reply;
  }

  /**
   * Refuses a body that cannot be read. The specification has no status for this except 400. A token request is refused in
   * the words of OAuth 2.0.
   */
  #unreadable(operation: AnyOperation, why: symbol): Reply {
    if (operation.host === 'token') return json(400, { error: 'invalid_request' });
    const message = why === notJson ? 'The body is not valid JSON.' : 'The body must be sent as application/json.';
    return validationReply({ $: [message] }, this.#context.random);
  }

  /** Returns the answer to a request whose body is longer than the service reads. */
  tooLong(): Reply {
    return {
      ...validationReply({ $: ['The body is too long.'] }, this.#context.random),
      headers: { connection: 'close' },
    };
  }

  #failsToken(): boolean {
    const { seed, knobs } = this.#context.scenario();
    const share = knobs['token-error'];
    if (share === 0) return false;
    return drawOf(sha256(`${seed}|token|${countUp(this.#seen, 'token')}`), 0) < share;
  }

  /** Draws the fault of a request. Submissions are counted in the books, because a restart must not change what strikes them. */
  #strike(operation: AnyOperation, call: Call): Strike {
    const scenario = this.#context.scenario();
    if (!hasFaults(scenario)) return {};
    const id = subjectOf(call);
    const isCounted = !operation.repeatable && id !== '';
    const subject = requestKey(operation.name, id || sha256(call.received));
    const seen = isCounted ? this.#context.books.posts(subject) : countUp(this.#seen, subject) - 1;
    const strike = strikeOf(scenario, subject, seen);
    if (strike.before && isCounted) this.#context.books.lose(subject);
    const fault = strike.before ?? strike.after;
    if (fault) countUp(this.faults, fault);
    return strike;
  }
}

const notJson = Symbol('not JSON');
const notThisType = Symbol('another media type');

function bodyOf(operation: AnyOperation, request: Received): unknown {
  if (!operation.body) return undefined;
  const encoding = operation.encoding ?? 'json';
  if (!request.contentType?.toLowerCase().startsWith(mediaTypes[encoding])) return notThisType;
  if (encoding === 'form') return Object.fromEntries(new URLSearchParams(request.body));
  const body = jsonIn(request.body);
  return body === undefined ? notJson : body;
}

const noQuery: ReadonlyMap<string, string> = new Map();

function queryOf(search: string): ReadonlyMap<string, string> {
  if (search === '') return noQuery;
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) query.set(name.toLowerCase(), value);
  return query;
}

/** Returns what a request is about: its identifier, or else its whole query; empty if it has neither. */
function subjectOf({ body, query }: Call): string {
  const sent = textInAnyCase(body, 'originatorConversationId') || textInAnyCase(body, 'systemTraceAuditNumber');
  return sent || (query.get('id') ?? query.get('originatorconversationid') ?? [...query.values()].join('&'));
}

function countUp(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}
