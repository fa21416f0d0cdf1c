/**
 * Locks that end with their process: each is a file that the operating system locks. The files are empty and stay in place:
 * if one were removed, another file of that name could be locked while the first is still locked.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import { sha256 } from '../domain/ids.ts';
import { fileNumber, fileNumberIfAny } from '../files/file-identity.ts';
import { prepareFolder } from '../files/folders.ts';
import { isLockedFile, openAlone } from './sqlite.ts';

const FILE_MODE = 0o600;

interface HeldFile extends Disposable {
  readonly file: string;
  /** Identifies the file, to tell it from another one that took its name. */
  readonly number: string;
}

/**
 * Locks a file, which is created if it is missing and stays afterwards. Returns `undefined` if another process holds it. The
 * end of the process releases the lock.
 */
export function holdFile(file: string): HeldFile | undefined {
  // An existing file is never opened here: closing it would drop the lock that this process may have on it (POSIX).
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE_MODE));
  const number = fileNumber(file);
  const held = openAlone(file);
  const isSame = held !== undefined && fileNumberIfAny(file) === number;
  if (!isSame) held?.close();
  return isSame ? { file, number, [Symbol.dispose]: () => held.close() } : undefined;
}

/** The locks of one open ledger. */
export class FileLocks {
  readonly #folder: string;
  readonly #held = new Map<string, HeldFile>();

  /** `folder` is for lock files only, and is created if it is missing. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes a lock. Returns false if another process has it, or another instance of this class. */
  tryLock(name: string): boolean {
    if (this.#held.has(name)) return true;
    prepareFolder(this.#folder);
    const held = holdFile(this.#fileOf(name));
    if (held) this.#held.set(name, held);
    return held !== undefined;
  }

  unlock(name: string): void {
    this.#held.get(name)?.[Symbol.dispose]();
    this.#held.delete(name);
  }

  unlockAll(): void {
    for (const name of [...this.#held.keys()]) this.unlock(name);
  }

  lockedOf(names: readonly string[]): ReadonlySet<string> {
    return new Set(names.filter((name) => this.#held.has(name) || isLockedFile(this.#fileOf(name))));
  }

  /** Throws a Fault `ledger-unsafe` if the file of a lock is gone: the next process would lock another file. */
  assertInPlace(): void {
    for (const { file, number } of this.#held.values()) {
      if (fileNumberIfAny(file) === number) continue;
      throw new Fault(
        'ledger-unsafe',
        `${file} was removed, moved or replaced while this run held its lock, so this run stopped before it sent anything more.`,
        'Leave the files in that folder alone, make sure that no other run works on this batch, and continue with `paybatch resume`.',
      );
    }
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, lockFileName(name));
  }
}

/**
 * Returns the folder with the locks of a ledger in a file. `ledger.db*` does not match its name, so moving those files
 * leaves the locks in place.
 */
export const locksBeside = (ledgerPath: string): string => `${ledgerPath.replace(/\.db$/, '')}.locks`;

/** Returns the name of a lock file. It is a hash, because names of leases have characters that no file name may have. */
export const lockFileName = (name: string): string => `${sha256(name).slice(0, 32)}.lock`;
