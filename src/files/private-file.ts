/**
 * Files that hold a secret: written for their user only, and read only if no one else can read or write them. Client secrets
 * and signing keys follow the same rule.
 */
import { closeSync, fstatSync, openSync, readFileSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import { shown } from '../domain/shown-text.ts';
import { removeDrafts, replaceDurably } from './durable-file.ts';
import { foreignLink, forMeAlone, whoElseReads, whoElseWrites } from './file-rights.ts';
import { makeFolders, syncFolder } from './folders.ts';
import { textOf, whyUnread } from './short-file.ts';

/** Most bytes of a secret. A longer file is not a secret; a disk may have been named by mistake. */
const BYTES_MAX = 65_536;

/** The text of a file, or in words who else has access to it. */
export type PrivateText = { readonly text: string } | { readonly others: string };

/**
 * Reads a file that must be for its user only. Root may mount it through its own links, and let a group of the process
 * read it. Throws the error of the system, and a RangeError if the file is too long or is not text.
 */
export const readPrivateFile = (file: string): PrivateText =>
  readGuarded(file, (stats) => whoElseWrites(file, stats) ?? whoElseReads(file, stats));

/** Like `readPrivateFile`, but for a file that everyone may read and no one else can have written. */
export const readUntouchedFile = (file: string): PrivateText =>
  readGuarded(file, (stats) => whoElseWrites(file, stats));

function readGuarded(file: string, whoElse: (stats: Stats) => string | undefined): PrivateText {
  const handle = openSync(file, 'r');
  try {
    const stats = fstatSync(handle);
    const link = foreignLink(file);
    const others = link === undefined ? whoElse(stats) : `the link ${link} is another user's`;
    if (others !== undefined) return { others };
    // A pipe is allowed, because a shell passes the output of a keychain as one: <(pass show paybatch).
    if (!(stats.isFile() || stats.isFIFO()) || stats.size > BYTES_MAX)
      throw new RangeError('it is not a file, or it is too long');
    return { text: textOf(readFileSync(handle)) };
  } finally {
    closeSync(handle);
  }
}

/** How messages speak of a secret file. */
export interface SecretFile {
  /** What the file is, as a sentence names it: `client secret file`. */
  readonly what: string;
  /** Appended to what went wrong: ` Nothing was sent.` */
  readonly outcome?: string;
  /** Follows the command that takes all rights on the file from other users. */
  readonly advice?: string;
  readonly details?: readonly string[];
  /** What to do if the file does not exist; absent if the remedy is the same as for any other trouble. */
  readonly ifMissing?: string;
}

/**
 * Returns the content of a secret file. Throws a Fault `configuration` if it cannot be read, or if others can read or write
 * it.
 */
export function secretTextIn(
  file: string,
  { what, outcome = '', advice = '', details, ifMissing }: SecretFile,
): string {
  try {
    const read = readPrivateFile(file);
    if ('text' in read) return read.text;
    throw new Fault(
      'configuration',
      `The ${what} ${shown(file)} is not private to you: ${read.others}.${outcome}`,
      `${forMeAlone(file)}${advice}`,
      { ...(details && { details }) },
    );
  } catch (error) {
    const why = whyUnread(error);
    const remedy = why === 'ENOENT' && ifMissing !== undefined ? ifMissing : 'Check the path and its permissions.';
    throw new Fault('configuration', `The ${what} ${shown(file)} cannot be read (${why}).`, `${remedy}${outcome}`, {
      cause: error,
    });
  }
}

/**
 * Writes a text for its user only, regardless of the umask, completely or not at all, even through a power cut. Missing folders
 * are created for the user only. Throws the error of the system.
 */
export function writePrivateFile(file: string, text: string): void {
  makeFolders(path.dirname(file));
  removeDrafts(file);
  replaceDurably(file, text);
}

/** Removes a private file for good, with the drafts that a killed process may have left of it. Throws the error of the system. */
export function removePrivateFile(file: string): void {
  removeDrafts(file);
  rmSync(file, { force: true });
  syncFolder(path.dirname(file));
}

/** Remedy for a file whose owner and rights cannot be changed by hand. */
export const MOUNTED_SECRETS =
  'Mounted in Kubernetes: defaultMode 0440 with fsGroup. In Docker: mode 0400 with the uid of the process.';
