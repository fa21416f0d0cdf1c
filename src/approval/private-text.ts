/** Private files of an approver, which no other user may be able to read: the key, and the passphrase that opens it. */
import { Fault } from '../domain/fault.ts';
import { isSystemError } from '../domain/system-error.ts';
import { forMeAlone } from '../files/file-rights.ts';
import { readPrivateFile } from '../files/private-file.ts';

/**
 * Returns the text of a private file. Throws a Fault `configuration` if the file cannot be read, or if other users have access
 * to it.
 */
export function readPrivateText(file: string, what: 'key' | 'passphrase'): string {
  try {
    const read = readPrivateFile(file);
    if ('text' in read) return read.text;
    throw new Fault(
      'configuration',
      `Other users have access to the ${what} file ${file}: ${read.others}. Nothing was signed.`,
      `${forMeAlone(file)}; if others use this machine, make a new key.`,
    );
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, what, error.message, error);
    throw isSystemError(error) ? unreadable(file, what, error.code, error) : error;
  }
}

const unreadable = (file: string, what: string, why: string, cause: unknown): Fault =>
  new Fault(
    'configuration',
    `The file of the ${what}, ${file}, cannot be read (${why}). Nothing was signed.`,
    'Check the path and its rights.',
    { cause },
  );
