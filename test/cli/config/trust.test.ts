/** Whom a configuration is believed from, for how long, and where the client secret may go. */
import { chmod, chown, copyFile, lchown, link, mkdir, readdir, rename, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openClient } from '../../../src/service/client/client.ts';
import { openTransport } from '../../../src/service/client/transport.ts';
import { findRoutes } from '../../../src/service/contract/routes.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { serve } from '../../support/loopback.ts';
import { NOBODY, needs, needsRoot } from '../../support/needs.ts';

const NAME = 'paybatch.config.json';
const isRoot = process.geteuid?.() === 0;
const needsRights = needs(process.platform !== 'win32', 'rights of files');

/** The hash that a refusal asks for, after somebody has looked at what the file sets. */
async function hashSaid(desk: Desk, file = NAME): Promise<string> {
  const { exit, stderr } = await desk.say(['config', 'trust', file]);
  expect(exit).toBe(2);
  return /--sha256 ([0-9a-f]{64})/.exec(stderr)?.[1] ?? '';
}

async function trusted(desk: Desk, file = NAME): Promise<void> {
  const said = await desk.say(['config', 'trust', file, '--sha256', await hashSaid(desk, file)]);
  expect(said).toMatchObject({ exit: 0, stdout: expect.stringContaining('is trusted with this content') });
}

