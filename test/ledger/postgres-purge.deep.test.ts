/** A purge on PostgreSQL: what is left of people in the files of the tables. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needsRoot } from '../support/needs.ts';
import { asAnother, type Cluster, newAddress, openCluster } from '../support/postgres.ts';
import { BY, closedBatch, secrets, verified } from './closed-batch.ts';
import { onPostgresAlone } from './drivers.ts';

/** Nobody else's people are on its disk. */
let server: Promise<Cluster> | undefined;
const serverOf = (): Promise<Cluster> => {
  server ??= openCluster();
  return server;
};

onPostgresAlone(serverOf);

/** The texts that stand in a file of a table, as everybody who can read the disk sees them. */
async function foundOnDisk(): Promise<readonly string[]> {
  const cluster = await serverOf();
  // What is in memory alone is written first.
  await asAnother(newAddress(cluster), 'CHECKPOINT', 'SELECT 1');
  const base = path.join(cluster.socket, 'data', 'base');
  const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = Buffer.concat(files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name))));
  return secrets.filter((secret) => bytes.includes(secret));
}

test('a purge leaves no text of a person in any file of a table, and the ledger proves itself', async (context) => {
  // Another user's files: the server's.
  needsRoot(context);
  const { file, ledger, header } = await closedBatch();
  expect(await foundOnDisk()).toEqual(secrets);
  await ledger.purge(header, BY);
  await ledger.compact();
  expect(await foundOnDisk()).toEqual([]);
  await ledger.close();
  expect(await verified(file)).toEqual([]);
});
