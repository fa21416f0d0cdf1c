/** The receiver as a process of its own: what it says, what it keeps, and what it survives. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../../src/callbacks/inbox.ts';
import type { CallbackMessage } from '../../../src/domain/fact.ts';
import { Child, childEnv } from '../../support/desk/child.ts';
import { type Desk, type JsonLine, openDesk } from '../../support/desk/command-line.ts';
import { paybatchCommand } from '../../support/desk/program.ts';
import { needsPosix } from '../../support/needs.ts';

const ID = '0190a6f0-1c2d-8e3f-9a4b-5c6d7e8f9012';

const bill = (id: string, more: object = {}) => ({
  originatorConversationId: id,
  accountCustomerName: 'Wanjiku',
  billRequestOutcome: { status: 4 },
  ...more,
});

const eventsOf = (stdout: string): readonly JsonLine[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonLine);

const secretFile = (desk: Desk): string => path.join(desk.home, 'sandbox', 'callbacks.secret');

/** Starts a receiver on a free port; `url` is what it says to configure. */
async function listenAt(
  desk: Desk,
  ...flags: readonly string[]
): Promise<{ readonly child: Child; readonly url: string }> {
  const child = new Child(desk, ['listen', '--port', '0', '--json', ...flags]);
  await child.until(/\n/);
  const [first] = eventsOf(child.stdout);
  expect(first).toMatchObject({ v: 1, type: 'listening', profile: 'sandbox', url: expect.any(String) });
  return { child, url: String(first?.['url']) };
}

/** What a receiver in this process says to configure; it ends then. */
async function urlOf(desk: Desk): Promise<string> {
  const stop = new AbortController();
  const onOutput = (): void => stop.abort('SIGINT');
  const { lines } = await desk.say(['listen', '--port', '0'], { signal: stop.signal, onOutput });
  return lines[0] ?? '';
}

async function post(url: string, body: unknown): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: text, headers: { connection: 'close' } });
  expect(await response.text()).toBe('');
  return response.status;
}

async function keptBy(desk: Desk): Promise<readonly CallbackMessage[]> {
  const inbox = new Inbox(path.join(desk.home, 'sandbox', 'callbacks.db'));
  try {
    return await inbox.since(0, 10_000);
  } finally {
    await inbox.close();
  }
}

async function stop(child: Child): Promise<readonly JsonLine[]> {
  child.kill('SIGINT');
  const { exit, stdout } = await child.end();
  expect(exit).toBe(0);
  return eventsOf(stdout);
}

