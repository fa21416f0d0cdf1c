import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { accountIn, openService } from '../../support/desk/account.ts';
import { Child } from '../../support/desk/child.ts';
import { type Desk, openDesk, type Said } from '../../support/desk/command-line.ts';
import { needs } from '../../support/needs.ts';

/** Whether a service was asked for a token, which every command that reaches it does. */
const wasAsked = (service: Sandbox): boolean => service.books().tokenRequests > 0;

async function expectARemedy(desk: Desk, env: Record<string, string>, ...words: readonly string[]): Promise<Said> {
  const said = await desk.say(['balance'], { env });
  expect(said.exit).toBe(2);
  expect(said.stdout).toBe('');
  expect(said.stderr).toMatch(/^ERROR {5}\S.*\n(?: {10}|Next {6})\S/);
  expect(said.stderr).not.toMatch(/\n\s+at |Error:|node:/);
  for (const word of words) expect(said.stderr).toContain(word);
  return said;
}

test('a profile that is not there is told with who names it', async () => {
  const desk = await openDesk();
  await desk.writeConfig({ defaultProfile: 'nobody' });
  expect((await desk.say(['balance'])).stderr).toMatch(/no profile "nobody", which defaultProfile of .*json names\./);
  const { stderr } = await desk.say(['balance'], { env: { PAYBATCH_PROFILE: 'anybody' } });
  expect(stderr).toContain('There is no profile "anybody", which PAYBATCH_PROFILE names.');
});

