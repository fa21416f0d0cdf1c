/**
 * What some tests need of the machine beyond Node.js and the packages. A test that misses it is skipped and says why; the
 * reasons are told in one place, when the run ends (`closing-words.ts`).
 */
import type { TestContext } from 'vitest';

/** For `beforeEach`, or the first line of a test: skips it where the machine lacks something, which is named. */
export const needs =
  (isThere: boolean, what: string) =>
  ({ skip }: TestContext): void =>
    skip(!isThere, `needs ${what}`);

/** Rights of files, limits of processes, and files that can be removed while they are open. */
export const needsPosix = needs(process.platform !== 'win32', 'a POSIX system');

/** A user whom every POSIX system has, and who owns nothing. */
export const NOBODY = 65_534;

export const needsRoot = needs(process.geteuid?.() === 0, 'an administrator, to give files to other users');
