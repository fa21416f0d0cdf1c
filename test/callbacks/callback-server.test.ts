import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CallbackTimes, startCallbackServer } from '../../src/callbacks/callback-server.ts';
import { CALLBACK_BYTES_MAX } from '../../src/callbacks/inbox.ts';
import type { CallbackTopic } from '../../src/service/contract/callback-bodies.ts';
import { systemClock } from '../../src/system.ts';

const SECRET = 'AbCdEfGhIjKlMnOpQrStUvWxYz012345';
const quick: CallbackTimes = { headersMs: 150, requestMs: 200, idleMs: 100, checkMs: 30 };

type Taken = readonly [text: string, topic: CallbackTopic | undefined];

async function start(take: (text: string) => Promise<number> = async () => 200, times?: CallbackTimes) {
  const taken: Taken[] = [];
  const turnedAway: number[] = [];
  const server = await startCallbackServer({
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    clock: systemClock,
    names: ['pay.example.test'],
    ...(times && { times }),
    take(body, topic) {
      const text = Buffer.from(body).toString();
      taken.push([text, topic]);
      return take(text);
    },
    turnedAway: (status) => turnedAway.push(status),
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= server.close();
    return closing;
  };
  onTestFinished(close);
  const origin = server.url.slice(0, -SECRET.length - 1);
  return { ...server, close, origin, port: Number(new URL(origin).port), taken, turnedAway };
}

async function post(url: string, body = '{}', init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, ...init });
  expect(await response.text()).toBe('');
  return response.status;
}

/** The status of a request with headers that `fetch` would not let us choose. */
async function statusUnder(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', headers }).end('{}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** A connection of our own hands, closed after the test. */
async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The other side may hang up on us first: that is what is tested.
  socket.on('error', () => socket.destroy());
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function allOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const head = (length: number | 'chunked', path = `/${SECRET}/bill`): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;

describe('an address', () => {
  test.each<[string, CallbackTopic | undefined]>([
    ['', undefined],
    ['/', undefined],
    ['/bill', 'bill'],
    ['/bill/', 'bill'],
    ['/airtime?hash=1', 'airtime'],
    ['/checkout', 'checkout'],
    ['/checkout/cart', 'checkout'],
    ['/checkout/cart?signature=x', 'checkout'],
  ])('with the secret and "%s" is taken', async (path, topic) => {
    const { url, taken } = await start();
    expect(await post(url + path, '{"a":1}')).toBe(200);
    expect(taken).toEqual([['{"a":1}', topic]]);
  });

  test.each([
    ['without anything', '/'],
    ['without the secret', '/bill'],
    ['with another secret', `/${SECRET.toLowerCase()}/bill`],
    ['with the secret and more', `/${SECRET}x/bill`],
    ['with a part of the secret', `/${SECRET.slice(1)}/bill`],
    ['with the secret in second place', `/x/${SECRET}/bill`],
    ['with an unknown topic', `/${SECRET}/payday`],
    ['with a name that every object has', `/${SECRET}/constructor`],
    ['with a topic in capitals', `/${SECRET}/BILL`],
    ['with something after the topic', `/${SECRET}/bill/cart`],
    ['with something after the checkout', `/${SECRET}/checkout/cart/x`],
  ])('%s does not exist', async (_, path) => {
    const { origin, taken, turnedAway } = await start();
    expect(await post(origin + path)).toBe(404);
    expect(taken).toEqual([]);
    expect(turnedAway).toEqual([404]);
  });

  test('takes POST alone, and only says so to those who know the secret', async () => {
    const { url, origin, taken } = await start();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      expect((await fetch(`${url}/bill`, { method })).status).toBe(405);
      expect((await fetch(`${origin}/other/bill`, { method })).status).toBe(404);
    }
    expect(taken).toEqual([]);
  });

  test.each([
    ['of this machine', 'localhost', 200],
    ['by which the service calls', 'pay.example.test', 200],
    ['that leads here and is not ours', 'rebound.example.test', 421],
    ['of another machine', '10.0.0.7', 421],
  ])('is ours under a name %s', async (_, name, status) => {
    const { url, port, turnedAway } = await start();
    expect(await statusUnder(`${url}/bill`, { host: `${name}:${port}` })).toBe(status);
    expect(await statusUnder(`${url.slice(0, -1)}/bill`, { host: name })).toBe(404);
    expect(turnedAway).toEqual(status === 200 ? [404] : [status, 404]);
  });

  test('is not for pages of the web', async () => {
    const { url, origin, taken } = await start();
    for (const from of ['https://evil.example.test', 'null', origin]) {
      expect(await statusUnder(`${url}/bill`, { origin: from })).toBe(403);
    }
    expect(taken).toEqual([]);
  });

  test('that another one listens on is a usage error', async () => {
    const { port } = await start();
    const second = startCallbackServer({
      host: '127.0.0.1',
      port,
      secret: SECRET,
      clock: systemClock,
      take: async () => 200,
      turnedAway: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('EADDRINUSE') });
  });
});

