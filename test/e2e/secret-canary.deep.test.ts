/**
 * The client secret, a token, the secret of a webhook and the password of a mail server are looked for in everything that is
 * written, said, sent or started from the first set-up to the last pay day, also when things go wrong. `secrets.deep.test.ts` has the
 * small form.
 */
import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openService, quickProfile } from '../support/desk/account.ts';
import { approveBy, makeKey } from '../support/desk/approval-desk.ts';
import { asKept, filesBelow, type Kept, namesWith } from '../support/desk/canary.ts';
import { openCanaryGate, SECRET, TOKEN } from '../support/desk/canary-gate.ts';
import { Child } from '../support/desk/child.ts';
import { type Choice, type Desk, openDesk, type Said, type Told, toldOf } from '../support/desk/command-line.ts';
import { needsKeychain, openKeychainSession } from '../support/desk/keychain-session.ts';
import { DAY_MS } from '../support/desk/live-office.ts';
import { mailServer } from '../support/desk/mail-server.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { needsProcessFolder, type ProcessWatch, watchProcesses } from '../support/desk/process-watch.ts';
import { passingClock } from '../support/fast-clock.ts';
import { deadUrl, sendJson, serve } from '../support/loopback.ts';

const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MAIL_PASSWORD = 'mail-canary-5Vw.88+zq';
const ROWS = 3;
const NAIROBI_MS = 3 * 3_600_000;

let watch: ProcessWatch | undefined;
beforeAll(async () => {
  if (process.platform === 'linux') watch = await watchProcesses();
});
afterAll(() => watch?.end());
beforeEach(needsProcessFolder);

/** A desk with nothing on it, a service behind a gate, and everybody who is told of payments. */
async function openTown() {
  const clock = passingClock();
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  const gate = await openCanaryGate(service);
  const hook = await serve((_, response) => sendJson(response, 204, {}));
  const mail = await mailServer();
  const webhookFile = await desk.write('given/webhook', WEBHOOK_SECRET);
  const passwordFile = await desk.write('given/mail', MAIL_PASSWORD);
  // What it is told, was started with and finds around it.
  const told = desk.path('told-by-command');
  const program = `{ cat; tr '\\0' '\\n' </proc/$$/environ; tr '\\0' ' ' </proc/$$/cmdline; } >>${told}`;
  const notify = {
    command: ['/bin/sh', '-c', program],
    webhook: { url: hook.url, secretFile: webhookFile },
    mail: { server: mail.url, user: 'paybatch', passwordFile, from: 'a@acme.example', to: ['b@acme.example'] },
  };
  const said: Kept[] = [];
  const say = async (argv: readonly string[], choice: Choice = {}): Promise<Said> => {
    const one = await desk.say(argv, choice);
    const name = `${argv.join(' ')} (${one.exit})`;
    said.push(asKept(`stdout of ${name}`, one.stdout), asKept(`stderr of ${name}`, one.stderr));
    return one;
  };
  const emit = async (argv: readonly string[]): Promise<Told> => toldOf(await say([...argv, '--json']));
  const sent = (): readonly Kept[] => [
    asKept('the webhook', JSON.stringify(hook.arrived.map(({ headers, body }) => [headers, body]))),
    asKept('the mail', mail.lines.join('\n')),
  ];
  return { desk, service, gate, clock, notify, said, say, emit, sent };
}

/** Each secret that stands anywhere but in the files that were made for it. */
async function leaks(kept: readonly Kept[], ours: readonly string[]): Promise<readonly string[]> {
  const places = await Promise.all(
    [SECRET, TOKEN, WEBHOOK_SECRET, WEBHOOK_SECRET.slice(6), MAIL_PASSWORD].map(async (secret) =>
      (await namesWith(secret, kept)).map((name) => `${secret} in ${name}`),
    ),
  );
  return places.flat().filter((place) => !ours.some((file) => place.endsWith(` in ${file}`)));
}

const account = (url: string): readonly string[] => [
  ...['--organisation', 'Acme Ltd', '--country', 'KE', '--base-url', url, '--client-id', 'CLIENT'],
  ...['--remitter-phone', '+254712345678', '--source-of-funds', 'Business', '--principal-activity', 'Trading'],
  ...['--remitter-name', 'Acme Ltd', '--secret-stdin'],
];

const business = { sourceOfFunds: 'Business', principalActivity: 'Trading' };

