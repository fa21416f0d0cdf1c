/** The proof of leases before each submission: it is shared, and never older than the question. */
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import { PLANNING } from '../../src/ledger/lease.ts';
import { Leases } from '../../src/ledger/leases.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { holder, open, TestClock, temporaryPath } from './builders.ts';

/** Leases on a database that answers no reading under its locks before `answer` is called. */
async function onSlowDatabase() {
  const path = temporaryPath();
  await (await open({ path })).close();
  const real = openSqliteDatabase(path, ledgerSchema);
  onTestFinished(() => real.close());
  const answered = Promise.withResolvers<void>();
  let readings = 0;
  const database: Database = {
    read: (sql, values) => real.read(sql, values),
    async readLocked(sql, values) {
      const rows = await real.readLocked(sql, values);
      readings += 1;
      await answered.promise;
      return rows;
    },
    snapshot: (work) => real.snapshot(work),
    write: (statements) => real.write(statements),
    assertInPlace: () => real.assertInPlace(),
    compact: () => real.compact(),
    tablesVersion: () => real.tablesVersion(),
    relied: () => real.relied(),
    close: () => real.close(),
    tryLock: (name) => real.tryLock(name),
    unlock: (name) => real.unlock(name),
    lockedOf: (names) => real.lockedOf(names),
    lingersMs: 0,
  };
  const leases = new Leases({ database, clock: new TestClock(), holder: holder('amina', 11) });
  await leases.take(PLANNING);
  return {
    real,
    leases,
    answer: answered.resolve,
    readings: () => readings,
    begun: () => expect.poll(() => readings, { interval: 1 }).toBe(1),
  };
}

const lost = { code: 'ledger-held', exit: 75 };

test('proofs that are asked for together are one reading', async () => {
  const { leases, answer, readings } = await onSlowDatabase();
  const all = Promise.all(Array.from({ length: 64 }, () => leases.prove()));
  answer();
  await all;
  expect(readings()).toBe(1);
});

test('a proof is never a reading that began before it was asked for', async () => {
  const { real, leases, answer, readings, begun } = await onSlowDatabase();
  const early = leases.prove();
  await begun();
  // The lease is lost while the first reading is on its way: what that has seen was true when it was asked for.
  await real.write([{ sql: 'UPDATE lease SET epoch = epoch + 1', values: [], expect: 1 }]);
  const late = Promise.allSettled([leases.prove(), leases.prove()]);
  answer();
  await early;
  expect(await late).toMatchObject([{ reason: lost }, { reason: lost }]);
  expect(readings()).toBe(2);
});

test('a proof that failed fails nobody who asks later', async () => {
  const { real, leases, answer } = await onSlowDatabase();
  answer();
  await real.write([{ sql: 'UPDATE lease SET epoch = 7', values: [] }]);
  await expect(leases.prove()).rejects.toMatchObject(lost);
  await real.write([{ sql: 'UPDATE lease SET epoch = ?', values: [leases.epochOf(PLANNING)] }]);
  await leases.prove();
});
