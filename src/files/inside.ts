/** Decides by paths only whether one place is inside another. */
import path from 'node:path';

/**
 * Reports whether a path leads into a folder, or is the folder itself. Both must be absolute, with links resolved where that
 * matters. `paths` is the module for the system whose paths they are. On Windows, lower-case and capital letters are the
 * same, and another drive or share is always outside.
 */
export function isInside(folder: string, target: string, paths: path.PlatformPath = path): boolean {
  const way = paths.relative(folder, target);
  // The relative path to another drive is absolute. A file may be called `..notes`.
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
