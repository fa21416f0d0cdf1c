/**
 * Replaces a ledger with a backup. The checkpoint stays, so the ledger is in recovery after that: payments made after the
 * backup are looked up before anything is sent. The files of the replaced ledger are set aside and never removed: a log that
 * is left next to another ledger would be read as part of it.
 */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { textOf } from '../database/database.ts';
import { copyInto, isSqlite, openReader } from '../database/sqlite.ts';
import { migratingFrom, versionOf } from '../database/sqlite-database.ts';
import { requireVersion, type Schema } from '../database/tables-version.ts';
import { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { prepareFolder, syncFolderAsync } from '../files/folders.ts';
import { openTemporary } from '../files/temporary-file.ts';
import { provenHead } from './backup.ts';
import { Keyring } from './keyring.ts';
import { NOBODY_HOLDS } from './lease.ts';
import { type LedgerOptions, openLedger } from './ledger.ts';
import { ledgerSchema } from './schema.ts';

export interface Restored {
  /** The head that the backup ends with; `undefined` if it has no facts. */
  readonly head: LedgerHead | undefined;
  /** Where the replaced ledger is now; absent if there was none. */
  readonly setAside?: string;
}

/** Suffixes of the files in which SQLite keeps a ledger. */
const BESIDE = ['', '-wal', '-shm'] as const;

/**
 * Replaces the ledger at `options.path` with a backup. Throws a Fault `ledger-unsafe` if the backup is not sound,
 * `ledger-held` if a run works on the present ledger, and `usage` if the present ledger is sound and either goes at least as
 * far, so that nothing has to be restored, or is another ledger.
 */
export async function restoreLedger(backup: string, options: LedgerOptions, schema = ledgerSchema): Promise<Restored> {
  const { path: target, keys, clock } = options;
  const { ledger, version } = foundIn(backup);
  requireVersion(backup, version, schema, true);
  const isThere = existsSync(target);
  prepareFolder(path.dirname(target));
  const draft = await openTemporary(path.dirname(target));
  try {
    await copyInto(draft.path, backup, [NOBODY_HOLDS, ...migratingFrom(version, schema)]);
    await draft.handle.sync();
    await draft.handle.close();
    const head = await provenHead(draft.path, { ledger, keyring: new Keyring(ledger, keys) }, backup);
    if (isThere) await requireOlder(options, schema, ledger, head);
    const aside = `${target}.set-aside-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`;
    for (const suffix of BESIDE) if (existsSync(target + suffix)) await rename(target + suffix, aside + suffix);
    await rename(draft.path, target);
    await syncFolderAsync(path.dirname(target));
    return { head, ...(isThere && { setAside: aside }) };
  } finally {
    await draft.handle.close().catch(() => undefined);
    await rm(draft.path, { force: true });
  }
}

/** Returns the id of the ledger in a backup, and the version of its tables. */
function foundIn(backup: string): { readonly ledger: string; readonly version: number } {
  try {
    const connection = openReader(backup);
    try {
      const [meta] = connection.all('SELECT ledger_uuid FROM meta');
      if (meta) return { ledger: textOf(meta, 'ledger_uuid'), version: versionOf(connection) };
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!isSqlite(error) && !(error instanceof TypeError)) throw error;
  }
  throw new Fault(
    'usage',
    `${backup} is not a backup of a ledger, or cannot be read. Nothing was changed.`,
    'Name a file that `paybatch ledger backup` wrote.',
  );
}

/** Throws unless the present ledger may be replaced: it is damaged or has no facts, or the backup goes further. */
async function requireOlder(
  options: LedgerOptions,
  schema: Schema,
  id: string,
  head: LedgerHead | undefined,
): Promise<void> {
  try {
    const ledger = await openLedger(options, schema);
    try {
      // Only the leases show whether another run works on the ledger.
      await ledger.takeLease();
      await ledger.takeEveryLease();
      // Complete chains prove no row and no body: a row may have been changed without touching them.
      if ((await ledger.verify()).length > 0) return;
      const here = await ledger.head();
      if (here && foundIn(options.path).ledger !== id) throw another();
      if (here && here.seq >= (head?.seq ?? 0)) throw further(here, head);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'ledger-unsafe') throw error;
  }
}

const another = (): Fault =>
  new Fault(
    'usage',
    'The ledger here is sound, and the backup is of another ledger. Nothing was changed.',
    'Name the profile or the state folder of the backup, with --profile or PAYBATCH_HOME.',
  );

const further = (here: LedgerHead, head: LedgerHead | undefined): Fault =>
  new Fault(
    'usage',
    `The ledger here is sound and goes to fact ${here.seq}; the backup ends with fact ${head?.seq ?? 0}. Nothing was changed.`,
    'Nothing needs to be restored: continue with the ledger here.',
  );
