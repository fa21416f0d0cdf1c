/** The command line as another user of this machine, as containers and `sudo` start it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { needs } from '../needs.ts';
import { childEnv } from './child.ts';
import { type Desk, type Said, saidOf } from './command-line.ts';
import { paybatchCommand } from './program.ts';

export interface OtherUser {
  readonly uid: number;
  /** His only other group: `fsGroup` of Kubernetes. */
  readonly group: number;
}

const switched = ({ uid, group }: OtherUser): readonly string[] => [
  `--reuid=${uid}`,
  `--regid=${uid}`,
  `--groups=${group}`,
];

/** A number that no user of this machine has a name for, as in most containers. */
export const nameless: OtherUser = { uid: 64_123, group: 64_200 };

/** For `beforeEach`, or the first line of a test. */
export const needsOtherUsers = needs(
  spawnSync('setpriv', [...switched(nameless), 'test', '-r', paybatchCommand.at(-1) ?? '']).status === 0,
  'other users who can read this checkout (an administrator, setpriv)',
);

/** Runs paybatch as that user, with umask 002, as systems with a group for each user set it. */
export function sayAs(
  desk: Desk,
  user: OtherUser,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  return runAs(desk, user, [...paybatchCommand, ...desk.typed(argv)], env);
}

/** What that user is told when a folder of ours is to be made there; empty: nothing, it was made. */
export async function toldAs(desk: Desk, user: OtherUser, folder: string): Promise<string> {
  const program = `import { makeOwnFolder } from ${JSON.stringify(OWN_FOLDER)};
    try { makeOwnFolder(process.argv[1]); } catch ({ message, remedy }) { console.log(message, remedy); }`;
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', program, folder];
  return (await runAs(desk, user, node)).stdout;
}

const OWN_FOLDER = pathToFileURL(
  path.join(import.meta.dirname, '..', '..', '..', 'src', 'files', 'own-folder.ts'),
).href;

async function runAs(
  desk: Desk,
  user: OtherUser,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const child = spawn('setpriv', [...switched(user), 'sh', '-c', 'umask 002 && exec "$@"', 'sh', ...command], {
    cwd: desk.folder,
    env: { ...childEnv(desk), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [exit] = (await once(child, 'close')) as [number | null];
  return saidOf(exit ?? -1, stdout, stderr);
}
