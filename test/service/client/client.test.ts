/** The client against real servers on loopback, most of which misbehave. */
import { Buffer } from 'node:buffer';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CallInput, type Client, openClient } from '../../../src/service/client/client.ts';
import type { Reply } from '../../../src/service/client/reply.ts';
import { openTransport } from '../../../src/service/client/transport.ts';
import { findOrder, submitOrder } from '../../../src/service/contract/payment-order.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { type Answering, deadUrl, sendJson, serve, serveTcp } from '../../support/loopback.ts';

const TIMEOUT_MS = 400;
/** The exact bytes of a submission: spaces, an escape and a number that printing again would change. */
const BYTES = '{ "originatorConversationId":"a","paymentNotes":"\\u00e9","amount":1.50 }';
const acceptance = { message: { originatorConversationId: 'a' } };

function clientOf(baseUrl: string, tokenUrl = `${baseUrl}/connect/token`): Client {
  const client = openClient(
    {
      baseUrl,
      tokenUrl,
      clientId: 'c',
      clientSecret: 's&=+ü',
      scope: 'x',
      requestTimeoutMs: TIMEOUT_MS,
      ratePerSecond: 0,
    },
    { transport: openTransport(8), clock: systemClock, random: systemRandom },
  );
  onTestFinished(() => client.close());
  return client;
}

const post = (client: Client, more: Partial<CallInput<typeof submitOrder>> = {}): Promise<Reply<unknown>> =>
  client.call(submitOrder, { rendered: BYTES, ...more });
const get = (client: Client): Promise<Reply<unknown>> =>
  client.call(findOrder, { query: { IdType: 'OriginatorConversationId', Id: 'a b&c' } });

/** Answers token requests, and everything else as told. */
async function service(answer: Answering) {
  let tokens = 0;
  const server = await serve((request, response, socket) => {
    if (request.path === '/connect/token') {
      tokens += 1;
      return sendJson(response, 200, { access_token: `tok${tokens}`, expires_in: 3600 });
    }
    return answer(request, response, socket);
  });
  const requests = () => server.arrived.filter(({ path }) => path !== '/connect/token');
  const tokenRequests = () => server.arrived.filter(({ path }) => path === '/connect/token');
  return { ...server, requests, tokenRequests, client: clientOf(server.url) };
}

/** A token service beside an address where raw bytes are answered. */
async function rawService(answer: (request: string) => string | undefined) {
  const tokens = await serve((_request, response) => sendJson(response, 200, { access_token: 'tok' }));
  let posts = 0;
  const url = await serveTcp((socket) => {
    socket.on('data', (data: Buffer) => {
      posts += 1;
      const reply = answer(data.toString());
      if (reply === undefined) socket.resetAndDestroy();
      else socket.end(reply);
    });
  });
  return { client: clientOf(url, `${tokens.url}/connect/token`), posts: () => posts };
}

const withLength = (body: string, length = Buffer.byteLength(body)): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;

