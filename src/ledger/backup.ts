/**
 * Backups of a ledger. A backup is one file with everything that is in the ledger at one moment, even while a run writes to
 * it. The file gets its name only once it is complete, on disk and proven.
 */

import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Reader, textOf } from '../database/database.ts';
import { copyInto, isSqlite, openReader } from '../database/sqlite.ts';
import { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { syncFolderAsync } from '../files/folders.ts';
import { openTemporary } from '../files/temporary-file.ts';
import { headOfWhole } from './all-differences.ts';
import type { Keyring } from './keyring.ts';

interface Backup {
  readonly path: string;
  readonly bytes: number;
  /** The head that the backup ends with; `undefined` if nothing was paid yet. */
  readonly head: LedgerHead | undefined;
}

/** The ledger that is copied, and the keys that its copy is proven with. */
interface Original {
  readonly path: string;
  readonly ledger: string;
  readonly keyring: Keyring;
}

/** The part of `Ledger` that writes backups. */
export interface LedgerBackup {
  /**
   * Writes a copy of the ledger to a file, for its owner only, and proves it. Fault `file-unwritten` if the disk refuses, or
   * if there is a file already that must not be replaced; `ledger-unsafe` if the copy is not sound. No file is left then.
   */
  backUp(target: string, older: OlderFile): Promise<Backup>;
}

/** What becomes of a file that already has the name of the backup. */
type OlderFile = 'kept' | 'replaced';

/** Writes a backup and proves it. `prove` returns the head of a copy that is sound, and throws for any other. */
export async function backUp(
  target: string,
  older: OlderFile,
  original: Original,
  prove: (copy: string, original: Original) => Promise<LedgerHead | undefined> = provenHead,
): Promise<Backup> {
  if (older === 'kept' && existsSync(target)) throw taken(target);
  const draft = await onDisk(target, () => openTemporary(path.dirname(target)));
  try {
    await onDisk(target, () => copyInto(draft.path, original.path));
    await onDisk(target, () => synced(draft.handle));
    const head = await prove(draft.path, original);
    await onDisk(target, () => named(draft.path, target, older));
    const { size: bytes } = await stat(target);
    return { path: target, bytes, head };
  } finally {
    await draft.handle.close().catch(() => undefined);
    await rm(draft.path, { force: true });
  }
}

/**
 * Proves a file that says it is this ledger, and returns its head. Throws a Fault `ledger-unsafe` if the file is not sound,
 * or is another ledger. `called` is the backup as people know it.
 */
export const provenHead = (
  file: string,
  { ledger: uuid, keyring }: Pick<Original, 'ledger' | 'keyring'>,
  called = file,
): Promise<LedgerHead | undefined> =>
  inCopy({ file, uuid, called }, (still) => headOfWhole(still, { uuid, keyring }, (why) => unsound(called, why)));

/**
 * Checks that a file is a complete copy of this ledger, whose tables are of an older version. What the copy says is not
 * proven.
 */
export const wholeCopy = (file: string, { ledger: uuid }: Pick<Original, 'ledger'>): Promise<undefined> =>
  inCopy({ file, uuid, called: file }, async () => undefined);

interface Copy {
  readonly file: string;
  readonly uuid: string;
  readonly called: string;
}

/** Runs work on the content of a file. Throws a Fault `ledger-unsafe` if the file is damaged, or is another ledger. */
async function inCopy<T>({ file, uuid, called }: Copy, work: (still: Reader) => Promise<T>): Promise<T> {
  const connection = openReader(file);
  try {
    const still: Reader = { read: async (sql, values) => connection.all(sql, values) };
    const [first] = connection.all('PRAGMA integrity_check(1)');
    if (first?.['integrity_check'] !== 'ok') throw unsound(called, String(first?.['integrity_check']));
    const [meta] = connection.all('SELECT ledger_uuid FROM meta');
    if (!meta || textOf(meta, 'ledger_uuid') !== uuid) throw unsound(called, 'it is of another ledger');
    return await work(still);
  } catch (error) {
    if (!isSqlite(error)) throw error;
    throw unsound(called, error instanceof Error ? error.message : String(error));
  } finally {
    connection.close();
  }
}

async function synced(handle: FileHandle): Promise<void> {
  await handle.sync();
  await handle.close();
}

/**
 * Gives the draft its name. A file that appeared in the meantime is not replaced by mistake, because a link to a name that
 * is taken fails.
 */
async function named(draft: string, target: string, older: OlderFile): Promise<void> {
  if (older === 'replaced') await rename(draft, target);
  else {
    try {
      await link(draft, target);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw taken(target);
      // The disk supports only one name for each file.
      await (await open(target, 'wx', 0o600)).close();
      await rename(draft, target);
    }
  }
  // The draft is now a second name of the backup, with which a ledger is refused.
  await rm(draft, { force: true });
  await syncFolderAsync(path.dirname(target));
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

async function onDisk<T>(target: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault(
      'file-unwritten',
      `The backup ${target} could not be written: ${reason}. The ledger is as it was, and no file was left.`,
      'Make room on the disk, or name a file in a folder that exists and can be written.',
      { cause: error },
    );
  }
}

/** Returns the Fault for a backup of a ledger on PostgreSQL: the server makes copies of what it has, paybatch does not. */
export const backedUpByServer = (): Fault =>
  new Fault(
    'usage',
    'The ledger is on PostgreSQL, which is backed up by its own programs. No backup was written.',
    'Use pg_dump, or better pg_basebackup with an archive of the log (point-in-time recovery). Keep the checkpoints and keys of this computer with the backup. After a restore, every payment is looked up before anything is sent.',
  );

const taken = (target: string): Fault =>
  new Fault(
    'file-unwritten',
    `${target} already exists. No backup was written.`,
    'Choose another name, one for each day for example, or add --replace.',
  );

const unsound = (file: string, why: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `The backup ${file} is not sound: ${why}.`,
    'Keep the ledger as it is, and look at it with `paybatch verify`. Do not put this file in its place.',
  );
