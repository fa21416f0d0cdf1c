/** What the service's own list of routes does to a run, at the desk. */
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { quickProfile } from '../support/desk/account.ts';
import type { JsonLine, Told } from '../support/desk/command-line.ts';
import { openOffice, pay, unhurried } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';
import { sendJson, serve } from '../support/loopback.ts';

/** The service, but for its list of routes, which is answered as a test wants. */
async function behind(service: Sandbox, listed: (own: JsonLine) => readonly [status: number, body: unknown]) {
  return serve(async ({ method, path, query, authorization, body }, response) => {
    const answer = await fetch(`${service.url}${path}?${query}`, {
      method,
      headers: {
        'content-type': path === '/connect/token' ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(authorization !== undefined && { authorization }),
      },
      ...(method !== 'GET' && { body }),
    });
    const text = await answer.text();
    if (path.endsWith('/assigned-routes')) sendJson(response, ...listed(JSON.parse(text)));
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
}

const warningsOf = ({ events }: Told): readonly unknown[] =>
  events.flatMap(({ type, level, message }) => (type === 'notice' && level === 'warning' ? [message] : []));

const ROWS = 2;
/** The silence of a first batch, a minute here, passes in one second. */
const HASTE = 60;
const postsOf = (service: Sandbox): number => service.books().requests['submit-order'] ?? 0;

describe('a sheet whose kind has a route', () => {
  test.each([
    ['that nobody assigned', { routeId: 'ffffffff-0000-4000-8000-000000000000' }, 'routeId', 'is not assigned'],
    ['with a channel type of another one', { channelType: 99 }, 'channelType', 'channel type 99'],
    ['with another transaction type', { transactionTypeId: 'ffff' }, 'transactionTypeId', 'not ffff'],
  ])('%s is refused before anything is asked or sent: 5', async (_, wrong, setting, words) => {
    const { desk, service } = await openOffice();
    const profile = quickProfile(service.routes) as { readonly routes: Record<string, { readonly routeId: string }> };
    const { wallet } = profile.routes;
    await desk.writeConfig({
      profiles: { env: { ...profile, routes: { ...profile.routes, wallet: { ...wallet, ...wrong } } } },
    });
    const told = await pay(desk, people(ROWS));

    expect(told).toMatchObject({ exit: 5, fault: { code: 'route-missing', message: expect.stringContaining(words) } });
    expect(told.fault?.['message']).toContain('Nothing was sent');
    expect(told.fault?.['fix']).toContain(`profiles.env.routes.wallet.${setting}`);
    expect(told.fault?.['fix']).toContain(wallet?.routeId);
    expect(told.events.some(({ type }) => type === 'statement')).toBe(false);
    expect(service.books().orders).toEqual([]);
    expect(postsOf(service)).toBe(0);
    expect((await desk.emit(['history'])).events.filter(({ type }) => type === 'batch')).toEqual([]);
  });

  test('that is wrong for another kind alone is paid', async () => {
    const { desk, service } = await openOffice();
    const profile = quickProfile(service.routes) as { readonly routes: Record<string, object> };
    const till = { ...profile.routes['till'], routeId: 'nowhere' };
    await desk.writeConfig({ profiles: { env: { ...profile, routes: { ...profile.routes, till } } } });
    expect(await pay(desk, people(ROWS))).toMatchObject({ exit: 0 });
  });

  test.each([
    ['is not active', { routeIsActive: false }, 'is not active'],
    ['belongs to a category that is switched off', { categoryIsEnabled: false }, 'is not enabled'],
  ])('that %s is refused: 5', async (_, change, words) => {
    const { desk, service } = await openOffice();
    const { url, arrived } = await behind(service, ({ routes }) => [
      200,
      { routes: (routes as readonly object[]).map((route) => ({ ...route, ...change })) },
    ]);
    desk.env['PAYBATCH_BASE_URL'] = url;
    const told = await pay(desk, people(ROWS));
    expect(told).toMatchObject({ exit: 5, fault: { message: expect.stringContaining(words) } });
    expect(told.fault?.['fix']).toContain('not active');
    expect(arrived.some(({ path }) => path.includes('new-order'))).toBe(false);
    expect(service.books().orders).toEqual([]);
  });

  test('of an account without any is refused: 5', async () => {
    const { desk, service } = await openOffice();
    desk.env['PAYBATCH_BASE_URL'] = (await behind(service, () => [200, { routes: [] }])).url;
    const told = await pay(desk, people(ROWS));
    expect(told).toMatchObject({ exit: 5, fault: { fix: expect.stringContaining('This account has no routes') } });
    expect(service.books().orders).toEqual([]);
  });

  test.each([
    ['knows no such path', 404, { error: 'no such path' }],
    ['fails at it', 500, 'oops'],
    ['does not let this client see it', 403, {}],
    ['answers it in a form of its own', 200, [{ route: 1 }]],
  ])('is paid with a warning where the service %s', async (_, status, body) => {
    const { desk, service } = await openOffice(undefined, unhurried, passingClock(HASTE));
    desk.env['PAYBATCH_BASE_URL'] = (await behind(service, () => [status, body])).url;
    const told = await pay(desk, people(ROWS));
    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expect(warningsOf(told)).toEqual([expect.stringMatching(/did not list the routes .*HTTP \d{3}.* wallet are used/)]);
  });
});
