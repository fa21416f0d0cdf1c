/** A disk that can only be read, or run no programs, for one command: rights bind root nowhere, a mount that is the command's own does. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { needs } from '../needs.ts';
import { childEnv } from './child.ts';
import { type Desk, type Said, saidOf } from './command-line.ts';
import { paybatchCommand } from './program.ts';

const UNSHARED = ['-Urm'] as const;

/** For `beforeEach`, or the first line of a test. */
export const needsOwnMounts = needs(
  spawnSync('unshare', [...UNSHARED, 'true']).status === 0,
  'mounts of its own (unshare -Urm)',
);

/** Runs paybatch while this folder of the desk lies on a disk that can only be read. */
export const onReadOnlyDisk = (desk: Desk, folder: string, argv: readonly string[]): Promise<Said> =>
  onDisk(desk, { folder, option: 'ro' }, argv);

/** Runs paybatch while a folder, of the desk or a whole path, lies on a disk that is mounted with this option. */
export async function onDisk(
  desk: Desk,
  { folder, option }: { readonly folder: string; readonly option: 'ro' | 'noexec' },
  argv: readonly string[],
): Promise<Said> {
  const script = 'mount --bind "$0" "$0" && mount -o "remount,bind,$1" "$0" && shift && exec "$@"';
  const command = [...UNSHARED, 'bash', '-c', script, folder, option, ...paybatchCommand, ...desk.typed(argv)];
  const child = spawn('unshare', command, { cwd: desk.folder, env: childEnv(desk), stdio: ['ignore', 'pipe', 'pipe'] });
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
