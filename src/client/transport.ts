/**
 * One HTTP exchange, bounded in time and size. The only file that knows undici. It follows no redirect (the body would
 * go to another address), repeats nothing, and uses no proxy of the environment.
 */
import { Agent, type Dispatcher } from 'undici';

/** Largest answer that is read, in bytes: a status record of a 500-line order is about half of it. */
const ANSWER_BYTES_MAX = 1_048_576;
/** Time to open a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A socket that was idle this long is not used again, in milliseconds: servers close theirs, and a race loses answers. */
const KEEP_ALIVE_MS = 4_000;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

/** What came of one request: an answer, or the code of what went wrong and in which system call. */
export type Exchange =
  | {
      readonly tag: 'answered';
      readonly status: number;
      readonly retryAfter?: string;
      /** When the service says that it answered. */
      readonly date?: string;
      readonly body: string;
      /** The answer was longer than is read; `body` holds its beginning. */
      readonly oversized: boolean;
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

/** A pool of at most `connections` connections to each host, one request at a time on each. */
export function openTransport(connections: number): Transport {
  const agent = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Said here, because the environment could say otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
  });
  return {
    exchange: (request) => exchange(agent, request),
    close: () => agent.destroy(),
  };
}

async function exchange(agent: Agent, request: HttpRequest): Promise<Exchange> {
  try {
    const answer = await agent.request({
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method,
      headers: request.headers,
      ...(request.body !== undefined && { body: request.body }),
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
      signal: AbortSignal.timeout(2 * request.timeoutMs),
    });
    const { 'retry-after': retryAfter, date } = answer.headers;
    const { body, oversized } = await boundedText(answer.body);
    return {
      tag: 'answered',
      status: answer.statusCode,
      ...(typeof retryAfter === 'string' && { retryAfter }),
      ...(typeof date === 'string' && { date }),
      body,
      oversized,
    };
  } catch (error) {
    return failureOf(error, request.url);
  }
}

async function boundedText(stream: Dispatcher.ResponseData['body']): Promise<{ body: string; oversized: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) {
      stream.destroy();
      return { body: Buffer.concat(chunks).toString('utf8'), oversized: true };
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return {
    body: chunks.length === 1 && only ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8'),
    oversized: false,
  };
}

/** Codes and system calls only: the text of an error is never part of a decision. */
function failureOf(error: unknown, { hostname, port, protocol }: URL): Exchange {
  const failures = error instanceof AggregateError ? error.errors : [error];
  const [first] = failures;
  if (!(first instanceof Error)) throw error;
  const code = 'code' in first && typeof first.code === 'string' ? first.code : first.name;
  const syscall = 'syscall' in first && typeof first.syscall === 'string' ? first.syscall : '';
  // The port that goes without saying is where to look all the same.
  const at = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return { tag: 'failed', code, syscall, at };
}
