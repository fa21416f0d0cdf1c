/** The practice service as a process that can be killed and measured, outside any test runner. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { paybatchCommand, programEnv } from '../desk/program.ts';
import type { LoadRoute } from './load-requests.ts';

/** The kernel counts processor time in hundredths of a second on every Linux that runs Node.js. */
const TICKS_PER_SECOND = 100;

/** `paybatch sandbox` in a process of its own, with its books in a folder. */
export interface Service {
  readonly process: ChildProcess;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken: string;
  readonly routes: readonly LoadRoute[];
}

/** Starts the service; its books and its home are in the folder. */
export async function startService(folder: string): Promise<Service> {
  const [program = '', ...argv] = [...paybatchCommand, 'sandbox', '--json', '--folder', path.join(folder, 'books')];
  const env = { ...programEnv, HOME: folder, PAYBATCH_HOME: path.join(folder, 'home') };
  const child = spawn(program, argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  if (!said.includes('\n')) throw new Error('The practice service ended before it was ready.');
  return { process: child, ...(JSON.parse(said) as Omit<Service, 'process'>) }; // the line that the command promises
}

/** Ends it without warning. Returns when it is gone. */
export async function kill({ process: child }: Service): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Processor seconds that a process has used in user and in system mode; undefined where there is no /proc. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  // The name of the program stands in parentheses and may hold spaces; user and system time are the 12th and 13th after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
