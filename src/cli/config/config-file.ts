/** Which file is the configuration, and its text: read once, so that what is judged is what is obeyed. */
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { Fault } from '../../domain/fault.ts';
import { foreignLink, whoElseWrites } from '../../files/file-rights.ts';
import { textOf } from '../../files/text-of.ts';

export const FILE_NAME = 'paybatch.config.json';
/** Folders looked at upwards from the working folder. */
const UPWARDS_MAX = 30;
/** A hundred times the longest one that makes sense, in bytes. */
const FILE_BYTES_MAX = 1_048_576;

/** How a configuration file came to be used; `found`: it lay in the working folder or above it. */
type FoundBy = 'flag' | 'environment' | 'found' | 'user';

export interface ConfigFile {
  /** The whole path. */
  readonly path: string;
  readonly by: FoundBy;
}

export interface ReadFile extends ConfigFile {
  readonly text: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Who else could have written it, in words; undefined: nobody. */
  readonly otherWriter?: string;
}

/** The file that counts; undefined: there is none. Whoever names one means that one. */
export function configFile(
  flag: string | undefined,
  environment: string | undefined,
  cwd: string,
): ConfigFile | undefined {
  if (flag) return { path: path.resolve(cwd, flag), by: 'flag' };
  if (environment) return { path: path.resolve(cwd, environment), by: 'environment' };
  const found = findUpwards(cwd);
  if (found !== undefined) return { path: found, by: 'found' };
  const own = ownConfigFile();
  return existsSync(own) ? { path: own, by: 'user' } : undefined;
}

/** The user's own file, whether it is there or not. */
export const ownConfigFile = (): string => path.join(envPaths('paybatch', { suffix: '' }).config, 'config.json');

/** Reads a file and what stands for it or against it. A Fault `configuration` when it cannot be read. */
export function readConfigFile({ path: file, by }: ConfigFile): ReadFile {
  try {
    // What somebody left in a folder may be a pipe that never says anything; what was named may well be one.
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
        ...(otherWriter !== undefined && { otherWriter }),
      };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, error.message, error);
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw unreadable(file, String(error.code), error);
  }
}

const unreadable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault(
    'configuration',
    `The configuration file ${file} cannot be read (${why}).`,
    'Check the path and its rights. Nothing was sent.',
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