/** Sets up an account, and gives the configuration to other hands: waits are short, and everybody is told. */
async function setUp({ desk, service, gate, notify, say }: Awaited<ReturnType<typeof openTown>>): Promise<void> {
  const config = desk.path('own', 'config.json');
  const secretFile = desk.path('own', 'secret');
  const argv = [...account(gate.url), '--config', config, '--secret-file', secretFile];
  const flags = argv.map((word) => (word === 'CLIENT' ? service.clientId : word));
  expect(await say(['init', ...flags], { input: `${SECRET}\n` })).toMatchObject({ exit: 0 });
  const jane = await makeKey({ desk }, 'jane');
  const approval = { makerKey: false, tiers: [{ above: { KES: '1000000' }, required: 1 }], approvers: { jane } };
  const live = {
    ...{ baseUrl: gate.url, tokenUrl: `${gate.url}/connect/token`, clientId: service.clientId },
    ...{ clientSecretFile: secretFile, notify, approval, ...quickProfile(service.routes, 40_000) },
  };
  const remitter = { name: 'Acme Ltd', phoneNumber: '+254712345678', country: 'KE', ...business };
  const profiles = { live: { ...live, callbacks: { url: 'https://pay.acme.example/callbacks' } } };
  await desk.writeConfig({ organisation: 'Acme Ltd', defaultProfile: 'live', remitter, profiles });
}

/** A sheet, and the flags that confirm its totals. */
async function payroll(desk: Desk, name: string): Promise<readonly string[]> {
  await desk.write(name, csvOf(people(ROWS)));
  return ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
}

