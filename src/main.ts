#!/usr/bin/env node
/** The executable: starts the command line with this process's argv, streams, environment and clock, and sets the exit code. */
// Closes what Node.js would reveal about this process to others, before anything else is loaded: SIGUSR1 opens its inspector
// to every user of the machine, and a diagnostic report holds the environment. Core dumps cannot be turned off from here.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
process.report.excludeEnv = true;

try {
  await import('./require-node.ts');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
// Loaded only now, because an older Node.js could not even parse the modules that `start.ts` imports.
const { start } = await import('./cli/start.ts');
await start();

export {};
