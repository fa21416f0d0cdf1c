/**
 * HTTP of the callback receiver. It stands where strangers can reach it, so it gives nothing away: an address without the
 * secret does not exist, no answer has a body, and everything that arrives is bounded in size, time and number.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { type ClientLimits, openServer, serverOptions, strangerStatus } from '../server/bounded-server.ts';
import type { CallbackTopic } from '../service/contract/callback-bodies.ts';
import { CALLBACK_BYTES_MAX } from './inbox.ts';
import { callbackTopics } from './read-callback.ts';

export type CallbackTimes = Omit<ClientLimits, 'headerBytesMax'>;

/** A body of 64 KiB arrives within seconds on any line, or nobody is really sending it. */
const defaultTimes: CallbackTimes = { headersMs: 5000, requestMs: 15_000, idleMs: 5000, checkMs: 1000 };

/** A service behind one proxy needs a handful; the rest is room for others to waste. When it is gone, the idlest goes. */
const CONNECTIONS_MAX = 256;

/** Bytes of all headers of a request. */
const HEADER_BYTES_MAX = 8192;

export interface CallbackServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** First segment of every path. */
  readonly secret: string;
  /** Names that are ours in `Host`, besides the addresses of this machine. */
  readonly names?: readonly string[];
  readonly times?: CallbackTimes;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Takes a body, and gives the status to answer with. The topic is undefined when the address names none. */
  readonly take: (body: Uint8Array, topic: CallbackTopic | undefined) => Promise<number>;
  /** Told of every request that is turned away without reading it. */
  readonly turnedAway: (status: number) => void;
}

export interface CallbackServer {
  /** Address of the receiver, secret included; with `/TOPIC` after it, of one topic. */
  readonly url: string;
  /** Only this machine can reach it. */
  readonly loopback: boolean;
  /** Rejects with the first error that is a bug of ours. */
  readonly broken: Promise<never>;
  /** Takes no new request, and resolves when those that had begun are answered or out of time. */
  close(): Promise<void>;
}

/** Starts listening. Throws a Fault `usage` when the address cannot be had. */
export async function startCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const { host, port, secret, times = defaultTimes } = options;
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // Whoever does not wait for it must not be ended by it.
  broken.catch(() => undefined);
  const busy = new Set<Socket>();
  const server = createServer(serverOptions({ ...times, headerBytesMax: HEADER_BYTES_MAX }), (request, response) => {
    receive(request, response, options, { server, busy }).catch(reject);
  });
  // A client that neither sends nor reads.
  server.timeout = times.requestMs;
  const { url, loopback, close } = await openServer(server, {
    host,
    port,
    remedy: 'Choose another --port or --host; another paybatch listen may hold this one.',
    connectionsMax: CONNECTIONS_MAX,
    busy,
    turnedAway: () => options.turnedAway(503),
    clock: options.clock,
  });
  return { url: `${url}/${secret}`, loopback, broken, close };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: CallbackServerOptions,
  { server, busy }: { readonly server: Server; readonly busy: Set<Socket> },
): Promise<void> {
  const target = targetOf(request, options);
  if (typeof target === 'number') return turnAway(target, request, response, options);
  const body = await bodyOf(request);
  if (body === 'too-long') return turnAway(413, request, response, options);
  if (body === 'broken-off') return;
  busy.add(request.socket);
  const status = await options.take(body, target.topic).finally(() => busy.delete(request.socket));
  // A connection that is kept would hold up a receiver that is being stopped.
  response.shouldKeepAlive &&= server.listening;
  answer(response, status);
}

/** Where a request goes, or the status that says nowhere. The method is judged last: a stranger learns nothing by it. */
function targetOf(
  request: IncomingMessage,
  options: CallbackServerOptions,
): { readonly topic: CallbackTopic | undefined } | number {
  const { url = '', method, headers } = request;
  const [path = ''] = url.split('?', 1);
  const [root, given = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (!isSame(given, options.secret) || root !== '') return 404;
  const topic = callbackTopics.find((one) => one === rest[0]);
  const known = rest.length === 0 || (topic !== undefined && (rest.length === 1 || isListedPath(rest)));
  if (!known) return 404;
  if (method !== 'POST') return 405;
  const stranger = strangerStatus(request, [options.host, ...(options.names ?? [])]);
  if (stranger !== undefined) return stranger;
  return headers['content-encoding'] === undefined ? { topic } : 415;
}

/** Spec: "Checkout callback (the service side)" lists this path for the receiver. */
const isListedPath = (segments: readonly string[]): boolean => segments.join('/') === 'checkout/cart';

/** Takes equally long whatever is wrong with it. */
const isSame = (given: string, secret: string): boolean => timingSafeEqual(hashed(given), hashed(secret));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

function bodyOf(request: IncomingMessage): Promise<Uint8Array | 'too-long' | 'broken-off'> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > CALLBACK_BYTES_MAX) return resolve('too-long');
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= CALLBACK_BYTES_MAX) chunks.push(chunk);
      else resolve('too-long');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('broken-off'));
    // The connection went away in the middle; `close` follows.
    request.on('error', () => resolve('broken-off'));
  });
}

function turnAway(
  status: number,
  request: IncomingMessage,
  response: ServerResponse,
  { turnedAway }: CallbackServerOptions,
): void {
  turnedAway(status);
  // What still comes of its body is thrown away, and the connection with it.
  request.resume();
  response.shouldKeepAlive = false;
  answer(response, status);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}
