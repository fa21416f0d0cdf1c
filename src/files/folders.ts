/** Folders: made for their owner alone, and their names made to survive a power cut. */
import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

const FOLDER_MODE = 0o700;

/** Makes a folder for its owner alone, whatever the umask, and takes the rights of others from one that is there. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
}

/**
 * Makes a folder and those above it that are missing, one after the other. Not by the system's own recursive call: that asks
 * for ever where a folder exists and nothing can be made in it (`/proc`).
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !exists(at); at = path.dirname(at)) {
    missing.unshift(at);
    if (path.dirname(at) === at) break;
  }
  for (const one of missing) makeFolder(one);
}

/** A link that leads nowhere exists too: nothing can be made in its place. */
const exists = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false }) !== undefined;

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process was quicker.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Makes the names in a folder survive a power cut: those of new files, and those that were given by a rename. Windows has
 * no such call: a name is as durable there as its file.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The same without holding up the process, for files that are written while it has other things to do. */
export async function syncFolderAsync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
