/** How the tests start paybatch as a program of its own: from its sources, whose types this Node.js strips. */
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

const MAIN = path.join(ROOT, 'src', 'main.ts');

/** The command that starts paybatch, or another build of it. */
export const commandOf = (main: string): readonly string[] => [process.execPath, '--no-warnings', main];

export const paybatchCommand = commandOf(MAIN);

const INHERITED = ['PATH', 'HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'NODE_OPTIONS'];

/** What each program has of our environment: where programs are found, and the folders of the user and the guard of a test run (`own-user.ts`). */
export const inheritedEnv: Readonly<Record<string, string>> = Object.fromEntries(
  INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/**
 * The same for paybatch, and a folder where Node.js keeps what it has compiled. Without that, stripping and compiling the sources is
 * half of the processor time of a short command.
 */
export const programEnv: Readonly<Record<string, string>> = {
  ...inheritedEnv,
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled'),
};
