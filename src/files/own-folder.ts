/**
 * paybatch's own folders in the state folder. Each of them, and everything in it, is for its user only, even if the folders
 * around it allow more: files that others put there would be read as paybatch's records, and files that links lead to would
 * be overwritten.
 */
import { accessSync, chmodSync, constants, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, Fault, systemCode } from '../domain/fault.ts';
import { typedPath } from '../domain/typed-path.ts';
import { replaceDurably } from './durable-file.ts';
import { ownUserId, rightsText } from './file-rights.ts';
import { makeFolders } from './folders.ts';

const FOLDER_MODE = 0o700;
/** Permission bits of everyone else: all of them, and those to write. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Like `makeOwnFolder`, but also removes everyone else's access, which a copy or a backup may have given them. */
export function useOwnFolder(folder: string): string {
  makeOwnFolder(folder);
  if ((statSync(folder).mode & OTHERS) !== 0) chmodSync(folder, FOLDER_MODE);
  return folder;
}

/** Creates a folder if it is missing, and checks it and everything in it. Fault `ledger-unsafe` if it cannot be used. */
export function makeOwnFolder(folder: string): string {
  try {
    makeFolders(folder);
    requireOwnFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw unusable(folder, systemCode(error), error);
  }
}

/** Throws a Fault `ledger-unsafe` if a folder exists and it, or anything in it, may be from somebody else. */
export function requireOwnFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw refused(folder, folder, 'is a link', 'Replace it with a real folder.');
  if (!found.isDirectory()) throw refused(folder, folder, 'is not a folder', 'Remove it.');
  requireOwn(folder, folder, found);
  for (const entry of readdirSync(folder)) {
    const place = path.join(folder, entry);
    const inside = lstatSync(place, { throwIfNoEntry: false });
    if (inside?.isSymbolicLink()) throw refused(folder, place, 'is a link', 'Put the file itself there.');
    if (inside) requireOwn(folder, place, inside);
  }
}

function requireOwn(folder: string, place: string, { uid, mode }: Stats): void {
  const user = ownUserId();
  if (user === undefined) return;
  if (uid !== user)
    throw refused(folder, place, `belongs to another user (number ${uid}; you are ${user})`, toOwner(folder, user));
  if ((mode & OTHERS_WRITE) === 0) return;
  const remedy = `Find out whether anyone else wrote there, then run: chmod -R go= ${typedPath(folder)}. Do the same for the folders next to it. In Kubernetes, fsGroupChangePolicy: OnRootMismatch keeps these permissions.`;
  throw refused(folder, place, `can be written to by others (mode ${rightsText(mode)})`, remedy);
}

/**
 * Returns the remedy for a folder of another user. Files of root most often come from a command that ran with `sudo`, which
 * finds the user's own folder.
 */
function toOwner(folder: string, user: number): string {
  if (user === 0)
    return 'Run paybatch as the user whose folder it is, without sudo; or set PAYBATCH_HOME to a folder of root.';
  return `If an earlier command ran with sudo or in another container, take ownership back: sudo chown -R ${user} ${typedPath(folder)}. Otherwise set PAYBATCH_HOME to another folder.`;
}

/**
 * Writes a small record into one of paybatch's own folders, completely or not at all. Fault `file-unwritten` if it cannot be
 * written.
 */
export function writeOwnFile(file: string, content: object): void {
  try {
    replaceDurably(file, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (error) {
    throw new Fault(
      'file-unwritten',
      `${file} cannot be written (${systemCode(error)}). Nothing was recorded.`,
      'Check the disk space and the permissions of the state folder.',
      { cause: error },
    );
  }
}

const unusable = (folder: string, why: string, cause: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    `The state folder ${folder} cannot be used: ${why}. Nothing was sent.`,
    wayOn(folder, why),
    { cause },
  );

/**
 * Returns the remedy for a state folder that cannot be used. A closed folder inside one of the user's own most often belongs
 * to root, after `sudo`. Anywhere else (`/root`), a closed folder must stay as it is.
 */
function wayOn(folder: string, why: string): string {
  const user = ownUserId();
  const shut = user === undefined || why !== 'EACCES' ? undefined : shutFolder(folder);
  if (shut === undefined || statSync(path.dirname(shut)).uid !== user)
    return 'Set PAYBATCH_HOME to a folder of the user who pays, with the right to write; in a container, to a mounted one.';
  return `You have no access to ${shut}. If an earlier command ran with sudo, take ownership back: sudo chown -R ${user} ${typedPath(shut)}. Otherwise set PAYBATCH_HOME to another folder.`;
}

/** Returns the first folder on the way that this process may not enter; `undefined` if there is none. */
function shutFolder(folder: string): string | undefined {
  const above = path.dirname(folder);
  const found = above === folder ? undefined : shutFolder(above);
  return found ?? (isShut(folder) ? folder : undefined);
}

function isShut(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return false;
  } catch (error) {
    return codeOf(error) === 'EACCES';
  }
}

const refused = (folder: string, place: string, why: string, remedy: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `The state folder ${folder} is not private to you: ${place === folder ? 'it' : place} ${why}. Nothing was sent.`,
    remedy,
  );