describe('a callback', () => {
  test('is kept as it came, told without what is personal, and counted', async () => {
    const desk = await openDesk();
    const { child, url } = await listenAt(desk);
    const body = JSON.stringify(bill(ID.toUpperCase()));
    expect(await post(`${url}/bill`, body)).toBe(200);
    expect(await post(`${url}/bill`, body)).toBe(200);
    expect(await post(url, { systemTraceAuditNumber: 'T-1', validationType: 1, status: 4 })).toBe(200);
    expect(await post(`${url}/checkout/cart`, { originatorConversationId: 'C-1', checkoutOutcome: 'paid' })).toBe(200);
    expect(await post(`${url}/deposit`, { Body: { StkCallback: { ResultCode: 0 } } })).toBe(200);
    expect(await post(`${url}/airtime`, 'nothing')).toBe(400);
    expect(await post(`${url.slice(0, -1)}/airtime`, bill(ID))).toBe(404);

    const kept = await keptBy(desk);
    expect(kept).toMatchObject([
      { seq: 1, topic: 'bill', subject: ID, body },
      { seq: 2, topic: 'account', subject: 't-1' },
      { seq: 3, topic: 'checkout', subject: 'c-1' },
    ]);
    const [, first, second, third, counts, end, ...others] = await stop(child);
    expect(first).toEqual({
      v: 1,
      at: expect.any(String),
      type: 'callback',
      topic: 'bill',
      subject: ID,
      seq: 1,
      receivedAt: new Date(kept[0]?.receivedAt ?? 0).toISOString(),
      fits: true,
    });
    expect([second, third]).toMatchObject([
      { topic: 'account', fits: true },
      { topic: 'checkout', fits: false },
    ]);
    expect(counts).toMatchObject({
      type: 'listened',
      kept: 3,
      repeated: 1,
      preliminary: 1,
      unreadable: 1,
      turnedAway: 1,
    });
    expect(end).toMatchObject({ type: 'end', exit: 0 });
    expect(others).toEqual([]);
  });

  test('that was acknowledged survives the death of the receiver at once', async () => {
    const desk = await openDesk();
    const { child, url } = await listenAt(desk);
    const ids = Array.from({ length: 40 }, (_, index) => `id-${index}`);
    const statuses: string[] = [];
    const posting = ids.map(async (id) => {
      const status = await post(`${url}/bill`, bill(id)).catch(() => 0);
      if (status === 200) statuses.push(id);
      if (statuses.length === 10) child.kill('SIGKILL');
    });
    await Promise.all(posting);
    await child.end();
    expect(statuses.length).toBeGreaterThanOrEqual(10);
    const subjects = (await keptBy(desk)).map(({ subject }) => subject);
    expect(subjects).toEqual(expect.arrayContaining(statuses));

    // Under the same secret.
    const again = await listenAt(desk);
    expect(again.url.split('/').at(-1)).toBe(url.split('/').at(-1));
    for (const id of ids) expect(await post(`${again.url}/bill`, bill(id))).toBe(200);
    expect(await keptBy(desk)).toHaveLength(ids.length);
  });

  test('is a line of text for a person, which cannot steer the terminal', async () => {
    const desk = await openDesk();
    const child = new Child(desk, ['listen', '--port', '0']);
    await child.until(/\n/);
    const url = child.stdout.trim();
    expect(child.stderr).toContain('SANDBOX');
    await post(`${url}/bill`, bill('AB\u202e1'));
    await child.until(/\n.*\n/);
    child.kill('SIGTERM');
    const { exit, lines, stderr } = await child.end();
    expect(exit).toBe(0);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}bill {6}ab<U\+202E>1$/);
    expect(stderr).toContain('Kept 1 callbacks');
  });
});

describe('a disk that is full', () => {
  beforeEach(needsPosix);

  /** Size of files, in blocks of 512 bytes, that the receiver may write: an empty inbox and a few callbacks. */
  const BLOCKS = 900;

  test('is told to the service and to the operator, and loses nothing', async () => {
    const desk = await openDesk();
    const limited = [
      '-c',
      `ulimit -f ${BLOCKS}; exec "$@"`,
      'sh',
      ...paybatchCommand,
      'listen',
      '--port',
      '0',
      '--json',
    ];
    const child = spawn('sh', limited, { cwd: desk.folder, env: childEnv(desk), stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await closed;
    });
    let [stdout, stderr] = ['', ''];
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    while (!stdout.includes('\n')) await once(child.stdout, 'data');
    const url = String(eventsOf(stdout)[0]?.['url']);

    const acknowledged: string[] = [];
    let refused = 0;
    for (let index = 0; index < 30; index++) {
      const status = await post(`${url}/bill`, bill(`id-${index}`, { filling: 'x'.repeat(40_000) }));
      if (status === 200) acknowledged.push(`id-${index}`);
      else {
        expect(status).toBe(503);
        refused += 1;
      }
    }
    expect(acknowledged.length).toBeGreaterThan(2);
    expect(refused).toBeGreaterThan(2);
    child.kill('SIGINT');
    await closed;
    expect(stderr).toContain('could not be kept');
    expect(eventsOf(stdout).find(({ type }) => type === 'listened')).toMatchObject({
      kept: acknowledged.length,
      unwritten: refused,
    });
    expect((await keptBy(desk)).map(({ subject }) => subject)).toEqual(expect.arrayContaining(acknowledged));
  });
});

