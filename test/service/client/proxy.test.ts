/** The proxy of a profile: everything goes through it in tunnels, and what it cannot do is told as its own trouble. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkedProxy } from '../../../src/service/client/address.ts';
import { openTransport } from '../../../src/service/client/transport.ts';
import { judge } from '../../../src/service/client/verdict.ts';
import { submitOrder } from '../../../src/service/contract/payment-order.ts';
import { deadUrl, serve } from '../../support/loopback.ts';
import { openProxy } from '../../support/proxy.ts';
import { selfSigned } from '../../support/self-signed.ts';

/** A submission to an address, through a proxy. */
async function submitted(origin: string, proxy: string) {
  const transport = openTransport(2, proxy);
  onTestFinished(() => transport.close());
  return transport.exchange({ method: 'POST', origin, path: '/new-order', headers: {}, body: '{}', timeoutMs: 5_000 });
}

describe('a request through a proxy', () => {
  test('reaches the service in a tunnel', async () => {
    const { url, arrived } = await serve((_, response) => void response.end('{"a":1}'));
    const proxy = await openProxy();
    expect(await submitted(url, proxy.url)).toMatchObject({ tag: 'answered', status: 200, body: '{"a":1}' });
    expect(proxy.asked).toEqual([new URL(url).host]);
    expect(arrived).toHaveLength(1);
  });

  test('does not reach a service whose certificate nobody vouches for: the proxy may lead anywhere', async () => {
    let requests = 0;
    const server = createServer(selfSigned(), (_, response) => {
      requests += 1;
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const proxy = await openProxy({ leadsTo: (server.address() as AddressInfo).port });
    const reply = judge(submitOrder, await submitted('https://pay.example.test', proxy.url));
    expect(reply).toMatchObject({
      tag: 'not-sent',
      reason: expect.stringContaining('the certificate of pay.example.test:443 is self-signed'),
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(proxy.asked).toEqual(['pay.example.test:443']);
    expect(requests).toBe(0);
  });

  test.each([
    [407, 'asks for a name and a password'],
    [403, 'does not let this computer through'],
    [502, 'does not let this computer through'],
  ])(
    'that the proxy answers with %i is told as its word, and never as an acceptance or a refusal',
    async (answer, says) => {
      const { url, arrived } = await serve((_, response) => void response.end('{}'));
      const proxy = await openProxy({ answer });
      const reply = judge(submitOrder, await submitted(url, proxy.url));
      expect(reply).toMatchObject({ tag: 'ambiguous', reason: expect.stringContaining(says) });
      expect(reply).toMatchObject({ reason: expect.stringContaining(new URL(proxy.url).host) });
      expect(arrived).toEqual([]);
    },
  );

  test('that is not there is not sent, and names the proxy', async () => {
    const proxy = await deadUrl();
    const reply = judge(submitOrder, await submitted('https://pay.example.test', proxy));
    expect(reply).toMatchObject({
      tag: 'not-sent',
      reason: `nothing answers at the proxy ${new URL(proxy).host} (ECONNREFUSED)`,
    });
  });
});

describe('the address of a proxy', () => {
  const https = ['https://pay.example.test/api'];

  test.each([
    ['http://proxy.acme.example:3128', 'http://proxy.acme.example:3128'],
    ['http://proxy.acme.example:3128/', 'http://proxy.acme.example:3128'],
    ['https://PROXY.acme.example', 'https://proxy.acme.example'],
  ])('%s is taken', (text, address) => {
    expect(checkedProxy(text, 'proxy', https)).toBe(address);
  });

  test.each([
    ['proxy.acme.example:3128', /is not the address of a proxy/],
    ['socks5://proxy.acme.example', /is not the address of a proxy/],
    ['http://jane:pw@proxy.acme.example', /holds credentials/],
    ['http://proxy.acme.example/proxy.pac', /more than a host and a port/],
    ['http://proxy.acme.example?a', /more than a host and a port/],
  ])('%s is not', (text, message) => {
    expect(() => checkedProxy(text, 'proxy', https)).toThrow(message);
  });

  test('of another machine is not taken where a service is not reached by https', () => {
    const open = ['http://127.0.0.1:8080', ...https];
    expect(() => checkedProxy('http://proxy.acme.example:3128', 'proxy', open)).toThrow(/unencrypted/);
    expect(checkedProxy('http://127.0.0.1:3128', 'proxy', open)).toBe('http://127.0.0.1:3128');
  });
});
