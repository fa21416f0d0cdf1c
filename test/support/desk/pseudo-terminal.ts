/** A command in a real pseudo-terminal, driven by python3: what a person sees and types. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { needs } from '../needs.ts';
import { childEnv } from './child.ts';
import type { Desk } from './command-line.ts';
import { paybatchCommand } from './program.ts';

const candidates = ['/usr/bin/python3', 'python3'];
const python = candidates.find((command) => spawnSync(command, ['-c', 'import pty, select, termios']).status === 0);

/** For `beforeEach`, or the first line of a test. */
export const needsPseudoTerminal = needs(python !== undefined, 'python3 with its module pty');

/**
 * Prints all that the terminal shows, does what each line of its own input says (type a text once the command reads single keys, or at once where it asks in
 * plain lines; send a signal; close the window),
 * and ends as the command did.
 * A command that takes longer than anybody would wait is killed.
 */
const DRIVER = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
command, plain = json.loads(sys.argv[1]), sys.argv[3] == 'plain'
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 30, int(sys.argv[2]), 0, 0))
    os.execv(command[0], command)
deadline, sources = time.time() + 50, [terminal, 0]
while time.time() < deadline:
    ready = select.select(sources, [], [], 0.5)[0]
    if 0 in ready:
        line = sys.stdin.buffer.readline()
        if line:
            said = json.loads(line)
            if 'close' in said:
                os.close(terminal)
                break
            elif 'send' in said:
                os.kill(pid, signal.Signals[said['send']])
            else:
                while not plain and termios.tcgetattr(terminal)[3] & termios.ICANON and time.time() < deadline:
                    time.sleep(0.005)
                os.write(terminal, said['type'].encode())
        else:
            sources.remove(0)
    if terminal in ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            chunk = b''
        if not chunk:
            break
        os.write(1, chunk)
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
`;

/** A signal to the command, as its terminal sends one for Ctrl-C while no prompt has taken the keys over. */
interface Sent {
  readonly send: 'SIGINT' | 'SIGTERM';
}

/** The window is closed: the system tells the command, and nothing that it writes arrives anywhere. */
interface Closed {
  readonly close: true;
}

/** A text to wait for, and what is typed or sent when it shows. */
export type Step = readonly [waitFor: string, then: string | Sent | Closed | (() => Promise<string>)];

export interface Shown {
  readonly exit: number;
  readonly screen: string;
}

/** Starts paybatch in a pseudo-terminal. */
export async function onTerminal(
  desk: Desk,
  argv: readonly string[],
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
  columns = 100,
): Promise<Shown> {
  if (!python) throw new Error('there is no pseudo-terminal');
  const driver = spawn(
    python,
    [
      '-c',
      DRIVER,
      JSON.stringify([...paybatchCommand, ...desk.typed(argv)]),
      String(columns),
      env['PAYBATCH_ACCESSIBLE'] === undefined ? 'drawn' : 'plain',
    ],
    {
      cwd: desk.folder,
      env: childEnv(desk, env),
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const left = [...steps];
  let screen = '';
  driver.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [step] = left;
    if (!step || !screen.includes(step[0])) return;
    left.shift();
    void answerOf(step).then((answer) => driver.stdin.write(`${JSON.stringify(answer)}\n`));
  });
  const [exit] = (await once(driver, 'close')) as [number];
  return { exit, screen };
}

async function answerOf([, then]: Step): Promise<Sent | Closed | { readonly type: string }> {
  if (typeof then === 'object') return then;
  return { type: typeof then === 'string' ? then : await then() };
}
