/**
 * Puts a backup in the place of a ledger. The checkpoint stays, so the ledger is in doubt from then on: what was paid after the backup is
 * looked up before anything is sent. What stood there is set aside and never removed: a log that is left beside another ledger
 * would be read as part of it.
 */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { prepareFolder, syncFolderAsync } from '../files/folders.ts';
import { openTemporary } from '../files/temporary-file.ts';
import { provenHead } from './backup.ts';
import { textOf } from './database.ts';
import { Keyring } from './keyring.ts';
import { NOBODY_HOLDS } from './lease.ts';
import { type LedgerOptions, openLedger } from './ledger.ts';
import { ledgerSchema } from './schema.ts';
import { copyInto, isSqlite, openReader } from './sqlite.ts';
import { migratingFrom, versionOf } from './sqlite-database.ts';
import { requireVersion, type Schema } from './tables-version.ts';

export interface Restored {
  /** How far the backup goes. */
  readonly head: LedgerHead | undefined;
  /** Where the ledger is that stood there; missing when there was none. */
  readonly setAside?: string;
}

/** Files that SQLite keeps beside a ledger. */
const BESIDE = ['', '-wal', '-shm'] as const;

/**
 * Puts the backup in its place. Fault `ledger-unsafe` when it is not sound, `ledger-held` when a run works on the ledger that is
 * there, and `usage` when that one is sound and goes further: there is nothing to put back then.
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

/** Id of the ledger that a backup is of, and the version of its tables. */
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
    `${backup} is no backup of a ledger, or cannot be read. Nothing was changed.`,
    'Name a file that `paybatch ledger backup` wrote.',
  );
}

/** A ledger that is damaged may be replaced, and so may one that the backup goes on from. */
async function requireOlder(
  options: LedgerOptions,
  schema: Schema,
  id: string,
  head: LedgerHead | undefined,
): Promise<void> {
  try {
    const ledger = await openLedger(options, schema);
    try {
      // Nobody else works on it: whoever does is told apart by the lease alone.
      await ledger.takeLease();
      await ledger.takeEveryLease();
      // Whole chains prove no row and no body: what a row says may have been changed beside them.
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
    'The ledger that is here is sound, and is another one than the backup is of. Nothing was changed.',
    'Name the profile or the state folder of the backup, with --profile or PAYBATCH_HOME.',
  );

const further = (here: LedgerHead, head: LedgerHead | undefined): Fault =>
  new Fault(
    'usage',
    `The ledger that is here is sound and goes to fact ${here.seq}; the backup ends with fact ${head?.seq ?? 0}. Nothing was changed.`,
    'There is nothing to put back: go on with the ledger that is here.',
  );
