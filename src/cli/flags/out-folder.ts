/** Where a command leaves its files. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Shell } from '../shell.ts';

/** The samples that come with paybatch: a rehearsal of one must not leave its files among them. */
const SAMPLES = path.resolve(import.meta.dirname, '..', '..', '..', 'samples');

/** In the working folder, for the files of a shipped sample; git ignores it in a checkout. */
const REHEARSALS = 'results';

/** The folder as a whole path: `--out`, or `results` for a sample that came with paybatch; undefined: beside the sheet. */
export function outFolder(
  { cwd }: Pick<Shell, 'cwd'>,
  options: { readonly out?: string | undefined },
  sheetFolder: string,
): string | undefined {
  const folder = options.out ?? (isAmongSamples(sheetFolder) ? REHEARSALS : undefined);
  return folder === undefined ? undefined : path.resolve(cwd, folder);
}

const isAmongSamples = (folder: string): boolean => realPath(folder) === realPath(SAMPLES);

/** Without links: npx runs an installed package through one. The same path where there is nothing, or none may look. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
