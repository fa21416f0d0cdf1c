/** The proof of leases before each submission: it is shared, and never older than the question. */
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import { PLANNING } from '../../src/ledger/lease.ts';
import { Leases } from '../../src/ledger/leases.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { holder, open, TestClock, temporaryPath } from './builders.ts';

/** Leases on a database that answers each reading under its locks only when it is told to. */
async function onSlowDatabase() {
  const path = temporaryPath();
  await (await open({ path })).close();
  const real = openSqliteDatabase(path, ledgerSchema);
  onTestFinished(() => real.close());
  const answers: (() => void)[] = [];
  const database: Database = {
    read: (sql, values) => real.read(sql, values),
    async readLocked(sql, values) {
      const rows = await real.readLocked(sql, values);
      await new Promise<void>((resolve) => answers.push(resolve));
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
  /** Answers the next reading once it has begun. */
  const answer = async () => {
    await expect.poll(() => answers.length, { interval: 1 }).toBe(1);
    answers.shift()?.();
  };
  return { real, leases, answers, answer };
}

test('proofs that are asked for together are one reading', async () => {
  const { leases, answers, answer } = await onSlowDatabase();
  const all = Promise.all(Array.from({ length: 64 }, () => leases.prove()));
  await answer();
  await all;
  expect(answers).toEqual([]);
});

test('a proof is never a reading that began before it was asked for', async () => {
  const { real, leases, answers, answer } = await onSlowDatabase();
  const early = leases.prove();
  await expect.poll(() => answers.length, { interval: 1 }).toBe(1);
  // The lease is lost while the first reading is on its way: what that has seen was true when it was asked for.
  await real.write([{ sql: 'UPDATE lease SET epoch = epoch + 1', values: [], expect: 1 }]);
  const late = Promise.allSettled([leases.prove(), leases.prove()]);
  await answer();
  await early;
  await answer();
  const lost = { status: 'rejected', reason: { code: 'ledger-held', exit: 75 } };
  expect(await late).toMatchObject([lost, lost]);
  expect(answers).toEqual([]);
});

test('a proof that failed fails nobody who asks later', async () => {
  const { real, leases, answer } = await onSlowDatabase();
  await real.write([{ sql: 'UPDATE lease SET epoch = 7', values: [] }]);
  const failed = leases.prove();
  await answer();
  await expect(failed).rejects.toMatchObject({ code: 'ledger-held' });
  await real.write([{ sql: 'UPDATE lease SET epoch = ?', values: [leases.epochOf(PLANNING)] }]);
  const later = leases.prove();
  await answer();
  await later;
});
