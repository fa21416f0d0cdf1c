/**
 * The frame of every server of ours: how it begins and ends, how long a client may take, and how nobody can hold all of its connections.
 * Whoever it serves, it answers only under its own names, and no page of the web.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { bareHost, isLoopback, isOwnHost } from '../domain/own-host.ts';

/** How long requests that have begun may take once the server is asked to stop. */
const STOP_MS = 2000;

/** What a client may take of a server. */
export interface ClientLimits {
  /** Milliseconds for the request line and the headers. */
  readonly headersMs: number;
  /** Milliseconds for the whole request. */
  readonly requestMs: number;
  /** Milliseconds between two requests on one connection. */
  readonly idleMs: number;
  /** Milliseconds between two looks at the connections: how late the others may count. */
  readonly checkMs: number;
  /** Bytes of all headers of a request. */
  readonly headerBytesMax: number;
}

/** The limits as Node.js calls them. */
export const serverOptions = (limits: ClientLimits): ServerOptions => ({
  headersTimeout: limits.headersMs,
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  connectionsCheckingInterval: limits.checkMs,
  maxHeaderSize: limits.headerBytesMax,
});

export interface ServerFrame {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What to do when the address cannot be had. */
  readonly remedy: string;
  readonly connectionsMax: number;
  /** Connections that we work for: none of them makes room for another one. Missing: every answer is given at once. */
  readonly busy?: ReadonlySet<Socket>;
  /** Told of every connection that had to go. */
  readonly turnedAway?: () => void;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface OpenServer {
  /** `http://HOST:PORT`, as its user names the host. */
  readonly url: string;
  /** Only this machine can reach it. */
  readonly loopback: boolean;
  /** Takes no new connection; requests that have begun have a moment to be answered. */
  close(): Promise<void>;
}

/** Has a server listen. Throws a Fault `usage` when its address cannot be had. */
export async function openServer(server: Server, frame: ServerFrame): Promise<OpenServer> {
  const { host, port, turnedAway = () => undefined } = frame;
  keepRoom(server, frame.connectionsMax, frame.busy ?? new Set(), turnedAway);
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new Fault('usage', `Nothing can listen on ${host}:${port} (${code}).`, frame.remedy, { cause: error });
  }
  // No file handle is left for another connection: whoever it was comes again.
  server.on('error', turnedAway);
  const { address, port: bound } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    loopback: isLoopback(bareHost(address)),
    close: () => closeInTime(server, frame.clock),
  };
}

/**
 * A new connection is always taken: whoever held all of them open would shut the service out. For one too many, the one goes
 * that has been there longest without a request that we work on.
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

/** Answered to who came under a name that is not ours. RFC 9110, "421 Misdirected Request". */
export const MISDIRECTED = 421;

/** The status for a request that no service of ours may take; undefined: it may be for us. `names`: ours besides the address itself. */
export function strangerStatus({ headers, socket }: IncomingMessage, names: readonly string[]): number | undefined {
  // No program has one, and no page of the web can leave it out.
  if (headers.origin !== undefined) return 403;
  return isOwnHost(headers.host, socket.localAddress, names) ? undefined : MISDIRECTED;
}
