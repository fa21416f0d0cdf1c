/** A mail server on loopback, as small as one can be. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a mail server says to a line. */
const answerTo = (line: string, refuse: string | undefined): string => {
  if (refuse !== undefined && line.startsWith(refuse)) return '550 no';
  if (line === 'DATA') return '354 go on';
  return line === 'QUIT' ? '221 bye' : '250 well';
};

/** A mail server as small as one can be, and what it was told, line by line. */
export async function mailServer(
  refuse?: string,
  host = '127.0.0.1',
): Promise<{ readonly url: string; readonly lines: string[] }> {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let inText = false;
    let rest = '';
    socket.write('220 here\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const whole = `${rest}${chunk}`.split('\r\n');
      rest = whole.pop() ?? '';
      for (const line of whole) {
        lines.push(line);
        inText = line === 'DATA' || (inText && line !== '.');
        if (!inText || line === 'DATA') socket.write(`${answerTo(line, refuse)}\r\n`);
      }
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `smtp://${host}:${typeof address === 'object' ? address?.port : ''}`, lines };
}
