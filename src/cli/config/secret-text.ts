/** Reads files that hold a secret of the user, and only if nobody else can read or write them. */

import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { forMeAlone } from '../../files/file-rights.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import { whyUnread } from '../../files/text-of.ts';

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
      `The ${what} ${shown(file)} is not for you alone: ${read.others}.${outcome}`,
      `${forMeAlone(file)}${advice}`,
      { ...(details && { details }) },
    );
  } catch (error) {
    const why = whyUnread(error);
    const remedy = why === 'ENOENT' && ifMissing !== undefined ? ifMissing : 'Check the path and its rights.';
    throw new Fault('configuration', `The ${what} ${shown(file)} cannot be read (${why}).`, `${remedy}${outcome}`, {
      cause: error,
    });
  }
}
