/** Folders for files that are not kept. */
import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** The characters that `mkdtemp` appends to a name. */
const MADE_UP = /^[A-Za-z0-9]{6}$/;

/** Creates a folder inside another one for its owner only, passes it to `use`, and removes it with everything in it. */
export async function inTemporaryFolder<T>(
  parent: string,
  name: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(parent, `${name}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes temporary folders that a dead process left behind: those into which nothing was written since `before` (wall clock, ms),
 * and of which `isOver` does not say that they are in use.
 */
export async function removeLeftovers(
  parent: string,
  name: string,
  before: number,
  isOver: (folder: string) => boolean = () => true,
): Promise<void> {
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const isOne = entry.isDirectory() && entry.name.startsWith(`${name}-`);
    if (!isOne || !MADE_UP.test(entry.name.slice(name.length + 1))) continue;
    const folder = path.join(parent, entry.name);
    // Its owner may have removed it in the meantime.
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < before && isOver(folder)) await rm(folder, { recursive: true, force: true });
  }
}
