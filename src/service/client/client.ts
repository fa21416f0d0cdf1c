/**
 * Talks HTTP to the service: `call(operation, input) -> Reply`. It knows no operation by name, never throws for what
 * the service or the network does, and never sends a submission twice by itself. What does not fit is never sent.
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
  /** Origins (scheme, host, port) that any request may go to. Undefined: those of the two addresses. */
  readonly secretOrigins?: readonly string[];
  readonly requestTimeoutMs: number;
  /** 0: no limit of our own. */
  readonly ratePerSecond: number;
  /** Paths by operation name, in place of those of the contract; some operations have no other. */
  readonly paths?: Readonly<Record<string, string | undefined>>;
}

export interface ClientDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** Is told the secret and every token, and takes them out of answers; missing: known to this client alone. */
  readonly secrets?: Secrets;
  /**
   * Is told that the service asks to be left alone for so many milliseconds, each time that this is news, and when it is asked again
   * all the same. Missing: nobody is told.
   */
  readonly askedToWait?: (waitMs: number, pauseMs: number) => void;
  /** Who shares the limits, where a process has several clients one after the other; missing: known to this client alone. */
  readonly senders?: Senders;
}

export interface CallInput<O extends AnyOperation> {
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  /** The exact bytes of a body that was rendered before: sent as they are. */
  readonly rendered?: string;
  /** Ends the waiting for the request's turn; a request that has not left by then is not sent. What left lands. */
  readonly signal?: AbortSignal;
  /** Awaited when the request is about to leave. False: it is not sent. When it rejects, its error is passed on as well. */
  readonly beforeLeaving?: () => Promise<unknown>;
}

export interface Client {
  /**
   * Makes one request. Throws a Fault, before anything leaves, when the input does not fit the operation (`InputFault`)
   * or when its path is not known.
   */
  call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>>;
  /** Whether the contract or the profile has a path for it: without one, no call of it can leave. */
  knows(operation: AnyOperation): boolean;
  /**
   * So many senders were seen that share the limits of the service, this one among them: from the next request on it takes its
   * part of `ratePerSecond`. Gives by how many the limits are parted: one that is seen no more counts for a while yet.
   */
  share(seen: number): number;
  /** Ends every wait and every connection. What was under way is ambiguous then. */
  close(): Promise<void>;
}

const ownOrigins = ({ baseUrl, tokenUrl }: Pick<ClientSettings, 'baseUrl' | 'tokenUrl'>): readonly string[] =>
  [baseUrl, tokenUrl].map((address) => new URL(address).origin);

/** What becomes of a request that was stopped while it waited. */
const stopped = { tag: 'not-sent', reason: 'it was stopped before it left' } as const;

/** The client of one account: one token, one pace and one pool of connections for all of its calls. */
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
    // The answer to a token request is read by us alone, and a token that is given again must stay one.
    const reply = judge(operation, operation.host === 'token' ? answer : withoutSecrets(answer, secrets));
    if (reply.tag === 'throttled') pace.throttled(reply.retryAfterMs);
    else pace.answered();
    return reply;
  }

  async function call<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>> {
    const prepared = requests.prepare(operation, input);
    if (!operation.authorised) return exchange(operation, prepared, input);
    // One token request serves everybody, so it goes on for the others when one of them stops waiting.
    const token = tokens.current ?? (await unlessAborted(tokens.get(), input.signal));
    if (!token) return stopped;
    // Without a token the request itself never left, whatever became of the token request.
    if (token.tag !== 'token') return withoutToken(token, settings.tokenUrl);
    const reply = await exchange(operation, prepared, input, token.value);
    // Whatever else the answer says: a status of 401 means that the token is of no more use.
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

/** A service may repeat what it was sent, and what it says is kept and shown. */
const withoutSecrets = (answer: Exchange, secrets: Secrets): Exchange =>
  answer.tag === 'answered' ? { ...answer, body: secrets.hideInJson(answer.body) } : answer;

/** What the work gives, or undefined as soon as the signal is aborted. */
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

/** Answers of a token address that is another page, or none; a page that reads well is one too. */
const misplaced: ReadonlySet<string> = new Set(['200', '301', '302', '307', '308', '404', '405']);

/** A refused token is a refusal of the credentials; anything else says only that the request was not sent. */
function withoutToken(reply: Exclude<Reply<never>, { tag: 'accepted' }>, tokenUrl: string): Reply<never> {
  if (reply.tag === 'unauthorised' || reply.tag === 'refused') {
    return { tag: 'unauthorised', status: reply.status, reason: reply.reason, unsent: true };
  }
  const [, status] = /^HTTP (\d{3})/.exec(reply.reason) ?? [];
  const { origin, pathname } = new URL(tokenUrl);
  const advice = status === undefined ? '' : misplaced.has(status) ? ': check its path' : ', and gives no token';
  return {
    tag: 'not-sent',
    reason: status === undefined ? reply.reason : `tokenUrl (${origin}${pathname}) answers ${status}${advice}`,
    ...(mayPass(reply) && { passing: true }),
    ...('retryAfterMs' in reply && reply.retryAfterMs !== undefined && { retryAfterMs: reply.retryAfterMs }),
    ...('fix' in reply && reply.fix !== undefined && { fix: reply.fix }),
  };
}
