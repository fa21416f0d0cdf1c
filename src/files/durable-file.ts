/**
 * Small files that survive a power cut. Their bytes are synced before they have their name, and the name after that, so who
 * looks finds the old content or the new one, whole. All of them are for their owner alone.
 */
import { closeSync, fsync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { prepareFolder, syncFolder, syncFolderAsync } from './folders.ts';

const FILE_MODE = 0o600;

/** Makes a file, durably. Throws what the disk says, also when there is one of its name. */
export function createDurably(file: string, text: string): void {
  writeSynced(file, 'wx', text);
  syncFolder(dirname(file));
}

/** Puts a file in the place of an older one, durably. `draft`: the name that it has until it is whole. Throws what the disk says. */
export function replaceDurably(file: string, draft: string, content: string | Uint8Array): void {
  writeSynced(draft, 'w', content);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

function writeSynced(file: string, flags: 'w' | 'wx', content: string | Uint8Array): void {
  const handle = openSync(file, flags, FILE_MODE);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What `replaceOn` asks of a file system. */
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
 * The machine's own files. A sync waits for the disk, and is handed to another thread; to hand over the other calls as well would take
 * several times as long as they do.
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

/** The same as `replaceDurably` on a file system that is given, without holding up the process; the folder is made when it is missing. */
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
  // A power cut could bring the content before back.
  await files.syncFolder(dirname(path));
}
