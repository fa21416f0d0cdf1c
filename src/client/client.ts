/**
 * Talks HTTP to the service: `call(operation, input) -> Reply`. It knows no operation by name, never throws for what
 * the service or the network does, and never sends a submission twice by itself.
 */
import type { AnyOperation, BodyOf, QueryOf, ValueOf } from '../contract/operation.ts';
import { requestToken } from '../contract/token.ts';
import type { Clock, Random } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { Pace } from './pace.ts';
import type { Reply } from './reply.ts';
import { TokenCache } from './token-cache.ts';
import type { Transport } from './transport.ts';
import { judge } from './verdict.ts';

export interface ClientSettings {
  /** Base address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Whole address of the token operation; often on another host. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly requestTimeoutMs: number;
  /** 0: no limit of our own. */
  readonly ratePerSecond: number;
  /** Paths by operation name, in place of those of the contract; some operations have no other. */
  readonly paths?: Readonly<Record<string, string>>;
}

export interface ClientDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

export interface CallInput<O extends AnyOperation> {
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  /** The exact bytes of a body that was rendered before: sent as they are. */
  readonly rendered?: string;
  /** Ends the waiting for the request's turn; a request that has not left by then is not sent. What left lands. */
  readonly signal?: AbortSignal;
  /** Awaited when the request is about to leave. When it rejects, nothing is sent, and its error is passed on. */
  readonly beforeLeaving?: () => Promise<void>;
}

export interface Client {
  call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>>;
  close(): Promise<void>;
}

export function createClient(settings: ClientSettings, { transport, clock, random }: ClientDeps): Client {
  const pace = new Pace(clock, random, settings.ratePerSecond);
  const tokens = new TokenCache(
    () =>
      exchange(requestToken, {
        body: {
          client_id: settings.clientId,
          client_secret: settings.clientSecret,
          grant_type: 'client_credentials',
          scope: settings.scope,
        },
      }),
    clock,
  );

  async function exchange<O extends AnyOperation>(
    operation: O,
    input: CallInput<O>,
    token?: string,
  ): Promise<Reply<ValueOf<O>>> {
    await pace.ready(input.signal);
    if (!input.signal?.aborted) await input.beforeLeaving?.();
    if (input.signal?.aborted) return { tag: 'not-sent', reason: 'it was stopped before it left' };
    const body = bodyText(operation, input);
    const reply = judge(
      operation,
      await transport.exchange({
        method: operation.method,
        url: urlOf(settings, operation, input.query),
        headers: {
          accept: operation.answers === 'text' ? 'text/plain' : 'application/json',
          ...(body !== undefined && { 'content-type': contentType(operation) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        timeoutMs: settings.requestTimeoutMs,
      }),
    );
    if (reply.tag === 'throttled') pace.throttled(reply.retryAfterMs);
    else pace.answered();
    return reply;
  }

  async function call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>> {
    if (!operation.authorised) return exchange(operation, input);
    const token = await tokens.get();
    // Without a token the request itself never left, whatever became of the token request.
    if (token.tag !== 'token') return withoutToken(token);
    const reply = await exchange(operation, input, token.value);
    // Whatever else the answer says: a status of 401 means that the token is of no more use.
    if (!('status' in reply) || reply.status !== 401) return reply;
    tokens.drop(token.value);
    if (!operation.repeatable) return reply;
    const renewed = await tokens.get();
    return renewed.tag === 'token' ? exchange(operation, input, renewed.value) : withoutToken(renewed);
  }

  return { call, close: () => transport.close() };
}

/** A refused token is a refusal of the credentials; anything else says only that the request was not sent. */
function withoutToken(reply: Exclude<Reply<never>, { tag: 'accepted' }>): Reply<never> {
  if (reply.tag === 'unauthorised' || reply.tag === 'refused') {
    return { tag: 'unauthorised', status: reply.status, reason: reply.reason, unsent: true };
  }
  return { tag: 'not-sent', reason: `no token: ${reply.reason}` };
}

function urlOf(settings: ClientSettings, operation: AnyOperation, query: unknown): URL {
  const url = new URL(operation.host === 'token' ? settings.tokenUrl : settings.baseUrl + pathOf(settings, operation));
  if (query !== undefined && operation.query) {
    for (const [name, value] of Object.entries(operation.query.parse(query) as object)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
  }
  return url;
}

/** The path of an operation. A Fault when neither the contract nor the profile knows one. */
function pathOf({ paths }: ClientSettings, { name, path }: AnyOperation): string {
  const known = paths?.[name] ?? path;
  if (known !== undefined) return known;
  throw new Fault(
    'configuration',
    `The path of the operation ${name} is not known.`,
    `Ask the provider for it and set paths.${name} in the profile. Nothing was sent.`,
  );
}

function bodyText<O extends AnyOperation>(operation: O, input: CallInput<O>): string | undefined {
  if (input.rendered !== undefined) return input.rendered;
  if (input.body === undefined || !operation.body) return undefined;
  const body: unknown = operation.body.parse(input.body);
  if (operation.encoding === 'form') return new URLSearchParams(body as Record<string, string>).toString();
  return JSON.stringify(body);
}

const contentType = (operation: AnyOperation): string =>
  operation.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
