/** What tells one file from another, and from its copies. */
import { statSync } from 'node:fs';

/**
 * Tells the file from every copy of it, wherever the file system knows one: a file that is restored or moved to another disk
 * is a new one, with another number or another birth. Renaming it, or its folder, changes nothing.
 */
export function fileIdentity(path: string): string {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Where no birth is kept, the time of the last change stands in its place, or nothing.
  const birth = birthtimeNs < ctimeNs ? birthtimeNs : 0n;
  return `${ino}/${birth}`;
}

/**
 * Tells the file from every other one that is there. While a process has it open, no other file gets its number; its times
 * may change meanwhile, and prove nothing.
 */
export function fileNumber(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
}

/** The same; undefined when there is none to be seen, whatever keeps it from that. */
export function fileNumberIfAny(path: string): string | undefined {
  try {
    return fileNumber(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
