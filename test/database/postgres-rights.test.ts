/** Roles of a server: what those who pay, and those who read, may do with a ledger, and what not. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { grantsText } from '../../src/database/postgres/rights.ts';
import type { PlannedBlock } from '../../src/domain/batch.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { open, planOf, temporaryPath } from '../ledger/builders.ts';
import { keepAt, onPostgresAlone } from '../ledger/drivers.ts';
import { everythingHappened } from '../ledger/every-outcome.ts';
import { asAnother, needsPostgres, newAddress, ownCluster, runPostgres, sharedAt } from '../support/postgres.ts';

onPostgresAlone();
beforeEach(needsPostgres);

interface Roles {
  readonly owner: string;
  readonly payer: string;
  readonly reader: string;
}

/** A ledger that its owner has made, and the addresses of the other two. */
async function openRoles(): Promise<Roles> {
  const cluster = await ownCluster();
  const owner = newAddress(cluster);
  const { schema } = sharedAt(owner).address;
  const [pay, read] = [`${schema}_pay`, `${schema}_read`];
  await (await openPostgresDatabase(sharedAt(owner), ledgerSchema, Date.now)).close();
  await asAnother(owner, `CREATE ROLE ${pay} LOGIN`, `CREATE ROLE ${read} LOGIN`, 'SELECT 1');
  runPostgres(
    cluster,
    'psql',
    ['-q', '--set', 'ON_ERROR_STOP=1'],
    grantsText(schema, ledgerSchema, { pay: [pay], read: [read] }),
  );
  return { owner, payer: owner.replace('paybatch@', `${pay}@`), reader: owner.replace('paybatch@', `${read}@`) };
}

const rightsAt = async (address: string) => {
  const database = await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now);
  const relied = await database.relied();
  await database.close();
  return relied.find(({ what }) => what.startsWith('the role'));
};

test('every table has its rights, and no other one', () => {
  const tables = ledgerSchema.statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []);
  expect(Object.keys(ledgerSchema.written ?? {}).toSorted()).toEqual(tables.toSorted());
});

describe('a role that pays', () => {
  test('does all that there is to do, and can neither change a fact nor delete one', async () => {
    const { owner, payer } = await openRoles();
    const path = temporaryPath();
    keepAt(path, payer);
    const { ledger } = await everythingHappened(path);
    // A plan that broke off, too, and the same again.
    const account = await ledger.boundTo();
    if (account) await ledger.useFor(account);
    await ledger.takeLease();
    const { header, blocks } = planOf({ name: 'interrupted', rows: 20, blockOrders: 10, invalid: 1 });
    async function* breakingOff(): AsyncGenerator<PlannedBlock> {
      yield* blocks.slice(1);
      throw new Error('killed');
    }
    await expect(ledger.planBatch(header, breakingOff())).rejects.toThrow('killed');
    await ledger.planBatch(header, blocks);
    expect(await ledger.verify()).toEqual([]);
    expect(await rightsAt(payer)).toMatchObject({
      what: 'the role may plan, approve and pay, and no more',
      holds: true,
    });
    for (const sql of [
      "UPDATE fact SET type = 'x'",
      'DELETE FROM fact',
      'DELETE FROM payout',
      'TRUNCATE fact',
      "UPDATE payout SET name = 'x'",
      'UPDATE order_body SET salt = NULL',
      "UPDATE meta SET moved = 'x'",
      'ALTER TABLE fact DISABLE TRIGGER ALL',
    ]) {
      await expect(asAnother(payer, `${sql} `, 'SELECT 1'), sql).rejects.toThrow(/permission denied|must be owner/);
    }
    expect(await asAnother(owner, 'SELECT COUNT(*) AS facts FROM fact')).not.toEqual([{ facts: 0n }]);
  });

  test('cannot purge, is told so, and pays on', async () => {
    const { payer } = await openRoles();
    const path = temporaryPath();
    keepAt(path, payer);
    const { ledger, batches } = await everythingHappened(path);
    const [batch] = batches;
    if (!batch) throw new Error('there are batches');
    await expect(ledger.purge(batch, 'amina')).rejects.toMatchObject({
      code: 'ledger-forbidden',
      exit: 2,
      message: expect.stringMatching(/The role \w+_pay may not do this .* permission denied for table fact/),
    });
    await ledger.proveLease();
    expect(await ledger.verify()).toEqual([]);
  });
});

describe('a role that reads', () => {
  test('sees and proves all, and takes no lease', async () => {
    const { owner, reader } = await openRoles();
    const path = temporaryPath();
    keepAt(path, owner);
    const { ledger, batches } = await everythingHappened(path);
    const head = await ledger.head();
    await ledger.close();
    keepAt(path, reader);
    const audit = await open({ path, account: 'none' });
    expect([await audit.verify(), await audit.head()]).toEqual([[], head]);
    for (const { id } of batches) expect((await audit.tallies(id)).length).toBeGreaterThan(0);
    await expect(audit.takeLease()).rejects.toMatchObject({ code: 'ledger-forbidden' });
    expect(await audit.verify()).toEqual([]);
    expect(await rightsAt(reader)).toMatchObject({ what: 'the role may read, and no more', holds: true });
  });
});

describe('rights that differ', () => {
  test('are told, those that are missing and those that are too much', async () => {
    const { owner, payer, reader } = await openRoles();
    const role = (address: string): string => sharedAt(address).address.user;
    await asAnother(
      owner,
      `REVOKE INSERT ON payout FROM ${role(payer)}`,
      `GRANT DELETE ON fact TO ${role(payer)}`,
      `GRANT UPDATE (holder) ON lease TO ${role(reader)}`,
      'SELECT 1',
    );
    expect(await rightsAt(payer)).toMatchObject({
      holds: false,
      found: 'it lacks INSERT of payout; it needs no DELETE of fact',
    });
    expect(await rightsAt(reader)).toMatchObject({ holds: false, found: 'it needs no UPDATE (holder) of lease' });
    expect(await rightsAt(owner)).toMatchObject({ holds: true, found: expect.stringContaining('owns the tables') });
  });
});
