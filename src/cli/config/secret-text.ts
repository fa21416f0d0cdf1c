/** Files that hold a secret of the user: read only where nobody else can read or write them. */
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { forMeAlone } from '../../files/file-rights.ts';
import { readPrivateFile } from '../../files/private-file.ts';

/** How such a file is spoken of. */
export interface SecretFile {
  /** What it is, as a sentence names it: `client secret file`. */
  readonly what: string;
  /** Said behind what went wrong: ` Nothing was sent.` */
  readonly outcome?: string;
  /** Follows the command that leaves the file to its user alone. */
  readonly advice?: string;
  readonly details?: readonly string[];
  /** What to do when it is not there; missing: what is done about any other trouble. */
  readonly ifMissing?: string;
}

/** What stands in the file. A Fault `configuration` when there is nothing to be had, or others have it too. */
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
    if (error instanceof Fault || !(error instanceof RangeError || (error instanceof Error && 'code' in error)))
      throw error;
    const why = 'code' in error ? String(error.code) : error.message;
    const remedy = why === 'ENOENT' && ifMissing !== undefined ? ifMissing : 'Check the path and its rights.';
    throw new Fault('configuration', `The ${what} ${shown(file)} cannot be read (${why}).`, `${remedy}${outcome}`, {
      cause: error,
    });
  }
}
