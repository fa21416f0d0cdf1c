/** The secret of an account in the keychain of the system. In a file: `login.test.ts`. On a terminal: `test/e2e/first-day.deep.test.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openService, quickProfile } from '../../support/desk/account.ts';
import { needsKeychain, needsNoKeychain, openKeychainSession } from '../../support/desk/keychain-session.ts';
import { openEmptyOffice } from '../../support/desk/set-up.ts';
import { BEFORE, openLoginOffice } from './login-office.ts';

/** A desk whose profile keeps its secret in a file. */
async function openOffice(changes: object = {}) {
  const { desk, service, file, live } = await openLoginOffice(changes);
  const config = await desk.writeConfig({
    defaultProfile: 'live',
    profiles: { live: { ...live, ...quickProfile([]) } },
  });
  const login = (...flags: readonly string[]) =>
    desk.emit(['login', '--secret-stdin', ...flags], { input: service.clientSecret });
  const profile = () => JSON.parse(readFileSync(config, 'utf8')).profiles.live;
  return { desk, service, file, login, profile };
}

/** Names of the files below a folder that hold a text. */
const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

describe('a secret in the keychain', () => {
  test('moves there from its file, pays from there, is said to be there, and is removed from there', async (context) => {
    needsKeychain(context);
    const keychain = await openKeychainSession();
    const { desk, service, file, login, profile } = await openOffice();
    Object.assign(desk.env, keychain.env);
    const account = `${service.clientId} at ${service.url}`;
    expect(await login('--keychain')).toMatchObject({ exit: 0, events: [{ secretKeychain: account }, {}] });
    expect(profile()).toMatchObject({ clientSecretKeychain: true, baseUrl: service.url });
    expect([profile().clientSecretFile, existsSync(file)]).toEqual([undefined, false]);
    for (const folder of [desk.folder, keychain.folder]) expect(filesWith(folder, service.clientSecret)).toEqual([]);

    expect((await desk.say(['balance'])).exit).toBe(0);
    expect((await desk.emit(['whoami'])).events[0]).toMatchObject({ secretFrom: `keychain, under "${account}"` });
    const shown = await desk.say(['config', 'show', '--origin']);
    expect(shown.lines.find((line) => line.startsWith('clientSecret '))).toMatch(/\(not shown\) +keychain, under "/);
    expect((await desk.say(['doctor'])).stdout).toContain('is in the keychain of this system, in no file');

    expect(await desk.emit(['logout'])).toMatchObject({ exit: 0, events: [{ wasKept: true }, {}] });
    expect(await desk.emit(['logout'])).toMatchObject({ exit: 0, events: [{ wasKept: false }, {}] });
    const { exit, stderr } = await desk.say(['balance']);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('paybatch login --profile live') });
    expect((await login()).exit).toBe(0);
    expect((await desk.say(['balance'])).exit).toBe(0);
  });

  test('is not found by a profile that names another service, and stays with the profile when it is set up again', async (context) => {
    needsKeychain(context);
    const keychain = await openKeychainSession();
    const { desk, service, configFile, init } = await openEmptyOffice();
    Object.assign(desk.env, keychain.env, { PAYBATCH_CONFIG: configFile });
    // That office names a file.
    const both = await init(['--keychain']);
    expect(both).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('two places') } });
    const argv = ['init', '--organisation', 'Acme Ltd', '--country', 'KE', '--base-url', service.url];
    const account = ['--client-id', service.clientId, '--secret-stdin', '--config', configFile];
    const first = await desk.say([...argv, ...account, '--keychain'], { input: service.clientSecret });
    expect(first.exit).toBe(0);
    expect(first.stdout).toContain(`as paybatch: ${service.clientId} at ${service.url}`);
    const again = await desk.say([...argv, ...account, '--yes'], { input: service.clientSecret });
    expect(again.exit).toBe(0);
    const { live } = JSON.parse(readFileSync(configFile, 'utf8')).profiles;
    expect([live.clientSecretKeychain, live.clientSecretFile]).toEqual([true, undefined]);
    expect((await desk.say(['balance'])).exit).toBe(0);
    const other = await openService();
    const moved = await desk.say(['balance'], {
      env: { PAYBATCH_BASE_URL: other.url, PAYBATCH_SECRET_ORIGINS: other.url },
    });
    expect(moved).toMatchObject({ exit: 2, stderr: expect.stringContaining('has no client secret') });
    expect(other.books().tokenRequests).toBe(0);
  });
});

describe('a keychain that was asked for and is not there', () => {
  beforeEach(needsNoKeychain);

  test('ends login and init with 2: no file takes its place, nothing is changed, and no service is asked', async () => {
    const { desk, service, file, login, profile } = await openOffice();
    const before = profile();
    expect(await login('--keychain')).toMatchObject({
      exit: 2,
      fault: { message: expect.stringContaining('keychain'), fix: expect.stringContaining('clientSecretFile') },
    });
    expect([profile(), readFileSync(file, 'utf8')]).toEqual([before, BEFORE]);
    const config = desk.path('new', 'config.json');
    const argv = ['init', '--organisation', 'Acme', '--country', 'KE', '--base-url', service.url, '--client-id', 'a'];
    const init = await desk.say([...argv, '--secret-stdin', '--keychain', '--config', config], { input: 'any-secret' });
    expect(init).toMatchObject({ exit: 2, stderr: expect.stringContaining('The keychain of this system') });
    expect([existsSync(desk.path('new')), service.books().tokenRequests]).toEqual([false, 0]);
  });

  test('ends a payment with 2, and a file that is there as well is not read', async () => {
    const { desk, service, file, login } = await openOffice({
      clientSecretFile: undefined,
      clientSecretKeychain: true,
    });
    for (const said of [await desk.say(['balance']), await desk.say(['whoami']), await login()])
      expect([said.exit, said.stdout + said.stderr]).toEqual([2, expect.stringContaining('keychain')]);
    const live = {
      baseUrl: service.url,
      clientId: service.clientId,
      clientSecretKeychain: true,
      clientSecretFile: file,
    };
    await desk.writeConfig({ defaultProfile: 'live', profiles: { live } });
    const two = await desk.say(['balance']);
    expect(two).toMatchObject({ exit: 2, stderr: expect.stringContaining('names more than one place') });
    expect(service.books().tokenRequests).toBe(0);
  });
});
