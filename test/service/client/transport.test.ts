import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchange, openTransport } from '../../../src/service/client/transport.ts';
import { type Answering, serve } from '../../support/loopback.ts';

const TIMEOUT_MS = 400;

/** What comes of a second request on a connection that is open already, so that connecting takes none of its time. */
async function secondExchange(answer: Answering): Promise<Exchange> {
  const { url } = await serve((request, response, socket) => {
    if (request.path === '/first') response.end('{}');
    else return answer(request, response, socket);
  });
  const transport = openTransport(1);
  onTestFinished(() => transport.close());
  const exchange = (path: string) =>
    transport.exchange({ method: 'GET', origin: url, path, headers: {}, timeoutMs: TIMEOUT_MS });
  expect(await exchange('/first')).toMatchObject({ tag: 'answered', status: 200, body: '{}' });
  return exchange('/second');
}

describe('an exchange', () => {
  test('gives head and each further part of an answer the time of the request', async () => {
    const asked: unknown[] = [];
    const note = (message: unknown): unknown => asked.push((message as { readonly request: unknown }).request);
    subscribe('undici:request:create', note);
    onTestFinished(() => void unsubscribe('undici:request:create', note));
    await secondExchange((_, response) => void response.end('{}'));
    const times = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    expect(asked).toMatchObject([times, times]);
  });

  test.each<[string, Answering]>([
    ['before the head', () => undefined],
    ['before the end', (_, response) => void response.writeHead(200).write('{')],
  ])('is ended when an answer stops %s', async (_, answer) => {
    // Which of the two limits it is hangs on undici's clock, whose ticks are longer than this test.
    const codes = /^(UND_ERR_(HEADERS|BODY)_TIMEOUT|TimeoutError)$/;
    expect(await secondExchange(answer)).toMatchObject({ tag: 'failed', code: expect.stringMatching(codes) });
  });

  test('is ended after twice its time, however many parts still come', async () => {
    const exchange = await secondExchange((_, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write(' '), TIMEOUT_MS / 20);
      response.once('close', () => clearInterval(dripping));
    });
    expect(exchange).toMatchObject({ tag: 'failed', code: 'TimeoutError' });
  });

  test('never leaves when its time was over before a connection was free', async () => {
    const answered = Promise.withResolvers<void>();
    const paths: string[] = [];
    const { url } = await serve(async ({ path }, response) => {
      paths.push(path);
      if (path === '/slow') await answered.promise;
      response.end('{}');
    });
    const transport = openTransport(1);
    onTestFinished(() => transport.close());
    const exchange = (path: string, timeoutMs: number) =>
      transport.exchange({ method: 'GET', origin: url, path, headers: {}, timeoutMs });
    const slow = exchange('/slow', 60_000);
    expect(await exchange('/waits', TIMEOUT_MS / 10)).toMatchObject({ tag: 'failed', code: 'TimeoutError' });
    answered.resolve();
    expect(await slow).toMatchObject({ tag: 'answered', status: 200 });
    expect(await exchange('/after', TIMEOUT_MS)).toMatchObject({ tag: 'answered', status: 200 });
    expect(paths).toEqual(['/slow', '/after']);
  });

  test.each([
    ['whole, where it is as long as is read', 1_048_576, false],
    ['in its beginning, where it is longer', 1_048_577, true],
  ])('gives an answer %s', async (_, bytes, oversized) => {
    const exchange = await secondExchange((_request, response) => void response.end('a'.repeat(bytes)));
    expect(exchange).toMatchObject({ tag: 'answered', oversized });
    if (exchange.tag !== 'answered') return;
    expect(exchange.body.length <= 1_048_576 && /^a+$/.test(exchange.body)).toBe(true);
    if (!oversized) expect(exchange.body).toHaveLength(bytes);
  });
});

/** What comes of an answer with these bytes, called packed this way. */
const packedAnswer = (encoding: string, bytes: Buffer): Promise<Exchange> =>
  secondExchange((_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bytes));

describe('a packed answer', () => {
  const json = '{"message":"Asante, Wanjikũ"}';

  test('is not asked for', async () => {
    const asked: unknown[] = [];
    await secondExchange((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.end('{}');
    });
    expect(asked).toEqual(['identity']);
  });

  test.each([
    ['gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['gzip', Buffer.concat([gzipSync(json.slice(0, 9)), gzipSync(json.slice(9))])],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
    ['gzip', gzipSync(`\ufeff${json}`)],
  ])('by %s is read as what it says', async (encoding, bytes) => {
    expect(await packedAnswer(encoding, bytes)).toMatchObject({ tag: 'answered', body: json, oversized: false });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('by %s is held to the bound of an answer while it is unpacked', async (encoding, pack) => {
    const fits = await packedAnswer(encoding, pack('a'.repeat(1_048_576)));
    expect(fits).toMatchObject({ tag: 'answered', body: 'a'.repeat(1_048_576), oversized: false });
    // Eight times the bound, in a few hundred bytes.
    const bomb = await packedAnswer(encoding, pack(Buffer.alloc(8 * 1_048_576)));
    expect(bomb).toMatchObject({ tag: 'answered', body: '', oversized: true });
  });

  test.each([
    ['gzip', Buffer.from(json)],
    ['gzip', gzipSync(json).subarray(0, -9)],
    ['deflate', Buffer.from(json)],
    ['br', Buffer.from(json)],
    ['br', gzipSync(json)],
    ['zstd', Buffer.from(json)],
    ['gzip, br', gzipSync(brotliCompressSync(json))],
    ['toString', Buffer.from(json)],
  ])('that is called %s and cannot be unpacked as that has no text', async (encoding, bytes) => {
    const exchange = await packedAnswer(encoding, bytes);
    expect(exchange).toMatchObject({ tag: 'answered', body: '', unread: expect.any(String) });
  });

  test('without a byte is empty, whatever it is called', async () => {
    const exchange = await packedAnswer('gzip', Buffer.alloc(0));
    expect(exchange).toMatchObject({ tag: 'answered', body: '' });
    expect(exchange).not.toHaveProperty('unread');
  });
});

test('a byte order mark before an answer is no part of it, and a second one is', async () => {
  const exchangeOf = (text: string) => secondExchange((_, response) => void response.end(text));
  expect(await exchangeOf('\ufeff{}')).toMatchObject({ body: '{}' });
  expect(await exchangeOf('\ufeff\ufeff{}')).toMatchObject({ body: '\ufeff{}' });
});
