/**
 * Purges the batch `argv[3]` of the ledger `argv[2]` and dies at the step `argv[4]`: `statement N`, in the transaction; `committed`,
 * before its file is written anew; `vacuumed`, before the log is emptied; `-`: not at all.
 */

import type { Database, Statement } from '../../../src/database/database.ts';
import { openDurable } from '../../../src/database/sqlite.ts';
import { openSqliteDatabase } from '../../../src/database/sqlite-database.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { ledgerOn } from '../../../src/ledger/ledger.ts';
import { ledgerSchema } from '../../../src/ledger/schema.ts';
import { systemClock } from '../../../src/system.ts';
import { testKeys } from '../ledger-keys.ts';

const [, , path = '', batch = '', step = ''] = process.argv;
const die = (): void => void process.kill(process.pid, 'SIGKILL');
const [, dieAt] = /^statement (\d+)$/.exec(step) ?? [];

const real = openSqliteDatabase(path, ledgerSchema);
let isPurging = false;
let statements = 0;

async function* counted(group: Parameters<Database['write']>[0]): AsyncGenerator<readonly Statement[]> {
  for await (const block of group) {
    for (const statement of 'sql' in block ? [block] : block) {
      if (isPurging) statements += 1;
      if (statements === Number(dieAt)) die();
      yield [statement];
    }
  }
}

const database: Database = {
  read: (sql, values) => real.read(sql, values),
  snapshot: (work) => real.snapshot(work),
  readLocked: (sql, values) => real.readLocked(sql, values),
  tryLock: (name) => real.tryLock(name),
  unlock: (name) => real.unlock(name),
  lockedOf: (names) => real.lockedOf(names),
  lingersMs: real.lingersMs,
  write: (group) => real.write(counted(group)),
  assertInPlace: () => real.assertInPlace(),
  compact: () => real.compact(),
  tablesVersion: () => real.tablesVersion(),
  relied: () => real.relied(),
  close: () => real.close(),
};
const holder = { host: 'desk', pid: process.pid, description: 'purge' };
const ledger = await ledgerOn(database, { path, keys: testKeys, clock: systemClock, holder });
await ledger.takeLease();
const header = await ledger.findBatch(batch as BatchId); // of a test
if (!header) throw new Error(`there is no batch ${batch}`);
isPurging = true;
if (!(await ledger.purges()).has(header.id)) await ledger.purge(header, 'amina@desk');
if (step === 'committed') die();
if (step === 'vacuumed') {
  openDurable(path).exec('VACUUM');
  die();
}
await ledger.compact();
await ledger.close();
