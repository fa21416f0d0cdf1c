/** Files that hold a secret: read only where nobody else can read or write them. One rule for client secrets and signing keys. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { foreignLink, whoElseReads, whoElseWrites } from './file-rights.ts';

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

/** The ways on where neither owner nor rights can be changed by hand. */
export const MOUNTED_SECRETS =
  'Mounted in Kubernetes: defaultMode 0440 with fsGroup. In Docker: mode 0400 with the uid of the process.';
