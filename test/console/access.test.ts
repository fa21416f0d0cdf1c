/** Who may use the console: each attack with its answer. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPENING_MS } from '../../src/console/access.ts';
import { UNUSED_MS } from '../../src/console/open-console.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { systemClock } from '../../src/system.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

const PAGES = [
  '',
  'check',
  'check?file=payroll.xlsx',
  'check/copy?file=payroll.xlsx',
  'statement',
  'history',
  'batch?id=x',
  'results?id=x',
  'unpaid?id=x',
  'unpaid/row?id=x&row=2',
  'plans',
  'plan?plan=x',
  'plan/new?file=payroll.xlsx',
  'settings',
  'settings/doctor',
  'template',
  'style.css',
];

async function deskWithSheets(...given: Parameters<typeof openDesk>): Promise<Desk> {
  const desk = await openDesk(...given);
  await desk.takeSamples();
  return desk;
}

/** The machine's clock, but for what is leapt over; whoever sleeps notices it. */
function leapingClock(): Clock & { leap(ms: number): void } {
  let leaptMs = 0;
  const monotonicMs = (): number => systemClock.monotonicMs() + leaptMs;
  return {
    now: () => systemClock.now() + leaptMs,
    monotonicMs,
    async sleep(ms, signal) {
      const until = monotonicMs() + ms;
      while (signal?.aborted !== true && monotonicMs() < until) await systemClock.sleep(5, signal);
    },
    leap: (ms) => {
      leaptMs += ms;
    },
  };
}

/** What the console keeps of its own in the state folder. */
function keptIn({ home }: Desk): readonly string[] {
  const profile = path.join(home, 'sandbox');
  return readdirSync(profile, { recursive: true, encoding: 'utf8' }).filter((name) => name.startsWith('console-'));
}

