import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../../src/callbacks/inbox.ts';
import { inboxFile } from '../../../src/callbacks/open-callbacks.ts';
import { thisProcess } from '../../../src/cli/state/system.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { systemClock } from '../../../src/system.ts';
import { accountIn, openService, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { type Desk, type JsonLine, openDesk, type Told, toldOf } from '../../support/desk/command-line.ts';
import { needsOwnMounts, onReadOnlyDisk } from '../../support/desk/own-mounts.ts';
import { passOn } from '../../support/desk/pass-on.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { testKeys } from '../../support/ledger-keys.ts';
import { type Arrived, deadUrl, sendJson, serve } from '../../support/loopback.ts';
import { remitter } from '../../support/remitter.ts';

const CALLBACK_URL = 'https://callbacks.example.test/pay';

/** What each check found, by its name. */
function checksOf({ events }: Told): Readonly<Record<string, JsonLine>> {
  const told = events.find(({ type }) => type === 'doctor');
  const checks = (told?.['checks'] ?? []) as readonly JsonLine[];
  return Object.fromEntries(checks.map((check) => [String(check['check']), check]));
}

const resultsOf = (told: Told, result: string): readonly string[] =>
  Object.entries(checksOf(told)).flatMap(([name, check]) => (check['result'] === result ? [name] : []));

interface Office {
  readonly desk: Desk;
  readonly service: Sandbox;
  readonly profile: { readonly routes: Readonly<Record<string, { readonly routeId: string }>> };
}

/** A desk with an account at a service of somebody else, configured as it should be. */
async function openOffice(): Promise<Office> {
  const [desk, service] = [await openDesk(), await openService()];
  const profile = { ...quickProfile(service.routes), callbacks: { url: CALLBACK_URL } } as unknown as Office['profile'];
  await desk.writeConfig({ remitter, profiles: { env: profile } });
  desk.payBy(accountIn(service));
  return { desk, service, profile };
}

/** A service that answers some requests in its own way and passes the others on; its address. */
async function openWilful(
  service: Sandbox,
  own: (request: Arrived) => readonly [number, unknown] | undefined,
): Promise<string> {
  const { url } = await serve(async (request, response) => {
    const mine = own(request);
    if (mine) return sendJson(response, ...mine);
    const { method, path: place, query, authorization, body } = request;
    const passed = await fetch(`${service.url}${place}?${query}`, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== '' && { body }),
    });
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/plain' });
    response.end(await passed.text());
  });
  return url;
}

