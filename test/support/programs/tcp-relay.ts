/**
 * Passes connections on, byte for byte: `tcp-relay.ts FROM TO [LOG]`, each a port of 127.0.0.1, `HOST:PORT`, or the path of a socket.
 * Two network namespaces that share a disk meet at such a socket. LOG: a line for each submission of an order that came through,
 * with the time in milliseconds.
 */
import { appendFileSync } from 'node:fs';
import { connect, createServer, type ListenOptions } from 'node:net';

const [from = '', to = '', log] = process.argv.slice(2);

function placeOf(text: string): ListenOptions & { port?: number; path?: string } {
  if (text.startsWith('/')) return { path: text };
  const [host = '127.0.0.1', port = ''] = text.includes(':') ? text.split(':') : ['127.0.0.1', text];
  return { host, port: Number(port) };
}

createServer((socket) => {
  const onward = connect(placeOf(to) as Parameters<typeof connect>[0]);
  if (log !== undefined)
    socket.on('data', (bytes) => {
      if (bytes.includes('/new-order')) appendFileSync(log, `${Date.now()}\n`);
    });
  socket.pipe(onward).pipe(socket);
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}).listen(placeOf(from), () => process.stdout.write('ready\n'));
