/** The command line as a process of its own, for what only a process can show: signals, sudden death, a terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type Desk, type Said, saidOf } from './command-line.ts';
import { paybatchCommand, programEnv } from './program.ts';

/** The environment of a child: nothing of ours but what every program needs. */
export const childEnv = (desk: Desk, env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...programEnv,
  HOME: desk.folder,
  XDG_CONFIG_HOME: desk.path('config'),
  TERM: 'xterm-256color',
  ...desk.env,
  ...env,
});

export class Child {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<number>;

  constructor(desk: Desk, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [command = '', ...args] = [...paybatchCommand, ...desk.typed(argv)];
    this.process = spawn(command, args, {
      cwd: desk.folder,
      env: childEnv(desk, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#ended = once(this.process, 'close').then(([code]) => (typeof code === 'number' ? code : -1));
    onTestFinished(async () => {
      if (this.process.exitCode === null) this.process.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** Resolves when stdout holds a text that matches; rejects when the process ends first. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stdout)) {
      const chunk = this.process.stdout && once(this.process.stdout, 'data').then(() => true);
      const more = await Promise.race([chunk, this.#ended.then(() => false)]);
      if (!more && !pattern.test(this.stdout))
        throw new Error(`it ended before ${pattern}:\n${this.stdout}${this.stderr}`);
    }
  }

  /** Resolves when the process has ended; -1: it was killed. */
  async end(): Promise<Said> {
    const exit = await this.#ended;
    return saidOf(exit, this.stdout, this.stderr);
  }

  kill(signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void {
    this.process.kill(signal);
  }
}
