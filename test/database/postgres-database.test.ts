/** What is special about a ledger on PostgreSQL: what it refuses to rely on, and what it says of a commit that nobody answered. */
import { mkdirSync, rmSync } from 'node:fs';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Reader, Statement } from '../../src/database/database.ts';
import { connect } from '../../src/database/postgres/connection.ts';
import { numberedText } from '../../src/database/postgres/dialect.ts';
import { openPostgresDatabase, type PostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { isLent } from '../../src/database/postgres/session.ts';
import type { Schema } from '../../src/database/tables-version.ts';
import type { BatchId, TraceNumber } from '../../src/domain/ids.ts';
import { readEnds } from '../../src/ledger/ledger-chain.ts';
import { ORDERS, rowsOfOrders } from '../../src/ledger/recorded-orders.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { asAnother, needsPostgres, newAddress, ownCluster, sharedAt } from '../support/postgres.ts';

const schema: Schema = {
  version: 3,
  statements: ['CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'],
  migrations: [],
};
const note = (id: number, text = 'text'): Statement => ({
  sql: 'INSERT INTO note (id, text) VALUES (?, ?)',
  values: [id, text],
  expect: 1,
});

beforeEach(needsPostgres);

async function openNotes(address: string, tables = schema, now = Date.now): Promise<PostgresDatabase> {
  const database = await openPostgresDatabase(sharedAt(address), tables, now);
  onTestFinished(() => database.close());
  return database;
}

const freshAddress = async (): Promise<string> => newAddress(await ownCluster());

const idsIn = async (database: Database): Promise<number[]> =>
  (await database.read('SELECT id FROM note ORDER BY id')).map((row) => Number(row['id']));

/** A role of its own, with a setting, that may make its tables. */
async function addressWith(setting: string): Promise<string> {
  const address = await freshAddress();
  const role = `role_${/schema=(\w+)/.exec(address)?.[1]}`;
  await asAnother(
    address,
    `CREATE ROLE ${role} LOGIN`,
    `ALTER ROLE ${role} SET ${setting}`,
    `GRANT CREATE ON DATABASE postgres TO ${role}`,
  );
  return address.replace('paybatch@', `${role}@`);
}

describe('a server that is relied on', () => {
  test.each([
    [
      'takes no writes from this role',
      'default_transaction_read_only = on',
      /it needs that the server takes writes, and finds: it is a standby, or read only/,
    ],
    [
      'checks no references for this role',
      'session_replication_role = replica',
      /references between tables are checked/,
    ],
  ])('is refused, with what to change, when it %s', async (_, setting, message) => {
    const refused = openPostgresDatabase(sharedAt(await addressWith(setting)), schema, Date.now);
    await expect(refused).rejects.toMatchObject({
      code: 'ledger-unsafe',
      exit: 10,
      message: expect.stringMatching(message),
    });
  });

  test('is made to sync, when it does not for this role', async () => {
    const relied = await (await openNotes(await addressWith('synchronous_commit = off'))).relied();
    expect(relied.find(({ what }) => what.includes('synchronous_commit'))).toMatchObject({ holds: true, found: 'on' });
  });

  test.each([-40_000, 40_000])('is refused when its clock is %i ms from ours', async (byMs) => {
    const refused = openPostgresDatabase(sharedAt(await freshAddress()), schema, () => Date.now() + byMs);
    await expect(refused).rejects.toThrow(
      /the clocks of the server and of this computer agree, and finds: \d+\.\d s apart\. Nothing was sent\./,
    );
  });

  test('that is not there is told with its address, and without a password', async () => {
    const shared = sharedAt('postgres://amina:s3cret@127.0.0.1:1/payroll');
    const refused = openPostgresDatabase(shared, schema, Date.now);
    await expect(refused).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringMatching(/postgres:\/\/amina@127\.0\.0\.1:1\/payroll cannot be reached: .*ECONNREFUSED/),
    });
    await expect(refused).rejects.not.toThrow(/s3cret/);
  });

  test('is not behind a pool that lends its sessions out: two of ours would be one there', async () => {
    const shared = sharedAt(await freshAddress());
    const [first, second] = [await connect(shared), await connect(shared)];
    onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
    expect(await isLent(first, second)).toBe(false);
    expect(await isLent(first, first)).toBe(true);
  });

  test('that refuses the role is a matter of configuration', async () => {
    const address = (await freshAddress()).replace('paybatch@', 'nobody_here@');
    await expect(openPostgresDatabase(sharedAt(address), schema, Date.now)).rejects.toMatchObject({
      code: 'configuration',
      exit: 2,
      message: expect.stringContaining('role "nobody_here" does not exist'),
    });
  });
});

