/** Tells by a program of the user's own: its arguments as they stand, no shell, the event as JSON on its standard input. */
import { spawn } from 'node:child_process';
import type { Delivery } from './delivery.ts';
import type { Notification } from './notification.ts';

export interface CommandChannel {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** All that it has of our environment: no secret of ours is in it. */
  readonly env: Readonly<Record<string, string>>;
}

export const tellCommand = (
  { argv, env }: CommandChannel,
  { body }: Pick<Notification, 'body'>,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Delivery> =>
  new Promise((resolve) => {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, {
      env,
      shell: false,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ failed: `it cannot be started (${error.code ?? error.name})` }),
    );
    // Not when its streams are closed: a program that it left behind may hold them.
    child.once('exit', (code, signal) => {
      if (code === 0) resolve({});
      else
        resolve({
          failed: signal === null ? `it ended with ${code}` : `it was ended by ${signal}; its time is ${timeoutMs} ms`,
        });
    });
    // It may end without reading, which is its own business.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${body}\n`);
  });
