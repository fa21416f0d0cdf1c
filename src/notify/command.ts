/**
 * Notifies through a program of the user's own: with its arguments as written, without a shell, and with the event as JSON on
 * its standard input.
 */
import { spawn } from 'node:child_process';
import type { Delivery, Notification } from './notification.ts';

export interface CommandChannel {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** The whole environment of the program. It holds none of paybatch's secrets. */
  readonly env: Readonly<Record<string, string>>;
}

export const notifyByCommand = (
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
    // Not when its streams are closed, because a process that the program left behind may keep them open.
    child.once('exit', (code, signal) => {
      if (code === 0) resolve({});
      else
        resolve({
          failed:
            signal === null
              ? `it ended with ${code}`
              : `it was stopped by ${signal}; its time limit is ${timeoutMs} ms`,
        });
    });
    // The program may end without reading its input, which is not a failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${body}\n`);
  });
