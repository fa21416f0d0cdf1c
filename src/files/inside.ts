/** Whether one place is in another one, by their paths alone. */
import path from 'node:path';

/**
 * Whether a path leads into a folder, or is the folder itself. Both are whole paths, with links resolved where that matters.
 * `paths`: of the system whose paths they are. On Windows small and capital letters are the same, and another drive or share is
 * always outside.
 */
export function isInside(folder: string, target: string, paths: path.PlatformPath = path): boolean {
  const way = paths.relative(folder, target);
  // The way to another drive is a whole path. A file may be called `..notes`.
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
