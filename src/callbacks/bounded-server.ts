/** A server of ours that strangers may connect to: how it begins and ends, and how nobody can hold all of its connections. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';

/** How long requests that have begun may take once the server is asked to stop. */
const STOP_MS = 2000;

/**
 * A new connection is always taken: whoever held all of them open would shut the service out. For one too many, the one goes
 * that has been there longest without a request that we work on.
 */
export function keepRoom(server: Server, most: number, busy: ReadonlySet<Socket>, turnedAway: () => void): void {
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

/** Listens; `remedy`: of the Fault `usage` when the address cannot be had. */
export async function listen(server: Server, host: string, port: number, remedy: string): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new Fault('usage', `Nothing can listen on ${host}:${port} (${code}).`, remedy, { cause: error });
  }
}

/** Takes no new connection; requests that have begun have a moment to be answered. */
export async function closeInTime(server: Server, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const inTime = new AbortController();
  const late = clock.sleep(STOP_MS, inTime.signal).then(() => server.closeAllConnections());
  await closed;
  inTime.abort();
  await late;
}