describe('tables that are not this ledger', () => {
  test.each([
    ['another column', 'ALTER TABLE note ADD COLUMN read BIGINT'],
    ['another table', 'CREATE TABLE other (id BIGINT)'],
    ['a table less', 'DROP TABLE note'],
    ['a table that a crash empties', 'ALTER TABLE note SET UNLOGGED'],
    ['a rule', 'CREATE RULE nothing AS ON DELETE TO note DO INSTEAD NOTHING'],
    ['an order of texts by language', 'ALTER TABLE note ALTER COLUMN text TYPE TEXT COLLATE "default"'],
    ['no key', 'ALTER TABLE note DROP CONSTRAINT note_pkey'],
  ])('are refused when there is %s than their version says', async (_, change) => {
    const address = await freshAddress();
    await (await openNotes(address)).close();
    await asAnother(address, change, 'SELECT 1');
    await expect(openNotes(address)).rejects.toThrow(/its tables do not match their version/);
  });

  test('are refused when a younger paybatch made them, and stay as they are', async () => {
    const address = await freshAddress();
    await (await openNotes(address, { ...schema, version: 4 })).close();
    await expect(openNotes(address)).rejects.toMatchObject({
      code: 'ledger-version',
      message: expect.stringMatching(
        /made by a newer version of paybatch: its tables have version 4, .* Nothing was sent./,
      ),
    });
  });

  test("are refused when they are somebody else's, and nothing is added", async () => {
    const address = await freshAddress();
    const { schema: name } = sharedAt(address).address;
    await asAnother(address, `CREATE SCHEMA ${name}`, 'CREATE TABLE invoice (id BIGINT)', 'SELECT 1');
    await expect(openNotes(address)).rejects.toThrow(/has tables that are not a paybatch ledger/);
    expect(await asAnother(address, `SELECT tablename FROM pg_tables WHERE schemaname = '${name}'`)).toHaveLength(1);
  });

  test('are made once by programs that begin in one moment', async () => {
    const address = await freshAddress();
    const opened = await Promise.all([openNotes(address), openNotes(address), openNotes(address)]);
    expect(new Set(opened.map(({ place }) => place)).size).toBe(1);
  });
});

describe('a group that is refused', () => {
  test.each([
    ['has a character that PostgreSQL cannot keep', 'ledger-unsafe', 'nul \0', ''],
    ['has half of a character', 'ledger-unsafe', 'half \ud83d', ''],
    ['waits for a lock that another program keeps', 'ledger-held', 'text', 'LOCK TABLE note'],
  ])('because it %s leaves nothing, and later ones are taken', async (_, code, text, held) => {
    const address = await freshAddress();
    const database = await openNotes(address);
    const other = await connect(sharedAt(address));
    onTestFinished(() => other.close());
    await other.exec(`BEGIN; SET search_path TO ${sharedAt(address).address.schema}; ${held}`);
    await expect(database.write([note(1), note(2, text)])).rejects.toMatchObject({ code });
    await other.exec('ROLLBACK');
    await database.write([note(3)]);
    expect(await idsIn(database)).toEqual([3]);
  });
});

