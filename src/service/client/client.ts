/**
 * Talks HTTP to the service: `call(operation, input) -> Reply`. It knows no operation by name, never throws for what the
 * service or the network does, and never sends a submission twice on its own. Input that does not fit is never sent.
 */

import type { Clock, Random } from '../../domain/clock.ts';
import { Secrets } from '../../domain/secrets.ts';
import type { AnyOperation, BodyOf, QueryOf, ValueOf } from '../contract/operation.ts';
import { requestToken } from '../contract/token.ts';
import { Pace } from './pace.ts';
import { mayPass, type Reply } from './reply.ts';
import { headersOf, type Prepared, Requests } from './requests.ts';
import { Senders } from './senders.ts';
import { TokenCache } from './token-cache.ts';
import type { Exchange, Transport } from './transport.ts';
import { judge } from './verdict.ts';

export interface ClientSettings {
  /** Base address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Whole address of the token operation; often on another host. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** Origins (scheme, host, port) that requests may go to; undefined: those of the two addresses. */
  readonly secretOrigins?: readonly string[];
  readonly requestTimeoutMs: number;
  /** Most requests per second; 0: no limit of our own. */
  readonly ratePerSecond: number;
  /** Paths by operation name, which replace those of the contract; some operations have no other path. */
  readonly paths?: Readonly<Record<string, string | undefined>>;
}

export interface ClientDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** Learns the secret and every token, and removes them from answers; absent: they are known to this client only. */
  readonly secrets?: Secrets;
  /**
   * Called each time that the service newly asks to be left alone: with the wait that it asked for, and with the pause after
   * which it is asked again anyway, both in milliseconds. Absent if the wait need not be reported.
   */
  readonly askedToWait?: (waitMs: number, pauseMs: number) => void;
  /** Who shares the limits, for a process that opens several clients one after the other; absent: known to this client only. */
  readonly senders?: Senders;
}

export interface CallInput<O extends AnyOperation> {
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  /** The exact bytes of a body that was rendered before; they are sent as they are. */
  readonly rendered?: string;
  /** Ends the wait for the request's turn: a request that has not left by then is not sent. A request that has left still lands. */
  readonly signal?: AbortSignal;
  /** Awaited when the request is about to leave. If it resolves to false, the request is not sent; if it rejects, so does the call. */
  readonly beforeLeaving?: () => Promise<unknown>;
}

export interface Client {
  /**
   * Makes one request. Throws a Fault, before anything leaves, if the input does not fit the operation (`InputFault`) or if
   * the path of the operation is not known.
   */
  call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>>;
  /** Reports whether the contract or the profile has a path for the operation: without one, no call of it can leave. */
  knows(operation: AnyOperation): boolean;
  /**
   * Takes note of how many senders that share the limits of the service were seen, including this one; from the next request
   * on, this client takes its part of `ratePerSecond`. Returns the number of senders that the limits are divided by: one that
   * is no longer seen counts for a while.
   */
  share(seen: number): number;
  /** Ends every wait and every connection. A request that was under way becomes ambiguous. */
  close(): Promise<void>;
}

const ownOrigins = ({ baseUrl, tokenUrl }: Pick<ClientSettings, 'baseUrl' | 'tokenUrl'>): readonly string[] =>
  [baseUrl, tokenUrl].map((address) => new URL(address).origin);

/** The reply to a request that was stopped while it waited. */
const stopped = { tag: 'not-sent', reason: 'it was stopped before it left' } as const;

