import {
  chmodSync,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Statement } from '../../src/database/database.ts';
import { openDurable } from '../../src/database/sqlite.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { Schema } from '../../src/database/tables-version.ts';
import { temporaryPath } from '../ledger/builders.ts';
import { needsPosix } from '../support/needs.ts';

const schema: Schema = {
  version: 3,
  statements: ['CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'],
  migrations: [],
};

function openNotes(path = temporaryPath()): Database {
  const database = openSqliteDatabase(path, schema);
  onTestFinished(() => database.close());
  return database;
}

function openRaw(path: string) {
  const raw = openDurable(path);
  onTestFinished(() => raw.close());
  return raw;
}

const note = (id: number, text = 'text'): Statement => ({
  sql: 'INSERT INTO note (id, text) VALUES (?, ?)',
  values: [id, text],
  expect: 1,
});

const idsIn = async (database: Database): Promise<number[]> =>
  (await database.read('SELECT id FROM note ORDER BY id')).map((row) => Number(row['id']));

describe('a connection to a ledger file', () => {
  test('syncs every commit, and says so when it is asked', () => {
    const path = temporaryPath();
    openNotes(path);
    const raw = openRaw(path);
    expect(raw.setting('journal_mode')).toBe('wal');
    expect(raw.setting('synchronous')).toBe(2n);
    expect(raw.setting('foreign_keys')).toBe(1n);
    expect(raw.setting('fullfsync')).toBe(1n);
    expect(raw.setting('busy_timeout')).toBe(5000n);
  });
});

describe('the file of a ledger', () => {
  beforeEach(needsPosix);

  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  test('is for its owner alone, whatever the umask, with its folder and the files beside it', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const path = temporaryPath();
    await openNotes(path).write([note(1)]);
    expect(modeOf(path.slice(0, path.lastIndexOf('/')))).toBe(0o700);
    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  });

  test('that was taken away meanwhile shows no moment to stand still at: the ledger is unsafe, and that is no bug', async () => {
    const path = temporaryPath();
    const database = openNotes(path);
    await database.write([note(1)]);
    renameSync(path, `${path}.moved`);
    await expect(database.snapshot(async () => undefined)).rejects.toMatchObject({
      name: 'Fault',
      code: 'ledger-unsafe',
      message: expect.stringContaining(path),
    });
  });

  test('is made private again when somebody opened it up', async () => {
    const path = temporaryPath();
    await openSqliteDatabase(path, schema).close();
    chmodSync(path, 0o644);
    openNotes(path);
    expect(modeOf(path)).toBe(0o600);
  });

  test.each([
    ['a hard link', linkSync],
    ['a symbolic link', symlinkSync],
  ])('is refused as %s', async (_, link) => {
    const path = temporaryPath();
    await openSqliteDatabase(path, schema).close();
    link(path, `${path}.other`);
    expect(() => openNotes(`${path}.other`)).toThrow(expect.objectContaining({ code: 'ledger-unsafe', exit: 10 }));
  });
});

describe('a database whose files are taken away while it is open', () => {
  beforeEach(needsPosix);

  test.each([
    ['the log', ['-wal', '-shm']],
    ['the file and the log', ['', '-wal', '-shm']],
  ])('takes no file of the next run with it when it is closed, and %s was taken away', async (_, taken) => {
    const path = temporaryPath();
    const database = openNotes(path);
    await database.write([note(1)]);
    for (const suffix of taken) rmSync(path + suffix);
    for (const suffix of taken) writeFileSync(path + suffix, `the next run's own ${suffix}`);
    await database.close();
    for (const suffix of taken) expect(readFileSync(path + suffix, 'utf8')).toBe(`the next run's own ${suffix}`);
  });

  test.each(['', '-wal'])('says so, when it is the file ledger.db%s, and not once it is back', (suffix) => {
    const path = temporaryPath();
    const database = openNotes(path);
    const [file, elsewhere] = [path + suffix, `${path}${suffix}.moved`];
    database.assertInPlace();
    renameSync(file, elsewhere);
    expect(() => database.assertInPlace()).toThrow(expect.objectContaining({ code: 'ledger-unsafe', exit: 10 }));
    renameSync(elsewhere, file);
    database.assertInPlace();
  });
});

describe('a database that was closed', () => {
  test('has all of it in its own file: a copy of that file alone is whole', async () => {
    const path = temporaryPath();
    const database = openNotes(path);
    await database.write([note(1), note(2)]);
    await database.close();
    expect(statSync(`${path}-wal`).size).toBe(0);
    copyFileSync(path, `${path}.backup`);
    expect(await idsIn(openNotes(`${path}.backup`))).toEqual([1, 2]);
  });

  test('leaves the log to who writes it, when it was only read', async () => {
    const path = temporaryPath();
    await openNotes(path).write([note(1)]);
    const logged = statSync(`${path}-wal`).size;
    expect(logged).toBeGreaterThan(0);
    const looked = openNotes(path);
    expect(await idsIn(looked)).toEqual([1]);
    await looked.close();
    expect(statSync(`${path}-wal`).size).toBe(logged);
  });
});

