/** Creates folders for their owner only, and makes the names in them survive a power cut. */

import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../domain/fault.ts';

const FOLDER_MODE = 0o700;

/** Creates a folder for its owner only, regardless of the umask, and removes the rights of others from one that exists. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  chmodSync(folder, FOLDER_MODE);
}

/**
 * Creates a folder and the missing folders above it, one after the other. It does not use the recursive call of the system,
 * which never returns if a folder exists and nothing can be created in it (`/proc`).
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !exists(at); at = path.dirname(at)) {
    missing.unshift(at);
    if (path.dirname(at) === at) break;
  }
  for (const one of missing) makeFolder(one);
}

/** Reports whether a path exists. A link that leads nowhere counts, because nothing can be created in its place. */
const exists = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false }) !== undefined;

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process created it first.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes the names in a folder survive a power cut: those of new files, and those given by a rename. Windows has no call for
 * this: a name is as durable there as its file.
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

/** Like `syncFolder`, but without blocking the process, for files that are written while it has other work to do. */
export async function syncFolderAsync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
