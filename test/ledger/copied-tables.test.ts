/** Tables of any columns are copied from SQLite into each database. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { Schema } from '../../src/database/tables-version.ts';
import { copying, tablesOf } from '../../src/ledger/copied-tables.ts';
import { temporaryPath } from './builders.ts';
import { databaseOnDriver, onEachDriver } from './drivers.ts';

const schema: Schema = {
  version: 1,
  migrations: [],
  statements: [
    'CREATE TABLE town (name TEXT PRIMARY KEY, seen BIGINT)',
    `CREATE TABLE house (
  town TEXT NOT NULL REFERENCES town (name),
  number INTEGER NOT NULL,
  plan BLOB,
  note TEXT,
  PRIMARY KEY (town, number)
)`,
  ],
};

/** More than are read at a time, in towns whose order by a language is not that of their bytes. */
const towns = ['Änd', 'Zuri', 'ab', 'b'];
const rows: readonly Statement[] = [
  ...towns.map(
    (name, at): Statement => ({ sql: 'INSERT INTO town VALUES (?, ?)', values: [name, at === 0 ? null : 2n ** 60n] }),
  ),
  ...Array.from({ length: 450 }, (_, at): Statement => {
    const plan = at % 3 === 0 ? null : Buffer.from([at & 0xff, 0, 255]);
    return { sql: 'INSERT INTO house VALUES (?, ?, ?, ?)', values: [towns[at % 4] ?? '', 450 - at, plan, `n ${at}`] };
  }),
];

async function copied() {
  const from = openSqliteDatabase(temporaryPath('from.db'), schema);
  const to = await databaseOnDriver(temporaryPath('to.db'), schema);
  onTestFinished(async () => void (await Promise.all([from.close(), to.close()])));
  await from.write(rows);
  const tables = await tablesOf(from);
  await to.write(copying(from, tables));
  return { from, to, tables };
}

onEachDriver(() => {
  describe('tables that are copied', () => {
    test('hold the same, row by row, in the order of their keys', async () => {
      const { from, to, tables } = await copied();
      expect(tables.map(({ name, key }) => [name, key])).toEqual([
        ['town', ['name']],
        ['house', ['town', 'number']],
      ]);
      for (const [rows, sql] of [
        [4, 'SELECT * FROM town ORDER BY name'],
        [450, 'SELECT * FROM house ORDER BY town, number'],
      ] as const) {
        const there = await to.read(sql);
        expect(there).toHaveLength(rows);
        expect(there).toEqual(await from.read(sql));
      }
    });
  });
});
