#!/usr/bin/env node
/** The bin: hands argv, streams, environment and clock to the command line, and sets the exit code. */
// What Node.js would tell others of this process, before anything else is loaded: SIGUSR1 opens its inspector to every user of the
// machine, and a diagnostic report holds the environment. Core dumps cannot be turned off from here.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
process.report.excludeEnv = true;

try {
  await import('./require-node.ts');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
// Loaded only now: an older Node.js could not even read what these import.
const { start } = await import('./cli/start.ts');
await start();

export {};
