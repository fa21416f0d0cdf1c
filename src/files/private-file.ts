/** Files that hold a secret: written for their user alone, and read only where nobody else can read or write them. One rule for client secrets and signing keys. */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createDurably } from './durable-file.ts';
import { foreignLink, whoElseReads, whoElseWrites } from './file-rights.ts';
import { makeFolders, syncFolder } from './folders.ts';

/** A secret is short; somebody named a disk instead. */
const BYTES_MAX = 65_536;

/** `text`, or in words who else has it. */
export type PrivateText = { readonly text: string } | { readonly others: string };

/**
 * What stands in a file that is for its user alone. The administrator may mount it through links of his, and let a group of
 * the process read it. Throws what the disk says, and a RangeError for a file that is too long.
 */
export function readPrivateFile(file: string): PrivateText {
  const handle = openSync(file, 'r');
  try {
    const stats = fstatSync(handle);
    const link = foreignLink(file);
    const others =
      link === undefined
        ? (whoElseWrites(file, stats) ?? whoElseReads(file, stats))
        : `the link ${link} is another user's`;
    if (others !== undefined) return { others };
    // A pipe is how a shell hands over what a keychain says: <(pass show paybatch).
    if (!(stats.isFile() || stats.isFIFO()) || stats.size > BYTES_MAX)
      throw new RangeError('it is no file, or too long');
    return { text: readFileSync(handle, 'utf8') };
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
  // A name that nobody can foresee, so that nobody has put a link there.
  const draft = `${file}.${randomUUID()}`;
  try {
    createDurably(draft, text);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** The ways on where neither owner nor rights can be changed by hand. */
export const MOUNTED_SECRETS =
  'Mounted in Kubernetes: defaultMode 0440 with fsGroup. In Docker: mode 0400 with the uid of the process.';
