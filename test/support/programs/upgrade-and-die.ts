/**
 * Brings the ledger `argv[2]` (or the one at the PostgreSQL `argv[3]`) to the made-up next version of the tables, and kills itself when it
 * is as far as `argv[4]` says; without that it ends well.
 */
import type { UpgradableDatabase } from '../../../src/database/database.ts';
import { openPostgresDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { openSqliteDatabase } from '../../../src/database/sqlite-database.ts';
import { openUpToDate } from '../../../src/ledger/upgrade.ts';
import { systemClock } from '../../../src/system.ts';
import { rehearsalKeys } from '../kept-ledgers.ts';
import { nextSchema } from '../next-tables.ts';
import { sharedAt } from '../postgres.ts';

const [, , path = '', address = '', last = ''] = process.argv;

const dieAt = (step: string): void => void (step === last && process.kill(process.pid, 'SIGKILL'));

/** It dies on the way through a database that is opened so. */
function mortal(real: UpgradableDatabase): UpgradableDatabase {
  return {
    read: (sql, values) => real.read(sql, values),
    snapshot: (work) => real.snapshot(work),
    readLocked: (sql, values) => real.readLocked(sql, values),
    tryLock: (name) => real.tryLock(name),
    unlock: (name) => real.unlock(name),
    lockedOf: (names) => real.lockedOf(names),
    lingersMs: real.lingersMs,
    write: (group) => real.write(group),
    assertInPlace: () => real.assertInPlace(),
    compact: () => real.compact(),
    relied: () => real.relied(),
    close: () => real.close(),
    // Asked once every lock is taken.
    tablesVersion: async () => {
      dieAt('locked');
      return real.tablesVersion();
    },
    migrate: async (group, prove) => {
      dieAt('kept');
      await real.migrate(group, async (migrated) => {
        dieAt('migrating');
        await prove(migrated);
        dieAt('proven');
      });
      dieAt('migrated');
    },
  };
}

const open = async (olderToo: boolean): Promise<UpgradableDatabase> =>
  mortal(
    address === ''
      ? openSqliteDatabase(path, nextSchema, olderToo)
      : await openPostgresDatabase(sharedAt(address), nextSchema, Date.now, olderToo),
  );
const database = await openUpToDate(open, nextSchema, {
  ...(address === '' && { file: path }),
  keys: rehearsalKeys,
  clock: systemClock,
  holder: { host: 'desk', pid: process.pid, description: 'upgrades, and dies' },
  upgrade: { isBackedUp: true, onUpgraded: () => undefined },
});
await database.close();
