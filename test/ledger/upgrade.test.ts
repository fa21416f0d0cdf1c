/** The tables of a kept ledger are brought to a made-up next version, on each database. */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PostgresConnection } from '../../src/database/postgres/connection.ts';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { grantsText } from '../../src/database/postgres/rights.ts';
import { openSession } from '../../src/database/postgres/session.ts';
import { useTables } from '../../src/database/postgres/tables.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { Upgraded } from '../../src/ledger/ledger.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { openUpToDate } from '../../src/ledger/upgrade.ts';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../support/fast-clock.ts';
import { layKeptLedger, rehearsalKeys } from '../support/kept-ledgers.ts';
import { nextSchema } from '../support/next-tables.ts';
import { asAnother, needsPostgres, newAddress, ownCluster, sharedAt } from '../support/postgres.ts';
import { holder, temporaryPath } from './builders.ts';
import { change, currentDriver, onEachDriver, seen } from './drivers.ts';
import { DECEMBER, found, laid, laidOnServer, openAs } from './upgraded-ledger.ts';

const [NOW, NEXT] = [ledgerSchema.version, nextSchema.version];

/** Copies that were kept beside a ledger. */
const copiesOf = (file: string): readonly string[] =>
  readdirSync(path.dirname(file)).filter((name) => name.includes('.version-'));

onEachDriver(() => {
  describe('an older ledger', () => {
    test('is brought up to date by who pays, says the same as before, and goes on', async () => {
      const kept = await laid();
      const before = await openAs(kept);
      const [head, facts] = [await before.head(), await Array.fromAsync(before.facts())];
      await before.close();
      const upgraded: Upgraded[] = [];
      const ledger = await openAs(kept, { next: upgraded });
      expect(upgraded).toMatchObject([{ from: NOW, to: NEXT }]);
      expect(await ledger.verify()).toEqual([]);
      expect([await ledger.head(), await Array.fromAsync(ledger.facts())]).toEqual([head, facts]);
      const epoch = await ledger.takeLease(DECEMBER);
      await ledger.recordRun(DECEMBER, '0.2.0');
      const orders = await ledger.unsentOrders(DECEMBER, 3);
      expect(await ledger.claim(orders, systemClock.now(), epoch, null)).toHaveLength(3);
      expect(await ledger.verify()).toEqual([]);
      await ledger.close();
      // What the next tables take, and those before did not.
      await change(kept.path, "UPDATE meta SET note = 'taken'");
      await change(kept.path, "UPDATE pay_order SET submission = 'cheque' WHERE phase = 'planned'");
    });

    test('is kept as it was beside the file, and can be put back', async () => {
      const kept = await laid();
      const upgraded: Upgraded[] = [];
      await (await openAs(kept, { next: upgraded })).close();
      if (currentDriver() === 'PostgreSQL') {
        expect(upgraded).toEqual([{ from: NOW, to: NEXT }]);
        return;
      }
      const copy = upgraded[0]?.kept ?? '';
      expect(copiesOf(kept.path)).toEqual([path.basename(copy)]);
      const back = temporaryPath();
      const options = { path: back, keys: rehearsalKeys, clock: systemClock, holder: holder() };
      await restoreLedger(copy, options);
      expect(await found({ path: back })).toBe('sound');
      // A backup of older tables is put back with those of today.
      const newer = temporaryPath();
      await restoreLedger(copy, { ...options, path: newer }, nextSchema);
      expect(await found({ path: newer }, { next: 'reads' })).toBe('sound');
      await expect(restoreLedger(newer, { ...options, path: temporaryPath() })).rejects.toMatchObject({
        code: 'ledger-version',
      });
    });

    test('is refused by who only reads, with the command that brings it up to date, and stays as it is', async () => {
      const kept = await laid();
      await expect(openAs(kept, { next: 'reads' })).rejects.toMatchObject({
        code: 'ledger-version',
        exit: 2,
        message: expect.stringMatching(
          new RegExp(
            `older version of paybatch: its tables have version ${NOW}.* Nothing was changed, and nothing was sent`,
          ),
        ),
        remedy: expect.stringContaining('paybatch ledger upgrade'),
      });
      expect(copiesOf(kept.path)).toEqual([]);
      expect(await found(kept)).toBe('sound');
    });

    test('is brought up to date once by two processes that begin at the same time', async () => {
      const kept = await laid();
      const upgraded: Upgraded[] = [];
      const both = await Promise.all(['one', 'another'].map((name) => openAs(kept, { name, next: upgraded })));
      expect(upgraded).toHaveLength(1);
      for (const ledger of both) expect(await ledger.verify()).toEqual([]);
    });

    test('stays as it is while another run uses it', async () => {
      const kept = await laid();
      const run = await openAs(kept, { name: 'at work' });
      await run.takeLease(DECEMBER);
      await expect(openAs(kept, { next: [], clock: fastClock() })).rejects.toMatchObject({
        code: 'ledger-held',
        exit: 75,
      });
      await run.recordRun(DECEMBER, '0.1.0');
      await run.close();
      expect(copiesOf(kept.path)).toEqual([]);
      expect(await found(kept)).toBe('sound');
    });

    test('is not changed when a row of it was: what was made of it is proven before it is kept', async () => {
      const kept = await laid();
      await change(kept.path, "UPDATE payout SET fee_minor = 1 WHERE batch = 'november' AND fee_minor IS NOT NULL");
      await expect(openAs(kept, { next: [] })).rejects.toMatchObject({
        code: 'ledger-unsafe',
        message: expect.stringMatching(/not sound, so its tables were left as they were: row \d+ of batch november/),
      });
      expect(await seen(kept.path, 'SELECT COUNT(*) AS held FROM lease WHERE holder IS NOT NULL')).toEqual([
        { held: 0n },
      ]);
      await (await openAs(kept)).close();
    });

    test('is refused when one of its tables was edited, and stays as it is', async () => {
      const kept = await laid();
      await change(kept.path, 'ALTER TABLE batch ADD COLUMN mine TEXT');
      expect(await found(kept)).toBe('ledger-unsafe');
      await expect(openAs(kept, { next: [] })).rejects.toMatchObject({
        code: 'ledger-unsafe',
        message: expect.stringContaining('its tables do not match their version'),
      });
      expect(await seen(kept.path, 'SELECT mine FROM batch WHERE number = 1')).toEqual([{ mine: null }]);
    });
  });

  describe('a newer ledger', () => {
    test('is refused: a newer version of paybatch made it, and nothing was sent', async () => {
      const kept = await laid();
      await (await openAs(kept, { next: [] })).close();
      await expect(openAs(kept)).rejects.toMatchObject({
        code: 'ledger-version',
        exit: 2,
        message: expect.stringMatching(
          new RegExp(`made by a newer version of paybatch: its tables have version ${NEXT}, .* Nothing was sent.`),
        ),
      });
    });

    test('is written by no older process that had it open before', async () => {
      const kept = await laid();
      const older = await openAs(kept);
      await (await openAs(kept, { name: 'the next', next: [] })).close();
      for (const take of [() => older.takeLease(), () => older.takeLease(DECEMBER), () => older.takeEveryLease()])
        await expect(take()).rejects.toMatchObject({ code: 'ledger-version', exit: 2 });
      await older.close();
      expect(await found(kept, { next: 'reads' })).toBe('sound');
    });
  });
});

