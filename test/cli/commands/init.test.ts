/** An account is set up by one command without a terminal: whole, or not at all. On a terminal: `test/e2e/set-up.test.ts`. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRoutes } from '../../../src/service/contract/routes.ts';
import { quickProfile, quickWaits } from '../../support/desk/account.ts';
import { passOn } from '../../support/desk/pass-on.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { filesAt, openEmptyOffice } from '../../support/desk/set-up.ts';
import { deadUrl, sendJson, serve } from '../../support/loopback.ts';
import { needsPosix } from '../../support/needs.ts';
import { openProxy } from '../../support/proxy.ts';

/** Where the contract says that the routes of an account are listed. */
const PATH = findRoutes.path ?? '';

const configIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const bankFlags = [
  ...['--remitter-name', 'Acme Ltd', '--remitter-phone', '0712 345 678'],
  ...['--source-of-funds', 'Business', '--principal-activity', 'Trading'],
];

describe('an account that is set up without a terminal', () => {
  test('is whole: the doctor finds no problem, and the first sheet could be paid with nothing else said', async () => {
    const { desk, service, configFile, secretFile, init } = await openEmptyOffice();
    const told = await init();
    expect(told).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('ERROR') });
    const event = told.events.find(({ type }) => type === 'init');
    expect(event).toMatchObject({ profile: 'live', file: configFile, secretFile, isDefault: true, overriddenBy: [] });
    const checks = JSON.stringify(event?.['checks']);
    expect(checks.match(/"result":"ok"/g)?.length).toBeGreaterThan(15);
    expect(checks).not.toContain('"result":"problem"');
    expect(configIn(configFile)).toMatchObject({
      organisation: 'Acme Ltd',
      timezone: 'Africa/Nairobi',
      defaultProfile: 'live',
      profiles: {
        live: {
          baseUrl: service.url,
          clientId: service.clientId,
          idNamespace: service.clientId,
          clientSecretFile: secretFile,
        },
      },
    });

    await desk.write('pay.csv', csvOf(people(2)));
    const rehearsed = await desk.emit(['run', 'pay.csv', '--dry-run', '--config', configFile]);
    expect(rehearsed).toMatchObject({ exit: 0, end: { rows: { unsent: 2 } } });
    expect(rehearsed.events[0]).toMatchObject({ sandbox: false, service: service.url, clientId: service.clientId });
  });

  test('pays each kind by the route that fits, and leaves out what would lack something, by name', async () => {
    const { configFile, init } = await openEmptyOffice();
    const told = await init();
    const routes = told.events.find(({ type }) => type === 'init')?.['routes'] as readonly Record<string, unknown>[];
    const byKind = Object.fromEntries(routes.map(({ kind, why }) => [kind, why ?? 'set up']));
    expect(byKind).toEqual({
      wallet: 'set up',
      till: 'set up',
      paybill: 'set up',
      bank: expect.stringContaining('--remitter-phone, --source-of-funds'),
      airtime: expect.stringContaining('--callback-url'),
      bill: expect.stringContaining('--callback-url'),
    });
    expect(Object.keys(configIn(configFile).profiles.live.routes)).toEqual(['wallet', 'till', 'paybill']);

    const again = await init([...bankFlags, '--callback-url', 'https://callbacks.example.test/pay', '--yes']);
    expect(again.exit).toBe(0);
    const { profiles, remitter } = configIn(configFile);
    expect(Object.keys(profiles.live.routes)).toEqual(['wallet', 'till', 'paybill', 'bank', 'airtime', 'bill']);
    expect(remitter).toMatchObject({ phoneNumber: '+254712345678', country: 'KE', sourceOfFunds: 'Business' });
  });

  test('leaves out what needs an address for callbacks, whether or not a flag names its route', async () => {
    const { service, configFile, init } = await openEmptyOffice();
    const airtime = service.routes.find(({ channelType }) => channelType === 7);
    const told = await init(['--route', `airtime=${airtime?.routeId}/${airtime?.channelType}`]);
    expect(told.exit).toBe(0);
    expect(told.events.find(({ type }) => type === 'init')?.['routes']).toContainEqual(
      expect.objectContaining({ kind: 'airtime', why: expect.stringContaining('--callback-url') }),
    );
    expect(configIn(configFile).profiles.live.routes).not.toHaveProperty('airtime');
  });

  test('asks for everything that is missing at once, and writes nothing', async () => {
    const { desk, service, configFile } = await openEmptyOffice();
    const { exit, stderr } = await desk.say(['init', '--config', configFile, '--country', 'KE']);
    expect(exit).toBe(2);
    for (const flag of ['--organisation', '--base-url', '--client-id', '--secret-stdin'])
      expect(stderr).toContain(flag);
    expect(stderr).not.toMatch(/--country|--currency|--token-url|--scope/);
    expect(filesAt(desk)).toEqual([]);
    expect(service.books().tokenRequests).toBe(0);
  });

  test.each([
    ['an address without https', ['--base-url', 'http://pay.example'], '--base-url: The address, at pay.example'],
    ['a country that there is not', ['--country', 'Kenya'], '--country: "KENYA" is not the code of a country'],
    ['a currency that there is not', ['--currency', 'KSH'], 'Did you mean KES?'],
    ['a kind that there is not', ['--route', 'walet=none'], 'Did you mean wallet?'],
    ['a route that the account has not', ['--route', 'wallet=f00'], 'The account has no such route for Mobile wallet'],
    ['a phone that is none', ['--remitter-phone', '12'], '--remitter-phone: This is not a phone number'],
    ['a profile of our own', ['--profile', 'sandbox'], 'Use another name: --profile live'],
  ])('is told of %s, and nothing is written', async (_, flags, words) => {
    const { desk, init } = await openEmptyOffice();
    const { exit, fault } = await init(flags);
    expect(exit).toBe(2);
    expect(`${fault?.['message']} ${fault?.['fix']}`).toContain(words);
    expect(fault?.['message']).toContain('Nothing was written.');
    expect(filesAt(desk)).toEqual([]);
  });

  test('is not given two routes to choose between in silence', async () => {
    const { service, configFile, init } = await openEmptyOffice();
    const twice = (answer: string): string => {
      const { routes } = answer.startsWith('{"routes"') ? JSON.parse(answer) : {};
      return routes ? JSON.stringify({ routes: [...routes, { ...routes[0], id: 'another-route' }] }) : answer;
    };
    const { url } = await serve((one, response) => passOn(service.url, one, response, twice));
    const address = ['--base-url', url, '--token-url', `${url}/connect/token`];
    const { exit, fault } = await init(address);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: expect.stringContaining('Mobile wallet could be paid by 2 routes'),
    });
    expect(fault?.['details']).toEqual(
      expect.arrayContaining([expect.stringContaining('--route wallet=another-route')]),
    );
    expect(existsSync(configFile)).toBe(false);

    expect((await init([...address, '--route', 'wallet=another-route', '--route', 'till=none'])).events).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'init' })]),
    );
    const { routes } = configIn(configFile).profiles.live;
    expect([routes.wallet.routeId, routes.till]).toEqual(['another-route', undefined]);
  });
});

