/** A ledger on PostgreSQL: where its address, its password and its certificate are looked for. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedLedgerOf } from '../../../src/cli/config/shared-ledger.ts';
import { shownAddress } from '../../../src/database/postgres/address.ts';
import { needsPosix } from '../../support/needs.ts';

beforeEach(needsPosix);

/** A folder with a file of PostgreSQL, for its user alone if nothing else is said. */
async function folderWith(name: '.pgpass' | '.pg_service.conf', text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-pg-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, name), text);
  await chmod(path.join(folder, name), mode);
  return folder;
}

const passwordFor = (address: string, env: Record<string, string>): string | undefined =>
  sharedLedgerOf(address, env, '/')?.password();

const ADDRESS = 'postgres://pay@db.example.com/acme';

describe('the password', () => {
  test('is that of the address, then PGPASSWORD, then a file, then none', async () => {
    const HOME = await folderWith('.pgpass', '*:*:*:*:of the file\n');
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
    expect(passwordFor(ADDRESS, { PGPASSFILE: path.join(await folderWith('.pgpass', text), '.pgpass') })).toBe(
      password,
    );
  });

  test('of a socket is that of localhost', async () => {
    const HOME = await folderWith('.pgpass', 'localhost:5432:acme:pay:right');
    expect(passwordFor('postgres://pay@/acme?host=/run/postgresql', { HOME })).toBe('right');
  });

  test('is not taken from a file that others can read', async () => {
    const HOME = await folderWith('.pgpass', '*:*:*:*:s3cret', 0o644);
    expect(() => passwordFor(ADDRESS, { HOME })).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining('is not private to you') }),
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
    const folder = await folderWith('.pgpass', 'the key');
    await writeFile(path.join(folder, 'pay.crt'), 'the certificate');
    const certificate = `${ADDRESS}?sslcert=pay.crt&sslkey=.pgpass`;
    expect(sharedLedgerOf(certificate, {}, folder)?.certificate).toEqual({ cert: 'the certificate', key: 'the key' });
    await chmod(path.join(folder, '.pgpass'), 0o644);
    expect(() => sharedLedgerOf(certificate, {}, folder)).toThrow(/The key \S+ is not private to you/);
    expect(() => sharedLedgerOf(certificate, {}, '/')).toThrow(/certificate \/pay\.crt, which sslcert of the ledger/);
  });
});

const SERVICES = `# who pays
[other]
host=other.example.com
dbname=other

[payroll]
host = db.example.com
port=6432
dbname=acme ltd
user=pay
password=s3c:ret/@
sslmode=verify-full
[socket]
host=/run/postgresql
dbname=acme
user=pay
[misspelt]
host=db.example.com
sslmod=disable
`;

describe('a service', () => {
  test.each([
    ['postgres:///?service=payroll', 'postgres://pay@db.example.com:6432/acme%20ltd', 's3c:ret/@'],
    ['postgres://joe@/?service=payroll', 'postgres://joe@db.example.com:6432/acme%20ltd', undefined],
    ['postgres://localhost/?service=payroll', 'postgres://pay@localhost/acme%20ltd', 's3c:ret/@'],
    ['postgres:///branch?service=payroll&schema=b', 'postgres://pay@db.example.com:6432/branch?schema=b', 's3c:ret/@'],
    ['postgres:///?service=socket', 'postgres://pay@/acme?host=/run/postgresql', undefined],
  ])('%s is the ledger at %s', async (text, address, password) => {
    const HOME = await folderWith('.pg_service.conf', SERVICES);
    const shared = sharedLedgerOf(text, { HOME }, '/');
    expect(shared && shownAddress(shared.address)).toBe(address);
    expect(shared?.password()).toBe(password);
    const PGSERVICEFILE = path.join(HOME, '.pg_service.conf');
    expect(sharedLedgerOf(text, { PGSERVICEFILE }, '/')?.address).toEqual(shared?.address);
  });

  test.each([
    ['postgres:///?service=nobody', 0o600, 'is not in'],
    ['postgres:///?service=misspelt', 0o600, '"sslmod", which is not known'],
    ['postgres:///?service=payroll', 0o644, 'is not private to you'],
  ])('%s is refused, without being shown', async (text, mode, why) => {
    const HOME = await folderWith('.pg_service.conf', SERVICES, mode);
    const read = (): unknown => sharedLedgerOf(text, { HOME }, '/');
    expect(read).toThrow(expect.objectContaining({ code: 'configuration', message: expect.stringContaining(why) }));
    expect(read).not.toThrow(/s3c/);
  });

  test('without a file is refused', () => {
    expect(() => sharedLedgerOf('postgres:///?service=payroll', { HOME: '/nowhere' }, '/')).toThrow(
      /there is no file of services \(\/nowhere\/\.pg_service\.conf\)/,
    );
  });
});
