/**
 * The frame of all our servers: how they begin and end, how long a client may take, and how no client can hold all
 * connections. Every server answers only under its own names, and never to a page of the web.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { Fault, systemCode } from '../domain/fault.ts';
import { bareHost, isLoopback, isOwnHost } from '../domain/own-host.ts';

/** How long requests that have begun may take once the server is asked to stop, in milliseconds. */
const STOP_MS = 2000;

/** Limits on what a client may take of a server. */
export interface ClientLimits {
  /** Milliseconds for the request line and the headers. */
  readonly headersMs: number;
  /** Milliseconds for the whole request. */
  readonly requestMs: number;
  /** Milliseconds between two requests on one connection. */
  readonly idleMs: number;
  /** Milliseconds between two checks of the connections: the other limits may apply this much later. */
  readonly checkMs: number;
  /** Bytes of all headers of a request. */
  readonly headerBytesMax: number;
}

/** Returns the limits as Node.js calls them. */
export const serverOptions = (limits: ClientLimits): ServerOptions => ({
  headersTimeout: limits.headersMs,
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  connectionsCheckingInterval: limits.checkMs,
  maxHeaderSize: limits.headerBytesMax,
});

export interface ServerFrame {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What to do if the address is not available. */
  readonly remedy: string;
  readonly connectionsMax: number;
  /** Connections that the server is working for: none of them makes room for another one. Absent if every answer is given immediately. */
  readonly busy?: ReadonlySet<Socket>;
  /** Called for every connection that had to go. */
  readonly turnedAway?: () => void;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface OpenServer {
  /** `http://HOST:PORT`, with the host as the caller names it. */
  readonly url: string;
  /** Whether only this machine can reach the server. */
  readonly loopback: boolean;
  /** Takes no new connections; requests that have begun get a moment to be answered. */
  close(): Promise<void>;
}

/** Makes a server listen. Throws a Fault `usage` if its address is not available. */
export async function openServer(server: Server, frame: ServerFrame): Promise<OpenServer> {
  const { host, port, turnedAway = () => undefined } = frame;
  keepRoom(server, frame.connectionsMax, frame.busy ?? new Set(), turnedAway);
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const says = `Nothing can listen on ${host}:${port} (${systemCode(error)}).`;
    throw new Fault('usage', says, frame.remedy, { cause: error });
  }
  // There was no file handle left for another connection; that client will come again.
  server.on('error', turnedAway);
  const { address, port: bound } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    loopback: isLoopback(bareHost(address)),
    close: () => closeInTime(server, frame.clock),
  };
}

/**
 * Keeps room for new connections, which are always taken: otherwise a client that holds all of them open would shut the
 * service out. For one too many, the connection is closed that has been there longest without a request in progress.
 */
function keepRoom(server: Server, most: number, busy: ReadonlySet<Socket>, turnedAway: () => void): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= most) return;
    const idlest = [...open].find((one) => !busy.has(one)) ?? socket;
    open.delete(idlest);
    idlest.destroy();
    turnedAway();
  });
}

async function closeInTime(server: Server, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const inTime = new AbortController();
  const late = clock.sleep(STOP_MS, inTime.signal).then(() => server.closeAllConnections());
  await closed;
  inTime.abort();
  await late;
}

/** The status for a client that came under a name that is not ours. RFC 9110, "421 Misdirected Request". */
export const MISDIRECTED = 421;

/**
 * Returns the status for a request that our servers must not take; `undefined` if it may be for us. `names`: our names
 * in addition to the address itself.
 */
export function strangerStatus({ headers, socket }: IncomingMessage, names: readonly string[]): number | undefined {
  // Programs do not send an `Origin` header, and a page of the web cannot leave it out.
  if (headers.origin !== undefined) return 403;
  return isOwnHost(headers.host, socket.localAddress, names) ? undefined : MISDIRECTED;
}
