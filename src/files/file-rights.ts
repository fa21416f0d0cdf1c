/**
 * Who owns a file, who could have written its content, and who can read it. On POSIX this follows from owner and rights of
 * the file that was opened, and from the owners of the links that led there; on Windows from the access list of its path
 * (`windows-access.ts`).
 */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { typedPath } from '../domain/typed-path.ts';
import { othersAccess } from './windows-access.ts';

/** Permission bits of the group and of all others: to write, and to read. */
const WRITE = { group: 0o020, others: 0o002 } as const;
const READ = { group: 0o040, others: 0o004 } as const;

/** Most links that are followed, as many as the system itself follows. */
const LINKS_MAX = 40;

/** Returns the number of the user of this process; `undefined` on Windows. */
export const ownUserId = (): number | undefined => process.geteuid?.();

/**
 * Reports whether an owner is the user of this process. Root counts as the user: it mounts configuration and secrets, and
 * could do anything anyway.
 */
const isOwn = (owner: number): boolean => owner === ownUserId() || owner === 0;

/** Returns in words who else could have written a file; `undefined` if only its user and root could. */
export function whoElseWrites(file: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): string | undefined {
  if (ownUserId() === undefined) return othersAccess(file).write;
  if (!isOwn(uid)) return `it belongs to another user (number ${uid})`;
  if ((mode & WRITE.others) !== 0) return `everyone on this machine can write to it (mode ${rightsText(mode)})`;
  return (mode & WRITE.group) === 0 ? undefined : `its group can write to it (mode ${rightsText(mode)})`;
}

/**
 * Returns in words who else can read a file; `undefined` if no one else can. If root owns the file, its group may read it:
 * that is how secrets are mounted for a process that does not run as root.
 */
export function whoElseReads(
  file: string,
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
): string | undefined {
  if (ownUserId() === undefined) return othersAccess(file).read;
  if ((mode & READ.others) !== 0) return `everyone on this machine can read it (mode ${rightsText(mode)})`;
  const isMounted = uid === 0 && (ownUserId() !== 0 || gid === 0);
  return (mode & READ.group) === 0 || isMounted ? undefined : `its group can read it (mode ${rightsText(mode)})`;
}

/**
 * Returns the first link on the way to a file that belongs to another user; `undefined` if there is none. Links of root are
 * trusted.
 */
export function foreignLink(file: string): string | undefined {
  if (ownUserId() === undefined) return undefined;
  let [reached, ahead] = [path.parse(file).root, partsOf(file)];
  for (let links = 0; ahead.length > 0 && links < LINKS_MAX; ) {
    const [name = '', ...rest] = ahead;
    const next = path.resolve(reached, name);
    const found = lstatSync(next, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() !== true) {
      [reached, ahead] = [next, rest];
      continue;
    }
    if (!isOwn(found.uid)) return next;
    // The kernel's own links (/proc/self/fd) lead to targets that no path can name.
    if (next.startsWith('/proc/')) return undefined;
    links += 1;
    const target = readlinkSync(next);
    [reached, ahead] = path.isAbsolute(target)
      ? [path.parse(target).root, [...partsOf(target), ...rest]]
      : [reached, [...partsOf(target), ...rest]];
  }
  return undefined;
}

const partsOf = (file: string): readonly string[] => file.split(path.sep).filter((part) => part !== '' && part !== '.');

/** Returns the command that removes everyone's access to a file except its user's. */
export const forMeAlone = (file: string): string =>
  ownUserId() === undefined
    ? `icacls ${typedPath(file)} /inheritance:r /grant:r "%USERNAME%:F"`
    : `chmod 600 ${typedPath(file)}`;

/** Returns the rights in the form that `chmod` takes. */
export const rightsText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');