test('a year of set-up, pay days and questions leaves no secret in any file, answer, notification or process', async () => {
  const town = await openTown();
  const { desk, gate, clock, said, say, emit, sent } = town;
  await setUp(town);
  expect(await say(['login', '--secret-stdin'], { input: SECRET })).toMatchObject({ exit: 0 });
  for (const argv of [
    ['whoami'],
    ['config', 'show', '--origin'],
    ['config', 'check'],
    ['doctor', '--full'],
    ['balance'],
    ['charges'],
    ['api', 'find-routes'],
    ['notify', 'test'],
  ]) {
    const one = await say(argv);
    expect(one, argv.join(' ')).toMatchObject({ exit: 0 });
    expect(await say([...argv, '--json'])).toMatchObject({ exit: 0 });
  }
  const totals = await payroll(desk, 'pay.csv');
  expect(await say(['run', 'pay.csv', '--batch', 'november', ...totals, '--json'])).toMatchObject({ exit: 0 });
  for (const argv of [['status'], ['report'], ['history'], ['verify'], ['find', 'Person'], ['schedule', 'list']]) {
    expect(await say(argv), argv.join(' ')).toMatchObject({ exit: 0 });
  }
  // Far enough from the first pay day that nobody takes it for the same.
  clock.pass(40 * DAY_MS);
  await desk.write('next.csv', csvOf(people(ROWS)));
  const planned = await emit(['plan', 'next.csv', '--batch', 'december']);
  expect(planned).toMatchObject({ exit: 0 });
  const plan = planned.end.files[0]?.path ?? '';
  await approveBy({ desk }, 'jane', plan);
  expect(await say(['apply', plan, '--json'])).toMatchObject({ exit: 0 });

  const daily = ['--on', 'cron 0 9 * * *', '--sheet', 'wages-{period}.csv'];
  expect(await say(['schedule', 'add', 'wages', ...daily])).toMatchObject({ exit: 0 });
  for (const system of ['systemd', 'cron', 'windows', 'k8s'])
    expect(await say(['schedule', 'export', system, '--out', desk.path('units')])).toMatchObject({ exit: 0 });
  clock.pass(40 * DAY_MS);
  const sinceNineMs = (clock.now() + NAIROBI_MS - 9 * 3_600_000) % DAY_MS;
  clock.pass(DAY_MS - sinceNineMs + 60_000);
  const day = new Date(clock.now() + NAIROBI_MS).toISOString().slice(0, 10);
  await payroll(desk, `wages-${day}.csv`);
  await say(['schedule', 'run-due']); // waits for its totals, and tells so
  expect(await say(['validate', `wages-${day}.csv`, '--totals'])).toMatchObject({ exit: 0 });
  expect(await emit(['schedule', 'run-due'])).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  // As a program of its own, whose words and environment are seen as well.
  const asked = await new Child(desk, ['balance']).end();
  said.push(asKept('a process', asked.stdout + asked.stderr));
  expect(asked.exit).toBe(0);
  const before = await watch?.seen();
  expect(before?.some(({ name }) => name.startsWith('environ') && name.endsWith('main.ts balance '))).toBe(true);
  expect(await say(['logout'])).toMatchObject({ exit: 0 });

  const [webhook, mail] = sent();
  expect(webhook?.bytes.toString()).toContain('payment.finished');
  expect(mail?.bytes.toString()).toContain('Subject: ');
  const files = filesBelow(desk.folder);
  for (const kind of [
    '.results.xlsx',
    '.plan.json',
    '.approval.json',
    'ledger.db',
    '.log',
    '.service',
    '.yaml',
    'told-by-command',
  ])
    expect(
      files.some(({ name }) => name.endsWith(kind)),
      kind,
    ).toBe(true);
  expect(before?.some(({ bytes }) => bytes.includes('told-by-command'))).toBe(true);
  // They were in use: sent as they are, and nowhere else.
  expect(gate.arrived.some(({ body }) => new URLSearchParams(body).get('client_secret') === SECRET)).toBe(true);
  expect(gate.arrived.some(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  const kept = [...said, ...sent(), ...files, ...(before ?? [])];
  expect(await leaks(kept, [desk.path('given', 'webhook'), desk.path('given', 'mail')])).toEqual([]);
});

test('whatever goes wrong, no secret is in any message, file or process', async () => {
  const town = await openTown();
  const { desk, gate, clock, said, say, sent } = town;
  await setUp(town);
  const totals = await payroll(desk, 'pay.csv');
  const commands = [['balance'], ['doctor'], ['whoami'], ['api', 'find-routes'], ['schedule', 'run-due']];
  for (const manner of ['refuses the client', 'refuses the token', 'answers nonsense'] as const) {
    gate.behave(manner);
    for (const argv of [...commands, ['plan', 'pay.csv', '--batch', 'x']]) {
      await say(argv);
      await say([...argv, '--json']);
    }
    expect((await say(['run', 'pay.csv', '--batch', 'november', ...totals])).exit).not.toBe(0);
    const login = await say(['login', '--secret-stdin'], { input: SECRET });
    expect([manner, login.exit]).toEqual([manner, manner === 'refuses the token' ? 0 : expect.any(Number)]);
    const other = ['--config', desk.path('other', 'config.json')];
    expect((await say(['init', ...account(gate.url), ...other], { input: SECRET })).exit).not.toBe(0);
  }
  gate.behave('honest');
  const dead = await deadUrl();
  const away = { PAYBATCH_BASE_URL: dead, PAYBATCH_TOKEN_URL: dead, PAYBATCH_SECRET_ORIGINS: dead };
  for (const argv of [...commands, ['run', 'pay.csv', '--batch', 'november', ...totals]])
    await say(argv, { env: away });
  expect((await say(['balance'], { env: away })).exit).toBe(9);
  // Where the secret itself is what is wrong.
  const secretFile = desk.path('own', 'secret');
  expect((await say(['login', '--secret-stdin'], { input: `${SECRET}\n${SECRET}` })).exit).toBe(2);
  expect((await say(['balance'], { env: { PAYBATCH_CLIENT_SECRET: SECRET } })).exit).toBe(2);
  for (const flag of ['--client-secret', '--secret', `--secret-stdin=${SECRET}`])
    expect((await say(['login', flag])).exit).toBe(2);
  chmodSync(secretFile, 0o644);
  expect((await say(['balance'])).exit).toBe(2);
  await rm(secretFile);
  expect((await say(['balance'])).exit).toBe(2);
  for (const config of [{ clientSecret: SECRET }, { profiles: { live: { clientSecret: SECRET } } }]) {
    await desk.writeConfig(config);
    expect((await say(['config', 'check'])).exit).toBe(2);
  }
  await rm(desk.path('paybatch.config.json'));
  clock.pass(DAY_MS);
  expect(gate.arrived.length).toBeGreaterThan(20);
  const kept = [...said, ...sent(), ...filesBelow(desk.folder), ...((await watch?.seen()) ?? [])];
  expect(await leaks(kept, [desk.path('given', 'webhook'), desk.path('given', 'mail')])).toEqual([]);
});

test('a secret in the keychain is in no file at all, and in no process that asks for it', async (context) => {
  needsKeychain(context);
  const town = await openTown();
  const { desk, said, say } = town;
  const keychain = await openKeychainSession();
  await setUp(town);
  const env = { ...keychain.env, PAYBATCH_TEST_CANARY: SECRET };
  expect(await say(['login', '--keychain', '--secret-stdin'], { input: SECRET, env })).toMatchObject({ exit: 0 });
  expect(await say(['balance'], { env })).toMatchObject({ exit: 0 });
  expect(await say(['whoami', '--json'], { env })).toMatchObject({ exit: 0 });
  const seen = (await watch?.seen()) ?? [];
  expect(seen.some(({ name }) => name.includes('keychain-process'))).toBe(true);
  const kept = [...said, ...filesBelow(desk.folder), ...filesBelow(keychain.folder), ...seen];
  expect(await leaks(kept, [desk.path('given', 'webhook'), desk.path('given', 'mail')])).toEqual([]);
});