describe('what goes wrong is told with what to do, and nothing is written', () => {
  const SECRET = 'canary-6c1f09b7d2';

  test.each<readonly [string, () => Promise<readonly string[]>, number, string]>([
    ['a secret that is refused', async () => [], 4, 'Check client id, client secret and scope'],
    ['an address where nobody is', async () => hostFlags(await deadUrl()), 9, 'Check both addresses'],
    ['a name that nobody has', async () => hostFlags('https://pay.invalid'), 9, 'Check both addresses'],
    ['a page that gives no tokens', async () => hostFlags(await answering(404, {})), 9, 'Check both addresses'],
    ['an account without routes', async () => hostFlags(await answering(200, { routes: [] })), 5, 'assign routes'],
    ['a service that lists none', async () => hostFlags(await answering(500, {}, true)), 5, '--routes-path'],
    [
      'routes of other kinds alone',
      async () => hostFlags(await answering(200, { routes: [{ id: 'r', transactionTypeId: 't', channelTypes: [] }] })),
      5,
      '--route KIND=ROUTE/CHANNEL',
    ],
  ])('%s', async (_, flagsOf, code, remedy) => {
    const { desk, init } = await openEmptyOffice();
    const { exit, fault, stdout, stderr } = await init(await flagsOf(), { input: SECRET });
    expect({ exit, fix: fault?.['fix'] }).toEqual({ exit: code, fix: expect.stringContaining(remedy) });
    expect(fault?.['message']).toContain('Nothing was written');
    expect(stdout + stderr).not.toContain(SECRET);
    expect(filesAt(desk)).toEqual([]);
    expect(existsSync(desk.home)).toBe(false);
  });

  const hostFlags = (url: string): readonly string[] => ['--base-url', url, '--token-url', `${url}/connect/token`];

  /** A service that gives tokens, unless its answer is no list, and answers everything else in one way. */
  const answering = async (status: number, body: object, token = 'routes' in body): Promise<string> => {
    const given = { access_token: 'a-token', expires_in: 3600, token_type: 'Bearer' };
    const { url } = await serve(({ path: at }, response) =>
      at === '/connect/token' && token ? sendJson(response, 200, given) : sendJson(response, status, body),
    );
    return url;
  };

  test('an empty stdin, and one that holds more than a secret', async () => {
    const { desk, init } = await openEmptyOffice();
    for (const input of ['', ' \n', 'one\ntwo']) {
      const { exit, fault } = await init([], { input });
      expect({ exit, message: fault?.['message'] }).toEqual({
        exit: 2,
        message: expect.stringMatching(/client secret/),
      });
      expect(String(fault?.['message'])).not.toContain('two');
    }
    expect(filesAt(desk)).toEqual([]);
  });

  test('a disk that takes the secret and not the configuration: the secret before it is kept', async () => {
    const { desk, secretFile, init } = await openEmptyOffice();
    await writeFile(desk.path('in-the-way'), '');
    const file = desk.path('in-the-way', 'config.json');
    expect((await init(['--config', file])).fault).toMatchObject({ code: 'file-unwritten' });
    expect(filesAt(desk)).toEqual(['in-the-way']);
    await mkdir(path.dirname(secretFile), { recursive: true });
    await writeFile(secretFile, 'the one before', { mode: 0o600 });
    expect((await init(['--config', file, '--yes'])).fault).toMatchObject({ code: 'file-unwritten' });
    expect(readFileSync(secretFile, 'utf8')).toBe('the one before');
  });
});

