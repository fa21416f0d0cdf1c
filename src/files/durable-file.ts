/**
 * Small files that survive a power cut. First their bytes are synced, then their name. A file that is replaced keeps its old
 * content until the new one is complete on disk, so a reader finds one or the other. Only the owner has access to these files.
 */
import { closeSync, fsync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { prepareFolder, syncFolder, syncFolderAsync } from './folders.ts';

const FILE_MODE = 0o600;

/** Creates a file, durably. Throws the error of the system, also if a file of that name exists. */
export function createDurably(file: string, text: string): void {
  writeSynced(file, text);
  syncFolder(dirname(file));
}

/**
 * Replaces a file, or creates it, durably. Until the new content is complete, it is in a draft next to the file, whose name
 * holds the number of this process. Anything that already has that name, such as a link that somebody put there, is removed
 * and never followed. Throws the error of the system.
 */
export function replaceDurably(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  try {
    writeSynced(draft, content);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

/** Removes the drafts that killed processes left of a file that they were replacing. */
export function removeDrafts(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(name) && /^\.\d+\.draft$/.test(entry.slice(name.length)))
      rmSync(join(folder, entry), { force: true });
  }
}

function writeSynced(file: string, content: string | Uint8Array): void {
  const handle = openSync(file, 'wx', FILE_MODE);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The operations that `replaceOn` needs of a file system. */
export interface DurableFiles {
  readonly open: (file: string, flags: 'w', mode: number) => Promise<FileDraft>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly prepareFolder: (folder: string) => void;
  readonly syncFolder: (folder: string) => Promise<void>;
}

export interface FileDraft {
  readonly writeFile: (text: string) => Promise<void>;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const synced = promisify(fsync);

/**
 * The machine's own file system. A sync waits for the disk and is handed to another thread. Handing over the other calls as
 * well would take several times as long as the calls themselves.
 */
export const ownDurableFiles: DurableFiles = {
  async open(file, flags, mode) {
    const handle = openSync(file, flags, mode);
    return {
      writeFile: async (text) => writeFileSync(handle, text),
      sync: () => synced(handle),
      close: async () => closeSync(handle),
    };
  },
  rename: async (from, to) => renameSync(from, to),
  prepareFolder,
  syncFolder: syncFolderAsync,
};

/**
 * Like `replaceDurably`, but asynchronous, on a given file system and through a given draft. Creates the folder if it is missing.
 */
export async function replaceOn(files: DurableFiles, path: string, draft: string, text: string): Promise<void> {
  files.prepareFolder(dirname(path));
  const handle = await files.open(draft, 'w', FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await files.rename(draft, path);
  // Without this, a power cut could bring back the old content.
  await files.syncFolder(dirname(path));
}
