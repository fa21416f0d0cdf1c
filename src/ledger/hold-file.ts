/** Works that one process at a time may do: whoever holds the file of such a work does it. */
import { closeSync, openSync } from 'node:fs';
import { openAlone } from './sqlite.ts';

const FILE_MODE = 0o600;

/** Holds a file, which is made when it is missing and stays; undefined: somebody else holds it. The end of a process lets it go. */
export function holdFile(path: string): Disposable | undefined {
  closeSync(openSync(path, 'a', FILE_MODE));
  const held = openAlone(path);
  return held && { [Symbol.dispose]: () => held.close() };
}
