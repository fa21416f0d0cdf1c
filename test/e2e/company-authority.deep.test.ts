/** A service whose certificate only the company's own authority vouches for, and the two ways to make that known. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { paybatchCommand, programEnv } from '../support/desk/program.ts';
import { selfSigned } from '../support/self-signed.ts';

/** What `paybatch balance` says of a service that refuses everybody, with more in its environment. `FILE` stands for the authority. */
async function askedWith(
  more: Readonly<Record<string, string>>,
): Promise<{ readonly said: string; readonly asked: number }> {
  let asked = 0;
  const certificate = selfSigned();
  const server = createServer(certificate, (_, response) => {
    asked += 1;
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const desk = await openDesk();
  const authority = await desk.write('acme-ca.pem', certificate.cert);
  const secret = await desk.write('secret', 'not-a-real-one');
  const [node = '', ...argv] = paybatchCommand;
  const child = spawn(node, [...argv, 'balance'], {
    cwd: desk.folder,
    env: {
      ...programEnv,
      ...desk.env,
      PAYBATCH_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PAYBATCH_CLIENT_ID: 'acme',
      PAYBATCH_CLIENT_SECRET_FILE: secret,
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value.replace('FILE', authority)])),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  return { said, asked };
}

describe('the authority of a company', () => {
  test.each([
    ['a file of the environment', { NODE_EXTRA_CA_CERTS: 'FILE' }],
    ['those of the system, which are elsewhere here', { NODE_USE_SYSTEM_CA: '1', SSL_CERT_FILE: 'FILE' }],
  ])('counts by %s', async (_, env) => {
    const { said, asked } = await askedWith(env);
    expect(said).toContain('refused the credentials');
    expect(asked).toBeGreaterThan(0);
  });

  test.each([
    ['nothing', {}],
    ['a word that trusts everybody', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('does not count by %s, and nobody is told the secret', async (_, env) => {
    const { said, asked } = await askedWith(env);
    expect(said).toContain('NODE_EXTRA_CA_CERTS');
    expect(said).toContain('Nothing was sent.');
    expect(asked).toBe(0);
  });
});
