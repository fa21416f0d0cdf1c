/** Servers on loopback that answer exactly what a test wants, well-behaved or not. */
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived, with its whole body. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answering = (request: Arrived, response: ServerResponse, socket: Socket) => void | Promise<void>;

/** An HTTP server, closed after the test. `arrived` grows with every whole request. */
export async function serve(answer: Answering): Promise<{ readonly url: string; readonly arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const server = createHttpServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const { authorization } = request.headers;
      const one = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        authorization,
        headers: request.headers,
        body,
      };
      arrived.push(one);
      return answer(one, response, request.socket);
    });
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: await listening(server), arrived };
}

/** A TCP server, closed after the test with all its connections. */
export async function serveTcp(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that goes away first resets the connection: that is what these tests are about.
    socket.on('error', () => socket.destroy());
    connected(socket);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return listening(server);
}

/** Address of a port on which nobody listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return url;
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
