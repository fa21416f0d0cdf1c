/**
 * Whose a file is: who could have written what stands in it, and who can read it. On POSIX by owner and rights of the file that
 * was opened, and by the owners of the links that led there; on Windows by the access list of its path (`windows-access.ts`).
 */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { typedPath } from '../domain/typed-path.ts';
import { othersAccess } from './windows-access.ts';

/** `GROUP` and `OTHERS`: rights to write, and to read. */
const WRITE = { group: 0o020, others: 0o002 } as const;
const READ = { group: 0o040, others: 0o004 } as const;

/** As many as the system itself follows. */
const LINKS_MAX = 40;

/** The user of this process as the system counts; undefined on Windows. */
export const ownUserId = (): number | undefined => process.geteuid?.();

/** The administrator counts as the user: he mounts configuration and secrets, and could do anything anyway. */
const isOwn = (owner: number): boolean => owner === ownUserId() || owner === 0;

/** Who else could have written a file, in words; undefined: nobody but its user and the administrator. */
export function whoElseWrites(file: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): string | undefined {
  if (ownUserId() === undefined) return othersAccess(file).write;
  if (!isOwn(uid)) return `it belongs to another user (number ${uid})`;
  if ((mode & WRITE.others) !== 0) return `everybody on this machine may write to it (rights ${rightsText(mode)})`;
  return (mode & WRITE.group) === 0 ? undefined : `its group may write to it (rights ${rightsText(mode)})`;
}

/**
 * Who else can read a file, in words; undefined: nobody. The group of a file of the administrator is his choice: that is how
 * secrets are mounted for a process that is not his.
 */
export function whoElseReads(
  file: string,
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
): string | undefined {
  if (ownUserId() === undefined) return othersAccess(file).read;
  if ((mode & READ.others) !== 0) return `everybody on this machine can read it (rights ${rightsText(mode)})`;
  const isMounted = uid === 0 && (ownUserId() !== 0 || gid === 0);
  return (mode & READ.group) === 0 || isMounted ? undefined : `its group can read it (rights ${rightsText(mode)})`;
}

/** The first link of another user on the way to a file; undefined: there is none. A link of the administrator is his word. */
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
    // The kernel's own links (/proc/self/fd) lead to what no path can say.
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

/** The command that leaves a file to its user alone. */
export const forMeAlone = (file: string): string =>
  ownUserId() === undefined
    ? `icacls ${typedPath(file)} /inheritance:r /grant:r "%USERNAME%:F"`
    : `chmod 600 ${typedPath(file)}`;

/** The rights as `chmod` takes them. */
export const rightsText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');