describe('the first that says something wins', () => {
  test('a profile: flag, then environment, then the default of the file, then the sandbox', async () => {
    const desk = await openDesk();
    const [first, second, third] = [await openService(), await openService(), await openService()];
    const profileOf = ({ url, clientId }: Sandbox): object => ({ baseUrl: url, clientId, secretOrigins: [url] });
    const profiles = { first: profileOf(first), second: profileOf(second), third: profileOf(third) };
    await desk.writeConfig({ defaultProfile: 'third', profiles });
    const env = { PAYBATCH_CLIENT_SECRET: first.clientSecret };

    expect((await desk.say(['balance'], { env })).exit).toBe(0);
    expect([first, second, third].map(wasAsked)).toEqual([false, false, true]);

    expect((await desk.say(['balance'], { env: { ...env, PAYBATCH_PROFILE: 'second' } })).exit).toBe(0);
    expect([first, second].map(wasAsked)).toEqual([false, true]);

    const both = { ...env, PAYBATCH_PROFILE: 'second' };
    expect((await desk.say(['balance', '--profile', 'first'], { env: both })).exit).toBe(0);
    expect(wasAsked(first)).toBe(true);

    const { events } = await desk.emit(['balance', '--profile', 'sandbox'], { env });
    expect(events[0]).toMatchObject({ type: 'start', sandbox: true });
  });

  test('a value: flag, then file, then default', async () => {
    const desk = await openDesk();
    expect((await desk.say(['balance'])).stdout).toMatch(/^KES /);
    await desk.writeConfig({ currency: 'UGX' });
    expect((await desk.say(['balance'])).stdout).toMatch(/^UGX /);
    expect((await desk.say(['balance', '--currency', 'tzs'])).stdout).toMatch(/^TZS /);
  });

  test('an address of the environment goes before that of the profile, and takes its token address along', async () => {
    const desk = await openDesk();
    const [filed, given] = [await openService(), await openService()];
    const acme = { baseUrl: filed.url, tokenUrl: `${filed.url}/connect/token`, clientId: filed.clientId };
    await desk.writeConfig({ profiles: { acme } });
    const { exit } = await desk.say(['balance', '--profile', 'acme'], { env: accountIn(given) });
    expect(exit).toBe(0);
    expect([filed, given].map(wasAsked)).toEqual([false, true]);
  });

  test('a token address of the environment goes before that of the profile, and before the one that goes without saying', async () => {
    const desk = await openDesk();
    const [filed, given] = [await openService(), await openService()];
    const env = { PAYBATCH_CLIENT_SECRET: given.clientSecret, PAYBATCH_TOKEN_URL: `${given.url}/connect/token` };
    for (const tokenUrl of [`${filed.url}/connect/token`, undefined]) {
      const secretOrigins = [filed.url];
      const acme = {
        baseUrl: filed.url,
        clientId: given.clientId,
        secretOrigins,
        ...(tokenUrl !== undefined && { tokenUrl }),
      };
      await desk.writeConfig({ profiles: { acme } });
      await desk.say(['balance', '--profile', 'acme'], { env });
    }
    expect([filed, given].map(wasAsked)).toEqual([false, true]);
  });

  test('a file: flag, then environment, then the nearest one upwards', async () => {
    const desk = await openDesk();
    await mkdir(desk.path('work', 'deep'), { recursive: true });
    await desk.layConfig({ currency: 'UGX' });
    expect((await desk.say(['balance'], { cwd: 'work/deep' })).stdout).toMatch(/^UGX /);
    await desk.layConfig({ currency: 'TZS' }, 'work');
    expect((await desk.say(['balance'], { cwd: 'work/deep' })).stdout).toMatch(/^TZS /);
    const PAYBATCH_CONFIG = await desk.write('kes.json', '{ "currency": "KES" }');
    expect((await desk.say(['balance'], { cwd: 'work/deep', env: { PAYBATCH_CONFIG } })).stdout).toMatch(/^KES /);
    const flagged = ['balance', '--config', '../../paybatch.config.json'];
    expect((await desk.say(flagged, { cwd: 'work/deep', env: { PAYBATCH_CONFIG } })).stdout).toMatch(/^UGX /);
  });

  test('the file of the user comes after all others', async (context) => {
    needs(process.platform === 'linux', 'a system that keeps settings where XDG says')(context);
    const desk = await openDesk();
    await desk.write('config/paybatch/config.json', '{ "currency": "UGX" }');
    expect((await new Child(desk, ['balance']).end()).stdout).toMatch(/^UGX /);
    await desk.layConfig({ currency: 'TZS' });
    expect((await new Child(desk, ['balance']).end()).stdout).toMatch(/^TZS /);
  });

  test('a secret: file of the environment, then environment, then file of the profile', async () => {
    const desk = await openDesk();
    const service = await openService();
    const right = await desk.write('right', `  ${service.clientSecret}\r\n`);
    const wrong = await desk.write('wrong', 'wrong');
    const balance = async (clientSecretFile: string, env: Record<string, string>): Promise<number> => {
      const { url, clientId } = service;
      const acme = { baseUrl: url, clientId, clientSecretFile, secretOrigins: [url] };
      await desk.writeConfig({ profiles: { acme } });
      return (await desk.say(['balance', '--profile', 'acme'], { env })).exit;
    };
    expect(await balance('right', {})).toBe(0);
    expect(await balance('wrong', { PAYBATCH_CLIENT_SECRET: service.clientSecret })).toBe(0);
    expect(await balance('wrong', { PAYBATCH_CLIENT_SECRET: 'wrong', PAYBATCH_CLIENT_SECRET_FILE: right })).toBe(0);
    expect(await balance('right', { PAYBATCH_CLIENT_SECRET: 'wrong' })).toBe(4);
    expect(await balance('right', { PAYBATCH_CLIENT_SECRET_FILE: wrong })).toBe(4);
  });

  test('a secret and settings that Windows PowerShell wrote, in UTF-16', async () => {
    const desk = await openDesk();
    const { url, clientId, clientSecret } = await openService();
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}\r\n`, 'utf16le');
    const settings = (clientSecretFile: string): string =>
      JSON.stringify({ profiles: { acme: { baseUrl: url, clientId, clientSecretFile, secretOrigins: [url] } } });
    const secret = await desk.write('secret', utf16(clientSecret));
    const big = await desk.write('big', utf16(clientSecret).swap16());
    const bare = await desk.write('bare', Buffer.from(clientSecret, 'utf16le'));
    const balance = async (file: string): Promise<{ exit: number; stderr: string }> =>
      desk.say(['balance', '--profile', 'acme', '--config', await desk.write('own.json', utf16(settings(file)))]);
    expect((await balance(secret)).exit).toBe(0);
    expect((await balance(big)).exit).toBe(0);
    const { exit, stderr } = await balance(bare);
    expect(exit).toBe(2);
    expect(stderr).toContain('it is UTF-16 without a byte order mark, or not text; save it as UTF-8');
    const plain = await desk.write('plain.json', Buffer.from(settings(secret), 'utf16le'));
    expect((await desk.say(['balance', '--config', plain])).stderr).toContain('save it as UTF-8');
  });
});

test('a configuration in another encoding is refused: banks would be told another name', async () => {
  const desk = await openDesk();
  const file = await desk.write('old.json', Buffer.from('{"organisation":"Société Mère"}', 'latin1'));
  const { exit, stderr } = await desk.say(['config', 'check', file]);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('some of its bytes are not UTF-8') });
});

describe('a configuration that cannot be used exits 2 and says what to do', () => {
  test.each([
    ['is not JSON', '{ "currency": ', 'not JSON'],
    ['is empty', '', 'The file is empty'],
    ['lacks a comma', '{\n  "currency": "KES"\n  "country": "KE"\n}', 'Line 2, column 20: A comma is missing'],
    [
      'begins with the mark of an editor and lacks a value',
      '\ufeff{ "currency": }',
      'Line 1, column 15: A value is missing',
    ],
    ['says one thing twice', '{ "currency": "KES", "currency": "UGX" }', '"currency" occurs twice'],
    ['is a list', '[]', 'a group of settings'],
    ['has a key that nobody knows', '{ "limit": { "perRow": {} } }', 'Unknown setting limit. Did you mean limits?'],
    [
      'spells a setting another way',
      '{ "organization": "Acme" }',
      'Unknown setting organization. Did you mean organisation?',
    ],
    ['has a setting in another place', '{ "concurrency": 4 }', 'It belongs in profiles.NAME.sending.'],
    [
      'has a country for one profile',
      '{ "profiles": { "sandbox": { "country": "UG" } } }',
      'Unknown setting profiles.sandbox.country. It belongs at the top level or in remitter.',
    ],
    [
      'has a route for no way of paying',
      '{ "profiles": { "x": { "routes": { "walet": { "routeId": "r", "channelType": 1, "transactionTypeId": "t" } } } } }',
      'Unknown setting profiles.x.routes.walet. Did you mean wallet?',
    ],
    ['has a currency that there is not', '{ "currency": "KSH" }', 'for example "KES", not "KSH"'],
    ['has a misspelt key deep inside', '{ "limits": { "perRows": { "KES": "1" } } }', 'perRows'],
    ['has a limit as a number', '{ "limits": { "perRow": { "KES": 250000 } } }', 'perRow'],
    [
      'has no submissions at once',
      '{ "profiles": { "sandbox": { "sending": { "concurrency": 0 } } } }',
      'profiles.sandbox.sending.concurrency must be a whole number without quotes from 1 to 256, for example 16, not 0.',
    ],
    ['has a limit for a currency that no batch has', '{ "limits": { "perBatch": { "kes": "1" } } }', 'kes'],
    ['has a callback address that is not one', '{ "profiles": { "x": { "callbacks": { "url": "here" } } } }', 'url'],
    [
      'has reports come unencrypted from afar',
      '{ "profiles": { "x": { "callbacks": { "url": "http://pay.example.test" } } } }',
      'https',
    ],
    ['has a date of birth in another form', '{ "remitter": { "dateOfBirth": "31/12/1990" } }', 'dateOfBirth'],
    ['has a year that nobody means', '{ "remitter": { "dateOfBirth": "0050/12/31" } }', 'from 1900 to 2199'],
    ['has a day that no calendar has', '{ "remitter": { "idExpireDate": "2030/02/30" } }', 'idExpireDate'],
    ['has a time zone that does not exist', '{ "timezone": "Africa/Nowhere" }', 'timezone'],
  ])('because it %s', async (_, text, word) => {
    const desk = await openDesk();
    await desk.write('paybatch.config.json', text);
    await expectARemedy(desk, {}, word, 'paybatch.config.json');
  });

  const setting = (name: string, text: string) => JSON.stringify({ remitter: { [name]: text } });
  test.each([
    ['remitter.name', setting('name', 'x'.repeat(129)), setting('name', 'x'.repeat(128)), '128'],
    [
      'remitter.phoneNumber',
      setting('phoneNumber', '+254 700 000 000'),
      setting('phoneNumber', '+254700000000'),
      '+254',
    ],
    ['remitter.idType', setting('idType', 'Driving Licence'), setting('idType', 'National ID'), '13'],
    ['remitter.idNumber', setting('idNumber', '1'.repeat(14)), setting('idNumber', '1'.repeat(13)), '13'],
    [
      'remitter.sourceOfFunds',
      setting('sourceOfFunds', 'x'.repeat(65)),
      setting('sourceOfFunds', 'x'.repeat(64)),
      '64',
    ],
    ['organisation', `{ "organisation": "${'x'.repeat(129)}" }`, `{ "organisation": "${'x'.repeat(128)}" }`, '128'],
    ['purpose', `{ "purpose": "${'x'.repeat(101)}" }`, `{ "purpose": "${'x'.repeat(100)}" }`, '100'],
  ])('because %s is longer than payments take', async (name, long, fitting, limit) => {
    const desk = await openDesk();
    desk.env['PAYBATCH_CONFIG'] = await desk.write('paybatch.config.json', long);
    await expectARemedy(desk, {}, name, limit, 'paybatch.config.json');
    await desk.write('paybatch.config.json', fitting);
    expect((await desk.say(['balance'])).exit).toBe(0);
  });

  test('because a purpose that is given by hand is longer than payments take', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', 'Name,Phone,Amount\nJane,0712345678,5\n');
    const purposeOf = (length: number) =>
      desk.say(['validate', 'pay.csv', '--no-copy', '--purpose', 'x'.repeat(length)]);
    const refused = await purposeOf(101);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('at most 100 characters')]);
    expect((await purposeOf(100)).exit).toBe(0);
  });

  test('because the file that was named is not there, or is a folder', async () => {
    const desk = await openDesk();
    await expectARemedy(desk, { PAYBATCH_CONFIG: 'nowhere.json' }, 'nowhere.json', 'ENOENT');
    await expectARemedy(desk, { PAYBATCH_CONFIG: desk.folder }, 'EISDIR');
  });

  test.each([
    ['http to another machine', 'http://pay.example.test', 'https'],
    ['http to a machine whose name begins like this one', 'http://localhost.example.test', 'https'],
    ['credentials', 'https://acme:hunter2@pay.example.test', 'credentials'],
    ['no scheme', 'pay.example.test', 'https://'],
    ['another scheme', 'ftp://pay.example.test', 'https'],
  ])('because an address has %s', async (_, url, word) => {
    const account = { PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET: 'secret' };
    const desk = await openDesk();
    const base = await expectARemedy(desk, { ...account, PAYBATCH_BASE_URL: url }, word);
    const good = 'https://pay.example.test';
    const token = await expectARemedy(desk, { ...account, PAYBATCH_BASE_URL: good, PAYBATCH_TOKEN_URL: url }, word);
    expect(base.stderr + token.stderr).not.toContain('hunter2');
  });

  test('because the account lacks its id, its secret or the file of its secret', async () => {
    const desk = await openDesk();
    const PAYBATCH_BASE_URL = 'https://pay.example.test';
    await expectARemedy(desk, { PAYBATCH_BASE_URL }, 'PAYBATCH_CLIENT_ID');
    await expectARemedy(desk, { PAYBATCH_BASE_URL, PAYBATCH_CLIENT_ID: 'acme' }, 'PAYBATCH_CLIENT_SECRET_FILE');
    const PAYBATCH_CLIENT_SECRET_FILE = await desk.write('empty', '\n');
    const empty = { PAYBATCH_BASE_URL, PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET_FILE };
    await expectARemedy(desk, empty, 'no client secret');
    await expectARemedy(desk, { ...empty, PAYBATCH_CLIENT_SECRET_FILE: 'nowhere' }, 'nowhere');
  });

  test('because the environment says to trust every certificate', async () => {
    const account = { PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET: 'secret' };
    const env = { ...account, PAYBATCH_BASE_URL: 'https://pay.example.test', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    await expectARemedy(await openDesk(), env, 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_EXTRA_CA_CERTS');
  });

  test('because a profile does not exist or cannot name a folder', async () => {
    const desk = await openDesk();
    await expectARemedy(desk, { PAYBATCH_PROFILE: 'live' }, 'live', 'sandbox');
    await expectARemedy(desk, { PAYBATCH_PROFILE: '../live' }, 'cannot name a profile');
  });
});