describe('a body', () => {
  test('is taken up to its limit, and not a byte more', async () => {
    const { url, taken, turnedAway } = await start();
    expect(await post(`${url}/bill`, 'x'.repeat(CALLBACK_BYTES_MAX))).toBe(200);
    expect(await post(`${url}/bill`, 'x'.repeat(CALLBACK_BYTES_MAX + 1))).toBe(413);
    expect(taken.map(([text]) => text.length)).toEqual([CALLBACK_BYTES_MAX]);
    expect(turnedAway).toEqual([413]);
  });

  test('that says how long it is is not waited for when that is too long', async () => {
    const { port, taken } = await start();
    const socket = await dial(port);
    const said = allOf(socket);
    socket.write(head(10_000_000));
    expect(await said).toContain('413 ');
    expect(taken).toEqual([]);
  });

  test('in pieces is cut off at the limit', async () => {
    const { port, taken } = await start();
    const socket = await dial(port);
    const said = allOf(socket);
    socket.write(head('chunked'));
    const piece = 'x'.repeat(16_000);
    for (let sent = 0; sent <= CALLBACK_BYTES_MAX; sent += piece.length) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    expect(await said).toContain('413 ');
    expect(taken).toEqual([]);
  });

  test('in pieces is put together, whatever type it claims to have', async () => {
    const { url, taken } = await start();
    const sending = request(`${url}/bill`, { method: 'POST', headers: { 'content-type': 'text/plain' } });
    sending.write('{"a":');
    sending.end('1}');
    const [response] = await once(sending, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    expect(taken).toEqual([['{"a":1}', 'bill']]);
  });

  test('that is compressed is not taken', async () => {
    const { url, taken } = await start();
    expect(await post(`${url}/bill`, '{}', { headers: { 'content-encoding': 'gzip' } })).toBe(415);
    expect(taken).toEqual([]);
  });

  test('that breaks off is not taken, and the next one is', async () => {
    const { url, port, taken } = await start();
    const socket = await dial(port);
    socket.write(`${head(100)}{"a":`);
    socket.destroy();
    expect(await post(`${url}/bill`)).toBe(200);
    expect(taken).toEqual([['{}', 'bill']]);
  });
});

describe('a client that is in no hurry', () => {
  test.each([
    ['says nothing', ''],
    ['never ends its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX: '],
    ['never ends its body', `${head(100)}{"a":`],
    ['never ends its body in pieces', `${head('chunked')}5\r\n{"a":\r\n`],
  ])('and %s is hung up on', async (_, text) => {
    const { url, port, taken } = await start(undefined, quick);
    const socket = await dial(port);
    if (text !== '') socket.write(text);
    expect(await allOf(socket)).toMatch(/^(?:HTTP\/1\.1 408 Request Timeout\r\n[^{]*)?$/);
    expect(taken).toEqual([]);
    // A busy client may be too slow for such a server as well, and comes again.
    await expect.poll(() => post(`${url}/bill`)).toBe(200);
  });

  test('and comes in great numbers gets 256 connections at a time, and shuts nobody out', async () => {
    const { url, port, turnedAway } = await start(undefined, { ...quick, headersMs: 10_000, requestMs: 10_000 });
    const sockets = await Promise.all(Array.from({ length: 300 }, () => dial(port)));
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(44);
    expect(await post(`${url}/bill`, '{}', { headers: { connection: 'close' } })).toBe(200);
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(45);
    expect(turnedAway).toEqual(Array(45).fill(503));
  });

  test('never takes the place of a request that is worked on', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const patient = { ...quick, headersMs: 10_000, requestMs: 10_000 };
    const { url, port, taken } = await start(() => promise, patient);
    const posted = post(`${url}/bill`);
    await expect.poll(() => taken.length).toBe(1);
    const sockets = await Promise.all(Array.from({ length: 300 }, () => dial(port)));
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(45);
    resolve(200);
    expect(await posted).toBe(200);
  });

  test('with more headers than anybody needs is refused', async () => {
    const { origin, taken } = await start();
    const response = await fetch(`${origin}/x`, { method: 'POST', headers: { 'x-long': 'x'.repeat(10_000) } });
    expect(response.status).toBe(431);
    expect(taken).toEqual([]);
  });
});

describe('the answer', () => {
  test.each([200, 400, 503])('is what became of the body: %i', async (status) => {
    const { url } = await start(async () => status);
    expect(await post(`${url}/order`)).toBe(status);
  });

  test('comes when the body is dealt with, also while the receiver is being closed', async () => {
    const { promise: dealtWith, resolve } = Promise.withResolvers<number>();
    const { url, close, taken } = await start(() => dealtWith);
    const answered = post(`${url}/order`);
    while (taken.length === 0) await new Promise((wake) => setTimeout(wake, 5));
    const closed = close();
    resolve(200);
    expect(await answered).toBe(200);
    await closed;
    await expect(post(`${url}/order`)).rejects.toThrow();
  });

  test('is missing when there is a bug, which is not hidden', async () => {
    const bug = new Error('a bug');
    const { url, broken } = await start(async () => {
      throw bug;
    }, quick);
    const unanswered = post(`${url}/order`).catch(() => undefined);
    await expect(broken).rejects.toBe(bug);
    await unanswered;
  });
});
