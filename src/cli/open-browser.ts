/**
 * Opens a file in the system's browser. The address of a page is never passed to it: other users of the machine can read the
 * arguments of programs.
 */
import { spawn } from 'node:child_process';

/** The program that opens a file, by platform; every other platform uses `xdg-open`, as its desktops agreed. */
const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Resolves to true if the program was started; what becomes of it afterwards is not known. */
export function openInBrowser(file: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const program = openers[process.platform] ?? 'xdg-open';
  return new Promise((resolve) => {
    // The browser outlives this process, and no shell reads the name of the file.
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