describe('doctor on the practice service', () => {
  test('finds no problem, says SANDBOX and sends nothing', async () => {
    const desk = await openDesk();
    const { exit, stdout, stderr } = await desk.say(['doctor']);
    expect(exit).toBe(0);
    expect(stdout).not.toContain('ERROR');
    expect(stdout).toContain('SANDBOX: practice');
    expect(stdout).toMatch(/\nSANDBOX: \d+ checks: .* 0 problems\. Nothing was sent\.\n$/);
    expect(stderr).toContain('SANDBOX');
  });

  test('gives one event with every check, which says what was measured', async () => {
    const desk = await openDesk();
    const told = await desk.emit(['doctor']);
    expect(told.end).toMatchObject({ exit: 0, batch: null });
    expect(told.events.map(({ type }) => type)).toEqual(['start', 'doctor', 'end']);
    const checks = checksOf(told);
    expect(Object.keys(checks).length).toBeGreaterThanOrEqual(20);
    expect(resultsOf(told, 'problem')).toEqual([]);
    for (const name of ['token', 'health', 'routes', 'charges', 'balance', 'unknown-orders', 'callbacks', 'clock']) {
      expect(checks[name], name).toMatchObject({ result: 'ok' });
    }
    expect(checks['ledger']?.['message']).toContain('all that its commits rely on holds');
    expect(checks['unknown-orders']?.['message']).toContain('HTTP 404');
    // Measured against the service's own time, not taken for granted.
    expect(checks['clock']?.['message']).toContain("agrees with the service's");
    expect(checks['balance']?.['message']).not.toContain('new practice books');
    expect(checks['disk-sync']?.['message']).toMatch(/renamed in [\d.]+ ms \(the slowest of 5: [\d.]+ ms\)/);
  });

  test('names a batch that is not finished, and how to go on', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(2)));
    await desk.writeConfig({
      profiles: { sandbox: { ...quickWaits, polling: { firstMs: 10, maxMs: 50, deadlineMs: 0 } } },
    });
    const { end } = await desk.emit(['run', 'pay.csv', '--batch', 'november', '--scenario', 'settle-min=600000']);
    expect(end.exit).toBe(7);
    const told = await desk.emit(['doctor', '--full']);
    expect(told.exit).toBe(0);
    expect(checksOf(told)['unfinished']).toMatchObject({
      result: 'warning',
      message: expect.stringContaining('november'),
      fix: expect.stringContaining('paybatch resume november'),
    });
    expect(checksOf(told)['ledger-records']).toMatchObject({
      result: 'ok',
      message: expect.stringContaining('all it shows follows from its facts'),
    });
  });

  test('says who holds the ledger, and asks the service all the same', async () => {
    const desk = await openDesk();
    const holder = thisProcess('somebody: run');
    const file = path.join(desk.home, 'sandbox', 'ledger.db');
    const ledger = await openLedger({ path: file, keys: testKeys, clock: systemClock, holder });
    onTestFinished(() => ledger.close());
    await ledger.takePractice();
    const told = await desk.emit(['doctor', '--full']);
    expect(told.exit).toBe(0);
    const checks = checksOf(told);
    expect(checks['lease']).toMatchObject({ result: 'warning', message: expect.stringContaining('somebody: run') });
    expect(checks['ledger-records']).toMatchObject({ result: 'warning' });
    expect(checks['balance']).toMatchObject({ result: 'ok', message: expect.stringContaining('new practice books') });
    // It is still theirs.
    await ledger.proveLease();
  });

  test('with --full finds a record that was changed: 10', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(2)));
    expect((await desk.emit(['run', 'pay.csv'])).exit).toBe(0);
    const database = new Database(path.join(desk.home, 'sandbox', 'ledger.db'));
    expect(database.prepare(`UPDATE payout SET outcome = 'failed' WHERE sheet_row = 3`).run().changes).toBe(1);
    database.close();
    expect((await desk.emit(['doctor'])).exit).toBe(10);
    const told = await desk.emit(['doctor', '--full']);
    expect(told.exit).toBe(10);
    expect(checksOf(told)['ledger-records']?.['message']).toContain('row 3');
  });
});