describe('a connection that is lost', () => {
  test('before a commit leaves nothing, and ends all writing of this process', async () => {
    const address = await freshAddress();
    const database = await openNotes(address);
    async function* cut(): AsyncGenerator<readonly Statement[]> {
      yield [note(1)];
      await asAnother(
        address,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'`,
      );
      yield [note(2)];
    }
    await expect(database.write(cut())).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    await expect(database.write([note(3)])).rejects.toMatchObject({ code: 'ledger-unsafe' });
    expect(() => database.assertInPlace()).toThrow(/cannot be relied on/);
    expect(await idsIn(await openNotes(address))).toEqual([]);
  });

  test('in a commit leaves it open whether the record is there, and it is never made again', async () => {
    const address = await freshAddress();
    const { socket } = await ownCluster();
    const way = await cuttableWay(socket);
    const database = await openNotes(address.replace(socket, way.folder));
    // Whole: a transaction begins with these letters in it, too.
    way.cutAfter('COMMIT\0');
    await expect(database.write([note(1)])).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringContaining('did not answer whether the last record is on disk'),
      remedy: expect.stringContaining('may be there or not'),
    });
    await expect(database.write([note(1)])).rejects.toThrow(/did not answer/);
    // The server had made it: nobody was told.
    expect(await idsIn(await openNotes(address))).toEqual([1]);
  });
});

