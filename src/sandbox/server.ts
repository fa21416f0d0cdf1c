/** HTTP of the practice service: bodies in, replies out. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';
import type { Received } from './service.ts';

/** Largest body that is read, in bytes: about a thousand order lines. */
const MOST_BODY_BYTES = 1_048_576;

export interface Answering {
  /** Makes the reply to a request. */
  reply(request: Received): Reply;
  /** Makes the reply to a request whose body is too long to be read. */
  tooLong(): Reply;
  /** Calls back when the reply may go out: its changes are written and its delay is over. False: never. */
  whenReady(callback: (ready: boolean) => void): void;
}

/** Reads each request, and sends the reply once it may go out. */
export function listenerOf(answering: Answering): RequestListener {
  return (request, response) => {
    readBody(request, (body) => {
      const reply = body === undefined ? answering.tooLong() : answering.reply(receivedOf(request, body));
      answering.whenReady((ready) => send(response, ready ? reply : undefined));
    });
  };
}

/** Hands over the whole body, or undefined as soon as it is too long. A request that breaks off hands over nothing. */
function readBody(request: IncomingMessage, done: (body: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= MOST_BODY_BYTES) return;
    request.off('data', read).off('end', end).resume();
    done(undefined);
  };
  const end = (): void => done(Buffer.concat(chunks).toString('utf8'));
  request.on('data', read).on('end', end);
}

function receivedOf(request: IncomingMessage, body: string): Received {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    host: request.headers.host,
    origin: request.headers.origin,
    body,
  };
}

function send(response: ServerResponse, reply: Reply | undefined): void {
  if (!reply || reply.dropped) {
    response.socket?.destroy();
    return;
  }
  const { status, body, contentType = 'application/json; charset=utf-8', headers } = reply;
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    ...(length > 0 && { 'content-type': contentType }),
    'content-length': length,
    ...headers,
  });
  response.end(body);
}