describe('doctor of an account', () => {
  const published = {
    address: 'Nairobi',
    idType: 'Registration',
    idNumber: 'PVT-1',
    financialInstitution: 'Practice Bank',
    institutionIdentifier: '68',
    email: 'pay@acme.example',
    idIssuePlace: 'Nairobi',
    idIssueDate: '2020/01/31',
    idExpireDate: '2030/01/31',
    nationality: 'Kenyan',
    dateOfBirth: '1990/12/31',
    city: 'Nairobi',
    postalCode: '00100',
  };

  test('names what the remitter lacks for each way of paying that has a route: 2 without what every bank wants', async () => {
    const { desk, profile } = await openOffice();
    const { country: _, ...lacking } = remitter;
    await desk.writeConfig({ remitter: { ...lacking, country: ' ' }, profiles: { env: profile } });
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(2);
    expect(checksOf(told)['remitter']).toMatchObject({
      result: 'problem',
      message: 'Bank account: no row can be paid without country of the remitter.',
      fix: expect.stringContaining(desk.path('paybatch.config.json')),
    });
  });

  test('warns of what only pages of the provider ask for, and is content when all of it is there', async () => {
    const { desk, profile } = await openOffice();
    const { email: _, institutionIdentifier: __, ...less } = { ...remitter, ...published };
    await desk.writeConfig({ remitter: less, profiles: { env: profile } });
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(0);
    expect(checksOf(told)['remitter']).toMatchObject({
      result: 'warning',
      message:
        'Your provider may ask for more about who pays. Bank account, local transfers: institutionIdentifier. ' +
        'Bank account, international transfers: email.',
    });
    await desk.writeConfig({ remitter: { ...remitter, ...published }, profiles: { env: profile } });
    expect(checksOf(await desk.emit(['doctor']))['remitter']).toMatchObject({ result: 'ok' });
  });

  test('asks for no remitter that no route needs, and for a phone that could stand for one of a till', async () => {
    const { desk, profile } = await openOffice();
    const { wallet, till } = profile.routes;
    await desk.writeConfig({ profiles: { env: { ...profile, routes: { wallet } } } });
    expect(checksOf(await desk.emit(['doctor']))['remitter']).toMatchObject({ result: 'ok' });
    await desk.writeConfig({ profiles: { env: { ...profile, routes: { wallet, till } } } });
    expect(checksOf(await desk.emit(['doctor']))['remitter']).toMatchObject({
      result: 'warning',
      message: 'Your provider may ask for more about who pays. Business till, rows without phone: phoneNumber.',
    });
  });

  test('finds no problem where there is none, and neither pays nor binds the ledger to it', async () => {
    const { desk, service } = await openOffice();
    const told = await desk.emit(['doctor']);
    expect(resultsOf(told, 'problem')).toEqual([]);
    expect(told.exit).toBe(0);
    const checks = checksOf(told);
    expect(checks['configuration']?.['message']).toContain(`at ${service.url}, from the environment`);
    expect(checks['configuration']?.['message']).toContain(desk.path('paybatch.config.json'));
    expect(checks['ledger-account']?.['message']).toContain('none yet');
    const waiting = { result: 'warning', fix: expect.stringContaining('must hold the secret that it prints') };
    expect(checks['callbacks']).toMatchObject(waiting);
    // A receiver was started, and nothing has come to it.
    await using inbox = new Inbox(inboxFile(path.join(desk.home, 'env')));
    expect(checksOf(await desk.emit(['doctor']))['callbacks']).toMatchObject(waiting);
    await inbox.add({ topic: 'airtime', subject: 'a', receivedAt: 1, body: '{}' });
    expect(checksOf(await desk.emit(['doctor']))['callbacks']).toMatchObject({ result: 'ok' });
    expect(JSON.stringify(told.events)).not.toMatch(/sandbox"?:true|SANDBOX/);
    expect(service.books().orders).toEqual([]);
    expect(service.books().requests['submit-order'] ?? 0).toBe(0);

    await desk.write('pay.csv', csvOf(people(1)));
    const paid = await desk.emit(['run', 'pay.csv', '--expect-count', '1', '--expect-total', totalOf(1)]);
    expect(paid.exit).toBe(0);
    const elsewhere = await desk.emit(['doctor'], { env: accountIn(await openService()) });
    expect(elsewhere.exit).toBe(2);
    expect(checksOf(elsewhere)['ledger-account']).toMatchObject({ result: 'problem', code: 'configuration' });
  });

  test('with a wrong secret ends with 4, and never shows it', async () => {
    const { desk } = await openOffice();
    const env = { PAYBATCH_CLIENT_SECRET: 'wrong-secret-1b7c' };
    const told = await desk.emit(['doctor'], { env });
    expect(told.exit).toBe(4);
    expect(resultsOf(told, 'problem')).toEqual(['token']);
    expect(checksOf(told)['token']).toMatchObject({ code: 'credentials', exit: 4 });
    for (const name of ['routes', 'charges', 'balance', 'unknown-orders']) {
      expect(checksOf(told)[name], name).toMatchObject({
        result: 'warning',
        message: expect.stringContaining('"Credentials"'),
      });
    }
    expect(checksOf(told)['health']).toMatchObject({ result: 'ok' });
    expect(told.stdout + told.stderr).not.toContain('1b7c');
  });

  test('without permissions ends with 4, and says for each what it may not ask for', async () => {
    const { desk, service } = await openOffice();
    const wilful = (path: RegExp) => openWilful(service, ({ path: at }) => (path.test(at) ? [403, {}] : undefined));
    const env = { PAYBATCH_BASE_URL: await wilful(/charge|wallet-balance/) };
    const told = await desk.emit(['doctor'], { env });
    expect(told.exit).toBe(4);
    expect(resultsOf(told, 'problem')).toEqual(['charges', 'balance']);
    expect(checksOf(told)['token']).toMatchObject({ result: 'ok' });
    for (const [name, what] of [
      ['charges', 'the charges'],
      ['balance', 'the wallet balance'],
    ] as const) {
      expect(checksOf(told)[name]).toMatchObject({
        code: 'permission-missing',
        message: expect.stringContaining(`The token is valid, but this account may not ask for ${what}`),
        fix: expect.stringContaining('scope of the profile'),
      });
    }
    const routes = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: await wilful(/routes/) } });
    // Payments may be permitted all the same: the next thing that is asked shows it.
    expect(checksOf(routes)['routes']).toMatchObject({
      result: 'warning',
      message: expect.stringContaining('this account is not allowed to list them: HTTP 403'),
      fix: expect.stringContaining('permission'),
    });
    const token = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: await wilful(/connect/) } });
    expect(checksOf(token)['token']).toMatchObject({ code: 'credentials', exit: 4 });
  });

  test('that has the wallet at another path ends with 2, and finds it at the one in the profile', async () => {
    const { desk, service, profile } = await openOffice();
    const other = '/v1/customer-accounts/get-wallet-balance-by-id';
    const balance = { status: '00', balance: 12.5 };
    const url = await openWilful(service, ({ path: at }) => {
      if (at === other) return [200, balance];
      return at.includes('wallet-balance') ? [404, {}] : undefined;
    });
    const env = { PAYBATCH_BASE_URL: url };
    const told = await desk.emit(['doctor'], { env });
    expect(told.exit).toBe(2);
    expect(checksOf(told)['balance']).toMatchObject({ code: 'configuration', fix: expect.stringContaining(other) });
    await desk.writeConfig({ profiles: { env: { ...profile, paths: { 'get-wallet-balance': other } } } });
    expect(checksOf(await desk.emit(['doctor'], { env }))['balance']).toMatchObject({ result: 'ok' });
    expect((await desk.say(['balance'], { env })).lines).toEqual(['KES 12.50']);
  });

  test('that cannot be reached ends with 9', async () => {
    const { desk } = await openOffice();
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: await deadUrl() } });
    expect(told.exit).toBe(9);
    expect(resultsOf(told, 'problem')).toEqual(['token', 'health']);
    expect(checksOf(told)['clock']?.['message']).toContain("the service's time is not known");
  });

  test('that hangs up is not taken for one whose health is asked at another path', async () => {
    const { desk, service } = await openOffice();
    const { url } = await serve((_request, response) => void response.destroy());
    const env = { PAYBATCH_BASE_URL: url, PAYBATCH_TOKEN_URL: `${service.url}/connect/token` };
    const checks = checksOf(await desk.emit(['doctor'], { env }));
    expect(checks['token']).toMatchObject({ result: 'ok' });
    expect(checks['health']).toMatchObject({ result: 'problem', code: 'unreachable' });
  });

  test.each([
    ['a route that is not assigned', { routeId: 'ffffffff-0000-4000-8000-000000000000' }, 'is not assigned'],
    ['a channel type of another route', { channelType: 99 }, 'channel type 99'],
    ['another transaction type', { transactionTypeId: '5a0d1002-0c1e-4e0a-9a51-70726163746f' }, 'transactionTypeId'],
  ])('with %s ends with 5', async (_, wrong, words) => {
    const { desk, profile } = await openOffice();
    const routes = { ...profile.routes, wallet: { ...profile.routes['wallet'], ...wrong } };
    await desk.writeConfig({ remitter, profiles: { env: { ...profile, routes } } });
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(5);
    expect(resultsOf(told, 'problem')).toEqual(['routes']);
    expect(checksOf(told)['routes']?.['message']).toMatch(/^wallet: /);
    expect(checksOf(told)['routes']?.['message']).toContain(words);
  });

  test('without routes ends with 5, with airtime but no address for callbacks with 2', async () => {
    const { desk, profile } = await openOffice();
    await desk.writeConfig({ remitter, profiles: { env: { ...profile, routes: {} } } });
    expect((await desk.emit(['doctor'])).exit).toBe(5);
    await desk.writeConfig({ remitter, profiles: { env: { ...profile, callbacks: {} } } });
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(2);
    expect(checksOf(told)['callbacks']?.['message']).toContain('airtime, bill');
    const { wallet } = profile.routes;
    await desk.writeConfig({ remitter, profiles: { env: { ...profile, callbacks: {}, routes: { wallet } } } });
    expect((await desk.emit(['doctor'])).exit).toBe(0);
  });

  test('whose secret others can read ends with 2', async () => {
    const { desk, service } = await openOffice();
    const PAYBATCH_CLIENT_SECRET_FILE = await desk.write('keys/secret', `${service.clientSecret}\n`);
    const env = { PAYBATCH_CLIENT_SECRET_FILE };
    await chmod(PAYBATCH_CLIENT_SECRET_FILE, 0o644);
    const open = await desk.emit(['doctor'], { env });
    expect(open.exit).toBe(2);
    expect(checksOf(open)['configuration']).toMatchObject({
      result: 'problem',
      code: 'configuration',
      message: expect.stringContaining(PAYBATCH_CLIENT_SECRET_FILE),
      fix: expect.stringContaining('chmod 600'),
    });
    await chmod(PAYBATCH_CLIENT_SECRET_FILE, 0o600);
    expect(checksOf(await desk.emit(['doctor'], { env }))['secrets']).toMatchObject({ result: 'ok' });
  });
});

