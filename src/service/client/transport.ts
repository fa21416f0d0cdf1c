/**
 * One HTTP exchange, bounded in time and size. The only file that knows undici. It follows no redirect (the body would go to
 * another address), repeats nothing, and uses only the proxy that it is given, never one from the environment.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Agent, Dispatcher, ProxyAgent } from 'undici';
import { textOf, unpacked } from './unpacked.ts';

/** Largest answer that is read, in bytes, packed and unpacked; a status record of a 500-line order is about half of it. */
const ANSWER_BYTES_MAX = 1_048_576;
/** Time to open a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle time after which a socket is not used again, in milliseconds: servers close idle sockets, and answers get lost in the race. */
const KEEP_ALIVE_MS = 4_000;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

/** The result of one request: an answer, or the code of the error and the system call that failed. */
export type Exchange =
  | {
      readonly tag: 'answered';
      readonly status: number;
      readonly retryAfter?: string;
      /** When the service says that it answered. */
      readonly date?: string;
      readonly body: string;
      /** Whether the answer is longer than the limit, packed or unpacked; `body` then holds its beginning, or nothing. */
      readonly oversized: boolean;
      /** Why a packed answer cannot be read; `body` is empty then. */
      readonly unread?: string;
    }
  | {
      readonly tag: 'failed';
      readonly code: string;
      readonly syscall: string;
      /** Host and port. */
      readonly at?: string;
    };

export interface Transport {
  exchange(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * Loads undici's agent only. The whole package, with `fetch`, web sockets and caches, would take another 14 MB, and time at
 * the start.
 */
const fromUndici = createRequire(import.meta.url);
const DispatcherAgent = fromUndici('undici/lib/dispatcher/agent.js') as typeof Agent; // undici's own type

/**
 * Opens a pool of at most `connections` connections to each host, one request at a time on each. `proxy`: address of the
 * proxy that all of them go through (`checkedProxy`), each in a tunnel: the proxy sees the name of the host, and nothing of
 * the traffic.
 */
export function openTransport(connections: number, proxy?: string): Transport {
  const pool = {
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  // Set here, because the environment could say otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
  const connect = { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true };
  const agent = proxy === undefined ? new DispatcherAgent({ ...pool, connect }) : proxyAgent(proxy, pool, connect);
  return {
    exchange: (request) => exchange(agent, request, proxy),
    close: () => agent.destroy(),
  };
}

function proxyAgent(
  uri: string,
  pool: Agent.Options,
  connect: NonNullable<ProxyAgent.Options['requestTls']>,
): ProxyAgent {
  // The proxy agent works only with the whole package; few users need it.
  const { ProxyAgent: Tunnels } = fromUndici('undici') as { readonly ProxyAgent: typeof ProxyAgent }; // undici's own type
  return new Tunnels({
    ...pool,
    uri,
    proxyTunnel: true,
    requestTls: connect,
    proxyTls: connect,
  });
}

/**
 * Makes the request at undici's lowest level: one promise for each answer, instead of a stream, a signal and their listeners,
 * which cost as much again as the request itself.
 */
function exchange(agent: Dispatcher, request: HttpRequest, proxy: string | undefined): Promise<Exchange> {
  const { origin, path, method, headers, body, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const answer = new Answer({ origin, proxy }, { resolve, reject }, 2 * timeoutMs);
    agent.dispatch(
      {
        origin,
        path,
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body !== undefined && { body }),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      answer,
    );
  });
}

/** Where a request goes, and through which proxy. */
interface Way {
  readonly origin: string;
  readonly proxy: string | undefined;
}

/** An answer as it arrives, until it is complete, too long or too late. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #way: Way;
  readonly #settle: (exchange: Exchange) => void;
  readonly #crash: (error: unknown) => void;
  readonly #tooLate: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** `allMs`: time limit for the whole exchange, including the wait for a connection. */
  constructor(
    way: Way,
    { resolve, reject }: { resolve(exchange: Exchange): void; reject(error: unknown): void },
    allMs: number,
  ) {
    this.#way = way;
    this.#settle = resolve;
    this.#crash = reject;
    this.#tooLate = setTimeout(() => this.#end(failureOf(new Late(), this.#way)), allMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was abandoned while it waited for a connection must not leave after all.
    if (this.#isSettled) controller.abort(new Late());
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    [this.#status, this.#headers] = [status, headers];
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#end(this.#answered(true));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end(this.#answered(false));
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    if (this.#isSettled) return;
    try {
      this.#end(failureOf(error, this.#way));
    } catch (bug) {
      this.#crash(bug);
    }
  }

  #answered(isCutOff: boolean): Exchange {
    const { 'retry-after': retryAfter, date, 'content-encoding': encoding } = this.#headers;
    const bytes = bytesOf(this.#chunks);
    const { text, ...how } = isCutOff
      ? { text: textOf(bytes), oversized: true }
      : unpacked(bytes, String(encoding ?? ''), ANSWER_BYTES_MAX);
    return {
      tag: 'answered',
      status: this.#status,
      ...(typeof retryAfter === 'string' && { retryAfter }),
      ...(typeof date === 'string' && { date }),
      body: text,
      ...how,
    };
  }

  /** Settles the exchange. The first result counts; nothing that arrives later is awaited. */
  #end(exchange: Exchange): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#tooLate);
    this.#settle(exchange);
    if (exchange.tag === 'failed' || exchange.oversized) this.#controller?.abort(new Late());
  }
}

/** The error of an exchange whose time is over. */
class Late extends Error {
  override readonly name = 'TimeoutError';
}

function bytesOf(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

/** Returns a failure as code and system call: the text of an error is never part of a decision. */
function failureOf(error: unknown, { origin, proxy }: Way): Exchange {
  const failures = error instanceof AggregateError ? error.errors : [error];
  const [first] = failures;
  if (!(first instanceof Error)) throw error;
  const code = 'code' in first && typeof first.code === 'string' ? first.code : first.name;
  const syscall = 'syscall' in first && typeof first.syscall === 'string' ? first.syscall : '';
  if (proxy === undefined) return { tag: 'failed', code, syscall, at: placeOf(origin) };
  // A proxy that refuses a tunnel says so only in the text of the error. The text decides nothing but what a person reads.
  const [, refusal] = /^Proxy response \((\d{3})\)/.exec(first.message) ?? [];
  if (refusal !== undefined)
    return { tag: 'failed', code: refusal === '407' ? 'PROXY_407' : 'PROXY_REFUSED', syscall, at: placeOf(proxy) };
  // The only connection that this computer makes itself is the one to the proxy.
  const isOwn = syscall === 'connect' || syscall === 'getaddrinfo' || code.startsWith('UND_ERR_PRX');
  return { tag: 'failed', code, syscall, at: isOwn ? `the proxy ${placeOf(proxy)}` : placeOf(origin) };
}

/** Returns host and port of an address. A default port is added, because it also says where to look. */
function placeOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
