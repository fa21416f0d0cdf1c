/** Servers that are put back, fail over or are copied: the checkpoints of this computer tell, and the ledger is in recovery. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { ownFiles } from '../../src/ledger/checkpoint.ts';
import { type Ledger, ledgerOn } from '../../src/ledger/ledger.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { testKeys } from '../support/ledger-keys.ts';
import {
  asAnother,
  type Cluster,
  needsPostgres,
  newAddress,
  openCluster,
  runPostgres,
  sharedAt,
} from '../support/postgres.ts';
import { acme, holder, planOf, TestClock, temporaryPath } from './builders.ts';

beforeEach(needsPostgres);

async function openAt(address: string, path: string): Promise<Ledger> {
  const database = await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now);
  const options = { path, keys: testKeys, clock: new TestClock(), holder: holder() };
  const ledger = await ledgerOn(database, options, { files: { ...ownFiles, identityOf: () => database.place } });
  onTestFinished(() => ledger.close());
  await ledger.useFor(acme);
  await ledger.takeLease();
  return ledger;
}

const { header, blocks } = planOf({ rows: 4 });

interface Begun {
  readonly cluster: Cluster;
  readonly address: string;
  readonly path: string;
}

/** A ledger that has begun a batch, and knows that nothing came before. */
async function begun(): Promise<Begun> {
  const cluster = await openCluster();
  const [address, path] = [newAddress(cluster), temporaryPath()];
  const ledger = await openAt(address, path);
  await ledger.trustNew();
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  await ledger.close();
  return { cluster, address, path };
}

/** One more order leaves. */
async function claimOne(address: string, path: string): Promise<void> {
  const ledger = await openAt(address, path);
  const epoch = await ledger.takeLease(header.id);
  await ledger.recordRun(header.id, '0.1.0');
  const [order] = await ledger.unsentOrders(header.id, 1);
  if (order) await ledger.claim([order], 1000, epoch, null);
  await ledger.close();
}

const doubtAt = async (address: string, path: string) => (await openAt(address, path)).recoveryReason(header.id);

describe('a server', () => {
  test('that was stopped, or that crashed, is no reason for doubt', async () => {
    const { cluster, address, path } = await begun();
    await cluster.stop();
    await cluster.start();
    await claimOne(address, path);
    await cluster.crash();
    expect(await doubtAt(address, path)).toBeUndefined();
  });

  test.each([
    [
      'whose disk is put back to an earlier state has forgotten what was sent',
      'restored',
      async ({ cluster, address, path }) => {
        await cluster.keep();
        await cluster.start();
        await claimOne(address, path);
        await cluster.stop();
        await cluster.putBack();
      },
    ],
    [
      'that ended a recovery may have forgotten what another computer sent, though this one misses nothing',
      'copied',
      ({ cluster }) => cluster.recover(),
    ],
  ] satisfies [string, string, (begun: Begun) => Promise<void>][])('%s', async (_, doubt, happens) => {
    const one = await begun();
    await one.cluster.stop();
    await happens(one);
    await one.cluster.start();
    expect(await doubtAt(one.address, one.path)).toBe(doubt);
  });

  test('into which a dump of the ledger is put back has a copy', async () => {
    const { cluster, address, path } = await begun();
    const { schema } = sharedAt(address).address;
    const dump = runPostgres(cluster, 'pg_dump', ['--schema', schema]);
    await asAnother(address, `DROP SCHEMA ${schema} CASCADE`, 'SELECT 1');
    runPostgres(cluster, 'psql', ['--quiet', '--set', 'ON_ERROR_STOP=1'], dump);
    expect(await doubtAt(address, path)).toBe('copied');
  });
});
