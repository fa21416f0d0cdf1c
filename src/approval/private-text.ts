/** Files of an approver that nobody else may read: the key, and what opens it. */
import { Fault } from '../domain/fault.ts';
import { forMeAlone } from '../files/file-rights.ts';
import { readPrivateFile } from '../files/private-file.ts';

/** The text of such a file. A Fault `configuration` when there is none to be had, or when others have it too. */
export function readPrivateText(file: string, what: 'key' | 'passphrase'): string {
  try {
    const read = readPrivateFile(file);
    if ('text' in read) return read.text;
    throw new Fault(
      'configuration',
      `The file of the ${what}, ${file}, is not for you alone: ${read.others}. Nothing was signed.`,
      `${forMeAlone(file)}; if others use this machine, make a new key.`,
    );
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, what, error.message, error);
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw unreadable(file, what, String(error.code), error);
  }
}

const unreadable = (file: string, what: string, why: string, cause: unknown): Fault =>
  new Fault(
    'configuration',
    `The file of the ${what}, ${file}, cannot be read (${why}). Nothing was signed.`,
    'Check the path and its rights.',
    { cause },
  );
