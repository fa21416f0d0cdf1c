/** The secret of an account is changed, removed and asked about. On a terminal: `test/e2e/set-up.deep.test.ts`. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { deadUrl } from '../../support/loopback.ts';
import { needsPosix } from '../../support/needs.ts';
import { BEFORE, openLoginOffice } from './login-office.ts';

/** A desk whose profile has a secret that the service does not take any more. */
async function openOffice(changes: object = {}) {
  const { desk, service, file, live } = await openLoginOffice(changes);
  await desk.writeConfig({ organisation: 'Acme Ltd', defaultProfile: 'live', profiles: { live, other: live } });
  const login = (input: string) => desk.emit(['login', '--secret-stdin'], { input });
  return { desk, service, file, login };
}

/** All that is kept in the state folder, as one text. */
async function stateOf(desk: Desk): Promise<string> {
  if (!existsSync(desk.home)) return '';
  const entries = await readdir(desk.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'latin1')).join('\n');
}

describe('login', () => {
  test('keeps a secret that the service gives a token for, in the file of the profile and nowhere else', async () => {
    const { desk, service, file, login } = await openOffice();
    expect((await desk.say(['balance'])).exit).toBe(4);
    const { exit, stdout, stderr, events } = await login(` ${service.clientSecret}\n`);
    expect({ exit, events }).toMatchObject({
      exit: 0,
      events: [{ type: 'login', profile: 'live', secretFile: file }, {}],
    });
    expect(readFileSync(file, 'utf8').trim()).toBe(service.clientSecret);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(stdout + stderr + (await stateOf(desk))).not.toContain(service.clientSecret);
    expect((await desk.say(['balance'])).exit).toBe(0);
  });

  test.each<readonly [string, () => Promise<object>, string, number]>([
    ['the service refuses', async () => ({}), 'mistyped-secret', 4],
    ['nobody can be asked about', async () => ({ baseUrl: await deadUrl() }), 'any-secret', 9],
  ])('keeps the one before it where it is one that %s', async (_, changes, secret, code) => {
    const { file, login } = await openOffice(await changes());
    const { exit, fault, stdout } = await login(secret);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: code,
      message: expect.stringContaining('The previous secret is still stored.'),
    });
    expect(readFileSync(file, 'utf8')).toBe(BEFORE);
    expect(stdout).not.toContain(secret);
  });

  test('sends a secret to no service that the ledger does not belong to', async () => {
    const { desk, service, login } = await openOffice();
    expect((await login(service.clientSecret)).exit).toBe(0);
    await desk.write('pay.csv', csvOf(people(1)));
    const totals = ['--expect-count', '1', '--expect-total', totalOf(1)];
    const file = desk.path('secret');
    const at = (baseUrl: string) => {
      const account = { baseUrl, clientId: service.clientId, clientSecretFile: file };
      return { ...quickProfile(service.routes), ...account };
    };
    await desk.writeConfig({ defaultProfile: 'live', profiles: { live: at(service.url) } });
    // Planned, and stopped before anything is sent: the ledger is bound from here on.
    const stop = new AbortController();
    const onOutput = (text: string) => text.includes('"batch.planned"') && stop.abort('SIGINT');
    await desk.emit(['run', 'pay.csv', '--batch', 'pay', ...totals], { signal: stop.signal, onOutput });
    const other = await openService();
    await desk.writeConfig({ defaultProfile: 'live', profiles: { live: at(other.url) } });
    const { exit, fault } = await login('a-secret-for-another');
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: expect.stringContaining('belongs to another account'),
    });
    expect((await desk.say(['whoami'])).exit).toBe(2);
    expect(other.books().tokenRequests).toBe(0);
  });

  test.each([
    [
      'of the environment',
      { PAYBATCH_CLIENT_SECRET: 'of-the-environment' },
      'PAYBATCH_CLIENT_SECRET in the environment',
    ],
    [
      'of a file of the environment',
      { PAYBATCH_CLIENT_SECRET_FILE: 'elsewhere' },
      'PAYBATCH_CLIENT_SECRET_FILE in the',
    ],
    ['of the practice service', { PAYBATCH_PROFILE: 'sandbox' }, 'The practice service needs no secret'],
  ])('and logout leave a secret %s alone: 2', async (_, env, words) => {
    const { desk, service, file } = await openOffice();
    const more = { ...env, PAYBATCH_SECRET_ORIGINS: service.url };
    for (const command of [['login', '--secret-stdin'], ['logout']]) {
      const { exit, stderr } = await desk.say(command, { env: more, input: 'another-secret' });
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(words) });
    }
    expect(readFileSync(file, 'utf8')).toBe(BEFORE);
  });

  test('and logout leave a link alone: what it leads to is not ours', async (context) => {
    needsPosix(context);
    const { desk, file } = await openOffice();
    const mounted = await desk.write('mounted', BEFORE);
    rmSync(file);
    symlinkSync(mounted, file);
    for (const command of [['login', '--secret-stdin'], ['logout']]) {
      const { exit, stderr } = await desk.say(command, { input: 'another-secret' });
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('so paybatch does not change it') });
    }
    expect(readFileSync(mounted, 'utf8')).toBe(BEFORE);
  });

  test('of a profile that names no file says what to write', async () => {
    const { login } = await openOffice({ clientSecretFile: undefined });
    const { exit, fault } = await login('any-secret');
    expect({ exit, fix: fault?.['fix'] }).toEqual({ exit: 2, fix: expect.stringContaining('"clientSecretFile": ') });
  });
});

