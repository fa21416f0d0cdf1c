/** Distinguishes a file from other files, and from its own copies. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { codeOf } from '../domain/fault.ts';

/**
 * Returns an identity that no copy of the file shares, wherever the file system can tell them apart. A file that is restored
 * or moved to another disk is a new one, with another inode number or another time of birth. Renaming the file or its folder
 * changes nothing.
 */
export function fileIdentity(path: string): string {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // A file system that keeps no time of birth reports the time of the last change instead, or zero.
  const birth = birthtimeNs < ctimeNs ? birthtimeNs : 0n;
  return `${ino}/${birth}`;
}

/**
 * Returns a number that distinguishes the file from every other existing file. While a process has the file open, no other
 * file gets its number. Its times can change in the meantime and prove nothing.
 */
export function fileNumber(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
}

/** Like `fileNumber`, but returns `undefined` if no file can be seen at the path, for any reason. */
export function fileNumberIfAny(path: string): string | undefined {
  try {
    return fileNumber(path);
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** Returns the SHA-256 of a file's content, lower-case hexadecimal; `undefined` if the file cannot be read. */
export async function contentHash(path: string): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}
