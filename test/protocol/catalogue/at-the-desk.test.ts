/** What people and machines do to a batch around its run, by the real command line. Nothing of it pays anybody else. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../../support/desk/account.ts';
import { Child } from '../../support/desk/child.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { deadUrl } from '../../support/loopback.ts';
import { openProxy } from '../../support/proxy.ts';

const ROWS = 8;
const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

async function openOffice(): Promise<{ readonly desk: Desk; readonly service: Sandbox }> {
  const [desk, service] = [await openDesk(), await openService()];
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ organisation: 'Acme', profiles: { env: quickProfile(service.routes) } });
  desk.payBy(accountIn(service));
  return { desk, service };
}

/** Records the batch and stops before anything of it is sent. */
async function planOnly(desk: Desk): Promise<void> {
  const stop = new AbortController();
  const stopped = await desk.emit(['run', 'pay.csv', ...totals], {
    signal: stop.signal,
    onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
  });
  expect(stopped.exit).toBe(130);
  expect(stopped.end.rows['unsent']).toBe(ROWS);
}

const posts = (service: Sandbox): number => service.books().requests['submit-order'] ?? 0;

describe('a batch that was recorded and not sent', () => {
  // C36
  test('is paid as it was recorded when its sheet is edited or gone', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk);
    await desk.write(
      'pay.csv',
      csvOf(people(ROWS).map((line) => ({ ...line, amount: '9999', phone: '+254712999955' }))),
    );
    expect((await desk.emit(['resume'])).exit).toBe(0);
    expect(service.books().paid['KES']).toBe(totalOf(ROWS));
    const payees = service.books().orders.flatMap(({ lines }) => lines.map(({ payee }) => payee));
    expect(payees.toSorted()).toEqual(people(ROWS).map(({ phone }) => phone));
  });

  // C45
  test('is paid as it was recorded when routes, organisation and currency of the configuration change', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk);
    const wallet = { routeId: 'another-route', channelType: 99, transactionTypeId: 'another' };
    const env = { ...quickProfile(service.routes), routes: { wallet } };
    await desk.writeConfig({ organisation: 'Other Ltd', currency: 'UGX', country: 'UG', profiles: { env } });
    const told = await desk.emit(['resume']);
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    expect(service.books().paid['KES']).toBe(totalOf(ROWS));
  });
});

describe('a named batch', () => {
  // C42
  test('of which an amount was changed afterwards is not sent again under its name', async () => {
    const { desk, service } = await openOffice();
    await desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals]);
    const [first, ...others] = people(ROWS);
    await desk.write(
      'pay.csv',
      csvOf([{ ...first, name: 'Person 1', phone: first?.phone ?? '', amount: '2000.25' }, ...others]),
    );
    const told = await desk.emit(['run', 'pay.csv', '--batch', 'november']);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(told.fault?.['message']).toContain('this sheet differs');
    expect(posts(service)).toBe(ROWS);
  });
});

describe('a flag that would skip a guard', () => {
  // O09
  test.each(['--force', '--yes', '-y', '--skip-precheck', '--insecure'])('does not exist: %s', async (flag) => {
    const { desk, service } = await openOffice();
    expect((await desk.say(['run', 'pay.csv', flag, ...totals])).exit).toBe(2);
    expect(posts(service)).toBe(0);
  });
});

describe('a proxy of the environment', () => {
  // C47
  test('is not used, not even where Node.js is told to', async () => {
    const { desk, service } = await openOffice();
    const proxy = 'http://127.0.0.1:9';
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const env = Object.fromEntries(names.map((name) => [name, proxy]));
    const { exit } = await new Child(desk, ['run', 'pay.csv', ...totals], { ...env, NODE_USE_ENV_PROXY: '1' }).end();
    expect(exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('is named where the service cannot be reached, and by doctor, without what it says', async () => {
    const { desk } = await openOffice();
    const env = { PAYBATCH_BASE_URL: await deadUrl(), HTTPS_PROXY: 'http://jane:pw-1234@127.0.0.1:9' };
    for (const argv of [['run', 'pay.csv', ...totals], ['doctor']]) {
      const { stderr, stdout } = await desk.say(argv, { env });
      const said = stderr + stdout;
      expect(said).toContain('HTTPS_PROXY is set in the environment');
      expect(said).toContain('profiles.env.proxy');
      expect(said).not.toContain('pw-1234');
    }
  });
});

describe('the proxy of the profile', () => {
  test('is what everything goes through, token and payments, whatever the environment says', async () => {
    const { desk, service } = await openOffice();
    const proxy = await openProxy();
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), proxy: proxy.url } } });
    const { exit } = await desk.say(['run', 'pay.csv', ...totals], { env: { HTTPS_PROXY: 'http://127.0.0.1:9' } });
    expect(exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
    expect(new Set(proxy.asked)).toEqual(new Set([new URL(service.url).host]));
  });

  test('of a file that was found counts once the file was trusted, as an address does', async () => {
    const { desk, service } = await openOffice();
    const proxy = await openProxy();
    const settings = { profiles: { env: { ...quickProfile(service.routes), proxy: proxy.url } } };
    await desk.write('paybatch.config.json', JSON.stringify(settings));
    delete desk.env['PAYBATCH_CONFIG'];
    const told = await desk.emit(['balance']);
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('nobody has trusted it') } });
    expect(proxy.asked).toEqual([]);
  });
});

describe('a ledger that cannot be relied on', () => {
  const ledgerOf = (desk: Desk): string => path.join(desk.home, 'env', 'ledger.db');

  // C17
  test('because its folder cannot be made ends with 10 before anybody is asked', async () => {
    const { desk, service } = await openOffice();
    await desk.write('home', 'a file, not a folder');
    const told = await desk.emit(['run', 'pay.csv', ...totals]);
    expect(told).toMatchObject({ exit: 10, fault: { code: 'ledger-unsafe' } });
    expect(service.books().requests).toEqual({});
  });

  // C44
  test('because a newer paybatch made it ends with 2, and says so', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk);
    const raw = new Sqlite(ledgerOf(desk));
    raw.pragma('user_version = 99');
    raw.close();
    const told = await desk.emit(['resume']);
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('a newer version of paybatch') } });
    expect(posts(service)).toBe(0);
  });

  // C21
  test('because its pages are damaged ends with 10, and nothing is sent', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk);
    const bytes = await readFile(ledgerOf(desk));
    await writeFile(ledgerOf(desk), bytes.fill(0xa5, 100));
    const told = await desk.emit(['resume']);
    expect(told).toMatchObject({ exit: 10, fault: { code: 'ledger-unsafe' } });
    expect(posts(service)).toBe(0);
  });
});