test('three names of the environment move state, settings and keys, and doctor and whoami say where each is', async () => {
  const { desk, profile } = await openOffice();
  const settings = await desk.write(
    'etc/moved.json',
    JSON.stringify({ organisation: 'Acme Ltd', remitter, profiles: { env: profile } }),
  );
  const [state, keys] = [desk.path('var', 'state'), desk.path('var', 'keys')];
  const env = { PAYBATCH_HOME: state, PAYBATCH_CONFIG: settings, PAYBATCH_KEYS: keys };
  await desk.write('pay.csv', csvOf(people(1)));
  const flags = ['--batch', 'one', '--expect-count', '1', '--expect-total', totalOf(1)];
  expect(await desk.emit(['run', 'pay.csv', ...flags], { env })).toMatchObject({ exit: 0 });
  expect(readdirSync(state)).toContain('env');
  expect(readdirSync(keys)).toHaveLength(1);
  expect(existsSync(desk.home)).toBe(false);
  const places = checksOf(await desk.emit(['doctor'], { env }))['places'];
  expect(places).toMatchObject({
    result: 'ok',
    message: expect.stringContaining(`State in ${state}, settings in ${settings}, keys of ledgers: ${keys}.`),
  });
  expect(places?.['message']).toContain('PAYBATCH_HOME moves the state alone');
  const { stdout } = await desk.say(['whoami'], { env });
  for (const place of [state, settings, keys]) expect(stdout).toContain(place);
  const inside = await desk.emit(['run', 'pay.csv', ...flags], { env: { ...env, PAYBATCH_KEYS: `${state}/keys` } });
  expect(inside).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
});

