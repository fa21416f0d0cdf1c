/** A ledger on PostgreSQL that is named by a service. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedLedgerOf } from '../../../src/cli/config/shared-ledger.ts';
import { shownAddress } from '../../../src/ledger/postgres/address.ts';
import { needsPosix } from '../../support/needs.ts';

beforeEach(needsPosix);

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

async function homeWith(text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, '.pg_service.conf'), text);
  await chmod(path.join(folder, '.pg_service.conf'), mode);
  return folder;
}

describe('a service', () => {
  test.each([
    ['postgres:///?service=payroll', 'postgres://pay@db.example.com:6432/acme%20ltd', 's3c:ret/@'],
    ['postgres://joe@/?service=payroll', 'postgres://joe@db.example.com:6432/acme%20ltd', undefined],
    ['postgres://localhost/?service=payroll', 'postgres://pay@localhost/acme%20ltd', 's3c:ret/@'],
    ['postgres:///branch?service=payroll&schema=b', 'postgres://pay@db.example.com:6432/branch?schema=b', 's3c:ret/@'],
    ['postgres:///?service=socket', 'postgres://pay@/acme?host=/run/postgresql', undefined],
  ])('%s is the ledger at %s', async (text, address, password) => {
    const HOME = await homeWith(SERVICES);
    const shared = sharedLedgerOf(text, { HOME }, '/');
    expect(shared && shownAddress(shared.address)).toBe(address);
    expect(shared?.password()).toBe(password);
    const PGSERVICEFILE = path.join(HOME, '.pg_service.conf');
    expect(sharedLedgerOf(text, { PGSERVICEFILE }, '/')?.address).toEqual(shared?.address);
  });

  test.each([
    ['postgres:///?service=nobody', 0o600, 'is not in'],
    ['postgres:///?service=misspelt', 0o600, '"sslmod", which is not known'],
    ['postgres:///?service=payroll', 0o644, 'is not for you alone'],
  ])('%s is refused, without being shown', async (text, mode, why) => {
    const HOME = await homeWith(SERVICES, mode);
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