describe('what is there already', () => {
  test('is replaced on a word alone; settings of other profiles, and others of this one, stay as they were', async () => {
    const { desk, service, configFile, secretFile, init } = await openEmptyOffice();
    const old = { baseUrl: 'https://old.example', clientId: 'old', secretOrigins: ['https://old.example'] };
    const live = { ...quickProfile(service.routes), ...old };
    const other = { baseUrl: 'https://other.example', clientId: 'other' };
    const before = { profiles: { live, other }, defaultProfile: 'other' };
    const text = JSON.stringify({ organisation: 'Acme Ltd', ...before }, undefined, 4);
    await writeFile(configFile, text, { mode: 0o600 });

    const refused = await init();
    expect(refused).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('the profile "live" (old)') } });
    expect(refused.fault?.['fix']).toContain('--yes');
    expect([readFileSync(configFile, 'utf8'), existsSync(secretFile)]).toEqual([text, false]);
    expect(service.books().tokenRequests).toBe(0);

    expect(await init(['--yes'])).toMatchObject({ exit: 0 });
    const after = configIn(configFile);
    expect(after).toMatchObject({ defaultProfile: 'other', profiles: { other } });
    expect(after.profiles.live).toMatchObject({ baseUrl: service.url, ...quickWaits });
    // Where the secret of the old account could go, that of the new one must not.
    expect(after.profiles.live).not.toHaveProperty('secretOrigins');

    await desk.write('pay.csv', csvOf(people(2)));
    const named = ['--config', configFile, '--profile', 'live', '--batch', 'first'];
    const totals = ['--expect-count', '2', '--expect-total', totalOf(2)];
    expect(await desk.emit(['run', 'pay.csv', ...named, ...totals])).toMatchObject({ end: { rows: { completed: 2 } } });
    expect(service.books().orders).toHaveLength(2);
  });

  test('as a secret of something else is not overwritten', async () => {
    const { secretFile, configFile, init } = await openEmptyOffice();
    await mkdir(path.dirname(secretFile), { recursive: true });
    await writeFile(secretFile, 'of something else', { mode: 0o600 });
    const { exit, fault } = await init();
    expect({ exit, fix: fault?.['fix'] }).toEqual({ exit: 2, fix: expect.stringContaining('--secret-file') });
    expect([readFileSync(secretFile, 'utf8'), existsSync(configFile)]).toEqual(['of something else', false]);
  });

  test('as something that is no file is neither read nor replaced, and no service is asked', async () => {
    const { desk, service, configFile, init } = await openEmptyOffice();
    await mkdir(desk.path('a-folder'));
    const { exit, fault } = await init(['--secret-file', desk.path('a-folder'), '--yes']);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: expect.stringContaining('so paybatch does not change it'),
    });
    expect([existsSync(configFile), service.books().tokenRequests]).toEqual([false, 0]);
  });

  test('keeps its organisation: its other profiles are paid by it', async () => {
    const { configFile, init } = await openEmptyOffice();
    expect((await init()).exit).toBe(0);
    const text = readFileSync(configFile, 'utf8');
    const { exit, fault } = await init(['--organisation', 'Acme Limited', '--profile', 'second', '--yes']);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: expect.stringContaining('has the organisation "Acme Ltd" for all its profiles'),
    });
    expect(readFileSync(configFile, 'utf8')).toBe(text);
  });

  test('keeps its remitter: a flag that says another one is refused, and not left out in silence', async () => {
    const { configFile, init } = await openEmptyOffice();
    expect((await init(bankFlags)).exit).toBe(0);
    const { exit, fault } = await init([...bankFlags, '--remitter-phone', '0722 000 000', '--yes']);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: `${configFile} has the phoneNumber of the remitter "+254712345678" for all its profiles, not "+254722000000". Nothing was written.`,
    });
  });

  test('is reached as the profile says: through its proxy, with its paths', async () => {
    const { service, configFile, init } = await openEmptyOffice();
    const { url } = await serve((one, response) => {
      const isList = one.path === '/lists/routes';
      if (one.path === PATH) return sendJson(response, 404, {});
      passOn(service.url, isList ? { ...one, path: PATH } : one, response);
    });
    const proxy = await openProxy({ leadsTo: Number(new URL(url).port) });
    const live = { proxy: proxy.url, paths: { 'find-routes': '/lists/routes' } };
    await writeFile(configFile, JSON.stringify({ organisation: 'Acme Ltd', profiles: { live } }), { mode: 0o600 });
    const nobody = await deadUrl();
    const told = await init(['--base-url', nobody, '--token-url', `${nobody}/connect/token`, '--yes']);
    expect(told).toMatchObject({
      exit: 0,
      events: expect.arrayContaining([expect.objectContaining({ type: 'init' })]),
    });
    expect(configIn(configFile).profiles.live).toMatchObject({ ...live, baseUrl: nobody });
  });

  test('as a project file that goes before the own one is told, trusted or not', async () => {
    const { desk, init } = await openEmptyOffice();
    await desk.layConfig({ currency: 'KES' });
    const told = await desk.emit(['init']);
    expect(told).toMatchObject({
      exit: 2,
      fault: { message: expect.stringContaining('takes precedence over your own') },
    });
    expect(told.fault?.['fix']).toContain(`--config ${desk.path('paybatch.config.json')}`);
    expect(filesAt(desk)).toEqual(['paybatch.config.json']);
    expect((await init(['--config', desk.path('paybatch.config.json')])).exit).toBe(0);
  });

  test('as a file that others may write to is not obeyed, and not changed', async (context) => {
    needsPosix(context);
    const { configFile, init } = await openEmptyOffice();
    await writeFile(configFile, '{}');
    chmodSync(configFile, 0o666);
    const told = await init();
    expect(told).toMatchObject({
      exit: 2,
      fault: { details: [expect.stringContaining('everyone'), expect.anything()] },
    });
    expect(readFileSync(configFile, 'utf8')).toBe('{}');
  });
});

test.each([0o000, 0o022])('secret and configuration are for their owner alone under umask %o', async (mask) => {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
  const { configFile, secretFile, init } = await openEmptyOffice();
  expect((await init()).exit).toBe(0);
  const modeOf = (place: string): string => (statSync(place).mode & 0o777).toString(8);
  expect([configFile, secretFile, path.dirname(secretFile)].map(modeOf)).toEqual(['600', '600', '700']);
});
