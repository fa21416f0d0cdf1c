/** Connects the command line to this process: signals, exit code, and the report of a bug. */
import { readFileSync } from 'node:fs';
import type { Clock } from '../domain/clock.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Secrets } from '../domain/secrets.ts';
import { shown } from '../domain/shown-text.ts';
import { pictureDrawer } from '../results/pictures/draw-picture.ts';
import { systemClock, systemRandom } from '../system.ts';
import { runCli } from './cli.ts';
import { folded } from './screens/columns.ts';

/** The signals that ask this process to stop, and the signal that each counts as. A closed window (SIGHUP) is not a Ctrl-C. */
const signals = [
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGHUP', 'SIGTERM'],
] as const;

const STOPPING =
  'Stopping: nothing new is sent, and requests in flight are finished first. Interrupt again to leave immediately.';

/**
 * Runs the command line of this process and sets its exit code. `clock`: the clock of everything that it does; the programs of the
 * campaigns speed it up.
 */
export async function start(clock: Clock = systemClock): Promise<void> {
  const [stop, leave] = [new AbortController(), new AbortController()];
  for (const [name, meaning] of signals) {
    process.on(name, () => {
      // Every claim is on disk, so leaving immediately is as safe as a crash.
      if (leave.signal.aborted) process.exit(meaning === 'SIGINT' ? exitCode.interrupted : exitCode.terminated);
      if (stop.signal.aborted) return leave.abort(meaning);
      process.stderr.write(`\n${folded(STOPPING, process.stderr.columns ?? Number.POSITIVE_INFINITY).join('\n')}\n`);
      stop.abort(meaning);
    });
  }
  outliveStreams();
  const secrets = new Secrets();
  try {
    process.exitCode = await runCli({
      argv: process.argv.slice(2),
      env: process.env,
      cwd: process.cwd(),
      streams: process,
      clock,
      random: systemRandom,
      pictures: pictureDrawer,
      signal: stop.signal,
      leave: leave.signal,
      version: ownVersion(),
      secrets,
    });
    // The command that was left would keep running until the process ends.
    if (leave.signal.aborted) process.stdout.write('', () => process.exit());
  } catch (error) {
    process.exitCode = exitCode.bug;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = secrets.hide(text).split('\n').map(shown);
    process.stderr.write(
      `This is a bug in paybatch. Everything that was sent is in the ledger: it is safe to run paybatch resume.\n${lines.join('\n')}\n`,
    );
  }
}

/**
 * Lets the work continue after an output stream has failed: payments must not stop because of a line about them, and the
 * ledger has everything. If stdout lost lines, an exit code that says that all is well is changed: a reader of the answer
 * must not take what arrived for all of it.
 */
function outliveStreams(): void {
  let isAnswerLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'write') throw error;
      // A person who closed the pipe or the window wants no more of the answer. A full or failing disk has lost it.
      const isUnwanted = error.code === 'EPIPE' || stream.isTTY;
      if (stream === process.stdout && !isUnwanted) isAnswerLost = true;
    });
  }
  process.once('exit', (code) => {
    if (isAnswerLost && (code === exitCode.ok || code === exitCode.someNotPaid)) {
      process.exitCode = exitCode.reportUnwritten;
    }
  });
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string }; // paybatch's own file
  return version;
}