/** A way to the socket of a server that can be cut: what was asked arrives, and the answer does not. */
async function cuttableWay(
  socket: string,
): Promise<{ readonly folder: string; readonly cutAfter: (word: string) => void }> {
  const folder = path.join(socket, `way-${process.hrtime.bigint()}`.slice(0, 12));
  mkdirSync(folder);
  let last: string | undefined;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectTo(path.join(socket, '.s.PGSQL.5432'));
    let isCut = false;
    near.on('data', (asked) => {
      if (last !== undefined && asked.includes(last)) isCut = true;
      far.write(asked);
    });
    far.on('data', (said) => (isCut ? near.destroy() : near.write(said)));
    for (const one of [near, far]) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => [near, far].forEach((end) => void end.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
  onTestFinished(() => {
    for (const one of open) one.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    cutAfter(word) {
      last = word;
    },
  };
}

test('two ledgers of one process at one place never have two transactions, so that one that hangs has one lock', async () => {
  const address = await freshAddress();
  const [one, other] = [await openNotes(address), await openNotes(address)];
  await one.write([note(1)]);
  const said = (text: string): Statement => ({
    sql: 'UPDATE note SET text = ? WHERE id = 1',
    values: [text],
    expect: 1,
  });
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = one.write(
    (async function* () {
      yield [said('first')];
      begun.resolve();
      await goOn.promise;
    })(),
  );
  await begun.promise;
  const second = other.write([said('second')]);
  const inTransaction = `SELECT COUNT(*)::text AS number FROM pg_stat_activity
    WHERE application_name = 'paybatch' AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;
  const counted: unknown[] = [];
  // Each look is a round trip, and a transaction is begun by what is sent first.
  for (let looks = 0; looks < 5; looks += 1) counted.push((await one.read(inTransaction))[0]?.['number']);
  goOn.resolve();
  await Promise.all([first, second]);
  expect(new Set(counted)).toEqual(new Set(['1']));
  expect(await one.read('SELECT text FROM note')).toEqual([{ text: 'second' }]);
});

test('the bodies of a block of orders are found by their positions, however many orders come before it', async () => {
  const address = await freshAddress();
  await (await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now)).close();
  const orders = 20_000;
  const plan = await asAnother(
    address,
    "INSERT INTO batch VALUES (1, 'B', 'b', 'f', 1, '{}', 0)",
    `INSERT INTO pay_order SELECT at, 'O' || at, 'B', 1, 'payment-order', 'planned', 'unsent', 1, NULL, 0, 0 FROM generate_series(1, ${orders}) at`,
    `INSERT INTO order_body SELECT at, repeat('b', 900), '{}', decode(repeat('ab', 16), 'hex') FROM generate_series(1, ${orders}) at`,
    'ANALYZE',
    `EXPLAIN ${ORDERS} WHERE o.batch = 'B' AND o.position > ${orders - 1000} ORDER BY o.position LIMIT 500`,
  );
  const steps = plan.map((step) => String(step['QUERY PLAN'])).join('\n');
  expect(steps).toMatch(/Index Scan using order_body_pkey on order_body b.*\n\s*Index Cond: \("position" = /);
  expect(steps).not.toContain('Merge');
});

/** As a session asks: a plan that is kept for any values, and an index in place of the whole table. */
const asSessionAsks = [
  'SET plan_cache_mode = force_generic_plan',
  'SET enable_seqscan = off',
  'SET random_page_cost = 1.1',
];

test('the ends of all chains are found without reading back through the facts of other batches', async () => {
  const address = await freshAddress();
  await (await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now)).close();
  let asked: readonly string[] = [];
  const read: Reader['read'] = async (sql, values = []) => {
    asked = [`PREPARE q AS ${numberedText(sql)}`, ...asSessionAsks, `EXPLAIN EXECUTE q (${values})`];
    return [];
  };
  await readEnds({ read });
  const plan = await asAnother(
    address,
    "INSERT INTO batch SELECT at, 'B' || at, 'b' || at, 'f', 1, '{}', 0 FROM generate_series(1, 16) at",
    `INSERT INTO fact SELECT at, 'B' || (at / 2000 + 1), at % 2000 + 1, NULL, 'row-set-aside', 1, '{}',
      decode(repeat('ab', 32), 'hex'), NULL, NULL FROM generate_series(1, 31999) at`,
    'ANALYZE',
    ...asked,
  );
  const steps = plan.map((step) => String(step['QUERY PLAN'])).join('\n');
  expect(steps).toMatch(/Backward using fact_batch on fact/);
  expect(steps).not.toMatch(/Backward using fact_pkey/);
});

test('the rows that a claim pays are found by an index, in a batch that is new to the server and in one that it knows', async () => {
  const address = await freshAddress();
  await (await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now)).close();
  let asked: readonly string[] = [];
  const read: Reader['read'] = async (sql, values = []) => {
    asked = [
      `PREPARE q AS ${numberedText(sql)}`,
      ...asSessionAsks,
      `EXPLAIN EXECUTE q (${values.map((one) => `'${one}'`)})`,
    ];
    return [];
  };
  await rowsOfOrders({ read }, 'B' as BatchId, [{ state: { lines: [{ trace: 'T1' as TraceNumber }] } }]);
  const stepsOf = async (...before: readonly string[]): Promise<string> =>
    (await asAnother(address, ...before, ...asked)).map((step) => String(step['QUERY PLAN'])).join('\n');
  const fresh = await stepsOf(
    "INSERT INTO batch VALUES (1, 'B', 'b', 'f', 1, '{}', 0)",
    "INSERT INTO pay_order SELECT at, 'O' || at, 'B', 1, 'payment-order', 'planned', 'unsent', 1, NULL, 0, 0 FROM generate_series(1, 20000) at",
    `INSERT INTO payout SELECT 'B', at, 'till', NULL, 'N', 100, 'KES', 0, 'O' || at, 'T' || at, NULL, NULL, '{}', 'P', '[]', '[]',
      decode(repeat('ab', 16), 'hex') FROM generate_series(1, 20000) at`,
  );
  const known = await stepsOf('ANALYZE');
  for (const steps of [fresh, known]) {
    expect(steps).toMatch(/Index Scan (using|on) payout_trace_key/);
    expect(steps).not.toMatch(/payout_pkey|Seq Scan|Hash/);
  }
});