describe('a disk that fails', () => {
  test('when the copy is kept leaves the ledger as it was', async () => {
    const kept = { path: temporaryPath() };
    layKeptLedger(NOW, kept.path);
    const ledger = await openAs(kept);
    // A folder has its name, and is not replaced.
    mkdirSync(`${kept.path}.version-${NOW}-fact-${(await ledger.head())?.seq}`);
    await ledger.close();
    await expect(openAs(kept, { next: [] })).rejects.toMatchObject({
      code: 'file-unwritten',
      message: expect.stringContaining('The ledger is as it was'),
    });
    expect(await found(kept)).toBe('sound');
  });

  test('in the middle of the migration leaves the ledger as it was', async () => {
    const kept = { path: temporaryPath() };
    layKeptLedger(NOW, kept.path);
    const open = (olderToo: boolean) => {
      const real = openSqliteDatabase(kept.path, nextSchema, olderToo);
      const { migrate } = real;
      real.migrate = async (group, prove) => {
        const [pages] = await real.read('PRAGMA page_count');
        await real.write([{ sql: `PRAGMA max_page_count = ${pages?.['page_count']}`, values: [] }]);
        await migrate.call(real, group, prove);
      };
      return real;
    };
    const upgrade = { onUpgraded: () => undefined };
    const options = {
      file: kept.path,
      keys: rehearsalKeys,
      clock: systemClock,
      holder: holder(),
    };
    await expect(openUpToDate(open, nextSchema, { ...options, upgrade })).rejects.toMatchObject({
      code: 'ledger-unsafe',
      cause: expect.objectContaining({ code: 'SQLITE_FULL' }),
    });
    expect(copiesOf(kept.path)).toHaveLength(1);
    expect(await found(kept)).toBe('sound');
  });
});

