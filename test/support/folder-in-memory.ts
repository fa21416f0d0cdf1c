/** Where the quick tests keep their folders: in memory, where the system has room there. */
import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** The file system of Linux that is in memory. */
const IN_MEMORY = '/dev/shm';
/** The quick tests hold less than this at once. A container often has only 64 MB there. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/**
 * Returns the environment that moves temporary folders there. Each paid sheet syncs its ledger some fifty times, and on a disk the
 * tests wait for that most of the time. A process that is killed leaves the same files in either place; what only a disk does is
 * tested by the deep tests, which stay on it.
 */
export function folderInMemory(): { TMPDIR?: string } {
  if (!existsSync(IN_MEMORY)) return {};
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, freemem()) > FREE_BYTES_MIN ? { TMPDIR: IN_MEMORY } : {};
}
