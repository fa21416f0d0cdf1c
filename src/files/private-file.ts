/** Files that hold a secret: written for their user alone, and read only where nobody else can read or write them. One rule for client secrets and signing keys. */
import { closeSync, fstatSync, openSync, readFileSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import { removeDrafts, replaceDurably } from './durable-file.ts';
import { foreignLink, whoElseReads, whoElseWrites } from './file-rights.ts';
import { makeFolders, syncFolder } from './folders.ts';
import { textOf } from './text-of.ts';

/** A secret is short; somebody named a disk instead. */
const BYTES_MAX = 65_536;

/** `text`, or in words who else has it. */
export type PrivateText = { readonly text: string } | { readonly others: string };

/**
 * What stands in a file that is for its user alone. The administrator may mount it through links of his, and let a group of
 * the process read it. Throws what the disk says, and a RangeError for a file that is too long or no text.
 */
export const readPrivateFile = (file: string): PrivateText =>
  readGuarded(file, (stats) => whoElseWrites(file, stats) ?? whoElseReads(file, stats));

/** The same of a file that everybody may read, and nobody else can have written. */
export const readUntouchedFile = (file: string): PrivateText =>
  readGuarded(file, (stats) => whoElseWrites(file, stats));

function readGuarded(file: string, whoElse: (stats: Stats) => string | undefined): PrivateText {
  const handle = openSync(file, 'r');
  try {
    const stats = fstatSync(handle);
    const link = foreignLink(file);
    const others = link === undefined ? whoElse(stats) : `the link ${link} is another user's`;
    if (others !== undefined) return { others };
    // A pipe is how a shell hands over what a keychain says: <(pass show paybatch).
    if (!(stats.isFile() || stats.isFIFO()) || stats.size > BYTES_MAX)
      throw new RangeError('it is no file, or too long');
    return { text: textOf(readFileSync(handle)) };
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a text for its user alone, whatever the umask: whole or not at all, also through a power cut. Folders that are missing are
 * made for the user alone. Throws what the disk says.
 */
export function writePrivateFile(file: string, text: string): void {
  makeFolders(path.dirname(file));
  removeDrafts(file);
  replaceDurably(file, text);
}

/** Removes such a file for good, with what a killed process may have left of it. Throws what the disk says. */
export function removePrivateFile(file: string): void {
  removeDrafts(file);
  rmSync(file, { force: true });
  syncFolder(path.dirname(file));
}

/** The ways on where neither owner nor rights can be changed by hand. */
export const MOUNTED_SECRETS =
  'Mounted in Kubernetes: defaultMode 0440 with fsGroup. In Docker: mode 0400 with the uid of the process.';
