/**
 * The ledger's file on disk: its folder is for its owner alone, and it has one name only, because a second name for
 * the same file breaks the locks and the write-ahead log that keep it whole.
 */
import { chmodSync, closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../domain/fault.ts';
import { prepareFolder, syncFolder } from '../files/folders.ts';

const FILE_MODE = 0o600;

/** Files that SQLite keeps beside a database in WAL mode. */
const companions = ['-wal', '-shm'] as const;

/**
 * Makes folder and file when they are missing and sets their modes, whatever the umask. Throws a Fault `ledger-unsafe`
 * for a link, a file with several names, and anything that is not a file. Call it before the database is opened.
 */
export function prepareLedgerFile(path: string): void {
  try {
    const folder = dirname(path);
    prepareFolder(folder);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) create(path, folder);
    refuseLinks(path);
    restrictFiles(path);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      'ledger-unsafe',
      `The ledger ${path} cannot be prepared: ${error instanceof Error ? error.message : String(error)}.`,
      'Check the rights of the state folder and the space on its disk, or set PAYBATCH_HOME to another folder.',
      { cause: error },
    );
  }
}

/** Takes the rights of everybody but the owner from the ledger and the files beside it. */
export function restrictFiles(path: string): void {
  chmodSync(path, FILE_MODE);
  for (const suffix of companions) {
    if (existsSync(path + suffix)) chmodSync(path + suffix, FILE_MODE);
  }
}

/** Never opens a file that exists: closing it would drop the locks that this process holds on it (POSIX). */
function create(path: string, folder: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
  syncFolder(folder);
}

function refuseLinks(path: string): void {
  const found = lstatSync(path);
  const problem = !found.isFile() ? 'is a link or not a file' : found.nlink > 1 ? 'has a second name' : undefined;
  if (problem === undefined) return;
  throw new Fault(
    'ledger-unsafe',
    `The ledger ${path} ${problem}; writing through it could lose records.`,
    'Put the ledger back as one plain file in the state folder, or set PAYBATCH_HOME to another folder.',
  );
}
