import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import {
  balanceNow,
  readBalance,
  readBillServices,
  readScale,
  valueOrFault,
} from '../../src/preflight/read-service.ts';
import type { Reply } from '../../src/service/client/reply.ts';
import { amountIn, currency } from '../support/amounts.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { clientOf, faultOf } from '../support/priced-sheet.ts';

describe('an answer that is not one', () => {
  const sentences = (reply: Reply<never>): readonly unknown[] => {
    try {
      valueOrFault(reply, 'its figures');
    } catch (error) {
      if (error instanceof Fault) return [error.code, error.message, error.remedy];
      throw error;
    }
    return [];
  };
  const refused = (status: number): Reply<never> => ({
    tag: 'refused',
    status,
    reason: 'no such type',
    problem: { shape: 'validation', complaints: [] },
  });

  test.each<[string, Reply<never>, readonly [code: string, message: string, remedy: string]]>([
    [
      'a refusal',
      refused(400),
      [
        'preflight-refused',
        'The service did not give its figures (no such type).',
        'Check the routes of the profile. Nothing was sent.',
      ],
    ],
    [
      'a refusal as of something that is not there',
      refused(404),
      [
        'preflight-refused',
        'The service did not give its figures (no such type).',
        'Check the path of baseUrl in the profile, and its routes. Nothing was sent.',
      ],
    ],
    [
      'silence',
      { tag: 'not-sent', reason: 'nothing answers at localhost:9' },
      [
        'unreachable',
        'The service could not be asked for its figures: nothing answers at localhost:9.',
        'Check the address and the network, then run the same command again. Nothing was sent.',
      ],
    ],
    [
      'an identifier that is held',
      { tag: 'exists', status: 409, reason: 'held' },
      [
        'preflight-refused',
        'The service did not give its figures (held).',
        'Check the routes of the profile. Nothing was sent.',
      ],
    ],
    ...(['throttled', 'ambiguous'] as const).map((tag): [string, Reply<never>, [string, string, string]] => [
      `a service that is not well (${tag})`,
      { tag, status: 503, reason: 'HTTP 503' },
      [
        'unreachable',
        'The service could not be asked for its figures: HTTP 503.',
        'Check the address and the network, then run the same command again. Nothing was sent.',
      ],
    ]),
    [
      'a refused client',
      { tag: 'unauthorised', status: 401, reason: 'HTTP 401' },
      [
        'credentials',
        'The service refused the credentials (HTTP 401).',
        'Check client id, client secret and scope of the profile. Nothing was sent.',
      ],
    ],
    [
      'a client that may not ask',
      { tag: 'unauthorised', status: 403, reason: 'HTTP 403', forbidden: true },
      [
        'permission-missing',
        'The token is valid, but this account may not ask for its figures (HTTP 403).',
        'Check scope of the profile, or ask the provider for the permission. Nothing was sent.',
      ],
    ],
  ])('is a fault: %s', (_, reply, told) => expect(sentences(reply)).toEqual(told));
});

