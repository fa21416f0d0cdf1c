/**
 * What vitest does once, before and after all tests: whoever runs them is nobody here. The folders where programs keep settings, keys
 * and data of a user are made for the run, and nothing of paybatch is left in the environment, or the tests would pay from the account
 * that this user has. All processes of the run inherit it, and the guard that keeps them on this machine.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where programs look for the user's own files, by system: POSIX, Windows. Those of XDG follow from `HOME` where they are not set. */
const HOMES = ['HOME', 'USERPROFILE'];
const WINDOWS = { APPDATA: 'AppData/Roaming', LOCALAPPDATA: 'AppData/Local' };

/** What the environment says of the user who runs the tests. What tests themselves may be told has a prefix of its own. */
const OF_THE_USER = /^(?:PAYBATCH_(?!TEST_)|XDG_|DBUS_SESSION_BUS_ADDRESS$)/i;

/** Gives what ends it: the folders are gone then, and it throws when anything tried to leave this machine. */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-user-'));
  for (const name of Object.keys(process.env)) if (OF_THE_USER.test(name)) delete process.env[name];
  for (const name of HOMES) process.env[name] = folder;
  for (const [name, inside] of Object.entries(WINDOWS)) {
    process.env[name] = path.join(folder, inside);
    mkdirSync(path.join(folder, inside), { recursive: true });
  }
  const told = path.join(folder, 'left-loopback.log');
  const guard = pathToFileURL(path.join(import.meta.dirname, 'only-loopback.ts'));
  guard.searchParams.set('told', told);
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import=${guard.href}`.trim();
  return () => {
    const left = existsSync(told) ? readFileSync(told, 'utf8') : '';
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (left !== '') throw new Error(`Tests may not leave this machine. They tried to reach:\n${left}`);
  };
}
