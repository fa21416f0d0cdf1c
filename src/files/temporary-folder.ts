/** A folder for files that nobody keeps. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

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
