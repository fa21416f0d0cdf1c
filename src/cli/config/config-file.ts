/** Finds the configuration file and reads its text once, so that the text that is judged is the text that is obeyed. */

import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { Fault } from '../../domain/fault.ts';
import { foreignLink, whoElseWrites } from '../../files/file-rights.ts';
import { textOf, whyUnread } from '../../files/short-file.ts';
import type { Environment } from './account.ts';

export const FILE_NAME = 'paybatch.config.json';
/** Most folders that are searched upwards from the working folder. */
const UPWARDS_MAX = 30;
/** Longest configuration file, in bytes: a hundred times the longest one that makes sense. */
const FILE_BYTES_MAX = 1_048_576;

/** How a configuration file came to be used. `found`: in the working folder or above it. */
type FoundBy = 'flag' | 'environment' | 'found' | 'user';

export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly by: FoundBy;
}

export interface ReadFile extends ConfigFile {
  readonly text: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Who else could have written the file, in words; absent if nobody else could. */
  readonly otherWriter?: string | undefined;
}

/** Returns the file that the settings are read from, believed or not; `undefined` if there is none. */
export function foundFile(
  { config }: { readonly config?: string },
  env: Environment,
  cwd: string,
): ConfigFile | undefined {
  if (config) return { path: path.resolve(cwd, config), by: 'flag' };
  const environment = env['PAYBATCH_CONFIG'];
  if (environment) return { path: path.resolve(cwd, environment), by: 'environment' };
  const found = findUpwards(cwd);
  if (found !== undefined) return { path: found, by: 'found' };
  const own = ownConfigFile();
  return existsSync(own) ? { path: own, by: 'user' } : undefined;
}

/** Returns the path of the user's own configuration file, whether it exists or not. */
export const ownConfigFile = (): string => path.join(envPaths('paybatch', { suffix: '' }).config, 'config.json');

/** Reads a configuration file, and who else could have written it. Throws a Fault `configuration` if it cannot be read. */
export function readConfigFile({ path: file, by }: ConfigFile): ReadFile {
  try {
    // A file that another user left in a folder may be a pipe that never delivers anything, so opening it must not wait. A
    // file that was named may well be a pipe.
    const handle = openSync(file, constants.O_RDONLY | (by === 'found' ? (constants.O_NONBLOCK ?? 0) : 0));
    try {
      const stats = fstatSync(handle);
      if (by === 'found' && !stats.isFile() && !stats.isDirectory()) throw unreadable(file, 'it is not a file');
      if (stats.size > FILE_BYTES_MAX) throw unreadable(file, 'it is longer than a megabyte');
      const bytes = readFileSync(handle);
      const link = foreignLink(file);
      const otherWriter = link === undefined ? whoElseWrites(file, stats) : `the link ${link} belongs to another user`;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return {
        path: file,
        by,
        text: textOf(bytes),
        sha256,
        otherWriter,
      };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw unreadable(file, whyUnread(error), error);
  }
}

const unreadable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault(
    'configuration',
    `The configuration file ${file} cannot be read (${why}).`,
    'Check the path and its permissions. Nothing was sent.',
    { cause },
  );

function findUpwards(cwd: string): string | undefined {
  let folder = cwd;
  for (let level = 0; level < UPWARDS_MAX; level++) {
    const file = path.join(folder, FILE_NAME);
    if (existsSync(file)) return file;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}
