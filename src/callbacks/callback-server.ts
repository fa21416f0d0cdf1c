/**
 * HTTP of the callback receiver. Strangers can reach it, so it gives nothing away: an address without the secret does not
 * exist, no answer has a body, and everything that arrives is bounded in size, time and number.
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

/** Default times. A body of 64 KiB arrives within seconds on any line, if it is really being sent. */
const defaultTimes: CallbackTimes = { headersMs: 5000, requestMs: 15_000, idleMs: 5000, checkMs: 1000 };

/**
 * Most connections. A service behind one proxy needs a handful; the rest is room for others to waste. When all are taken, the
 * longest idle one is closed.
 */
const CONNECTIONS_MAX = 256;

/** Most bytes of all headers of a request. */
const HEADER_BYTES_MAX = 8192;

export interface CallbackServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** First segment of every path. */
  readonly secret: string;
  /** Names that a request may have in `Host`, in addition to the addresses of this machine. */
  readonly names?: readonly string[];
  readonly times?: CallbackTimes;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Takes a body, and returns the status to answer with. The topic is undefined if the address names none. */
  readonly take: (body: Uint8Array, topic: CallbackTopic | undefined) => Promise<number>;
  /** Called for every request that is turned away without being read. */
  readonly turnedAway: (status: number) => void;
}

export interface CallbackServer {
  /** Address of the receiver, including the secret; followed by `/TOPIC`, it is the address of one topic. */
  readonly url: string;
  /** Whether only this machine can reach it. */
  readonly loopback: boolean;
  /** Rejects with the first error that is a bug of paybatch. */
  readonly broken: Promise<never>;
  /** Takes no new requests, and resolves when those that had begun are answered or out of time. */
  close(): Promise<void>;
}

/** Starts listening. Throws a Fault `usage` if the address is not available. */
export async function startCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const { host, port, secret, times = defaultTimes } = options;
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // A caller that does not wait for `broken` must not be ended by it.
  broken.catch(() => undefined);
  const busy = new Set<Socket>();
  const server = createServer(serverOptions({ ...times, headerBytesMax: HEADER_BYTES_MAX }), (request, response) => {
    receive(request, response, options, { server, busy }).catch(reject);
  });
  // Ends the connection of a client that neither sends nor reads.
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
  // A connection that is kept alive would hold up a receiver that is being stopped.
  response.shouldKeepAlive &&= server.listening;
  answer(response, status);
}

/**
 * Returns where a request goes, or the status that rejects it. The method is checked after the address, so that a stranger
 * learns nothing from it.
 */
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

/** Takes the same time for every wrong secret, so that the time gives nothing away. */
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
  // The rest of its body is thrown away, and the connection with it.
  request.resume();
  response.shouldKeepAlive = false;
  answer(response, status);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}
