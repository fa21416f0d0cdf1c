/**
 * Says how a worker stands, to whatever watches it: `/live`, `/ready` and `/metrics`. It takes no word from anybody, names no person,
 * batch or account, and answers under its own address alone.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../domain/fault.ts';
import { isOwnHost } from '../domain/own-host.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import type { Tally } from './tally.ts';

/** Whoever watches asks at once, and every few seconds. */
const REQUEST_MS = 5000;
const CONNECTIONS_MAX = 32;

export interface HealthServer extends AsyncDisposable {
  /** Its address, without a path. */
  readonly url: string;
}

/** Starts listening. Throws a Fault `usage` when the address cannot be had. */
export async function startHealthServer(host: string, port: number, tally: Tally): Promise<HealthServer> {
  const server = createServer(
    { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS },
    (request, response) => {
      // A body is nobody's business here.
      request.resume();
      answer(response, ...answerTo(request, host, tally));
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new Fault(
      'usage',
      `Nothing can listen on ${host}:${port} (${code}).`,
      'Choose another address: --health 9100',
      {
        cause: error,
      },
    );
  }
  const { port: bound } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Answer = readonly [status: number, text: string, type?: string];

function answerTo(request: IncomingMessage, host: string, tally: Tally): Answer {
  const { method = '', url = '', headers, socket } = request;
  // No watcher has one, and no page of the web can leave it out.
  if (headers.origin !== undefined) return [403, 'no page of the web is answered\n'];
  if (!isOwnHost(headers.host, socket.localAddress, [host])) return [421, 'another name than ours\n'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'only GET is answered\n'];
  const [path] = url.split('?', 1);
  if (path === '/live') return [200, 'live\n'];
  if (path === '/ready') return tally.isReady ? [200, 'ready\n'] : [503, `not ready: ${missing(tally).join(', ')}\n`];
  if (path === '/metrics') return [200, metricsText(tally), METRICS_TYPE];
  return [404, 'there are /live, /ready and /metrics\n'];
}

const missing = ({ hasLedger, hasToken, isStopping }: Tally): readonly string[] => [
  ...(hasLedger ? [] : ['the ledger is not reached']),
  ...(hasToken ? [] : ['the service has given no token']),
  ...(isStopping ? ['it is stopping'] : []),
];

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(text);
}
