/** Has the browser of the system open a file. The address of a page is not typed for it: other users of the machine see what programs are given. */
import { spawn } from 'node:child_process';

/** What opens a file, by system; every other one has what the desktops agreed on. */
const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Resolves with true when there is such a program; what becomes of it afterwards is not known. */
export function openInBrowser(file: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const program = openers[process.platform] ?? 'xdg-open';
  return new Promise((resolve) => {
    // It outlives us, and no shell reads the name of the file.
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}
