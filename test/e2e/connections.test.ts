/** Every connection that a live run opens: to the two origins of its account, whatever sheet and answers name. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { paidTraces } from '../support/desk/account.ts';
import { openOffice, totalsOf } from '../support/desk/live-office.ts';
import { passOn } from '../support/desk/pass-on.ts';
import { csvOf } from '../support/desk/payroll-sheet.ts';
import { serve, serveTcp } from '../support/loopback.ts';

const TOKEN = '/connect/token';
const portOf = (url: string): number => Number(new URL(url).port);

/** Ports of this machine that this process connects to from now on, and hosts of any other. */
function watchConnections(): ReadonlySet<number | string> {
  const seen = new Set<number | string>();
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    // Also of a connection that fails: where to is known before it is tried.
    socket.on('connectionAttempt', (address: string, port: number) =>
      seen.add(address === '127.0.0.1' ? port : address),
    );
    socket.on('lookup', (_error: unknown, _address: string, _family: unknown, host: string) => seen.add(host));
  };
  subscribe('net.client.socket', note);
  onTestFinished(() => void unsubscribe('net.client.socket', note));
  return seen;
}

/** A live account behind two gates, for payments and tokens, and an address that nobody may ask. */
async function openGuarded(answer: (text: string, trap: string) => string) {
  let trapped = 0;
  const trap = await serveTcp((socket) => {
    trapped += 1;
    socket.destroy();
  });
  const { desk, service } = await openOffice();
  const pays = await serve((asked, response) => passOn(service.url, asked, response, (text) => answer(text, trap)));
  const tokens = await serve((asked, response) => passOn(service.url, asked, response, (text) => answer(text, trap)));
  Object.assign(desk.env, { PAYBATCH_BASE_URL: pays.url, PAYBATCH_TOKEN_URL: `${tokens.url}${TOKEN}` });
  const rows = [1, 2].map((row) => ({
    reference: `${trap}/reference/${row}`,
    name: `Jane ${trap}/name/${row}`,
    phone: `+2547100000${row}5`,
    amount: `${1000 + row}.00`,
  }));
  await desk.write('pay.csv', csvOf(rows));
  return { desk, service, pays, tokens, trap, trapped: () => trapped, run: ['run', 'pay.csv', ...totalsOf(rows)] };
}

describe('a live run', () => {
  test('connects to the origins of payments and tokens alone, whatever a sheet and its answers name', async () => {
    const { desk, service, pays, tokens, trap, trapped, run } = await openGuarded((text, to) => {
      const [also, places] = [`"callbackUrl":"${to}/back"`, ['location', 'next', 'href', 'jwks_uri', 'token_endpoint']];
      const links = places.map((name) => `"${name}":"${to}/${name}"`).join(',');
      return text.replace('{', `{${also},${links},`);
    });
    const seen = watchConnections();
    const told = await desk.emit(run);
    for (const argv of [['status'], ['verify'], ['report'], ['doctor'], ['charges']]) await desk.emit(argv);

    expect(told.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(2);
    expect(tokens.arrived.length).toBeGreaterThan(0);
    expect(new Set(tokens.arrived.map(({ path }) => path))).toEqual(new Set([TOKEN]));
    expect(pays.arrived.some(({ path }) => path === TOKEN)).toBe(false);
    expect(trapped()).toBe(0);
    // The gates are in this process too, and pass on to the service.
    expect(seen).toEqual(new Set([pays.url, tokens.url, service.url].map(portOf)));
    expect(seen.has(portOf(trap))).toBe(false);
  });

  test.each([
    ['a token', TOKEN],
    ['the wallet', 'balance'],
  ])('goes nowhere else when it asks for %s and is sent elsewhere, and sends nothing', async (_, asked) => {
    const elsewhere = await serve((_request, response) => void response.writeHead(500).end());
    const { desk, service } = await openOffice();
    const gate = await serve((arrived, response) => {
      if (!arrived.path.toLowerCase().includes(asked)) return passOn(service.url, arrived, response);
      response.writeHead(307, { location: `${elsewhere.url}${arrived.path}` }).end();
    });
    Object.assign(desk.env, { PAYBATCH_BASE_URL: gate.url });
    await desk.write('pay.csv', csvOf([{ name: 'Jane Otieno', phone: '+254710000015', amount: '1000' }]));
    const seen = watchConnections();
    const { exit } = await desk.emit(['run', 'pay.csv', '--expect-count', '1', '--expect-total', '1000']);

    expect([4, 5, 9]).toContain(exit);
    expect(gate.arrived.some(({ path }) => path.toLowerCase().includes(asked))).toBe(true);
    expect(elsewhere.arrived).toEqual([]);
    expect(seen.has(portOf(elsewhere.url))).toBe(false);
    expect(service.books().orders).toEqual([]);
  });
});

test('the watch sees a connection, also one that fails', async () => {
  const seen = watchConnections();
  const url = await serveTcp((socket) => socket.destroy());
  await fetch(url).catch(() => undefined);
  expect(seen).toEqual(new Set([portOf(url)]));
});
