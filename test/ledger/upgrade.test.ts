/** Ledgers of earlier versions, brought up to date when they are opened. The fixture was written by version 1 itself. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { prepareLedgerFile } from '../../src/ledger/ledger-file.ts';
import { type Connection, openDurable } from '../../src/ledger/sqlite.ts';
import { openSqliteDatabase } from '../../src/ledger/sqlite-database.ts';
import { kes, open, planOf, temporaryPath } from './builders.ts';

const VERSION_1 = path.join(import.meta.dirname, '..', 'fixtures', 'ledgers', 'version-1.sql');
const BATCH = 'salaries' as BatchId;

/** A file with the ledger of version 1, as it was left. */
function ledgerOfVersion1(change = ''): string {
  const file = temporaryPath();
  prepareLedgerFile(file);
  const raw = openDurable(file);
  raw.exec(readFileSync(VERSION_1, 'utf8') + change);
  raw.close();
  return file;
}

function openRaw(file: string): Connection {
  const raw = openDurable(file);
  onTestFinished(() => raw.close());
  return raw;
}

/** What the columns of a table are held to, each `column IN (list)` of it. */
function wordsIn(raw: Connection, table: string): readonly string[] {
  const made = raw.all(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`);
  return made.flatMap(({ sql }) => String(sql).match(/\w+ IN \([^)]*\)/g) ?? []).toSorted();
}

describe('a ledger of version 1', () => {
  test('is sound after it was brought up to date, with every fact as it was', async () => {
    const file = ledgerOfVersion1();
    const before = openRaw(file).all('SELECT * FROM fact ORDER BY seq');
    const ledger = await open({ path: file });
    expect(await ledger.verify()).toEqual([]);
    expect(openRaw(file).all('SELECT * FROM fact ORDER BY seq')).toEqual(before);
    expect(openRaw(file).all('SELECT schema_version FROM meta')).toEqual([{ schema_version: 3n }]);
  });

  test('has payment orders only, the same rows, and its alarm', async () => {
    const ledger = await open({ path: ledgerOfVersion1() });
    const rows = (await Array.fromAsync(ledger.resultRows(BATCH))).flat();
    const known = ['completed', 'pending', 'in-doubt', 'in-doubt', 'in-doubt', 'unsent', 'invalid'];
    expect(rows.map(({ outcome }) => outcome)).toEqual(known);
    expect(rows.flatMap(({ state }) => state?.submission ?? [])).toEqual(Array(6).fill('payment-order'));
    expect(await ledger.alarms(BATCH)).toEqual(['row 5: the service says it paid 1.00']);
  });

  test('goes on: what was planned is claimed, followed and planned anew', async () => {
    const ledger = await open({ path: ledgerOfVersion1() });
    const epoch = await ledger.takeLease();
    const [order] = await ledger.unsentOrders(BATCH, 10);
    if (!order) throw new Error('one order is unsent');
    await ledger.claim([order], 1, epoch, null);
    const plan = planOf({ name: 'december', rows: 2 });
    await ledger.planBatch(plan.header, plan.blocks);
    expect((await ledger.tallies(plan.header.id)).map(({ amount }) => amount)).toEqual([kes(300_001n)]);
    expect(await ledger.verify()).toEqual([]);
  });

  test('knows whom it paid or may still pay', async () => {
    const ledger = await open({ path: ledgerOfVersion1() });
    const rows = (await Array.fromAsync(ledger.resultRows(BATCH))).flat();
    const payees = rows.flatMap(({ payout }) => payout?.payee ?? []);
    expect(payees).toHaveLength(6);
    const found = await ledger.paymentsTo(payees, 0);
    expect(found.map(({ payee }) => payee).toSorted()).toEqual(payees.toSorted());
  });

  test('takes the lease from a run that still goes with the older tables', async () => {
    const held = `UPDATE lease SET epoch = 7, holder = '{"pid":1}', heartbeat_at = 1;`;
    const file = ledgerOfVersion1(held);
    await open({ path: file });
    const renewed = openRaw(file).run('UPDATE lease SET heartbeat_at = 2 WHERE epoch = 7 AND holder IS NOT NULL', []);
    expect(renewed).toBe(0);
    expect(openRaw(file).all('SELECT epoch FROM lease')).toEqual([{ epoch: 9n }]);
  });

  test('has the columns and indexes of a new one, and takes the same words', async () => {
    const file = ledgerOfVersion1();
    const fresh = temporaryPath();
    await open({ path: file });
    await open({ path: fresh });
    const shape = (raw: Connection) =>
      ['pay_order', 'payout', 'fact', 'batch', 'lease', 'meta'].map((table) => [
        raw.all(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${table}') ORDER BY name`),
        raw.all(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${table}' ORDER BY name`),
        wordsIn(raw, table),
      ]);
    expect(shape(openRaw(file))).toEqual(shape(openRaw(fresh)));
  });

  test('stays as it was when it cannot be brought up to date', () => {
    const file = ledgerOfVersion1('ALTER TABLE pay_order ADD COLUMN alarmed TEXT;');
    const before = openRaw(file).all('SELECT sql FROM sqlite_schema');
    expect(() =>
      openSqliteDatabase(file, { version: 2, statements: [], upgrades: { 1: ['CREATE TABLE x (y)', 'no'] } }),
    ).toThrow(expect.objectContaining({ code: 'ledger-unsafe' }));
    expect(openRaw(file).all('SELECT sql FROM sqlite_schema')).toEqual(before);
    expect(openRaw(file).setting('user_version')).toBe(1n);
  });
});
