/** How long a service with a bad moment is asked again before a payment, and what is never asked again. */
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { PATIENCE_MS, patientClient } from '../../src/preflight/patient-client.ts';
import { routesPatienceMs } from '../../src/preflight/routes.ts';
import type { Client } from '../../src/service/client/client.ts';
import type { Reply } from '../../src/service/client/reply.ts';
import { submitOrder } from '../../src/service/contract/payment-order.ts';
import { findRoutes } from '../../src/service/contract/routes.ts';
import { getWalletBalance } from '../../src/service/contract/wallet-balance.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { clientOf, faultOf, priced } from '../support/priced-sheet.ts';

const busy: Reply<never> = { tag: 'ambiguous', status: 500, reason: 'HTTP 500', passing: true };
const taken: Reply<never> = { tag: 'accepted', status: 200, value: undefined as never };

/** A client that gives these answers one after the other, the last of them for ever, and when it was asked. */
function answering(...answers: readonly Reply<never>[]) {
  const clock = new FakeClock();
  const asked: number[] = [];
  const told: RunEvent[] = [];
  const stop = new AbortController();
  const client: Client = {
    call: async () => {
      asked.push(clock.now() - 1_000_000);
      return answers[Math.min(asked.length, answers.length) - 1] ?? taken;
    },
    knows: () => true,
    share: () => 1,
    close: async () => undefined,
  };
  const deps = { clock, emit: (event: RunEvent) => void told.push(event), signal: stop.signal };
  const patient = patientClient(client, deps);
  return { clock, asked, told, stop, patient, patientForRoutes: patientClient(client, deps, routesPatienceMs) };
}

const balance = ({ patient }: ReturnType<typeof answering>) =>
  patient.call(getWalletBalance, { query: { ccy: '404' } });

describe('a question that is not answered', () => {
  test.each<[string, Reply<never>]>([
    ['500', busy],
    ['a connection that breaks', { tag: 'ambiguous', reason: 'ECONNRESET', passing: true }],
    ['429', { tag: 'throttled', status: 429, reason: 'HTTP 429' }],
    ['no token for the moment', { tag: 'not-sent', reason: 'tokenUrl answers 500', passing: true }],
  ])('because of %s is asked again, and told once', async (_, trouble) => {
    const world = answering(trouble, trouble, taken);
    const reply = balance(world);
    await world.clock.pass(PATIENCE_MS);
    expect(await reply).toBe(taken);
    expect(world.asked).toEqual([0, 250, 750]);
    expect(world.told).toEqual([expect.objectContaining({ code: 'asked-again', level: 'warning' })]);
  });

  test('is asked for half a minute, and says so in the end', async () => {
    const world = answering(busy);
    const reply = balance(world);
    await world.clock.pass(2 * PATIENCE_MS);
    expect(await reply).toMatchObject({ tag: 'ambiguous', reason: 'HTTP 500; it was asked 11 times in 30 s' });
    expect(world.asked.at(-1)).toBeLessThanOrEqual(PATIENCE_MS);
    // The time of a whole preflight is not a multiple of that.
    await balance(world);
    expect(world.asked).toHaveLength(12);
  });

  test('waits for as long as the service asks', async () => {
    const world = answering({ tag: 'throttled', status: 429, reason: 'HTTP 429', retryAfterMs: 12_000 }, taken);
    const reply = balance(world);
    await world.clock.pass(PATIENCE_MS);
    expect(await reply).toBe(taken);
    expect(world.asked).toEqual([0, 12_000]);
  });

  test('is given up at once when the service asks for a day', async () => {
    const world = answering({ tag: 'throttled', status: 429, reason: 'HTTP 429', retryAfterMs: 86_400_000 });
    expect(await balance(world)).toMatchObject({ reason: 'HTTP 429; it asks to wait for 24 h' });
    expect(world.asked).toEqual([0]);
    expect(world.told).toEqual([]);
  });

  test('and that the run can do without is asked for 2 s, without a word; its token is waited for', async () => {
    const withoutToken: Reply<never> = { tag: 'not-sent', reason: 'tokenUrl answers 500', passing: true };
    for (const [trouble, tries, words] of [
      [busy, 4, 0],
      [withoutToken, 11, 1],
    ] as const) {
      const world = answering(trouble);
      const reply = world.patientForRoutes.call(findRoutes, {});
      await world.clock.pass(PATIENCE_MS);
      await reply;
      expect([world.asked.length, world.told.length]).toEqual([tries, words]);
    }
  });

  test('is not asked again when it was stopped: that is a Fault', async () => {
    const world = answering(busy);
    const end = faultOf(balance(world));
    await world.clock.pass(100);
    world.stop.abort('SIGINT');
    expect(await end).toMatchObject({ code: 'interrupted' });
    expect(world.asked).toEqual([0]);
  });
});