describe('doctor of a service', () => {
  const isLookUp = ({ path: place, query }: Arrived): boolean =>
    place === '/v1/payment-order/check-status' && query.get('Id') !== '';

  test('whose form of "unknown" differs from id to id warns, and says the forms', async () => {
    const { desk, service } = await openOffice();
    let asked = 0;
    const url = await openWilful(service, (request) => {
      if (!isLookUp(request)) return undefined;
      asked += 1;
      return [404, { idType: 'OriginatorConversationId', message: asked === 2 ? 'archived' : 'not found' }];
    });
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: url } });
    expect(asked).toBe(3);
    expect(told.exit).toBe(0);
    const { message, result } = checksOf(told)['unknown-orders'] ?? {};
    expect(result).toBe('warning');
    expect(message).toContain('2 different ways');
    expect(message).toContain('archived');
    expect(message).toContain('not found');
  });

  test('that answers unknown orders in no documented form warns', async () => {
    const { desk, service } = await openOffice();
    const url = await openWilful(service, (request) => (isLookUp(request) ? [500, 'oops'] : undefined));
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: url } });
    expect(told.exit).toBe(0);
    expect(checksOf(told)['unknown-orders']).toMatchObject({
      result: 'warning',
      message: expect.stringContaining('HTTP 500'),
    });
  });

  test('that has a record of every order ends with 5', async () => {
    const { desk, service } = await openOffice();
    const url = await openWilful(service, (request) =>
      isLookUp(request) ? [200, { originatorConversationId: request.query.get('Id'), orderLines: [] }] : undefined,
    );
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: url } });
    expect(told.exit).toBe(5);
    expect(resultsOf(told, 'problem')).toEqual(['unknown-orders']);
  });

  test('whose wallet does not add up, or whose charges contradict themselves, ends with 5', async () => {
    const { desk, service } = await openOffice();
    const band = { value: 50, rangeLowerLimit: 1, rangeUpperLimit: 1000 };
    const url = await openWilful(service, ({ path: place }) => {
      if (place === '/v1/customer-accounts/get-wallet-balance') {
        return [200, { status: '00', balance: 10, customerAccountBalanceList: [{ balance: 9 }] }];
      }
      return place === '/v1/charge/fetch-charges'
        ? [200, { name: 'Odd', maximumCharge: 5, graduatedScaleList: [band] }]
        : undefined;
    });
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: url } });
    expect(told.exit).toBe(5);
    expect(resultsOf(told, 'problem')).toEqual(['charges', 'balance']);
  });

  test('whose clock is another one warns by how much', async () => {
    const { desk, service } = await openOffice();
    const HOUR_MS = 3_600_000;
    const { url } = await serve((one, response) => {
      response.setHeader('date', new Date(systemClock.now() + HOUR_MS).toUTCString());
      passOn(service.url, one, response);
    });
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: url } });
    expect(told.exit).toBe(0);
    const { result, message } = checksOf(told)['clock'] ?? {};
    expect(result).toBe('warning');
    const [, apart] = /^It is (\d+) s behind the service's\.$/.exec(String(message)) ?? [];
    expect(Number(apart) * 1000).toBeGreaterThan(HOUR_MS - 60_000);
    expect(Number(apart) * 1000).toBeLessThanOrEqual(HOUR_MS);
  });
});

