import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { type AssignedRoute, readRoutes, requireRoutes, routeTrouble } from '../../src/preflight/routes.ts';
import { deadUrl, sendJson, serve } from '../support/loopback.ts';
import { clientOf } from '../support/priced-sheet.ts';

describe('a route', () => {
  const route = { routeId: 'AB', channelType: 13, transactionTypeId: 'CD' };
  const assigned = { id: 'ab', transactionTypeId: 'cd', channelTypes: [{ channelType: 13 }] };

  test('that is assigned carries payments, whatever the case of its ids and whatever the list leaves out', () => {
    expect(routeTrouble(route, [assigned])).toBeUndefined();
    expect(routeTrouble(route, [{ id: 'AB' }])).toBeUndefined();
  });

  test.each([
    ['is not active', 'routeId', { routeIsActive: false }],
    ['is not enabled', 'routeId', { categoryIsEnabled: false }],
    ['is not one of', 'channelType', { channelTypes: [{ channelType: 1 }] }],
    ['transactionTypeId is ef', 'transactionTypeId', { transactionTypeId: 'ef' }],
    ['is not assigned', 'routeId', { id: 'zz' }],
  ])('that %s does not', (words, setting, change) => {
    expect(routeTrouble(route, [{ ...assigned, ...change }])).toMatchObject({
      setting,
      why: expect.stringContaining(words),
    });
  });

  test('that is listed once for each channel is judged by all of its entries', () => {
    const other = { ...assigned, channelTypes: [{ channelType: 14 }] };
    expect(routeTrouble(route, [other, assigned])).toBeUndefined();
    expect(routeTrouble(route, [other])).toMatchObject({ setting: 'channelType' });
  });
});

describe('routes that cannot carry payments', () => {
  const entry = (id: string, channel: number, more: Partial<AssignedRoute> = {}): AssignedRoute => ({
    id,
    channelTypes: [{ channelType: channel, channelDescription: `Channel ${channel}` }],
    ...more,
  });
  const wallet = { routeId: 'r-1', channelType: 1, transactionTypeId: 't-1' };
  const till = { routeId: 'r-13', channelType: 13, transactionTypeId: 't-13' };

  /** What a refusal says of a sheet with both kinds; undefined when there is none. */
  function refusalOf(assigned: readonly AssignedRoute[], kinds = ['wallet', 'till']): readonly string[] | undefined {
    try {
      requireRoutes(kinds, { routes: { wallet, till }, profile: 'live' }, assigned);
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      expect(error.code).toBe('route-missing');
      return [error.message, error.remedy];
    }
  }

  test('are named all at once, with their settings and the routes of the account that could be meant', () => {
    const assigned = [
      entry('r-1', 14, { country: 'KE' }),
      entry('r-2', 1, { country: 'KE', routeIsActive: false }),
      entry('r-3', 13, { categoryIsEnabled: false }),
      entry('r-4', 21),
    ];
    expect(refusalOf(assigned)).toEqual([
      "wallet: channel type 1 is not one of the route's (14); till: the route r-13 is not assigned to this account. Nothing was sent.",
      'Correct profiles.live.routes.wallet.channelType, profiles.live.routes.till.routeId, or ask the provider. ' +
        'This account has: r-2 (channel type 1 Channel 1, KE, not active); r-3 (channel type 13 Channel 13, not active). ' +
        'All its routes: `paybatch routes`.',
    ]);
  });

  test('are told with five of many others when none has their channel, and with what these leave out', () => {
    const others = ['a', 'b', 'c', 'd', 'e', 'f'].map((id): AssignedRoute => ({ id }));
    const [, remedy] = refusalOf(others, ['wallet']) ?? [];
    const five = ['a', 'b', 'c', 'd', 'e'].map((id) => `${id} (channel type not stated)`).join('; ');
    expect(remedy).toContain(`This account has: ${five}. All its routes`);
    expect(refusalOf([entry('x', 99, { channelTypes: [{ channelType: 99 }] })], ['wallet'])?.[1]).toContain(
      'This account has: x (channel type 99).',
    );
    expect(refusalOf([], ['wallet'])?.[1]).toContain('This account has no routes. All its');
  });

  test.each<[Partial<AssignedRoute>, string]>([
    [{ routeIsActive: false }, 'the route r-1 is not active'],
    [{ categoryIsEnabled: false, categoryDescription: 'Wallets' }, 'Wallets is not enabled'],
    [{ categoryIsEnabled: false }, 'its category is not enabled'],
    [{ channelTypes: [] }, "channel type 1 is not one of the route's (none)"],
    [{ channelTypes: [{ channelType: 2 }, { channelType: 3 }] }, "channel type 1 is not one of the route's (2, 3)"],
    [{ transactionTypeId: 't-9' }, 'its transactionTypeId is t-9, not t-1'],
  ])('are told by what is wrong with them: %o', (change, why) => {
    expect(refusalOf([entry('R-1', 1, change)], ['wallet'])?.[0]).toBe(`wallet: ${why}. Nothing was sent.`);
  });

  test('are none where all can, or none is configured, as for what goes by another submission', () => {
    expect(refusalOf([entry('r-1', 1), entry('r-13', 13, { transactionTypeId: 'T-13' })])).toBeUndefined();
    expect(refusalOf([], ['airtime'])).toBeUndefined();
  });
});

describe('the list of routes', () => {
  const listedBy = async (status: number, body: unknown) => {
    const { url } = await serve((request, response) =>
      request.path === '/connect/token'
        ? sendJson(response, 200, { access_token: 't', expires_in: 3600 })
        : sendJson(response, status, body),
    );
    return readRoutes(clientOf(url), new AbortController().signal);
  };

  test('that is told is believed', async () => {
    expect(await listedBy(200, { routes: [{ id: 'r-1' }] })).toEqual({ routes: [{ id: 'r-1' }] });
  });

  test('that may not be asked for says so, and whom to ask', async () => {
    expect(await listedBy(403, {})).toEqual({
      unknown: expect.stringMatching(/^this account is not allowed to list them: HTTP 403/),
      fix: 'Ask the provider for the permission to list routes.',
    });
  });

  test.each([404, 500])('that is answered with HTTP %i is untold, and may have another address', async (status) => {
    expect(await listedBy(status, {})).toEqual({
      unknown: expect.stringContaining(`HTTP ${status}`),
      fix: 'Ask the provider for the address of its routes, and set paths.find-routes of the profile.',
    });
  });

  test('is a fault where nobody answers, and where the client is refused', async () => {
    await expect(readRoutes(clientOf(await deadUrl()))).rejects.toMatchObject({ code: 'unreachable' });
    await expect(listedBy(401, {})).rejects.toMatchObject({ code: 'credentials' });
  });
});
