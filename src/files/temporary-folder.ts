/** A folder for files that nobody keeps. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** What `mkdtemp` puts behind a name. */
const MADE_UP = /^[A-Za-z0-9]{6}$/;

/** Makes a folder for its owner alone inside of another one, hands it to `use`, and removes it with all that is in it. */
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

/** Removes such folders that a process which died has left behind: nothing was written into them since this moment (wall clock, ms). */
export async function removeLeftovers(parent: string, name: string, before: number): Promise<void> {
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const isOne = entry.isDirectory() && entry.name.startsWith(`${name}-`);
    if (!isOne || !MADE_UP.test(entry.name.slice(name.length + 1))) continue;
    const folder = path.join(parent, entry.name);
    if ((await stat(folder)).mtimeMs < before) await rm(folder, { recursive: true, force: true });
  }
}