describe('doctor of this machine', () => {
  test('with a file in the place of the state folder ends with 10, and still asks the service', async () => {
    const { desk } = await openOffice();
    await mkdir(desk.home);
    await writeFile(path.join(desk.home, 'env'), 'not a folder');
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(10);
    expect(resultsOf(told, 'problem')).toEqual(['state-folder']);
    expect(checksOf(told)['ledger']).toMatchObject({
      result: 'warning',
      message: expect.stringContaining('"State folder"'),
    });
    expect(checksOf(told)['balance']).toMatchObject({ result: 'ok' });
  });

  test('with a state folder that cannot be written ends with 10', async (context) => {
    needsOwnMounts(context);
    const { desk } = await openOffice();
    const folder = path.join(desk.home, 'env');
    await mkdir(folder, { recursive: true });
    const told = toldOf(await onReadOnlyDisk(desk, folder, ['doctor', '--json']));
    expect(told.exit).toBe(10);
    expect(checksOf(told)['state-folder']).toMatchObject({ result: 'problem', code: 'ledger-unsafe' });
  });

  test('with a file that is no ledger ends with 10', async () => {
    const { desk } = await openOffice();
    const file = path.join(desk.home, 'env', 'ledger.db');
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, 'x'.repeat(5000));
    const told = await desk.emit(['doctor']);
    expect(told.exit).toBe(10);
    expect(resultsOf(told, 'problem')).toEqual(['ledger']);
  });

  test('with a state folder that was open to others warns once', async () => {
    const { desk } = await openOffice();
    const folder = path.join(desk.home, 'env');
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    expect(checksOf(await desk.emit(['doctor']))['state-folder']).toMatchObject({
      result: 'warning',
      message: expect.stringContaining('(mode 0755)'),
    });
    expect(checksOf(await desk.emit(['doctor']))['state-folder']).toMatchObject({ result: 'ok' });
  });

  test('without a usable configuration ends with 2, and says that nothing else could be checked', async () => {
    const desk = await openDesk();
    const env = { PAYBATCH_PROFILE: 'nobody' };
    const told = await desk.emit(['doctor'], { env });
    expect(told.exit).toBe(2);
    expect(resultsOf(told, 'problem')).toEqual(['configuration']);
    const { lines } = await desk.say(['doctor'], { env });
    expect(lines.filter((line) => line.includes('not made')).map((line) => line.trim())).toEqual([
      expect.stringMatching(
        /^WARN +\d+ checks were not made: they need what failed under "Configuration"\. Fix that first\.$/,
      ),
    ]);
    expect(checksOf(told)['node']).toMatchObject({ result: 'ok' });
    const { exit, stdout } = await desk.say(['doctor'], { env });
    expect(exit).toBe(2);
    await desk.writeConfig({ currency: 'XQQ' });
    expect(resultsOf(await desk.emit(['doctor']), 'problem')).toEqual(['configuration']);
    expect(stdout).toMatch(
      /^ERROR {2}Configuration +There is no profile "nobody", which PAYBATCH_PROFILE names\.\n {7,}\S/m,
    );
  });

  test('ends with the gravest code of several: the disk before the credentials', async () => {
    const { desk } = await openOffice();
    await mkdir(desk.home);
    await writeFile(path.join(desk.home, 'env'), 'not a folder');
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_CLIENT_SECRET: 'wrong' } });
    expect(resultsOf(told, 'problem')).toEqual(['state-folder', 'token']);
    expect(told.exit).toBe(10);
  });

  test('that is interrupted says so: 130', async () => {
    const desk = await openDesk();
    const told = await desk.emit(['doctor'], { signal: AbortSignal.abort('SIGINT') });
    expect(told).toMatchObject({ exit: 130, fault: { code: 'interrupted' } });
  });
});
