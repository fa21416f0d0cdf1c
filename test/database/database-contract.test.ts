/** What the ledger asks of a database, of each that it can be on. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Statement } from '../../src/database/database.ts';
import type { Schema } from '../../src/database/tables-version.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { temporaryPath } from '../ledger/builders.ts';
import { databaseOnDriver, onEachDriver, seen } from '../ledger/drivers.ts';

const schema: Schema = {
  version: 3,
  migrations: [],
  statements: [
    'CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)',
    'CREATE INDEX note_text ON note (text)',
  ],
};

async function openNotes(path = temporaryPath()): Promise<Database> {
  const database = await databaseOnDriver(path, schema);
  onTestFinished(() => database.close());
  return database;
}

const note = (id: number, text = 'text'): Statement => ({
  sql: 'INSERT INTO note (id, text) VALUES (?, ?)',
  values: [id, text],
  expect: 1,
});
const missing: Statement = { sql: 'UPDATE note SET text = ? WHERE id = ?', values: ['x', 99], expect: 1 };

const idsIn = async (database: Database): Promise<number[]> =>
  (await database.read('SELECT id FROM note ORDER BY id')).map((row) => Number(row['id']));

onEachDriver(() => {
  describe('a group of statements', () => {
    test('is kept when it resolves: another program sees it', async () => {
      const path = temporaryPath();
      await (await openNotes(path)).write([note(1), note(2)]);
      expect(await seen(path, 'SELECT COUNT(*) AS number FROM note')).toEqual([{ number: 2n }]);
    });

    test('leaves nothing when one statement touches another number of rows than it must, and writing goes on', async () => {
      const database = await openNotes();
      await expect(database.write([note(1), missing])).rejects.toMatchObject({ name: 'RowsDiffer', sql: missing.sql });
      await database.write([note(2)]);
      expect(await idsIn(database)).toEqual([2]);
    });

    test('is never mixed with another one, and is not seen before it is whole', async () => {
      const database = await openNotes();
      const before: number[][] = [];
      async function* slow(): AsyncGenerator<readonly Statement[]> {
        yield [note(1)];
        before.push(await idsIn(database));
        yield [note(2)];
      }
      const late: Statement = { sql: 'DELETE FROM note WHERE id <= ?', values: [2], expect: 2 };
      await Promise.all([database.write(slow()), database.write([late, note(3)])]);
      expect(before).toEqual([[]]);
      expect(await idsIn(database)).toEqual([3]);
    });

    test('is asked for what follows a block when all of the block was good, and not before', async () => {
      const database = await openNotes();
      let goesOn = false;
      function* blocks(): Generator<readonly Statement[]> {
        yield [note(1), missing];
        goesOn = true;
      }
      await expect(database.write(blocks())).rejects.toMatchObject({ name: 'RowsDiffer' });
      expect(goesOn).toBe(false);
    });

    test('is not kept when who gives it throws, and the error is passed on', async () => {
      const database = await openNotes();
      async function* broken(): AsyncGenerator<readonly Statement[]> {
        yield [note(1)];
        throw new Error('the sheet ended');
      }
      await expect(database.write(broken())).rejects.toThrow('the sheet ended');
      await database.write([note(2)]);
      expect(await idsIn(database)).toEqual([2]);
    });

    test('counts the rows that a statement returns', async () => {
      const database = await openNotes();
      const returning: Statement = { sql: 'INSERT INTO note VALUES (?, ?) RETURNING id', values: [7, 'x'], expect: 1 };
      await database.write([returning]);
      expect(await idsIn(database)).toEqual([7]);
    });

    test('that the database refuses is a fault, and no later write is taken', async () => {
      const database = await openNotes();
      const unsafe = { code: 'ledger-unsafe', exit: 10 };
      await expect(database.write([note(1), note(1)])).rejects.toMatchObject(unsafe);
      await expect(database.write([note(2)])).rejects.toMatchObject(unsafe);
      expect(await idsIn(database)).toEqual([]);
    });
  });

  describe('what is read', () => {
    test('has every integer as a bigint without losing a digit, sums too, and nothing as null', async () => {
      const database = await openNotes();
      await database.write([
        { sql: 'INSERT INTO note (id, text) VALUES (?, ?)', values: [9_007_199_254_740_993n, ''] },
      ]);
      const [row] = await database.read(
        'SELECT id, text, SUM(id) AS sum, MAX(id) + 1 AS next, COUNT(*) AS number, NULL AS none FROM note GROUP BY id, text',
      );
      const id = 9_007_199_254_740_993n;
      expect(row).toEqual({ id, text: '', sum: id, next: id + 1n, number: 1n, none: null });
    });

    test('is compared by its bytes, in whatever language the system is', async () => {
      const database = await openNotes();
      await database.write(['b', 'B', 'ä', 'a-b', 'ab', '_'].map((text, id) => note(id + 1, text)));
      const texts = (await database.read('SELECT text FROM note ORDER BY text')).map((row) => row['text']);
      expect(texts).toEqual(['B', '_', 'a-b', 'ab', 'b', 'ä']);
      expect(await database.read('SELECT text FROM note WHERE text < ? ORDER BY text', ['a'])).toHaveLength(2);
    });

    test('keeps texts as they are: quotes, line breaks, backslashes, other planes, and a question mark in a statement', async () => {
      const text = `O'Brien "x" \\ \n\t $1 ? 😀 \u2028 İ`;
      const database = await openNotes();
      await database.write([note(1, text)]);
      const [row] = await database.read(
        `SELECT text, '?' AS checkpoint FROM note WHERE id = ? AND text LIKE '%? 😀%'`,
        [1],
      );
      expect(row).toEqual({ text, checkpoint: '?' });
    });

    test('stands still in a snapshot, whoever writes meanwhile', async () => {
      const database = await openNotes();
      await database.write([note(1)]);
      await database.snapshot(async (still) => {
        const count = async () => (await still.read('SELECT COUNT(*) AS number FROM note'))[0]?.['number'];
        expect(await count()).toBe(1n);
        await database.write([note(2)]);
        expect(await count()).toBe(1n);
      });
      expect(await idsIn(database)).toEqual([1, 2]);
    });
  });

  describe('a database', () => {
    test('that was closed is not asked or written any more: that is a bug, and says nothing against the ledger', async () => {
      const database = await openNotes();
      await database.close();
      await expect(database.read('SELECT 1')).rejects.toThrow(InvariantError);
      await expect(database.write([note(1)])).rejects.toThrow(InvariantError);
    });

    test('is written anew in its turn: writes that were asked for before come first, later ones after it', async () => {
      const database = await openNotes();
      await Promise.all([database.write([note(1)]), database.compact(), database.write([note(2)])]);
      expect(await idsIn(database)).toEqual([1, 2]);
    });

    test('says what its commits rely on, and all of it holds', async () => {
      const relied = await (await openNotes()).relied();
      expect(relied.length).toBeGreaterThan(3);
      expect(relied.filter(({ holds }) => !holds)).toEqual([]);
    });
  });
});
