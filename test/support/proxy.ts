/** A proxy on loopback as companies have them: it lets tunnels through, and notes where they lead. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface OpenProxy {
  readonly url: string;
  /** Host and port of each tunnel that was asked for, in order. */
  readonly asked: readonly string[];
}

/**
 * Closed after the test. `answer`: the status that a tunnel is refused with, instead of being opened. `leadsTo`: port of this machine
 * that every tunnel ends at, whatever was asked for.
 */
export async function openProxy({ answer, leadsTo }: { answer?: number; leadsTo?: number } = {}): Promise<OpenProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on('connect', (request, client: Socket) => {
    keep(client);
    asked.push(request.url ?? '');
    if (answer !== undefined) return void client.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const there = connect(leadsTo ?? Number(port), leadsTo === undefined ? hostname : '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(client);
      client.pipe(there);
    });
    keep(there);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
