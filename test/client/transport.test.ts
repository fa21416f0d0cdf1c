import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchange, openTransport } from '../../src/client/transport.ts';
import { type Answering, serve } from '../support/loopback.ts';

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
