/** The practice service listens where other users of the machine and every web page can reach it. */
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Practice, practise } from './practice.ts';

/** The status of a request with exactly these headers, which `fetch` would not let us choose. */
function statusOf(
  practice: Practice,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const method = body === undefined ? 'GET' : 'POST';
  const request = httpRequest(practice.sandbox.url + path, { method, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.on('error', reject).end(body);
  return promise;
}

const controls = [
  ['GET', 'books'],
  ['POST', 'scenario'],
  ['POST', 'checkouts/c/pay'],
  ['GET', 'nothing'],
] as const;

describe('the controls', () => {
  test.each(controls)('%s %s want the token of this start', async (method, name) => {
    const practice = await practise();
    const { controlToken } = practice.sandbox;
    for (const authorization of [
      '',
      'Bearer x',
      `Bearer ${controlToken.slice(0, -1)}x`,
      controlToken,
      practice.bearer['authorization'],
    ]) {
      const headers = authorization ? { authorization } : { authorization: 'none' };
      const answer = await practice.send(`/__sandbox/${name}`, { method, headers });
      expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['message']]);
    }
    expect((await practice.send(`/__sandbox/${name}`, { method })).status).not.toBe(401);
  });

  test('are of no use to a token of the interface, nor is theirs to the interface', async () => {
    const practice = await practise();
    const headers = { authorization: `Bearer ${practice.sandbox.controlToken}` };
    expect((await practice.send('/v1/customer-accounts/get-wallet-balance?currencyCode=KES', { headers })).status).toBe(
      401,
    );
  });
});

describe('a request', () => {
  const path = '/__sandbox/books';
  const hosts: readonly (readonly [string, (port: string) => string, number])[] = [
    ['its own address', (port) => `127.0.0.1:${port}`, 200],
    ['this machine by name', (port) => `LocalHost:${port}`, 200],
    ['a name that leads here', (port) => `rebound.example.test:${port}`, 403],
    ['another port', () => '127.0.0.1:1', 403],
    ['its address without the port', () => '127.0.0.1', 403],
    ['every address', (port) => `0.0.0.0:${port}`, 403],
  ];
  test.each(hosts)('for %s is answered as such', async (_, hostAt, status) => {
    const practice = await practise();
    const { port } = new URL(practice.sandbox.url);
    const headers = { authorization: `Bearer ${practice.sandbox.controlToken}`, host: hostAt(port) };
    expect(await statusOf(practice, path, headers)).toBe(status);
    // The interface itself as well: its credentials are the same on every machine.
    expect(await statusOf(practice, '/connect/token', { host: hostAt(port) })).toBe(status === 200 ? 405 : 403);
  });

  test.each(['https://evil.example.test', 'null', 'own'])('of a web page is refused: %s', async (origin) => {
    const practice = await practise();
    const headers = {
      authorization: `Bearer ${practice.sandbox.controlToken}`,
      origin: origin === 'own' ? practice.sandbox.url : origin,
    };
    expect(await statusOf(practice, path, headers)).toBe(403);
    expect(await statusOf(practice, path, headers, 'x'.repeat(1_048_577))).toBe(403);
  });
});
