/** Reads files that others made, and that are short if they are what they should be. */
import { readFileSync, statSync } from 'node:fs';

/**
 * Returns the bytes of a file. Throws a RangeError that says in a few words what is wrong if it is not a file, or longer than
 * `bytesMax`, and the error of the system if it cannot be read.
 */
export function readShortFile(file: string, bytesMax: number): Buffer {
  // Asked before it is opened: opening a named pipe would wait for its writer.
  const stats = statSync(file);
  if (!stats.isFile()) throw new RangeError('it is not a file');
  if (stats.size > bytesMax) throw new RangeError(`it is larger than ${bytesMax} bytes`);
  return readFileSync(file);
}
