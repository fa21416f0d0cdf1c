/** Files that do not have their final name yet: their content is written next to its destination until it is complete. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, Fault, systemCode } from '../domain/fault.ts';

/**
 * Rights of a file, and of a folder that is created for such files: only the owner has access, because they hold names and
 * account numbers.
 */
const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** Bytes of a trial: enough to reveal a full disk or a used-up quota. */
const TRIAL_BYTES = 65_536;

export interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Opens a new file in the folder. A missing folder is created, for its owner only; an existing one stays as it is. If the folder
 * above it is missing, too, the path was mistyped or a disk is not mounted, and the call rejects with the error of the system.
 */
export async function openTemporary(folder: string): Promise<TemporaryFile> {
  const file = path.join(folder, `.paybatch-${randomUUID()}.tmp`);
  const opened = async (): Promise<TemporaryFile> => ({ path: file, handle: await open(file, 'wx', OWNER_ONLY) });
  try {
    return await opened();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // If the folder exists and still takes no file, the first error says why.
    await mkdir(folder, { mode: FOLDER_OWNER_ONLY }).catch(() => {
      throw error;
    });
    return opened();
  }
}

/** What the error codes of the system mean for a folder, and for a file that is to take its name there. */
const troubles = new Map([
  ['EACCES', 'you have no right to write there'],
  ['EPERM', 'you have no right to write there'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'your share of its disk is used up'],
  ['ENOTDIR', 'it is not a folder'],
  ['EISDIR', 'a folder has that name'],
  ['ENOENT', 'there is no such folder, and none can be made there'],
]);

/** Returns why the system wrote nothing, in words. */
export const whyUnwritten = (cause: Error): string => troubles.get(systemCode(cause)) ?? cause.message;

/** Reason why nothing can be written to a folder, in words and as the error of the system. */
export interface FolderTrouble {
  readonly why: string;
  readonly cause: unknown;
}

/**
 * Returns why nothing can be written to the folder; `undefined` if it can. A file is really written there and removed,
 * because rights do not reveal a full disk, a share or an administrator.
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
    if (!(cause instanceof Error)) throw cause;
    return { why: whyUnwritten(cause), cause };
  }
}

/** Throws a Fault `file-unwritten` (exit 2) if nothing can be written to the folder for the results. */
export async function requireFolder(folder: string): Promise<void> {
  const trouble = await folderTrouble(folder);
  if (trouble === undefined) return;
  throw new Fault(
    'file-unwritten',
    `The results cannot be written to ${folder}: ${trouble.why}. Nothing was sent.`,
    'Fix that, or choose another folder for the results: --out DIR.',
    { cause: trouble.cause },
  );
}
