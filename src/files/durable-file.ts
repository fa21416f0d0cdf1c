/**
 * Small files that survive a power cut. Their bytes are synced before they have their name, and the name after that, so who
 * looks finds the old content or the new one, whole. All of them are for their owner alone.
 */
import { closeSync, fsync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { prepareFolder, syncFolder, syncFolderAsync } from './folders.ts';

const FILE_MODE = 0o600;

/** Makes a file, durably. Throws what the disk says, also when there is one of its name. */
export function createDurably(file: string, text: string): void {
  writeSynced(file, text);
  syncFolder(dirname(file));
}

/**
 * Puts a file in the place of an older one, durably. Until it is whole, it stands beside it under a name of this process; what has that
 * name already, as a link that somebody put there, is removed and never followed. Throws what the disk says.
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

/** Removes what killed processes have left of a file that they were replacing. */
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