describe('the balance of the wallet', () => {
  const balanceOf = async (record: unknown) => {
    const { url } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      expect(request.query.get('ccy')).toBe('404');
      return sendJson(response, 200, record);
    });
    return readBalance(clientOf(url), currency('KES').code);
  };
  const account = (balance: number) => ({ status: '00', message: null, balance, type: 1 });

  test.each<[string, object, string]>([
    ['one figure', { status: '00', balance: 12.5 }, '12.50'],
    ['one account', { status: '00', balance: 12.5, customerAccountBalanceList: [account(12.5)] }, '12.50'],
    ['two accounts', { status: '00', balance: 0.3, customerAccountBalanceList: [account(0.1), account(0.2)] }, '0.30'],
    ['a total added up in floating point', { status: '00', balance: 999.9999999 }, '1000.00'],
    [
      'accounts added up so',
      { status: '00', balance: 0.3, customerAccountBalanceList: [account(0.1 + 0.2), account(1e-10)] },
      '0.30',
    ],
    ['no list', { status: '00', balance: 7, customerAccountBalanceList: null }, '7.00'],
    ['an overdraft', { status: '00', balance: -5, customerAccountBalanceList: [account(-5)] }, '-5.00'],
  ])('is read from a record of %s', async (_, record, balance) => {
    expect(await balanceOf(record)).toEqual(amountIn(balance));
  });

  test.each<[string, object]>([
    [
      'its accounts add up to something else',
      { status: '00', balance: 12, customerAccountBalanceList: [account(11.99)] },
    ],
    [
      'an account cannot be read',
      { status: '00', balance: 12, customerAccountBalanceList: [account(12), account(0.001)] },
    ],
    ['its status is not success', { status: '01', balance: 12 }],
    ['it is off by more than a service adds up wrongly', { status: '00', balance: 12.000005 }],
    ['it has more decimals than the currency', { status: '00', balance: 12.345 }],
    ['it has more digits than a number holds', { status: '00', balance: 123_456_789_012_345.67 }],
  ])('is not believed when %s', async (_, record) => {
    const fault = await faultOf(balanceOf(record));
    expect(fault).toMatchObject({ code: 'preflight-refused', exit: 5 });
    expect(fault.message).toMatch(
      /^The wallet balance of the service contradicts itself \(status \d\d, total -?[\d.]+\)\.$/,
    );
    expect(fault.remedy).toBe('Ask the provider what the wallet holds. Nothing was sent.');
  });

  test('is asked for while orders go out, and stops nobody when it cannot be read', async () => {
    const answer = (record: unknown) =>
      serve((request, response) => {
        const token = { access_token: 't', expires_in: 3600 };
        return sendJson(response, 200, request.path === '/connect/token' ? token : record);
      });
    const now = async (record: unknown, signal = new AbortController().signal) =>
      balanceNow(clientOf((await answer(record)).url), currency('KES').code, signal);
    expect(await now({ status: '00', balance: 12.5 })).toEqual(amountIn('12.50'));
    expect(await now({ status: '01', balance: 12.5 })).toBeUndefined();
    expect(await now({})).toBeUndefined();
  });

  const answeredBy = async (status: number, body: string) => {
    const { url } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    return faultOf(readBalance(clientOf(url), currency('KES').code));
  };

  test.each([
    ['no body', ''],
    ['a page', '<html>no such page</html>'],
    ['a documented body', '{"id":"404","idType":"ccy","message":"not found"}'],
  ])(
    'that is nowhere, with %s, names the setting for its path and the other one that is published',
    async (_, body) => {
      const fault = await answeredBy(404, body);
      expect(fault).toMatchObject({ code: 'configuration', exit: 2 });
      expect(fault.message).toContain('HTTP 404');
      expect(fault.remedy).toContain('set paths.get-wallet-balance in the profile');
      expect(fault.remedy).toContain('get-wallet-balance and /v1/customer-accounts/get-wallet-balance-by-id)');
      expect(fault.remedy).toContain('Nothing was sent.');
    },
  );

  test('that may not be asked for names the scope, and not the secret', async () => {
    const fault = await answeredBy(403, '');
    expect(fault).toMatchObject({ code: 'permission-missing', exit: 4 });
    expect(fault.message).toBe(
      'The token is valid, but this account may not ask for the wallet balance (HTTP 403: no body).',
    );
    expect(fault.remedy).toMatch(/scope of the profile.*the provider for the permission/);
    expect(fault.remedy).not.toContain('secret');
    expect((await answeredBy(401, '')).remedy).toContain('client secret');
  });

  test.each<[string, unknown]>([
    ['no status', { balance: 12 }],
    ['a balance as text', { status: '00', balance: '12' }],
    ['nothing', {}],
    ['a list', []],
  ])('is not read from an answer with %s', async (_, record) => {
    expect(await faultOf(balanceOf(record))).toMatchObject({ code: 'unreachable', exit: 9 });
  });
});

test('the wallet is asked for by the three digits of its currency, and not at all once that was stopped', async () => {
  const { url, arrived } = await serve((request, response) => {
    const token = { access_token: 't', expires_in: 3600 };
    return sendJson(response, 200, request.path === '/connect/token' ? token : { status: '00', balance: 5 });
  });
  const lek = currency('ALL').code;
  expect(await readBalance(clientOf(url), lek)).toEqual(amountIn('5', 'ALL'));
  const wallets = () => arrived.filter(({ path }) => path !== '/connect/token').map(({ query }) => query.get('ccy'));
  expect(wallets()).toEqual(['008']);
  const stopped = AbortSignal.abort();
  expect(await balanceNow(clientOf(url), lek, stopped)).toBeUndefined();
  await expect(readBalance(clientOf(url), lek, stopped)).rejects.toBeInstanceOf(Fault);
  expect(wallets()).toEqual(['008']);
});

describe('the bill services', () => {
  const listedBy = async (status: number, body: unknown) => {
    const { url } = await serve((request, response) =>
      request.path === '/connect/token'
        ? sendJson(response, 200, { access_token: 't', expires_in: 3600 })
        : sendJson(response, status, body),
    );
    return readBillServices(clientOf(url));
  };

  test('are those of all groups, each with the route of its own', async () => {
    const group = (route: string, ...ids: readonly string[]) => ({ route, billServices: ids.map((id) => ({ id })) });
    const listed = await listedBy(200, { billServiceGroup: [group('r-1', '1', '2'), group('r-2'), group('r-3', '3')] });
    expect(listed.map(({ routeId, service }) => [routeId, service.id])).toEqual([
      ['r-1', '1'],
      ['r-1', '2'],
      ['r-3', '3'],
    ]);
  });

  test('that cannot be read are named', async () => {
    await expect(listedBy(503, {})).rejects.toThrow('The service could not be asked for the bill services: HTTP 503');
  });
});

describe('the charges', () => {
  const answeredWith = async (body: string) => {
    const { url } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(404, { 'content-type': 'application/json' }).end(body);
    });
    return faultOf(readScale(clientOf(url), 'type', currency('KES').code));
  };

  test('that are nowhere name the setting for their path', async () => {
    const fault = await answeredWith('');
    expect(fault).toMatchObject({ code: 'configuration', exit: 2 });
    expect(fault.message).toMatch(/^The service has nothing at the path for the charges \(HTTP 404/);
    expect(fault.remedy).toContain(
      'set paths.fetch-charges in the profile (known: /v1/charge/fetch-charges), or ask the provider',
    );
  });

  test('of a type that the service does not know are another matter', async () => {
    const unknown = { id: 'type', idType: 'transactionTypeId', message: 'not found' };
    expect(await answeredWith(JSON.stringify(unknown))).toMatchObject({ code: 'preflight-refused', exit: 5 });
  });
});
