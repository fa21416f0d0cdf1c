import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTransport } from '../../../src/service/client/transport.ts';
import { judge } from '../../../src/service/client/verdict.ts';
import { submitOrder } from '../../../src/service/contract/payment-order.ts';
import { selfSigned } from '../../support/self-signed.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A service behind a certificate that nobody vouches for. */
async function unverifiable() {
  let requests = 0;
  const server = createServer(selfSigned(), (_, response) => {
    requests += 1;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`https://127.0.0.1:${port}/v1/payment-order/new-order`), requests: () => requests };
}

describe('a submission to a service whose certificate nobody vouches for', () => {
  test.each([
    ['', undefined],
    [', though the environment says to trust everybody,', '0'],
  ])('is not sent%s', async (_, trust) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', trust);
    const service = await unverifiable();
    const transport = openTransport(1);
    onTestFinished(() => transport.close());
    const { origin, pathname: path, host } = service.url;
    const exchange = await transport.exchange({
      ...{ method: 'POST', origin, path },
      ...{ headers: {}, body: '{}', timeoutMs: 5_000 },
    });
    expect(judge(submitOrder, exchange)).toEqual({
      tag: 'not-sent',
      reason: `the certificate of ${host} is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(service.requests()).toBe(0);
  });
});
