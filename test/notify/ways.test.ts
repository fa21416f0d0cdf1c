import { afterAll, describe, expect, test } from 'vitest';
import { notifyByCommand } from '../../src/notify/command.ts';
import { notifyByMail } from '../../src/notify/mail.ts';
import { notifyByWebhook, webhookHeaders, webhookKey } from '../../src/notify/webhook.ts';
import { openTransport } from '../../src/service/client/transport.ts';
import { mailServer } from '../support/desk/mail-server.ts';
import { sendJson, serve } from '../support/loopback.ts';

const notification = {
  id: 'msg_1',
  at: 1_796_018_400_000,
  body: '{"type":"payment.test"}',
  subject: 'A test',
  text: 'No money.\n',
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('a webhook', () => {
  const transport = openTransport(1);
  afterAll(() => transport.close());
  const waits: number[] = [];
  const clock = {
    now: () => notification.at + 60_000,
    monotonicMs: () => 0,
    sleep: async (ms: number) => void waits.push(ms),
  };
  const emit = (url: string, key = secret) =>
    notifyByWebhook({ url, secret: key }, notification, { transport, clock, timeoutMs: 2000 });

  test('is signed as the example of Standard Webhooks is', () => {
    const key = webhookKey(secret) ?? Buffer.alloc(0);
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' };
    expect(webhookHeaders(key, example)).toMatchObject({
      'webhook-id': example.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is tried again under its id where the other side is in trouble, and signed anew', async () => {
    const { url, arrived } = await serve((_, response) => sendJson(response, arrived.length < 3 ? 503 : 200, {}));
    expect(await emit(`${url}/hook`)).toEqual({});
    expect(arrived.map(({ path, body }) => [path, body])).toEqual(Array(3).fill(['/hook', notification.body]));
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(arrived.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      '1796018400',
      '1796018460',
      '1796018460',
    ]);
    expect(waits.splice(0)).toEqual([1000, 5000]);
  });

  test('is given up after three tries, and at once where it is refused', async () => {
    const { url, arrived } = await serve(({ path }, response) => sendJson(response, path === '/no' ? 400 : 500, {}));
    expect(await emit(`${url}/no`)).toEqual({ failed: 'it answered 400' });
    expect(arrived).toHaveLength(1);
    expect(await emit(`${url}/down`)).toEqual({ failed: 'it answered 500' });
    expect(arrived).toHaveLength(4);
  });

  test('never sends what it cannot sign', async () => {
    const { url, arrived } = await serve((_, response) => sendJson(response, 200, {}));
    for (const key of ['', 'password', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${Buffer.alloc(65).toString('base64')}`])
      expect(await emit(url, key)).toEqual({ failed: expect.stringContaining('its secret is not valid') });
    expect(arrived).toEqual([]);
  });
});

describe('a command', () => {
  const program = (code: string): readonly string[] => [process.execPath, '-e', code];
  const emit = (argv: readonly string[], timeoutMs = 20_000) =>
    notifyByCommand({ argv, env: { GIVEN: 'yes' } }, notification, { timeoutMs });

  test('reads the event on its stdin, and has our arguments and no more of our environment than it was given', async () => {
    const reading = `const text = require('node:fs').readFileSync(0, 'utf8');
      const { GIVEN, HOME } = process.env;
      process.exit(text === '{"type":"payment.test"}\\n' && GIVEN === 'yes' && HOME === undefined && process.argv[1] === '$(id); "x"' ? 0 : 9)`;
    expect(await emit([...program(reading), '$(id); "x"'])).toEqual({});
  });

  test.each([
    ['ends with an error', program('process.exit(3)'), 'it ended with 3'],
    ['is not there', ['/no/such/program'], 'it cannot be started (ENOENT)'],
  ])('that %s is told as such', async (_, argv, failed) => {
    expect(await emit(argv)).toEqual({ failed });
  });

  test('that does not end is ended', async () => {
    expect(await emit(program('setInterval(() => {}, 1000)'), 300)).toEqual({
      failed: 'it was stopped by SIGKILL; its time limit is 300 ms',
    });
  });
});

describe('a mail', () => {
  const to = ['finance@acme.example', 'cfo@acme.example'];
  const emit = (server: string) =>
    notifyByMail({ server, from: 'paybatch@acme.example', to }, notification, { timeoutMs: 5000 });

  test('goes to everybody who is named', async () => {
    const { url, lines } = await mailServer();
    expect(await emit(url)).toEqual({});
    expect(lines.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<paybatch@acme.example>',
      ...to.map((one) => `RCPT TO:<${one}>`),
    ]);
    expect(lines).toContain('Subject: A test');
    expect(lines).toContain('No money.');
  });

  test('that is refused is told by the code alone', async () => {
    const { url } = await mailServer('MAIL');
    const { failed = '' } = await emit(url);
    expect(failed).toMatch(/\(E\w+\)$/);
    expect(failed).not.toContain('acme');
  });

  test('is not sent in the clear to another machine', async () => {
    // Loopback as well, and not an address that counts as this machine.
    const { url, lines } = await mailServer(undefined, '127.0.0.2');
    expect(await emit(url)).toEqual({ failed: expect.stringContaining('could not be used') });
    expect(lines.some((line) => line.startsWith('EHLO'))).toBe(true);
    expect(lines.filter((line) => /^(?:MAIL|DATA)/.test(line))).toEqual([]);
  });
});
