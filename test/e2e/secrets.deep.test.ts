import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { asKept, filesBelow, type Kept, spellingsOf } from '../support/desk/canary.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { needsPosix } from '../support/needs.ts';

const CANARY = 'canary/9f2c+Zk71?tq';
const ROWS = 3;

const spellings = spellingsOf(CANARY);

function expectNoSecret(kept: readonly Kept[]): void {
  for (const { name, bytes } of kept) {
    for (const spelling of spellings) expect(bytes.includes(spelling), `${spelling} in ${name}`).toBe(false);
  }
}

const logsOf = (desk: Desk): readonly Kept[] => filesBelow(desk.path('home', 'logs'));

describe('the client secret', () => {
  test('is nowhere after a service refused it and repeated it in its answer', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(ROWS)));
    await desk.writeConfig({ profiles: { env: quickProfile((await openService()).routes) } });
    const { url, arrived } = await serve((_request, response) =>
      sendJson(response, 401, { error: 'invalid_client', error_description: `no client with secret ${CANARY}` }),
    );
    const env = accountIn({ url, clientId: 'acme', clientSecret: CANARY });
    const said = await new Child(desk, ['run', 'pay.csv', '--batch', 'pay', '--json'], env).end();
    const text = await new Child(desk, ['balance'], env).end();

    expect(said.exit).toBe(4);
    expect(text.exit).toBe(4);
    expect(arrived.some(({ body }) => body.includes(encodeURIComponent(CANARY)))).toBe(true);
    expectNoSecret([
      asKept('stdout', said.stdout + text.stdout),
      asKept('stderr', said.stderr + text.stderr),
      ...filesBelow(desk.folder),
    ]);
  });

  test('is nowhere after a run that paid: not said, not logged, not recorded, not reported', async () => {
    const desk = await openDesk();
    const service = await openService();
    await desk.write('pay.csv', csvOf(people(ROWS)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    // A gate that takes the canary and passes everything on with the secret that the service knows.
    const { url } = await serve(async ({ method, path: at, query, authorization, body }, response) => {
      const known = encodeURIComponent(service.clientSecret);
      const search = query.size > 0 ? `?${query}` : '';
      const answer = await fetch(`${service.url}${at}${search}`, {
        method,
        headers: {
          'content-type': at === '/connect/token' ? 'application/x-www-form-urlencoded' : 'application/json',
          ...(authorization !== undefined && { authorization }),
        },
        ...(method !== 'GET' && { body: body.replace(encodeURIComponent(CANARY), known) }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    const env = accountIn({ url, clientId: service.clientId, clientSecret: CANARY });
    const argv = [
      'run',
      'pay.csv',
      '--batch',
      'pay',
      '--expect-count',
      String(ROWS),
      '--expect-total',
      totalOf(ROWS),
      '--json',
    ];
    const said = await new Child(desk, argv, env).end();

    expect(said.exit).toBe(0);
    const files = filesBelow(desk.folder);
    for (const kind of ['ledger.db', '.log', '.results.xlsx']) {
      expect(files.some(({ name }) => name.endsWith(kind))).toBe(true);
    }
    expectNoSecret([asKept('stdout', said.stdout), asKept('stderr', said.stderr), ...files]);
    const token = /"access_token":"([^"]+)"/;
    for (const { bytes, name } of files) expect(token.test(bytes.toString('latin1')), name).toBe(false);
  });
});

describe('a service that repeats what it was sent', () => {
  test('has neither the Authorization header nor the secret kept or shown anywhere', async () => {
    const desk = await openDesk();
    const service = await openService();
    await desk.write('pay.csv', csvOf(people(ROWS)));
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    const seen = new Set<string>();
    const escaped = Array.from(CANARY, (one) => `\\u00${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const { url } = await serve((arrived, response) => {
      const { authorization = '' } = arrived;
      if (authorization !== '') seen.add(authorization.replace('Bearer ', ''));
      const known = arrived.body.replace(encodeURIComponent(CANARY), encodeURIComponent(service.clientSecret));
      passOn(service.url, { ...arrived, body: known }, response, (answer) =>
        answer
          .replaceAll('"Completed"', `"Done ${authorization} ${CANARY} ${escaped}"`)
          .replaceAll(/"thirdPartyReceiptNumber":"\w+"/g, `"thirdPartyReceiptNumber":"R ${authorization}"`)
          .replaceAll(/"balance":/gi, `"said":"${escaped}${authorization}","balance":`),
      );
    });
    const env = accountIn({ url, clientId: service.clientId, clientSecret: CANARY });
    const total = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
    const run = await new Child(desk, ['run', 'pay.csv', '--batch', 'pay', ...total, '--json'], env).end();
    expect(run.exit).toBe(0);
    const others = await Promise.all(
      [
        ['verify', 'pay'],
        ['api', 'find-routes'],
        ['report', 'pay', '--json'],
      ].map((argv) => new Child(desk, argv, env).end()),
    );
    expect(seen.size).toBeGreaterThan(0);
    const results = await resultsIn(desk.path('pay.pay.results.xlsx'));
    expect(results[0]?.['Receipt number']).toBe('R Bearer [secret]');
    const said = [run, ...others].flatMap(({ stdout, stderr }) => [asKept('stdout', stdout), asKept('stderr', stderr)]);
    const kept = [...said, asKept('workbook', JSON.stringify(results)), ...filesBelow(desk.folder)];
    expectNoSecret(kept);
    for (const { name, bytes } of kept) for (const token of seen) expect(bytes.includes(token), name).toBe(false);
  });
});

test('a process at work opens no debugger, and its reports hold no environment', async (context) => {
  needsPosix(context);
  const desk = await openDesk();
  const { url } = await openService();
  const account = accountIn({ url, clientId: 'acme', clientSecret: CANARY });
  // The signals of Node.js itself: SIGUSR1 for its inspector, and SIGUSR2 here for a report of the whole process.
  const child = new Child(desk, ['listen', '--port', '0', '--json'], {
    ...account,
    NODE_OPTIONS: '--report-on-signal',
  });
  await child.until(/"type":"listening"/);
  child.process.kill('SIGUSR1');
  child.process.kill('SIGUSR2');
  const reports = (): readonly Kept[] => filesBelow(desk.folder).filter(({ name }) => /report\..*\.json$/.test(name));
  await vi.waitFor(() => expect(JSON.parse(String(reports()[0]?.bytes))).toHaveProperty('header'));
  child.kill('SIGTERM');
  const { stderr } = await child.end();
  expect(stderr).toContain('Node.js report completed');
  expect(stderr).not.toMatch(/debugger|inspector/i);
  expectNoSecret(reports());
});

describe('the log', () => {
  test('tells what happened with people masked, for its owner alone', async () => {
    const desk = await openDesk();
    await desk.write(
      'pay.csv',
      csvOf([
        { reference: 'HR1', name: 'Jane Wanjiku', phone: '0712345678', amount: '48250.50' },
        { reference: 'BAD', name: 'Phone 0722333444', phone: '0722-333-4449', amount: '1' },
      ]),
    );
    await new Child(desk, ['run', 'pay.csv', '--skip-invalid', '1']).end();

    const [log] = logsOf(desk);
    const lines = (log?.bytes.toString('utf8') ?? '').trim().split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { type?: string }).type);
    expect(types).toContain('row.problem');
    expect(types).toContain('batch.planned');
    // Hashes hold digits of every kind.
    const people = lines.filter((line) => !line.includes('ledger.head')).join('\n');
    expect(people).not.toMatch(/07\d{8}|2547\d{8}|7223334449|-333-|Jane|Wanjiku/);
    expect(people).toContain('"largest":[{"row":2,"name":"J••• W••••••","amount":{"amount":"48250.50"');
    if (process.platform !== 'win32') {
      for (const { name } of filesBelow(desk.home)) expect(statSync(name).mode & 0o077, name).toBe(0);
      expect(statSync(path.join(desk.home, 'sandbox')).mode & 0o077).toBe(0);
    }
  });

  test('that cannot be written stops nobody', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(1)));
    await desk.write('home/logs', 'a file where the folder should be');
    expect((await desk.say(['run', 'pay.csv'])).exit).toBe(0);
  });
});
