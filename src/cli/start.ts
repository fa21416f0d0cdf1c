/** Joins the command line to this process: signals, exit code, and what a bug looks like. */
import { readFileSync } from 'node:fs';
import { exitCode } from '../domain/exit-code.ts';
import { systemClock, systemRandom } from '../system.ts';
import { runCli } from './cli.ts';

/** Runs the command line of this process and sets its exit code. */
export async function start(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // What was claimed is on disk, so leaving at once is as safe as a crash.
      if (stop.signal.aborted) process.exit(name === 'SIGINT' ? exitCode.interrupted : exitCode.terminated);
      process.stderr.write(
        '\nStopping: nothing new is begun, what is on its way is finished first. Once more leaves at once.\n',
      );
      stop.abort(name);
    });
  }
  // Somebody closed the pipe that reads us: there is nobody left to tell, and the ledger has everything.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    process.exitCode = await runCli({
      argv: process.argv.slice(2),
      env: process.env,
      cwd: process.cwd(),
      streams: process,
      clock: systemClock,
      random: systemRandom,
      signal: stop.signal,
      version: ownVersion(),
    });
  } catch (error) {
    process.exitCode = exitCode.bug;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(
      `This is a bug in paybatch. Everything that was sent is in the ledger: paybatch resume goes on safely.\n${text}\n`,
    );
  }
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string }; // our own file
  return version;
}