test.each<Reply<never>>([
  { tag: 'refused', status: 400, reason: 'HTTP 400', problem: { shape: 'reason', complaints: [] } },
  { tag: 'unauthorised', status: 401, reason: 'HTTP 401' },
  { tag: 'ambiguous', status: 404, reason: 'HTTP 404' },
  { tag: 'ambiguous', status: 302, reason: 'HTTP 302' },
  { tag: 'not-sent', reason: 'nothing answers (ECONNREFUSED)' },
])('an answer like $reason is final', async (answer) => {
  const world = answering(answer);
  expect(await balance(world)).toBe(answer);
  expect(world.asked).toEqual([0]);
});

test('a submission of money passes once, whatever is answered', async () => {
  for (const answer of [busy, { tag: 'throttled', status: 429, reason: 'HTTP 429' } as const]) {
    const world = answering(answer);
    expect(await world.patient.call(submitOrder, { rendered: '{}' })).toBe(answer);
    expect(world.asked).toEqual([0]);
    expect(world.told).toEqual([]);
  }
});

describe('preflight over a service that breaks down', () => {
  const SHEET = [
    ['Name', 'Phone', 'Amount'],
    ['Jane', '0712345678', '1500'],
  ];

  test('once at each question, its token first, prices the sheet all the same', async () => {
    const seen = new Set<string>();
    const { url, arrived } = await serve(({ path }, response) => {
      if (!seen.has(path)) {
        seen.add(path);
        return void response.writeHead(502).end('<html>Bad gateway</html>');
      }
      if (path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      if (path.endsWith('/assigned-routes')) return sendJson(response, 404, {});
      const free = { value: 0, rangeLowerLimit: 1, rangeUpperLimit: 1_000_000 };
      if (path.endsWith('/fetch-charges')) return sendJson(response, 200, { graduatedScaleList: [free] });
      return sendJson(response, 200, { status: '00', balance: 1_000_000 });
    });
    const { statement } = await priced(SHEET, clientOf(url));
    expect(statement.count).toBe(1);
    expect(arrived.filter(({ path }) => path !== '/connect/token')).toHaveLength(6);
  });

  test('for good ends with a Fault that says how often it was asked', async () => {
    const { url } = await serve(({ path }, response) =>
      path === '/connect/token'
        ? sendJson(response, 200, { access_token: 't', expires_in: 3600 })
        : void response.writeHead(path.endsWith('/assigned-routes') ? 404 : 500).end(),
    );
    const fault = await faultOf(priced(SHEET, clientOf(url)));
    expect(fault).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(fault.message).toMatch(/the charges: HTTP 500.*; it was asked \d+ times in 30 s\.$/);
  });

  test('and asks to wait for a day says so at once, also where the question could be left out', async () => {
    const { url, arrived } = await serve(({ path }, response) =>
      path === '/connect/token'
        ? sendJson(response, 200, { access_token: 't', expires_in: 3600 })
        : void response.writeHead(429, { 'retry-after': '86400' }).end(),
    );
    const fault = await faultOf(priced(SHEET, clientOf(url)));
    expect(fault.message).toContain('it asks to wait for 24 h');
    expect(fault.remedy).toContain('Wait for as long as the service asks');
    expect(arrived.filter(({ path }) => path !== '/connect/token')).toHaveLength(1);
  });
});
