/** The folder that a command writes its files into. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Shell } from '../shell.ts';

/** The samples shipped with paybatch: a rehearsal of one must not leave its files among them. */
const SAMPLES = path.resolve(import.meta.dirname, '..', '..', '..', 'samples');

/** The folder for the files of a shipped sample, inside the working folder; git ignores it in a checkout. */
const REHEARSALS = 'results';

/** Returns the folder as an absolute path: `--out`, or `results` for a shipped sample; `undefined` means the folder of the sheet. */
export function outFolder(
  { cwd }: Pick<Shell, 'cwd'>,
  options: { readonly out?: string | undefined },
  sheetFolder: string,
): string | undefined {
  const folder = options.out ?? (isAmongSamples(sheetFolder) ? REHEARSALS : undefined);
  return folder === undefined ? undefined : path.resolve(cwd, folder);
}

const isAmongSamples = (folder: string): boolean => realPath(folder) === realPath(SAMPLES);

/** Returns a path without links: npx runs an installed package through one. A path that does not exist or cannot be read stays as it is. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