test('readings together are of one moment, though another connection writes between them, and count as no writing', async () => {
  const path = temporaryPath();
  const writer = openNotes(path);
  await writer.write([note(1)]);
  const logged = statSync(`${path}-wal`).size;
  const [one, other] = [openRaw(path), openRaw(path)];
  const count = () => one.all('SELECT COUNT(*) AS notes FROM note')[0]?.['notes'];
  const seen = one.readTogether(() => {
    const before = count();
    other.run("INSERT INTO note (id, text) VALUES (2, 'text')", []);
    return [before, count()];
  });
  expect(seen).toEqual([1n, 1n]);
  expect(count()).toBe(2n);
  one.close();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(logged);
});

describe('a file that is not this ledger', () => {
  test.each([
    [
      'older',
      2,
      'ledger-unsafe',
      10,
      /made by another paybatch: its tables have version 2, .* only version 3. Nothing was sent./,
    ],
    [
      'newer',
      4,
      'ledger-version',
      2,
      /made by a newer version of paybatch: its tables have version 4, .* Nothing was sent./,
    ],
  ])('is refused when its tables are %s, and stays as it is', async (_, version, code, exit, message) => {
    const path = temporaryPath();
    await openSqliteDatabase(path, { ...schema, version }).close();
    const before = readFileSync(path);
    expect(() => openNotes(path)).toThrow(
      expect.objectContaining({ code, exit, message: expect.stringMatching(message) }),
    );
    expect(readFileSync(path)).toEqual(before);
  });

  test.each([
    ['another column', 'ALTER TABLE note ADD COLUMN read INTEGER'],
    ['another table', 'CREATE TABLE other (id INTEGER)'],
    ['a table less', 'DROP TABLE note'],
    ['a trigger', 'CREATE TRIGGER moved AFTER INSERT ON note BEGIN DELETE FROM note; END'],
  ])('is refused when it has %s than its version says', async (_, change) => {
    const path = temporaryPath();
    await openSqliteDatabase(path, schema).close();
    openRaw(path).exec(change);
    expect(() => openNotes(path)).toThrow(/its tables do not match their version/);
  });

  test('is refused when it is a database of somebody else', () => {
    const path = temporaryPath();
    openNotes(path);
    const raw = openRaw(path);
    raw.exec('PRAGMA user_version = 0');
    expect(() => openNotes(path)).toThrow(/not a ledger/);
  });

  test('is refused when it is no database at all', async () => {
    const path = temporaryPath();
    await openSqliteDatabase(path, schema).close();
    writeFileSync(path, 'name,amount\n'.repeat(100));
    expect(() => openNotes(path)).toThrow(expect.objectContaining({ code: 'ledger-unsafe' }));
  });
});

describe('a group of statements', () => {
  test('that the disk has no room for is a fault, and no later write is taken', async () => {
    const database = openNotes();
    await database.write([note(1), { sql: 'PRAGMA max_page_count = 3', values: [] }]);
    const large = Array.from({ length: 20 }, (_, index) => note(index + 2, 'x'.repeat(4000)));
    const unsafe = { code: 'ledger-unsafe', exit: 10, cause: expect.objectContaining({ code: 'SQLITE_FULL' }) };
    await expect(database.write(large)).rejects.toMatchObject(unsafe);
    await expect(database.write([note(50)])).rejects.toMatchObject(unsafe);
    expect(await idsIn(database)).toEqual([1]);
  });
});

describe('a long table', () => {
  test('is not read in one go: everything else has its turn meanwhile', async () => {
    const database = openNotes();
    await database.write(Array.from({ length: 500 }, (_, index) => note(index + 1)));
    const isHeardWhile = async (from: Pick<Database, 'read'>): Promise<boolean> => {
      let isHeard = false;
      setImmediate(() => {
        isHeard = true;
      });
      for (let rows = 0; rows < 5000; rows += 500) await from.read('SELECT id FROM note');
      return isHeard;
    };
    expect(await isHeardWhile(database)).toBe(true);
    expect(await database.snapshot(isHeardWhile)).toBe(true);
  });
});

describe('a file that is written anew', () => {
  const SECRET = 'WANJIKU'.repeat(200);

  test('holds no byte of what was deleted, not even before deleted bytes were overwritten, and no free page', async () => {
    const path = temporaryPath();
    const database = openNotes(path);
    await database.write([note(1)]);
    const raw = openRaw(path);
    raw.exec('PRAGMA secure_delete = OFF');
    for (let id = 2; id < 60; id++) raw.run('INSERT INTO note (id, text) VALUES (?, ?)', [id, SECRET]);
    raw.run('DELETE FROM note WHERE id > 1', []);
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(readFileSync(path).includes('WANJIKU')).toBe(true);
    await database.compact();
    for (const end of ['', '-wal', '-shm']) expect(readFileSync(path + end).includes('WANJIKU'), end).toBe(false);
    expect(raw.setting('freelist_count')).toBe(0n);
    expect(await idsIn(database)).toEqual([1]);
    await database.write([note(2)]);
    expect(await idsIn(database)).toEqual([1, 2]);
  });
});