test('logout removes the secret, names the profiles that used it as well, and the way back is login', async () => {
  const { desk, service, file, login } = await openOffice();
  const told = await desk.emit(['logout']);
  expect(told).toMatchObject({ exit: 0, events: [{ type: 'logout', wasKept: true, sharers: ['other'] }, {}] });
  expect(existsSync(file)).toBe(false);
  const { exit, stderr } = await desk.say(['balance']);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') });
  expect(await desk.emit(['logout'])).toMatchObject({ exit: 0, events: [{ wasKept: false }, {}] });
  expect((await login(service.clientSecret)).exit).toBe(0);
  expect((await desk.say(['balance'])).exit).toBe(0);
});

describe('whoami', () => {
  test('says profile, service, client id, organisation, where the secret comes from and that a token is given; never the secret', async () => {
    const { desk, service, file, login } = await openOffice();
    await login(service.clientSecret);
    const { exit, stdout, stderr } = await desk.say(['whoami']);
    expect(exit).toBe(0);
    for (const text of ['live', service.url, service.clientId, 'Acme Ltd', file, 'given, for 3600 s'])
      expect(stdout).toContain(text);
    expect(stdout + stderr).not.toContain(service.clientSecret);
    const env = { PAYBATCH_CLIENT_SECRET: service.clientSecret, PAYBATCH_BASE_URL: service.url };
    const told = await desk.emit(['whoami'], { env });
    expect(told.events[0]).toMatchObject({ secretFrom: 'PAYBATCH_CLIENT_SECRET', token: true, sandbox: false });
    expect(told.stdout).not.toContain(service.clientSecret);
  });

  test.each<readonly [string, number, (file: string) => unknown]>([
    ['is refused', 4, () => undefined],
    ['is missing', 2, (file) => rmSync(file)],
  ])('says all of it where the secret %s, and ends as a run would: %i', async (_, code, change) => {
    const { desk, service, file } = await openOffice();
    change(file);
    const { exit, stdout, stderr } = await desk.say(['whoami']);
    expect({ exit, stderr }).toEqual({ exit: code, stderr: expect.stringContaining('ERROR') });
    expect(stdout).toMatch(/Token +none/);
    expect(stdout).toContain(service.url);
    expect(stdout + stderr).not.toContain(BEFORE);
  });

  test('of the practice service says SANDBOX', async () => {
    const { exit, stdout } = await (await openDesk()).say(['whoami']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('SANDBOX: practice') });
  });
});

describe('a secret that is a systemd credential', () => {
  /** The profile names a credential, and a unit gives it in a folder of its own. */
  async function openUnit() {
    const { desk, service } = await openOffice();
    await desk.write('credentials/paybatch-live', service.clientSecret);
    const live = { baseUrl: service.url, clientId: service.clientId, clientSecretCredential: 'paybatch-live' };
    await desk.writeConfig({ defaultProfile: 'live', profiles: { live } });
    const env = { CREDENTIALS_DIRECTORY: desk.path('credentials') };
    return { desk, service, env, live };
  }

  test('is read where the unit gives it, and nothing else takes its place', async () => {
    const { desk, service, env, live } = await openUnit();
    expect((await desk.say(['balance'], { env })).exit).toBe(0);
    expect((await desk.emit(['whoami'], { env })).events[0]).toMatchObject({
      secretFrom: 'systemd credential paybatch-live',
    });
    const asked = service.books().tokenRequests;
    const none = await desk.say(['balance']);
    expect(none).toMatchObject({ exit: 2, stderr: expect.stringContaining('LoadCredential=paybatch-live:FILE') });
    // A file that is there as well is not read in its place.
    const profiles = { live: { ...live, clientSecretFile: desk.path('credentials', 'paybatch-live') } };
    await desk.writeConfig({ defaultProfile: 'live', profiles });
    const two = await desk.say(['balance'], { env });
    expect(two).toMatchObject({ exit: 2, stderr: expect.stringContaining('names more than one place') });
    expect(service.books().tokenRequests).toBe(asked);
  });

  test('is refused where others can read it, by a name that leads elsewhere, and by login and logout', async (context) => {
    needsPosix(context);
    const { desk, service, env, live } = await openUnit();
    const file = desk.path('credentials', 'paybatch-live');
    for (const command of [['login', '--secret-stdin'], ['logout']]) {
      const { exit, stderr } = await desk.say(command, { env, input: 'another-secret' });
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('which only its unit can give') });
    }
    expect(readFileSync(file, 'utf8')).toBe(service.clientSecret);
    chmodSync(file, 0o644);
    expect((await desk.say(['balance'], { env })).stderr).toContain('is not private to you');
    await desk.writeConfig({ profiles: { live: { ...live, clientSecretCredential: '../secret' } } });
    expect((await desk.say(['balance'], { env })).stderr).toContain('must be the name of a systemd credential');
  });
});