describe('a submission', () => {
  test('sends the stored bytes as they are, once, with the token', async () => {
    const { client, requests } = await service((_request, response) => sendJson(response, 200, acceptance));
    expect(await post(client)).toMatchObject({ tag: 'accepted', status: 200 });
    expect(requests()).toMatchObject([{ method: 'POST', body: BYTES, authorization: 'Bearer tok1' }]);
  });

  test.each([
    ['a reset after the request', () => undefined],
    ['an end without an answer', () => ''],
    ['an answer that ends in its body', () => withLength(JSON.stringify(acceptance).slice(0, 9), 500)],
    ['an answer that ends in its headers', () => 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['garbage instead of HTTP', () => '\u0000\u0001 no such protocol\r\n\r\n'],
    ['a chunk that is none', () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['half a chunked body', () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"mes\r\n'],
    ['JSON that is cut off, with an honest length', () => withLength(JSON.stringify(acceptance).slice(0, 20))],
    ['a page', () => withLength('<html>please sign in</html>')],
  ])('whose answer is %s is ambiguous, and is not repeated', async (_name, answer) => {
    const { client, posts } = await rawService(answer);
    expect((await post(client)).tag).toBe('ambiguous');
    // Nothing follows: there is nothing that could be waited for.
    await systemClock.sleep(50);
    expect(posts()).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])('is not sent to the address of a redirect %d', async (status) => {
    const elsewhere = await serve((_request, response) => sendJson(response, 200, acceptance));
    const { client, requests } = await service((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/v1/payment-order/new-order` }).end();
    });
    expect((await post(client)).tag).toBe('ambiguous');
    expect(requests()).toHaveLength(1);
    expect(elsewhere.arrived).toEqual([]);
  });

  test('whose headers do not come in time is ambiguous', async () => {
    const { client, requests } = await service(() => undefined);
    expect((await post(client)).tag).toBe('ambiguous');
    expect(requests()).toHaveLength(1);
  });

  test('whose body trickles for ever is ambiguous', async () => {
    const { client } = await service((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect((await post(client)).tag).toBe('ambiguous');
  });

  test('whose answer is larger than is read is ambiguous, and the client goes on', async () => {
    const padding = 'x'.repeat(1_572_864);
    const { client, requests } = await service((request, response) =>
      request.method === 'POST'
        ? sendJson(response, 200, { ...acceptance, padding })
        : sendJson(response, 200, { originatorConversationId: 'a', orderLines: [] }),
    );
    expect((await post(client)).tag).toBe('ambiguous');
    expect((await get(client)).tag).toBe('accepted');
    expect(requests()).toHaveLength(2);
  });

  test('whose answer is just small enough is read', async () => {
    const { client } = await service((_request, response) =>
      sendJson(response, 200, { ...acceptance, padding: 'x'.repeat(1_000_000) }),
    );
    expect((await post(client)).tag).toBe('accepted');
  });

  test('to a port where nobody listens was not sent', async () => {
    const tokens = await serve((_request, response) => sendJson(response, 200, { access_token: 'tok' }));
    const client = clientOf(await deadUrl(), `${tokens.url}/connect/token`);
    expect(await post(client)).toMatchObject({ tag: 'not-sent', reason: expect.stringContaining('ECONNREFUSED') });
  });

  test('over connections that the server closes while idle arrives exactly once', async () => {
    const { client, requests } = await service((_request, response) => {
      sendJson(response, 200, acceptance);
      setTimeout(() => response.socket?.destroy(), 5);
    });
    for (let i = 0; i < 20; i++) {
      expect(['accepted', 'ambiguous']).toContain((await post(client)).tag);
      await systemClock.sleep(i % 3 === 0 ? 12 : 4);
    }
    expect(requests().length).toBeLessThanOrEqual(20);
  });

  test('that is held back does not leave', async () => {
    const { client, requests } = await service((_request, response) => sendJson(response, 200, acceptance));
    const stop = new AbortController();
    const beforeLeaving = async (): Promise<void> => stop.abort();
    expect((await post(client, { signal: stop.signal, beforeLeaving })).tag).toBe('not-sent');
    expect((await post(client, { signal: AbortSignal.abort() })).tag).toBe('not-sent');
    await expect(post(client, { beforeLeaving: () => Promise.reject(new Error('lease')) })).rejects.toThrow('lease');
    expect(requests()).toEqual([]);
  });

  test('that left lands, although it was stopped meanwhile', async () => {
    const stop = new AbortController();
    const { client } = await service(async (_request, response) => {
      stop.abort();
      // Time in which the stop could break the connection.
      await systemClock.sleep(30);
      sendJson(response, 200, acceptance);
    });
    expect((await post(client, { signal: stop.signal })).tag).toBe('accepted');
  });

  test('that waits for a pause leaves at once, unsent, when it is stopped', async () => {
    const stop = new AbortController();
    const { client, requests } = await service((_request, response) => {
      response.writeHead(429, { 'retry-after': '600' }).end();
    });
    expect((await post(client)).tag).toBe('throttled');
    const waiting = post(client, { signal: stop.signal });
    stop.abort();
    expect((await waiting).tag).toBe('not-sent');
    expect(requests()).toHaveLength(1);
  });
});

describe('a refused token', () => {
  const refusing = (status: number, body = '') =>
    service((_request, response) => void response.writeHead(status).end(body));

  test('lets a look-up be repeated once with a fresh one', async () => {
    const { client, requests, tokenRequests } = await refusing(401);
    expect(await get(client)).toMatchObject({ tag: 'unauthorised', status: 401 });
    expect(requests()).toHaveLength(2);
    expect(tokenRequests()).toHaveLength(2);
  });

  test('never lets a submission be repeated, but the next one has a fresh one', async () => {
    const { client, requests, tokenRequests } = await refusing(401);
    expect(await post(client)).toMatchObject({ tag: 'unauthorised', status: 401 });
    expect(requests()).toHaveLength(1);
    await post(client);
    expect(tokenRequests()).toHaveLength(2);
  });

  test('is dropped whatever else the answer says', async () => {
    const { client, tokenRequests } = await refusing(401, '{"reason":"The token has already expired."}');
    expect((await post(client)).tag).toBe('exists');
    await post(client);
    expect(tokenRequests()).toHaveLength(2);
  });

  test('by 403 is kept: a fresh one would help nothing', async () => {
    const { client, requests, tokenRequests } = await refusing(403);
    expect(await get(client)).toMatchObject({ tag: 'unauthorised', status: 403, forbidden: true });
    await get(client);
    expect(requests()).toHaveLength(2);
    expect(tokenRequests()).toHaveLength(1);
  });

  test('is renewed once for all who had it', async () => {
    let waiting = 0;
    let refuse = true;
    const { client, tokenRequests } = await service(async (_request, response) => {
      if (!refuse) return sendJson(response, 200, { originatorConversationId: 'a', orderLines: [] });
      waiting += 1;
      while (waiting < 8) await systemClock.sleep(2);
      refuse = false;
      return void response.writeHead(401).end();
    });
    const tags = (await Promise.all(Array.from({ length: 8 }, () => get(client)))).map(({ tag }) => tag);
    expect(new Set(tags)).toEqual(new Set(['accepted']));
    expect(tokenRequests()).toHaveLength(2);
  });
});

describe('the token operation', () => {
  /** An API that must not be reached, beside a token service that answers as told. */
  async function without(answer: Answering) {
    const api = await serve((_request, response) => sendJson(response, 200, acceptance));
    const tokens = await serve(answer);
    return { client: clientOf(api.url, `${tokens.url}/connect/token`), api, tokens };
  }

  test('is asked once for many callers, in form encoding', async () => {
    const { client, api, tokens } = await without(async (_request, response) => {
      await systemClock.sleep(20);
      sendJson(response, 200, { access_token: 'tok' });
    });
    await Promise.all(Array.from({ length: 8 }, () => post(client)));
    expect(api.arrived).toHaveLength(8);
    expect(tokens.arrived).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(tokens.arrived[0]?.body))).toEqual({
      client_id: 'c',
      client_secret: 's&=+ü',
      grant_type: 'client_credentials',
      scope: 'x',
    });
  });

  test.each([
    ['an OAuth error 400', 400, { error: 'invalid_client' }, { tag: 'unauthorised', unsent: true }],
    ['an OAuth error 401', 401, { error: 'invalid_client' }, { tag: 'unauthorised', unsent: true }],
    ['an error', 500, {}, { tag: 'not-sent' }],
    ['no token', 200, { token_type: 'Bearer' }, { tag: 'not-sent' }],
    ['too many requests', 429, {}, { tag: 'not-sent' }],
  ])('that answers %s keeps the request from leaving', async (_name, status, body, expected) => {
    const { client, api } = await without((_request, response) => sendJson(response, status, body));
    expect(await post(client)).toMatchObject(expected);
    expect(api.arrived).toEqual([]);
  });
});

describe('a look-up', () => {
  test('carries its query as it is meant', async () => {
    const { client, requests } = await service((_request, response) =>
      sendJson(response, 200, { originatorConversationId: 'a', orderLines: [] }),
    );
    await get(client);
    expect(Object.fromEntries(requests()[0]?.query ?? [])).toEqual({ IdType: 'OriginatorConversationId', Id: 'a b&c' });
  });

  test('waits as long as a throttled submission was told to', async () => {
    const at: Record<string, number> = {};
    const { client } = await service((request, response) => {
      at[request.method] = systemClock.monotonicMs();
      if (request.method === 'POST') response.writeHead(429, { 'retry-after': '1' }).end();
      else sendJson(response, 200, { originatorConversationId: 'a', orderLines: [] });
    });
    await post(client);
    expect((await get(client)).tag).toBe('accepted');
    // A timer may be a millisecond early; without the pause it is a few.
    expect((at['GET'] ?? 0) - (at['POST'] ?? 0)).toBeGreaterThan(900);
  });
});