/** Opens the client of one account: one token, one pace and one pool of connections for all of its calls. */
export function openClient(
  { secretOrigins, ...account }: ClientSettings,
  { transport, clock, random, askedToWait, secrets = new Secrets(), senders = new Senders(clock) }: ClientDeps,
): Client {
  const settings = { ...account, secretOrigins: secretOrigins ?? ownOrigins(account) };
  const requests = new Requests(settings);
  secrets.add(settings.clientSecret);
  const pace = new Pace(clock, random, settings.ratePerSecond, { senders, askedToWait });
  const closing = new AbortController();
  const tokens = new TokenCache(() => {
    const body = {
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      grant_type: 'client_credentials' as const,
      scope: settings.scope,
    };
    return exchange(requestToken, requests.prepare(requestToken, { body }), { signal: closing.signal });
  }, clock);

  async function exchange<O extends AnyOperation>(
    operation: O,
    { body, ...place }: Prepared,
    { signal = closing.signal, beforeLeaving }: Pick<CallInput<O>, 'signal' | 'beforeLeaving'>,
    token?: string,
  ): Promise<Reply<ValueOf<O>>> {
    if (pace.isSlow) await pace.ready(signal);
    const held = !signal.aborted && (await beforeLeaving?.()) === false;
    if (held || signal.aborted) return stopped;
    const answer = await transport.exchange({
      ...place,
      method: operation.method,
      headers: headersOf(operation, body !== undefined, token),
      ...(body !== undefined && { body }),
      timeoutMs: settings.requestTimeoutMs,
    });
    if (token !== undefined) secrets.add(token);
    // Only this client reads the answer to a token request, and a token in it must stay intact even if it is a known secret.
    const reply = judge(operation, operation.host === 'token' ? answer : withoutSecrets(answer, secrets));
    if (reply.tag === 'throttled') pace.throttled(reply.retryAfterMs);
    else pace.answered();
    return reply;
  }

  async function call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>> {
    const prepared = requests.prepare(operation, input);
    if (!operation.authorised) return exchange(operation, prepared, input);
    // One token request serves all callers, so it continues for the others when one of them stops waiting.
    const token = tokens.current ?? (await unlessAborted(tokens.get(), input.signal));
    if (!token) return stopped;
    // Without a token the request itself never left, no matter what became of the token request.
    if (token.tag !== 'token') return withoutToken(token, settings.tokenUrl);
    const reply = await exchange(operation, prepared, input, token.value);
    // Status 401 means that the token is useless from now on, no matter what else the answer says.
    if (!('status' in reply) || reply.status !== 401) return reply;
    tokens.drop(token.value);
    if (!operation.repeatable) return reply;
    const renewed = await unlessAborted(tokens.get(), input.signal);
    if (!renewed) return reply;
    return renewed.tag === 'token'
      ? exchange(operation, prepared, input, renewed.value)
      : withoutToken(renewed, settings.tokenUrl);
  }

  return {
    call,
    knows: (operation) => requests.knows(operation),
    share: (seen) => senders.share(seen),
    close() {
      closing.abort();
      return transport.close();
    },
  };
}

/** Removes secrets from an answer: a service may repeat what it was sent, and its answers are kept and shown. */
const withoutSecrets = (answer: Exchange, secrets: Secrets): Exchange =>
  answer.tag === 'answered' ? { ...answer, body: secrets.hideInJson(answer.body) } : answer;

/** Resolves with the result of the work, or with `undefined` as soon as the signal is aborted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return work;
  if (signal.aborted) return undefined;
  const aborted = Promise.withResolvers<undefined>();
  const stop = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Statuses that show that the token address is another page, or none. A page that answers 200 is one too. */
const misplaced: ReadonlySet<string> = new Set(['200', '301', '302', '307', '308', '404', '405']);

/**
 * Returns the reply to a call for which there is no token. A refused token request refuses the credentials; any other failure
 * says only that the call was not sent.
 */
function withoutToken(reply: Exclude<Reply<never>, { tag: 'accepted' }>, tokenUrl: string): Reply<never> {
  if (reply.tag === 'unauthorised' || reply.tag === 'refused') {
    return { tag: 'unauthorised', status: reply.status, reason: reply.reason, unsent: true };
  }
  const [, status] = /^HTTP (\d{3})/.exec(reply.reason) ?? [];
  const { origin, pathname } = new URL(tokenUrl);
  const advice = status === undefined ? '' : misplaced.has(status) ? ': check its path' : ' without a token';
  return {
    tag: 'not-sent',
    reason: status === undefined ? reply.reason : `tokenUrl (${origin}${pathname}) answers ${status}${advice}`,
    ...(mayPass(reply) && { passing: true }),
    ...('retryAfterMs' in reply && reply.retryAfterMs !== undefined && { retryAfterMs: reply.retryAfterMs }),
    ...('fix' in reply && reply.fix !== undefined && { fix: reply.fix }),
  };
}