describe('the secret of the address', () => {
  test('is long, is for its owner alone, is another one for another state folder, and never reaches the log', async () => {
    const desk = await openDesk();
    const { child, url } = await listenAt(desk);
    const secret = new URL(url).pathname.slice(1);
    expect(secret).toMatch(/^[\w-]{43}$/);
    if (process.platform !== 'win32') expect(statSync(secretFile(desk)).mode & 0o777).toBe(0o600);
    const other = await openDesk();
    expect(new URL(await urlOf(other)).pathname.slice(1)).not.toBe(secret);
    // The address is taken meanwhile.
    const second = await other.emit(['listen', '--port', new URL(url).port]);
    expect(second).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    await post(`${url}/bill`, bill(ID));
    await stop(child);

    const logs = path.join(desk.home, 'logs');
    const logged = readdirSync(logs).map((name) => readFileSync(path.join(logs, name), 'utf8'));
    expect(logged.join('')).toContain(ID);
    expect(logged.join('')).not.toContain(secret);
    expect(logged.join('')).not.toContain('Wanjiku');
  });

  test('may come from a file of the operator', async () => {
    const desk = await openDesk();
    const secret = '0123456789abcdef0123456789abcdef';
    await desk.write('own.secret', `${secret}\n`);
    await desk.writeConfig({ profiles: { sandbox: { callbacks: { secretFile: 'own.secret' } } } });
    expect(new URL(await urlOf(desk)).pathname).toBe(`/${secret}`);
    expect(existsSync(secretFile(desk))).toBe(false);
  });

  test.each([
    ['short', 'abc'],
    ['empty', ''],
    ['not fit for an address', `${'a'.repeat(40)}/b`],
  ])('is refused when it is %s', async (_, secret) => {
    const desk = await openDesk();
    await desk.write('own.secret', secret);
    await desk.writeConfig({ profiles: { sandbox: { callbacks: { secretFile: 'own.secret' } } } });
    const { exit, fault } = await desk.emit(['listen', '--port', '0']);
    expect(exit).toBe(2);
    expect(fault).toMatchObject({ code: 'configuration', fix: expect.stringContaining('32') });
  });

  test('that cannot be read is a fault of the configuration', async () => {
    const desk = await openDesk();
    await desk.writeConfig({ profiles: { sandbox: { callbacks: { secretFile: 'missing' } } } });
    const { exit, fault } = await desk.emit(['listen', '--port', '0']);
    expect(exit).toBe(2);
    expect(fault).toMatchObject({ code: 'configuration', message: expect.stringContaining('ENOENT') });
  });
});

describe('the address', () => {
  test.each(['65536', 'x', '-1'])('with the port %s is a usage error', async (port) => {
    const { exit } = await (await openDesk()).emit(['listen', `--port=${port}`]);
    expect(exit).toBe(2);
  });

  test('on this machine alone is the default; any other one comes with a warning', async () => {
    const warned = async (host: string): Promise<string> => {
      const stop = new AbortController();
      const onOutput = (): void => stop.abort('SIGINT');
      const argv = ['listen', '--port', '0', ...(host === '' ? [] : ['--host', host])];
      const { exit, stderr } = await (await openDesk()).say(argv, { signal: stop.signal, onOutput });
      expect(exit).toBe(0);
      return stderr;
    };
    expect(await warned('')).not.toContain('WARN');
    expect(await warned('localhost')).not.toContain('WARN');
    expect(await warned('0.0.0.0')).toMatch(/WARN.*https/);
  });
});

describe('an inbox that is not one', () => {
  test('stops the receiver before it takes anything', async () => {
    const desk = await openDesk();
    await desk.write('home/sandbox/callbacks.db', 'name,amount\n'.repeat(100));
    const { exit, fault, events } = await desk.emit(['listen', '--port', '0']);
    expect(exit).toBe(10);
    expect(fault).toMatchObject({ code: 'ledger-unsafe' });
    expect(events.some(({ type }) => type === 'listening')).toBe(false);
  });

  test('does not stop a balance, which only says that callbacks are not read', async () => {
    const desk = await openDesk();
    await desk.write('home/sandbox/callbacks.db', 'name,amount\n'.repeat(100));
    const { exit, events } = await desk.emit(['balance']);
    expect(exit).toBe(0);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'notice', level: 'warning', message: expect.stringContaining('Callbacks') }),
    );
  });
});