describe('the tables that a migration leaves', () => {
  test('on SQLite are word for word those of a new ledger, but for blanks', async () => {
    const kept = { path: temporaryPath() };
    layKeptLedger(NOW, kept.path);
    await (await openAs(kept, { next: [] })).close();
    const fresh = temporaryPath();
    await openSqliteDatabase(fresh, nextSchema).close();
    const textsIn = async (file: string) =>
      (await seen(file, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL'))
        .map(({ sql }) => String(sql).replaceAll(/\s/g, ''))
        .sort();
    expect(await textsIn(kept.path)).toEqual(await textsIn(fresh));
  });
});

describe('an older ledger on a server', () => {
  beforeEach(needsPostgres);

  test('is never taken for an edited one while another process brings it up to date', async () => {
    const kept = await laidOnServer();
    const upgraded: Upgraded[] = [];
    const upgrades: Promise<unknown>[] = [];
    const { connection } = await openSession(sharedAt(kept.address), Date.now);
    const waits = () => asAnother(kept.address, 'SELECT 1 AS one FROM pg_locks WHERE NOT granted');
    // What the tables are made of is read last, so the other begins right before that, and is through or waits for this one.
    const between = {
      exec: (sql: string) => connection.exec(sql),
      async read(...asked: Parameters<typeof connection.read>) {
        if (asked[0].startsWith('WITH ours') && upgrades.length === 0) {
          upgrades.push(openAs(kept, { next: upgraded }).then((ledger) => ledger.close()));
          await expect.poll(async () => upgraded.length + (await waits()).length).toBeGreaterThan(0);
        }
        return connection.read(...asked);
      },
    } as PostgresConnection; // all of it that is used
    await useTables(between, ledgerSchema, sharedAt(kept.address).address, true);
    await connection.close();
    await Promise.all(upgrades);
    expect(upgraded).toHaveLength(1);
  });

  test('has the tables of a new ledger afterwards', async () => {
    const { path: checkpoints, address } = await laidOnServer();
    await (await openAs({ path: checkpoints, address }, { next: [] })).close();
    const fresh = newAddress(await ownCluster());
    await (await openPostgresDatabase(sharedAt(fresh), nextSchema, Date.now)).close();
    const RECORDED = 'SELECT version, made_of, made FROM tables';
    expect(await asAnother(address, RECORDED)).toEqual(await asAnother(fresh, RECORDED));
  });

  test('is brought up to date when a person says that the server was backed up, and not before', async () => {
    const kept = await laidOnServer();
    await expect(openAs(kept, { next: [], isBackedUp: false })).rejects.toMatchObject({
      code: 'ledger-version',
      message: expect.stringContaining('Nothing was changed, and nothing was sent'),
      remedy: expect.stringContaining('paybatch ledger upgrade --backed-up'),
    });
    expect(await found(kept)).toBe('sound');
  });

  test('stays as it was for a role that may pay, and does not own the tables', async () => {
    const kept = await laidOnServer();
    const { schema } = sharedAt(kept.address).address;
    const role = `pays_${schema}`;
    await asAnother(
      kept.address,
      `CREATE ROLE ${role} LOGIN`,
      grantsText(schema, ledgerSchema, { pay: [role], read: [] }),
      'SELECT 1',
    );
    const asPayer = { ...kept, address: kept.address.replace('paybatch@', `${role}@`) };
    await expect(openAs(asPayer, { next: [] })).rejects.toMatchObject({ code: 'ledger-forbidden', exit: 2 });
    expect(await found(asPayer)).toBe('sound');
  });

  test('stays as it was when the server is lost in the middle', async () => {
    const kept = await laidOnServer();
    const open = async (olderToo: boolean) => {
      const real = await openPostgresDatabase(sharedAt(kept.address), nextSchema, Date.now, olderToo);
      const { migrate } = real;
      real.migrate = (group, prove) =>
        migrate.call(real, group, async (migrated) => {
          const [own] = await migrated.read('SELECT pg_backend_pid() AS pid');
          await asAnother(kept.address, `SELECT pg_terminate_backend(${own?.['pid']})`);
          await prove(migrated);
        });
      return real;
    };
    const upgrade = { isBackedUp: true, onUpgraded: () => undefined };
    const options = { keys: rehearsalKeys, clock: systemClock, holder: holder() };
    await expect(openUpToDate(open, nextSchema, { ...options, upgrade })).rejects.toMatchObject({
      code: 'ledger-unsafe',
    });
    expect(await found(kept)).toBe('sound');
  });
});