describe('a configuration that was found', () => {
  test('counts once its exact content was trusted at its place, and no longer when it changes or moves', async () => {
    const desk = await openDesk();
    await desk.write(NAME, '{ "currency": "UGX" }');
    expect((await desk.say(['balance'])).exit).toBe(2);
    await trusted(desk);
    expect((await desk.say(['balance'])).stdout).toMatch(/^UGX /);

    const earlier = await desk.write('earlier', '{ "currency": "UGX" }');
    await desk.write(NAME, '{ "currency": "TZS" }');
    const { exit, stderr } = await desk.say(['balance']);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/has changed since .+ trusted it/) });
    await trusted(desk);
    expect((await desk.say(['balance'])).stdout).toMatch(/^TZS /);

    // What was trusted before, or in another folder, is not what is trusted here now.
    await rename(earlier, desk.path(NAME));
    expect((await desk.say(['balance'])).exit).toBe(2);
    await mkdir(desk.path('work'));
    await desk.write(NAME, '{ "currency": "TZS" }');
    await copyFile(desk.path(NAME), desk.path('work', NAME));
    expect((await desk.say(['balance'], { cwd: 'work' })).exit).toBe(2);
  });

  test('is shown with all that it sets before anybody can trust it, and another hash trusts nothing', async () => {
    const desk = await openDesk();
    const live = { baseUrl: 'https://a:b@evil.example', clientId: 'acme' };
    await desk.write(NAME, JSON.stringify({ organisation: 'Acme\u001b[2J', profiles: { live } }));
    const { stderr, fault } = { ...(await desk.say(['config', 'trust'])), ...(await desk.emit(['config', 'trust'])) };
    expect(stderr).toBe('');
    expect(fault).toMatchObject({
      code: 'usage',
      details: expect.arrayContaining(['  profiles.live.clientId = acme']),
    });
    expect(JSON.stringify(fault)).not.toMatch(/a:b@|\\u001b/);
    expect((await desk.say(['config', 'trust', '--sha256', '0'.repeat(64)])).exit).toBe(8);
    expect((await desk.say(['balance'])).exit).toBe(2);
  });

  test('that is no file, or has no end, stops nothing for long', async (context) => {
    needs(process.platform === 'linux', 'devices')(context);
    const desk = await openDesk();
    await symlink('/dev/zero', desk.path(NAME));
    expect(await desk.say(['balance'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('it is not a file') });
  });

  test('is trusted in a store that nobody else can read, and a store of somebody else trusts nothing', async (context) => {
    needsRoot(context);
    const desk = await openDesk();
    await desk.layConfig({ currency: 'UGX' });
    const store = path.join(desk.home, 'trusted');
    const [record = ''] = await readdir(store);
    expect([(await stat(store)).mode & 0o777, (await stat(path.join(store, record))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    await chown(path.join(store, record), NOBODY, NOBODY);
    expect((await desk.say(['balance'])).exit).toBe(10);
  });
});

describe('a configuration that was named', () => {
  test.each([
    ['everybody may write to', 0o666, undefined],
    ['its group may write to (umask 002)', 0o664, undefined],
    ['belongs to somebody else', 0o644, NOBODY],
  ])('and %s counts by its trusted content alone', async (_, mode, owner) => {
    if (process.platform === 'win32' || (owner !== undefined && !isRoot)) return;
    const desk = await openDesk();
    const file = await desk.write('office.json', '{ "currency": "UGX" }');
    await chmod(file, mode);
    if (owner !== undefined) await chown(file, owner, owner);
    for (const choice of [{ env: { PAYBATCH_CONFIG: file } }, {}]) {
      const argv = ['balance', ...(choice.env ? [] : ['--config', file])];
      expect(await desk.say(argv, choice)).toMatchObject({
        exit: 2,
        stderr: expect.stringMatching(/Others could have written it.*\n.*chmod go-w .*office\.json/),
      });
    }
    await trusted(desk, 'office.json');
    expect((await desk.say(['balance', '--config', file])).stdout).toMatch(/^UGX /);
  });

  test('through the link of somebody else does not count, through those of the administrator it does', async (context) => {
    needsRoot(context);
    const desk = await openDesk();
    // As Kubernetes mounts it: a link to a link to a folder with a date.
    await desk.write('mount/..2026/config.json', '{ "currency": "UGX" }');
    await symlink('..2026', desk.path('mount', '..data'));
    await symlink('..data/config.json', desk.path('mount', 'config.json'));
    expect((await desk.say(['balance', '--config', 'mount/config.json'])).stdout).toMatch(/^UGX /);
    await lchown(desk.path('mount', '..data'), NOBODY, NOBODY);
    const said = await desk.say(['balance', '--config', 'mount/config.json']);
    expect(said).toMatchObject({ exit: 2, stderr: expect.stringContaining('belongs to another user') });
  });
});

describe('the client secret', () => {
  const acme = async (secretMode: number, changes: object = {}) => {
    const [desk, service] = [await openDesk(), await openService()];
    const file = await desk.write('secret', service.clientSecret);
    await chmod(file, secretMode);
    const profile = { baseUrl: service.url, clientId: service.clientId, clientSecretFile: file, ...changes };
    await desk.writeConfig({ defaultProfile: 'acme', profiles: { acme: profile } });
    return { desk, service, file };
  };

  test.each([0o644, 0o444, 0o640, 0o620])(
    'in a file of rights %o is not used, and the ways on are said',
    async (mode) => {
      if (process.platform === 'win32') return;
      const { desk, service, file } = await acme(mode);
      // The group of root is root alone.
      if (isRoot) await chown(file, 0, NOBODY);
      const { exit, stderr } = await desk.say(['balance']);
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/chmod 600 .*secret/) });
      expect(stderr).toMatch(/defaultMode 0440 with fsGroup/);
      expect(service.books().tokenRequests).toBe(0);
    },
  );

  test('goes from one place to the addresses of the same place, and elsewhere when that was said', async () => {
    const { desk, service } = await acme(0o600);
    // An answer that does not pass, so that it is not asked again.
    const relay = await serve((_, response) => void response.writeHead(404).end());
    const env = { PAYBATCH_TOKEN_URL: `${relay.url}/connect/token` };
    for (const argv of [['balance'], ['doctor'], ['api', 'find-routes'], ['charges']]) {
      const said = await desk.say(argv, { env });
      expect(said.exit).toBe(2);
      expect(said.stdout + said.stderr).toContain(`"secretOrigins": ["${relay.url}"]`);
    }
    expect(relay.arrived).toEqual([]);
    expect(service.books().tokenRequests).toBe(0);
    await desk.say(['balance'], { env: { ...env, PAYBATCH_SECRET_ORIGINS: relay.url } });
    expect(relay.arrived.length).toBeGreaterThan(0);
  });

  test('is refused by the client itself for an origin that nobody named', async () => {
    const { url, arrived } = await serve((_, response) => void response.writeHead(500).end());
    const transport = openTransport(1);
    const client = openClient(
      {
        baseUrl: url,
        tokenUrl: `${url}/connect/token`,
        clientId: 'acme',
        clientSecret: 'secret',
        scope: 's',
        requestTimeoutMs: 500,
        ratePerSecond: 0,
        paths: { 'find-routes': '/routes' },
        secretOrigins: ['https://pay.example'],
      },
      { transport, clock: systemClock, random: systemRandom },
    );
    await expect(client.call(findRoutes, {})).rejects.toThrow(`may not go to ${url}`);
    await client.close();
    expect(arrived).toEqual([]);
  });

  test('does not go to a service that the ledger does not belong to, not even from the doctor', async () => {
    const [desk, service] = [await openDesk(), await openService()];
    await desk.write('pay.csv', csvOf(people(1)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    desk.payBy(accountIn(service));
    const totals = ['--expect-count', '1', '--expect-total', totalOf(1)];
    expect((await desk.say(['run', 'pay.csv', ...totals])).exit).toBe(0);
    const other = await serve((_, response) => void response.writeHead(500).end());
    const told = await desk.emit(['doctor'], { env: { PAYBATCH_BASE_URL: other.url } });
    expect(told.exit).toBe(2);
    expect(other.arrived.filter(({ body }) => body.includes(encodeURIComponent(service.clientSecret)))).toEqual([]);
    expect(other.arrived.filter(({ authorization }) => authorization !== undefined)).toEqual([]);

    // The same client under another profile would know nothing of what was paid.
    const branch = { profiles: { branch: quickProfile(service.routes) } };
    await desk.writeConfig(branch);
    const again = ['run', 'pay.csv', '--profile', 'branch', '--batch', 'other', ...totals];
    expect(await desk.say(again)).toMatchObject({ exit: 2, stderr: expect.stringContaining('ledger separate') });
    expect((await desk.say(['ledger', 'separate', '--profile', 'branch', '--reason', 'another book'])).exit).toBe(0);
    expect(await desk.emit([...again, '--dry-run'])).toMatchObject({ exit: 0 });
  });
});

test('every setting is shown with where it stands, and the secret never', async () => {
  const [desk, { url }] = [await openDesk(), await openService()];
  const live = { baseUrl: url, secretOrigins: [url] };
  const file = await desk.writeConfig({ currency: 'UGX', profiles: { live } });
  const env = { PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET: 'hunter2' };
  const { stdout, lines } = await desk.say(['config', 'show', '--origin', '--profile', 'live'], { env });
  const originOf = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name} `))
      ?.split(/ {2,}/)
      .slice(1);
  expect(originOf('currency')).toEqual(['UGX', file]);
  expect(originOf('profile')).toEqual(['live', '--profile']);
  expect(originOf('baseUrl')).toEqual([url, file]);
  expect(originOf('clientId')).toEqual(['acme', 'PAYBATCH_CLIENT_ID']);
  expect(originOf('clientSecret')).toEqual(['(not shown)', 'PAYBATCH_CLIENT_SECRET']);
  expect(originOf('timezone')).toEqual(['Africa/Nairobi', 'default']);
  expect(stdout).not.toContain('hunter2');
});

test('the header of a live command names account, token service and file', async () => {
  const [desk, service] = [await openDesk(), await openService()];
  const file = await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  const { stderr } = await desk.say(['balance'], { env: accountIn(service) });
  expect(stderr).toMatch(new RegExp(`Account +${service.clientId} · token from ${service.url}\n`));
  expect(stderr).toContain(`Settings  ${file}`);
});

describe('what cannot be a setting', () => {
  const account = { PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET: 'secret' };
  test.each([
    ['https://pay.example/api?x=', '"?" or "#"'],
    ['https://pay.example/#', '"?" or "#"'],
    ['https://acme:hunter2@pay.example:99999', 'is not an address'],
  ])('%s as an address is told by its name, and never repeated', async (PAYBATCH_BASE_URL, word) => {
    const { exit, stderr } = await (await openDesk()).say(['balance'], { env: { ...account, PAYBATCH_BASE_URL } });
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(word) });
    expect(stderr).toContain('PAYBATCH_BASE_URL');
    expect(stderr).not.toContain('hunter2');
  });

  test.each(['constructor', 'Sandbox', 'logs', 'MARKS', 'mappings', 'trusted', 'con', 'LPT1'])(
    '%s as a profile ends with 2',
    async (name) => {
      const desk = await openDesk();
      await desk.writeConfig({
        profiles: name === 'constructor' ? {} : { [name]: { baseUrl: 'https://pay.example' } },
      });
      expect((await desk.say(['balance', '--profile', name])).exit).toBe(2);
      expect((await readdir(desk.folder)).sort()).toEqual([NAME]);
    },
  );

  test('two profiles that differ in case alone end with 2', async () => {
    const desk = await openDesk();
    await desk.writeConfig({ profiles: { live: {}, Live: {} } });
    expect((await desk.say(['balance', '--profile', 'live'])).stderr).toContain('differ only in case');
  });
});

describe('the state folder', () => {
  test('of the practice service is refused when it is a link, open to others, or of another user', async (context) => {
    needsRoot(context);
    const wrongs: Readonly<Record<string, (folder: string, desk: Desk) => Promise<unknown>>> = {
      'is a link': async (folder, desk) => {
        await mkdir(desk.path('elsewhere'));
        await symlink(desk.path('elsewhere'), folder);
      },
      'chmod -R go=': async (folder) => {
        await mkdir(folder);
        await chmod(folder, 0o777);
      },
      'without sudo': async (folder) => {
        await mkdir(folder);
        await chown(folder, NOBODY, NOBODY);
      },
    };
    for (const [word, make] of Object.entries(wrongs)) {
      const desk = await openDesk();
      await mkdir(desk.home);
      await make(path.join(desk.home, 'sandbox'), desk);
      for (const argv of [
        ['balance'],
        ['sandbox', 'books'],
        ['sandbox', 'reset'],
        ['listen', '--port', '0'],
        ['history'],
      ]) {
        const { exit, stderr } = await desk.say(argv, { signal: AbortSignal.timeout(3000) });
        expect({ argv, exit, stderr }).toEqual({ argv, exit: 10, stderr: expect.stringContaining(word) });
      }
    }
  });

  test('may lie in any folder: what is ours in it is for us alone', async (context) => {
    needsRights(context);
    const desk = await openDesk();
    await mkdir(desk.home);
    await chmod(desk.home, 0o2775);
    expect((await desk.say(['balance'])).exit).toBe(0);
    for (const one of await readdir(desk.home)) {
      expect([one, (await stat(path.join(desk.home, one))).mode & 0o077]).toEqual([one, 0]);
    }
  });

  test.each(['/proc/nope', '/proc/1/nope/deep'])('%s ends at once', async (PAYBATCH_HOME) => {
    if (process.platform !== 'linux') return;
    const { exit, stderr } = await (await openDesk()).say(['balance'], { env: { PAYBATCH_HOME } });
    expect({ exit, stderr }).toEqual({ exit: 10, stderr: expect.stringContaining('cannot be used: E') });
  });

  test('lets nobody plant the log: neither as a link nor as a second name of another file', async (context) => {
    needsRights(context);
    for (const plant of [symlink, link]) {
      const desk = await openDesk();
      const victim = await desk.write('victim', 'mine');
      await mkdir(path.join(desk.home, 'logs'), { recursive: true });
      await chmod(path.join(desk.home, 'logs'), 0o700);
      const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
      await plant(victim, path.join(desk.home, 'logs', `paybatch-${day}.log`));
      const { exit, stderr } = await desk.say(['balance']);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('There is no log') });
      expect((await stat(victim)).size).toBe(4);
    }
  });
});
