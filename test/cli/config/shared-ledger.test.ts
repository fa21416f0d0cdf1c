/** Where the password of a ledger on PostgreSQL is looked for. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedLedgerOf } from '../../../src/cli/config/shared-ledger.ts';
import { needsPosix } from '../../support/needs.ts';

beforeEach(needsPosix);

/** A folder with a password file for its user alone. */
async function folderWith(text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-pgpass-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, '.pgpass'), text);
  await chmod(path.join(folder, '.pgpass'), mode);
  return folder;
}

const passwordFor = (address: string, env: Record<string, string>): string | undefined =>
  sharedLedgerOf(address, env, '/')?.password();

const ADDRESS = 'postgres://pay@db.example.com/acme';

describe('the password', () => {
  test('is that of the address, then PGPASSWORD, then a file, then none', async () => {
    const HOME = await folderWith('*:*:*:*:of the file\n');
    const env = { HOME, PGPASSWORD: 'of the environment' };
    expect(passwordFor('postgres://pay:of%20it@db.example.com/acme', env)).toBe('of it');
    expect(passwordFor(ADDRESS, env)).toBe('of the environment');
    expect(passwordFor(ADDRESS, { HOME })).toBe('of the file');
    expect(passwordFor(ADDRESS, { HOME: '/nowhere' })).toBeUndefined();
  });

  test.each([
    ['db.example.com:5432:acme:pay:right', 'right'],
    ['# db.example.com:5432:acme:pay:wrong\r\n*:5432:*:pay:r\\:ig\\\\ht\r\n', 'r:ig\\ht'],
    ['db.example.com:5432:acme:joe:wrong\n*:*:*:*:right', 'right'],
    ['db.example.com:5433:*:*:wrong', undefined],
    ['other.example.com:*:*:*:wrong\ndb.example.com:5432:acme', undefined],
  ])('is that of the first line of a file that is for this server: %j', async (text, password) => {
    expect(passwordFor(ADDRESS, { PGPASSFILE: path.join(await folderWith(text), '.pgpass') })).toBe(password);
  });

  test('of a socket is that of localhost', async () => {
    const HOME = await folderWith('localhost:5432:acme:pay:right');
    expect(passwordFor('postgres://pay@/acme?host=/run/postgresql', { HOME })).toBe('right');
  });

  test('is not taken from a file that others can read', async () => {
    const HOME = await folderWith('*:*:*:*:s3cret', 0o644);
    expect(() => passwordFor(ADDRESS, { HOME })).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining('is not for you alone') }),
    );
  });
});

describe('a ledger on PostgreSQL', () => {
  test('is named by the environment before the profile, and by neither is a file', () => {
    const other = 'postgres://pay@localhost/other';
    expect(sharedLedgerOf(ADDRESS, { PAYBATCH_LEDGER: other }, '/')?.address.database).toBe('other');
    expect(sharedLedgerOf(ADDRESS, {}, '/')?.address.database).toBe('acme');
    expect(sharedLedgerOf(undefined, {}, '/')).toBeUndefined();
  });

  test('is not reached without the certificate that its address names', () => {
    expect(() => sharedLedgerOf(`${ADDRESS}?sslrootcert=nowhere.pem`, {}, '/')).toThrow(
      /certificate \/nowhere\.pem, which sslrootcert of the ledger names, cannot be read \(ENOENT\)/,
    );
  });

  test('shows the certificate of its user, whose key is for that user alone', async () => {
    const folder = await folderWith('the key');
    await writeFile(path.join(folder, 'pay.crt'), 'the certificate');
    const certificate = `${ADDRESS}?sslcert=pay.crt&sslkey=.pgpass`;
    expect(sharedLedgerOf(certificate, {}, folder)?.certificate).toEqual({ cert: 'the certificate', key: 'the key' });
    await chmod(path.join(folder, '.pgpass'), 0o644);
    expect(() => sharedLedgerOf(certificate, {}, folder)).toThrow(/The key \S+ is not for you alone/);
    expect(() => sharedLedgerOf(certificate, {}, '/')).toThrow(/certificate \/pay\.crt, which sslcert of the ledger/);
  });
});
