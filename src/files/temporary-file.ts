/** Files that have no name yet: what is written stands beside its place until it is whole. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';

/** Only the owner reads it: names and account numbers. So it is with a folder that is made for such files. */
const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** Enough for a full disk, or a used up quota, to show. */
const TRIAL_BYTES = 65_536;

export interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Opens a new file in the folder. A folder that is missing is made, for its owner alone; one that is there stays as it is. One above it that is missing is a slip of the pen, or
 * a disk that is not there, and rejects with the error of the system.
 */
export async function openTemporary(folder: string): Promise<TemporaryFile> {
  const file = path.join(folder, `.paybatch-${randomUUID()}.tmp`);
  const opened = async (): Promise<TemporaryFile> => ({ path: file, handle: await open(file, 'wx', OWNER_ONLY) });
  try {
    return await opened();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    // Where it is there and takes no file all the same, the first error says why.
    await mkdir(folder, { mode: FOLDER_OWNER_ONLY }).catch(() => {
      throw error;
    });
    return opened();
  }
}

/** What the system's own words mean for a folder. */
const troubles = new Map([
  ['EACCES', 'you have no right to write there'],
  ['EPERM', 'you have no right to write there'],
  ['EROFS', 'its disk can only be read'],
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'your share of its disk is used up'],
  ['ENOTDIR', 'it is not a folder'],
  ['ENOENT', 'there is no such folder, and none can be made there'],
]);

/** Why nothing can be written to a folder, in words and as the system said it. */
export interface FolderTrouble {
  readonly why: string;
  readonly cause: unknown;
}

/**
 * Why nothing can be written to the folder; undefined when it can. A file is really written there and removed: rights
 * do not tell of a full disk, a share or an administrator.
 */
export async function folderTrouble(folder: string): Promise<FolderTrouble | undefined> {
  try {
    const { path: file, handle } = await openTemporary(folder);
    try {
      await handle.writeFile(Buffer.alloc(TRIAL_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return { why: troubles.get(String(cause.code)) ?? cause.message, cause };
  }
}

/** Throws a Fault `file-unwritten` (exit 2) when nothing can be written to the folder for the results. */
export async function requireFolder(folder: string): Promise<void> {
  const trouble = await folderTrouble(folder);
  if (trouble === undefined) return;
  throw new Fault(
    'file-unwritten',
    `The results cannot be written to ${folder}: ${trouble.why}. Nothing was sent.`,
    'Put that right, or choose another folder for the results: --out DIR.',
    { cause: trouble.cause },
  );
}
