/**
 * Ends as soon as the service has been asked for an order by a command that is started here: `first-look-up.ts URL MAIN …`. What the
 * command does afterwards is not measured, and it is ended.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [url = '', ...argv] = process.argv.slice(2);
const asked = fetch(new URL('/first-look-up', url));
const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
const ended = once(child, 'close');
const first = await Promise.race([asked.then(() => 'asked'), ended.then(([code]) => `ended with ${code}`)]);
child.kill('SIGKILL');
await ended;
if (first !== 'asked') throw new Error(`It asked for no order, and ${first}.`);