describe('the opening address', () => {
  test('lets one browser in, and is answered with another address and a cookie of this start', async () => {
    const opened = await startConsole(await openDesk());
    const { status, headers } = await opened.ask(new URL(opened.url).pathname);
    expect([status, headers['referrer-policy'], headers['cache-control']]).toEqual([303, 'no-referrer', 'no-store']);
    expect(headers.location).toMatch(/^\/[\w-]{16}\/opened$/);
    expect(headers.location).not.toContain(opened.url.slice(-20));
    const base = String(headers.location).replace(/opened$/, '');
    expect(headers['set-cookie']).toHaveLength(1);
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^paybatch-${base.slice(1, 9)}=[\\w-]{43}; Path=${base}; HttpOnly; SameSite=Strict$`),
    );
  });

  test('counts once: the second who comes is turned away, and told what it means', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const again = await opened.ask(new URL(opened.url).pathname);
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.text).toContain('used already');
    expect((await visitor.ask('')).status).toBe(200);
  });

  test('is gone after ten minutes', async () => {
    const clock = leapingClock();
    const opened = await startConsole(await openDesk(clock));
    clock.leap(OPENING_MS + 1000);
    const late = await opened.ask(new URL(opened.url).pathname);
    expect([late.status, late.headers['set-cookie']]).toEqual([403, undefined]);
    expect(late.text).toContain('ten minutes');
  });

  test('is not used up by whoever only looks at it: HEAD, a wrong token, and what a browser fetches in advance', async () => {
    const opened = await startConsole(await openDesk());
    const { pathname } = new URL(opened.url);
    expect((await opened.ask(pathname, { method: 'HEAD' })).status).toBe(403);
    expect((await opened.ask(`${pathname.slice(0, -1)}_`)).status).toBe(403);
    expect((await opened.ask(pathname, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(403);
    expect((await (await opened.enter()).ask('')).status).toBe(200);
  });
});

describe('without the cookie', () => {
  test('no page is shown, whatever is asked for', async () => {
    const opened = await startConsole(await deskWithSheets());
    const { base } = await opened.enter();
    for (const page of PAGES) {
      const answer = await opened.ask(base + page);
      expect([page, answer.status]).toEqual([page, 403]);
      expect(answer.text).toMatch(/^This console is open in the browser in which it was started/);
    }
    expect((await opened.ask(`${base}end`, { method: 'POST', headers: { origin: opened.origin } })).status).toBe(403);
    expect((await opened.ask('/')).status).toBe(403);
  });

  test('of this start, that of another one does not count', async () => {
    const desk = await openDesk();
    const one = await startConsole(desk);
    const first = await one.enter();
    const other = await startConsole(await openDesk());
    const { base } = await other.enter();
    const { text } = await first.ask('');
    expect(text).toContain('<h1');
    const cookie = `paybatch-${base.slice(1, 9)}=${'A'.repeat(43)}`;
    expect((await other.ask(base, { headers: { cookie } })).status).toBe(403);
    expect((await other.ask(base, { headers: { cookie: `${cookie.split('=')[0]}=` } })).status).toBe(403);
  });
});

describe('a request from elsewhere', () => {
  test('under another name than the address with its port is turned away', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const { port } = new URL(opened.origin);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `[::1]:${port}`,
    ]) {
      const { status } = await visitor.ask('', { headers: { host } });
      expect([host, status]).toEqual([host, 421]);
    }
    const late = await opened.ask(new URL(opened.url).pathname, { headers: { host: `evil.example:${port}` } });
    expect([late.status, late.headers['set-cookie']]).toEqual([421, undefined]);
  });

  test('with another Origin is turned away, and a POST with none or with "null", too', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const origins = [
      'http://evil.example',
      'https://127.0.0.1',
      'http://127.0.0.1:1',
      'null',
      opened.origin.replace('http', 'https'),
    ];
    for (const origin of origins) {
      expect([origin, (await visitor.ask('', { headers: { origin } })).status]).toEqual([origin, 403]);
      expect([origin, (await visitor.send('end', {}, { headers: { origin } })).status]).toEqual([origin, 403]);
    }
    expect((await visitor.send('end', {}, { headers: { origin: undefined } })).status).toBe(403);
    expect((await visitor.ask('')).status).toBe(200);
  });

  test('of another site is turned away, also of another server of this computer, and so is a frame', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    for (const site of ['cross-site', 'same-site']) {
      expect((await visitor.ask('', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
      expect((await visitor.send('end', {}, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    }
    for (const dest of ['iframe', 'frame', 'embed', 'object']) {
      expect((await visitor.ask('', { headers: { 'sec-fetch-dest': dest } })).status).toBe(403);
    }
    expect((await visitor.ask('', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  test('is given no leave to read by any answer (no CORS), and other methods do not exist', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const preflight = { origin: opened.origin, 'access-control-request-method': 'POST' };
    const answers = [
      await visitor.ask(''),
      await opened.ask('/'),
      await visitor.ask('', { method: 'OPTIONS', headers: preflight }),
      await visitor.ask('', { headers: { origin: 'http://evil.example' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 405, 403]);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE'])
      expect((await visitor.ask('', { method })).status).toBe(405);
  });
});

test('every answer has the policy of the console: no script, no frame, no form to elsewhere, nothing kept', async () => {
  const desk = await deskWithSheets();
  const opened = await startConsole(desk);
  const visitor = await opened.enter();
  await desk.emit(['run', 'suppliers.csv']);
  const { end } = await desk.emit(['status']);
  const answers = [
    ...(await Promise.all(PAGES.map((page) => visitor.ask(page)))),
    await visitor.ask(`results?id=${end.batch}&format=html`),
    await visitor.ask('opened'),
    await visitor.ask('no-such-page'),
    await visitor.ask('check?file=../x.csv'),
    await opened.ask('/'),
    await visitor.send('check/upload', { sheet: 'no file' }),
  ];
  for (const { headers, status, text } of answers) {
    expect(headers['content-security-policy'], `${status} ${text.slice(0, 200)}`).toBe(
      "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    if (headers['content-type']?.startsWith('text/html')) expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  }
});

test('results are downloads, whatever they are', async () => {
  const desk = await deskWithSheets();
  const { end } = await desk.emit(['run', 'suppliers.csv']);
  const visitor = await (await startConsole(desk)).enter();
  for (const format of ['xlsx', 'html', 'slips', 'csv', 'journal', 'jsonl', 'pack', 'evidence&row=2']) {
    const { status, headers } = await visitor.ask(`results?id=${end.batch}&format=${format}`);
    expect([format, status, headers['content-type']]).toEqual([format, 200, 'application/octet-stream']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="suppliers\.SANDBOX-/);
  }
  for (const none of ['evidence', 'evidence&row=999', 'png'])
    expect((await visitor.ask(`results?id=${end.batch}&format=${none}`)).status).toBe(400);
  // What was handed out is not kept.
  await expect.poll(() => keptIn(desk).filter((name) => name.includes('handout'))).toEqual([]);
});

describe('a form', () => {
  test('without the token of our forms, or with another one, changes nothing', async () => {
    const desk = await openDesk();
    const opened = await startConsole(desk);
    const visitor = await opened.enter();
    const sheet = new File(['name,phone,amount\n'], 'planted.csv');
    for (const form of ['', 'A'.repeat(43)])
      expect((await visitor.send('check/upload', { form, sheet })).status).toBe(400);
    expect((await visitor.ask('end', { method: 'POST', headers: { origin: opened.origin } })).status).toBe(400);
    expect(keptIn(desk).filter((name) => name.includes('upload'))).toEqual([]);
    expect((await visitor.ask('')).status).toBe(200);
  });

  test('that drops a sheet keeps it for the user alone, and no longer than the console', async () => {
    const desk = await openDesk();
    const opened = await startConsole(desk);
    const visitor = await opened.enter();
    const kept = await visitor.send('check/upload', {
      sheet: new File(['name,phone,amount\nJane,0712345678,100\n'], '../../evil\\pay day.csv'),
    });
    expect([kept.status, kept.headers.location]).toEqual([303, expect.stringMatching(/check\?upload=[\w-]{16}$/)]);
    const files = keptIn(desk).filter((name) => name.endsWith('.csv'));
    expect(files.map((name) => path.basename(name))).toEqual(['pay day.csv']);
    const file = path.join(desk.home, 'sandbox', files[0] ?? '');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect((await visitor.ask(String(kept.headers.location))).text).toContain('Check of <bdi>pay day.csv</bdi>');
    await opened.end();
    expect(keptIn(desk)).toEqual([]);
  });

  const hundredMegabytes = (): Readable =>
    Readable.from(
      (function* () {
        for (let sent = 0; sent < 100; sent++) yield Buffer.alloc(1_048_576, 'x');
      })(),
    );

  test.each([
    ['says so', { 'content-length': String(100 * 1_048_576) }],
    ['says nothing of it', { 'transfer-encoding': 'chunked' }],
  ])('of 100 MB that %s is refused, and nothing of it is kept', async (_, headers) => {
    const desk = await openDesk();
    const opened = await startConsole(desk);
    const visitor = await opened.enter();
    const type = { 'content-type': 'multipart/form-data; boundary=x', origin: opened.origin };
    const { status } = await visitor.ask('check/upload', {
      method: 'POST',
      headers: { ...type, ...headers },
      body: hundredMegabytes(),
    });
    // Who goes on sending is broken off, and may not see the answer.
    expect([413, 'broken off']).toContain(status);
    expect(keptIn(desk).filter((name) => name.includes('upload'))).toEqual([]);
    expect((await visitor.ask('')).status).toBe(200);
  });
});

describe('the server', () => {
  /** Connects, says the beginning of a request and no more. */
  const held = (origin: string): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = createConnection({ port: Number(new URL(origin).port), host: '127.0.0.1' }, () => {
        socket.write('GET / HTTP/1.1\r\nHost:');
        resolve(socket);
      });
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
    });

  test('answers its user while others hold hundreds of connections', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const sockets = await Promise.all(Array.from({ length: 300 }, () => held(opened.origin)));
    expect((await visitor.ask('history')).status).toBe(200);
    await expect.poll(() => sockets.filter(({ closed, destroyed }) => closed || destroyed).length).toBeGreaterThan(230);
  });

  test('does not wait for who says the beginning of a request and no more', async () => {
    const opened = await startConsole(await openDesk());
    const socket = await held(opened.origin);
    const told: Buffer[] = [];
    socket.on('data', (data) => told.push(data));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(Buffer.concat(told).toString()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('listens on this computer alone', async () => {
    const { origin } = await startConsole(await openDesk());
    expect(new URL(origin).hostname).toBe('127.0.0.1');
  });

  test('says which port is taken', async () => {
    const { origin } = await startConsole(await openDesk());
    const { exit, fault } = await (await openDesk()).emit(['console', '--port', new URL(origin).port]);
    expect([exit, fault?.['message']]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
  });
});

test('what a console that died has left behind goes with a purge, once it is old', async () => {
  const desk = await deskWithSheets();
  await desk.emit(['run', 'suppliers.csv']);
  const left = ['console-oldOne', 'console-newOne'].map((name) => path.join(desk.home, 'sandbox', name));
  for (const folder of left) await mkdir(path.join(folder, 'uploads'), { recursive: true });
  const [old = '', young = ''] = left;
  const eightDaysAgo = new Date(systemClock.now() - 8 * 86_400_000);
  await utimes(old, eightDaysAgo, eightDaysAgo);
  expect((await desk.emit(['purge', '--older-than', '60d'])).exit).toBe(0);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

test('what a console that was killed has kept is removed by the next one, and what an open one keeps stays', async () => {
  const desk = await openDesk();
  const open = await startConsole(desk);
  const visitor = await open.enter();
  const kept = await visitor.send('check/upload', { sheet: new File([csvOf(people(2))], 'open.csv') });
  const [theirs = ''] = (await readdir(path.join(desk.home, 'sandbox'))).filter((name) => name.startsWith('console-'));
  const killed = path.join(desk.home, 'sandbox', 'console-killed');
  await mkdir(path.join(killed, 'uploads'), { recursive: true });
  await writeFile(path.join(killed, 'in-use'), '');
  const anHourAgo = new Date(systemClock.now() - 3_600_000);
  for (const folder of [killed, path.join(desk.home, 'sandbox', theirs)]) await utimes(folder, anHourAgo, anHourAgo);
  await startConsole(desk);
  expect(existsSync(killed)).toBe(false);
  expect((await visitor.ask(String(kept.headers.location))).status).toBe(200);
});

describe('the console ends', () => {
  test('by Ctrl-C, with 0', async () => {
    const opened = await startConsole(await openDesk());
    expect((await opened.end()).exit).toBe(0);
    await expect(opened.ask('/')).rejects.toThrow('ECONNREFUSED');
  });

  test('by its button', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const { status, text } = await visitor.send('end', {});
    expect([status, text]).toEqual([200, expect.stringContaining('has ended')]);
    expect((await opened.ended).exit).toBe(0);
  });

  test('when nobody used it for an hour', async () => {
    const clock = leapingClock();
    const desk = await openDesk(clock);
    const opened = await startConsole(desk);
    const visitor = await opened.enter();
    clock.leap(UNUSED_MS - 60_000);
    expect((await visitor.ask('')).status).toBe(200);
    clock.leap(UNUSED_MS + 1000);
    expect((await opened.ended).exit).toBe(0);
    expect(existsSync(desk.home)).toBe(true);
    expect(keptIn(desk)).toEqual([]);
  });
});
