/** paybatch as a process of its own that can be killed, with what it told so far. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

type ChildEvent = Readonly<Record<string, unknown>>;

const here = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(here), '..', '..', `main${path.extname(here)}`);

export class Child {
  readonly #process: ChildProcess;
  readonly #closed: Promise<void>;
  readonly events: ChildEvent[] = [];
  #rest = '';
  #heard: (() => void) | undefined;

  /** Starts a command with `--json`. The environment is all that it inherits. */
  constructor(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.#process = spawn(process.execPath, ['--no-warnings', main, ...argv, '--json'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#closed = once(this.#process, 'close').then(() => this.#heard?.());
  }

  /** Resolves once it has told `count` events of a type, or has ended. */
  async until(type: string, count: number): Promise<void> {
    const told = (): number => this.events.filter((event) => event['type'] === type).length;
    while (told() < count && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Its exit code; undefined when it was killed. */
  async ended(): Promise<number | undefined> {
    await this.#closed;
    return this.#process.exitCode ?? undefined;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.events.push(JSON.parse(line) as ChildEvent); // our own lines
    this.#heard?.();
  }
}
