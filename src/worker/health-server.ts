/**
 * Reports how a worker is doing to the system that monitors it: `/live`, `/ready` and `/metrics`. It takes no input, names no
 * person, batch or account, and answers only under its own address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import { MISDIRECTED, openServer, serverOptions, strangerStatus } from '../server/bounded-server.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import type { Tally } from './tally.ts';

/** Limits for a client. A monitor sends its request immediately, and comes back every few seconds. */
const LIMITS = { headersMs: 5000, requestMs: 5000, idleMs: 5000, checkMs: 1000, headerBytesMax: 8192 } as const;
const CONNECTIONS_MAX = 32;

export interface HealthServer extends AsyncDisposable {
  /** Address of the server, without a path. */
  readonly url: string;
}

/** Starts listening. Throws a Fault `usage` if the address is not available. */
export async function startHealthServer(
  host: string,
  port: number,
  { tally, clock }: { readonly tally: Tally; readonly clock: Pick<Clock, 'sleep'> },
): Promise<HealthServer> {
  const server = createServer(serverOptions(LIMITS), (request, response) => {
    // No request here needs a body.
    request.resume();
    answer(response, ...answerTo(request, host, tally));
  });
  const remedy = 'Choose another address: --health 9100';
  const { url, close } = await openServer(server, { host, port, remedy, connectionsMax: CONNECTIONS_MAX, clock });
  return { url, [Symbol.asyncDispose]: close };
}

type Answer = readonly [status: number, text: string, type?: string];

function answerTo(request: IncomingMessage, host: string, tally: Tally): Answer {
  const { method = '', url = '' } = request;
  const stranger = strangerStatus(request, [host]);
  if (stranger === MISDIRECTED) return [stranger, 'another name than ours\n'];
  if (stranger !== undefined) return [stranger, 'no page of the web is answered\n'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'only GET is answered\n'];
  const [path] = url.split('?', 1);
  if (path === '/live') return [200, 'live\n'];
  if (path === '/ready') return tally.isReady ? [200, 'ready\n'] : [503, `not ready: ${missing(tally).join(', ')}\n`];
  if (path === '/metrics') return [200, metricsText(tally), METRICS_TYPE];
  return [404, 'there are /live, /ready and /metrics\n'];
}

const missing = ({ hasLedger, hasToken, isStopping }: Tally): readonly string[] => [
  ...(hasLedger ? [] : ['the ledger is not reached']),
  ...(hasToken ? [] : ['the service has not issued a token']),
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
