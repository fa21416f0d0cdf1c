/** The way to a server over a network: its certificate, its password, and a server that says nothing any more. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type PostgresAddress, postgresAddress } from '../../src/database/postgres/address.ts';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { needsPostgres, openCluster, runPostgres } from '../support/postgres.ts';
import { selfSigned } from '../support/self-signed.ts';

beforeEach(needsPostgres);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Own = ReturnType<typeof selfSigned>;

/** A server that lets people in over TLS alone, by a password, or the role `practice` by its certificate. */
async function openServer(): Promise<{ readonly address: string; readonly cert: string; readonly own: Own }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const { key, cert } = selfSigned();
  const own = selfSigned();
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text, { mode: 0o644 });
    return path.join(folder, name);
  };
  const port = await freePort();
  const cluster = await openCluster(
    {
      listen_addresses: '127.0.0.1',
      port: String(port),
      hba_file: file(
        'hba',
        'local all all trust\nhostssl all practice all cert\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
      ),
      ssl_cert_file: file('server.crt', cert),
      ssl_ca_file: file('people.crt', own.cert),
      ssl: 'on',
    },
    { ssl_key_file: file('server.key', key) },
  );
  runPostgres(cluster, 'psql', ['-p', String(port), '-c', "ALTER ROLE paybatch PASSWORD 'right'"]);
  runPostgres(cluster, 'psql', ['-p', String(port), '-c', 'CREATE ROLE practice SUPERUSER LOGIN']);
  return { address: `postgres://paybatch@127.0.0.1:${port}/postgres`, cert, own };
}

const opened = async (address: PostgresAddress, password: string | undefined, authority?: string): Promise<string> => {
  const shared = { address, password: () => password, ...(authority && { authority }) };
  const database = await openPostgresDatabase(shared, ledgerSchema, Date.now);
  await database.close();
  return database.place;
};

test('a server is reached with its certificate verified and with a password, and in no other way', async () => {
  const { address, cert } = await openServer();
  const verified = postgresAddress(`${address}?sslmode=verify-full`);
  expect(await opened(verified, 'right', cert)).toMatch(/^postgres\/\d+\//);
  await expect(opened(verified, 'right')).rejects.toMatchObject({
    code: 'ledger-unsafe',
    message: expect.stringMatching(/cannot be reached: self-signed certificate/),
  });
  await expect(opened(verified, 'right', selfSigned().cert)).rejects.toThrow(/cannot be reached: .*certificate/);
  await expect(opened(verified, 'wrong', cert)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('password authentication failed'),
  });
  await expect(opened(verified, undefined, cert)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('asks for a password, and none was given'),
  });
  // To this computer itself none is asked for, and this server lets nobody in without it.
  await expect(opened(postgresAddress(address), 'right')).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('no encryption'),
  });
});

test('a role is let in by the certificate of its user, and by no other one', async () => {
  const { address, cert, own } = await openServer();
  const practice = postgresAddress(`${address.replace('paybatch@', 'practice@')}?sslmode=verify-full`);
  const openBy = (certificate: Own) =>
    openPostgresDatabase(
      { address: practice, password: () => undefined, authority: cert, certificate },
      ledgerSchema,
      Date.now,
    );
  const database = await openBy(own);
  expect(database.place).toMatch(/^postgres\/\d+\//);
  await database.close();
  await expect(openBy(selfSigned())).rejects.toMatchObject({ exit: expect.any(Number) });
});
