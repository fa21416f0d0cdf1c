import { describe, expect, test } from 'vitest';
import type { KindName } from '../../src/domain/batch.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { decimalOf, moneyText } from '../../src/domain/money.ts';
import { kinds } from '../../src/kinds/index.ts';
import { requireBalance } from '../../src/preflight/funds.ts';
import { practise } from '../sandbox/practice.ts';
import { amountIn } from '../support/amounts.ts';
import { deadUrl, sendJson, serve } from '../support/loopback.ts';
import { clientOf, faultOf, priced, routes } from '../support/priced-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Till', 'Paybill', 'Account', 'Amount'];
const SHEET = [
  HEADINGS,
  ['Jane', '0712345678', '', '', '', '1500'],
  ['Ali', '0722345678', '', '', '', '101'],
  ['Ann', '0733000111', '', '', '', '20000.01'],
  ['Odd', '07', '', '', '', '99999'],
  ['Duka Moja', '', '512345', '', '', '1000'],
  ['Nairobi Water', '', '', '400200', '0012345', '5100'],
];
const one = (amount: string) => [HEADINGS, ['Jane', '0712345678', '', '', '', amount]];

async function practiceClientOf(choice: Parameters<typeof practise>[0] = {}) {
  const practice = await practise(choice);
  return { practice, client: clientOf(practice.sandbox.url) };
}

/** A service with one scale for everything. */
async function chargingIn(graduatedScaleList: readonly object[]): Promise<string> {
  const { url } = await serve(({ path }, response) => {
    if (path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
    if (path.endsWith('/assigned-routes')) {
      const assigned = Object.values(routes).map(({ routeId, channelType, transactionTypeId }) => ({
        id: routeId,
        transactionTypeId,
        channelTypes: [{ channelType }],
      }));
      return sendJson(response, 200, { routes: assigned });
    }
    if (path.endsWith('/fetch-charges')) return sendJson(response, 200, { name: 'wallet', graduatedScaleList });
    return sendJson(response, 200, { status: '00', balance: 1_000_000 });
  });
  return url;
}

describe('the money statement', () => {
  test('says per kind and in all what is paid, what it costs and what it leaves', async () => {
    const { client } = await practiceClientOf({ openingBalances: { KES: '30000' } });
    const { statement } = await priced(SHEET, client);
    const lines = statement.kinds.map(({ title, count, amount, charges }) => [
      title,
      count,
      decimalOf(amount),
      decimalOf(charges),
    ]);
    expect(lines).toEqual([
      ['Mobile wallet', 3, '21601.01', '23.00'],
      ['Business till', 1, '1000.00', '10.00'],
      ['Business paybill', 1, '5100.00', '40.00'],
    ]);
    expect(statement).toMatchObject({
      count: 5,
      total: amountIn('27701.01'),
      charges: amountIn('73'),
      needed: amountIn('27774.01'),
      balance: amountIn('30000'),
      after: amountIn('2225.99'),
    });
  });

  test('adds up: the kinds make the whole, and each row is charged what the statement says', async () => {
    const { client } = await practiceClientOf();
    const { statement, chargeOf, routeOf } = await priced(SHEET, client);
    const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
    expect(sum(statement.kinds.map(({ amount }) => amount.minor))).toBe(statement.total.minor);
    expect(sum(statement.kinds.map(({ charges }) => charges.minor))).toBe(statement.charges.minor);
    expect(statement.after.minor).toBe(statement.balance.minor - statement.total.minor - statement.charges.minor);
    for (const { name } of kinds) expect(routeOf(name)).toEqual(routes[name]);
    for (const { kind } of statement.kinds) {
      const payout = { kind: kind as KindName, name: '', destination: '', payee: '', amount: amountIn('50') };
      expect(chargeOf(payout)).toEqual(amountIn('0'));
    }
  });

  test('names the largest payments, the largest first, and the first of those just above an edge', async () => {
    const { client } = await practiceClientOf();
    const { statement } = await priced(SHEET, client);
    expect(statement.largest.map(({ row, name, amount }) => [row, name, decimalOf(amount)])).toEqual([
      [4, 'Ann', '20000.01'],
      [7, 'Nairobi Water', '5100.00'],
      [2, 'Jane', '1500.00'],
      [6, 'Duka Moja', '1000.00'],
      [3, 'Ali', '101.00'],
    ]);
    expect(statement.aboveEdge.map(({ row, saving }) => [row, decimalOf(saving)])).toEqual([
      [3, '5.00'],
      [4, '2.00'],
      [7, '17.50'],
    ]);
  });

  test('names five of many', async () => {
    const { client } = await practiceClientOf();
    const rows = Array.from({ length: 12 }, (_, at) => [
      'P',
      `07${12_000_000 + at}`,
      '',
      '',
      '',
      String(101 + (at % 2)),
    ]);
    const { statement } = await priced([HEADINGS, ...rows], client);
    expect(statement.largest.map(({ row }) => row)).toEqual([3, 5, 7, 9, 11]);
    expect(statement.aboveEdge.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
    expect(statement.count).toBe(12);
  });

  test('of a wallet in a currency without decimals has none', async () => {
    const { practice, client } = await practiceClientOf();
    const route = practice.sandbox.routes.find(({ currency: code }) => code === 'UGX');
    const [wallet] = kinds;
    const { statement } = await priced([HEADINGS, ['Okello', '0772123456', '', '', '', '60,000.00']], client, {
      currency: 'UGX',
      country: 'UG',
      routes: route && wallet ? { [wallet.name]: route } : {},
    });
    expect(statement).toMatchObject({ total: amountIn('60000', 'UGX'), charges: amountIn('350', 'UGX') });
  });

  test('of no payable row is nothing', async () => {
    const { client } = await practiceClientOf();
    const { statement } = await priced([HEADINGS, ['Odd', '07', '', '', '', '5']], client);
    expect(statement).toMatchObject({ kinds: [], count: 0, largest: [], aboveEdge: [] });
    expect(statement.needed).toEqual(amountIn('0'));
    expect(statement.after).toEqual(statement.balance);
  });
});

describe('the wallet', () => {
  test('that holds the payment and its charge to the cent suffices', async () => {
    const { client } = await practiceClientOf({ openingBalances: { KES: '1505' } });
    const { statement } = await priced(one('1500'), client);
    expect(() => requireBalance(statement)).not.toThrow();
    expect(statement.after).toEqual(amountIn('0'));
  });

  test.each([
    ['1504.99', '0.01'],
    ['1500', '5.00'],
    ['0', '1,505.00'],
  ])('of %s is short by %s', async (balance, short) => {
    const { client } = await practiceClientOf({ openingBalances: { KES: balance } });
    const { statement } = await priced(one('1500'), client);
    const fault = await faultOf(Promise.resolve(statement).then(requireBalance));
    expect(fault).toMatchObject({ code: 'balance-short', exit: 5 });
    expect(fault.message).toBe(
      `The wallet does not hold enough money: needed KES 1,505.00 (payments KES 1,500.00 and charges KES 5.00), available ${moneyText(amountIn(balance))}, short KES ${short}.`,
    );
    expect(fault.remedy).toBe('Top up the wallet and run the same command again. Nothing was sent.');
  });
});

describe('nothing is sent', () => {
  test('without a route for every kind of the sheet', async () => {
    const { client } = await practiceClientOf();
    for (const { name, examples } of kinds) {
      const { [name]: _, ...others } = routes;
      const cells = { type: name, ...examples.good[0]?.cells };
      const sheet = [Object.keys(cells), Object.values(cells)];
      const fault = await faultOf(priced(sheet, client, { routes: others }));
      expect(fault).toMatchObject({ code: 'route-missing', exit: 5 });
      expect(fault.message).toBe(`No route is configured for ${name} payments in the profile "test".`);
      expect(fault.remedy).toBe(
        `Add routes.${name} (routeId, channelType, transactionTypeId) to the profile; the provider has its ids. Nothing was sent.`,
      );
    }
  });

  test('but a route for a kind that the sheet does not pay is not needed', async () => {
    const { client } = await practiceClientOf();
    const [wallet] = kinds;
    const own = wallet && routes[wallet.name];
    const { statement } = await priced(one('5'), client, { routes: wallet && own ? { [wallet.name]: own } : {} });
    expect(statement.count).toBe(1);
  });

  test('over a route that the service has not assigned', async () => {
    const { client } = await practiceClientOf();
    const [wallet] = kinds;
    const own = wallet && routes[wallet.name];
    if (!own) throw new Error('the first way of paying has a route');
    const fault = await faultOf(
      priced(one('5'), client, { routes: { ...routes, [wallet.name]: { ...own, routeId: 'nowhere' } } }),
    );
    expect(fault).toMatchObject({ code: 'route-missing', exit: 5 });
    expect(fault.message).toContain(`${wallet.name}: the route nowhere is not assigned`);
  });

  test('but over routes that the service does not list, which is told', async () => {
    const { url } = await serve(({ path }, response) => {
      if (path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      if (path.endsWith('/assigned-routes')) return sendJson(response, 500, {});
      if (path.endsWith('/fetch-charges')) {
        const free = { value: 0, rangeLowerLimit: 1, rangeUpperLimit: 1_000_000 };
        return sendJson(response, 200, { name: 'free', currencyName: 'KES', graduatedScaleList: [free] });
      }
      return sendJson(response, 200, { status: '00', balance: 1_000_000 });
    });
    const told: RunEvent[] = [];
    const preflight = await priced(SHEET, clientOf(url), {}, (event) => void told.push(event));
    expect(preflight.statement.count).toBe(5);
    expect(told).toEqual([
      {
        type: 'notice',
        level: 'warning',
        message: expect.stringMatching(
          /^The service did not list the routes of this account \(HTTP 500.*\)\. Those of wallet, till, paybill are used unchecked\.$/,
        ),
      },
    ]);
  });

  test('but rows between two bands in whole units are reckoned with the dearer one, which is told', async () => {
    const url = await chargingIn([
      { rangeLowerLimit: 1, rangeUpperLimit: 100, value: 0 },
      { rangeLowerLimit: 101, rangeUpperLimit: 500, value: 5 },
    ]);
    const told: RunEvent[] = [];
    const sheet = [
      ...one('100.50'),
      ['Ann', '0733000111', '', '', '', '100'],
      ['Ali', '0722345678', '', '', '', '101'],
    ];
    const { statement } = await priced(sheet, clientOf(url), {}, (event) => void told.push(event));
    expect(statement.charges).toEqual(amountIn('10'));
    expect(told).toEqual([
      expect.objectContaining({
        level: 'warning',
        code: 'between-bands',
        message: expect.stringContaining('row 2 (KES 100.50, between KES 100.00 and KES 101.00): KES 5.00.'),
      }),
    ]);
  });

  test('over a gap that is wider than one unit', async () => {
    const url = await chargingIn([
      { rangeLowerLimit: 1, rangeUpperLimit: 100, value: 0 },
      { rangeLowerLimit: 102, rangeUpperLimit: 500, value: 5 },
    ]);
    const fault = await faultOf(priced(one('100.50'), clientOf(url)));
    expect(fault).toMatchObject({ code: 'charges-unusable', exit: 5 });
  });

  test('when the charges of a route are not known', async () => {
    const { url } = await serve(({ path }, response) =>
      path === '/connect/token'
        ? sendJson(response, 200, { access_token: 't', expires_in: 3600 })
        : sendJson(response, 404, { id: 'x', idType: 'TransactionTypeId', message: 'x not found' }),
    );
    const fault = await faultOf(priced(SHEET, clientOf(url)));
    expect(fault).toMatchObject({ code: 'preflight-refused', exit: 5 });
    expect(fault.message).toContain('did not give the charges');
  });

  test('when the charges of a route are in another currency', async () => {
    const { practice, client } = await practiceClientOf();
    const foreign = practice.sandbox.routes.find(({ currency: code }) => code === 'UGX');
    const [wallet] = kinds;
    const fault = await faultOf(
      priced(one('5'), client, { routes: foreign && wallet ? { [wallet.name]: foreign } : {} }),
    );
    expect(fault).toMatchObject({ code: 'charges-unusable', exit: 5 });
    expect(fault.message).toContain('in UGX, not KES');
  });

  test('when an amount lies above the last charge band', async () => {
    const { client } = await practiceClientOf();
    const fault = await faultOf(priced(one('250000.01'), client));
    expect(fault).toMatchObject({ code: 'charges-unusable', exit: 5 });
    expect(fault.message).toContain('KES 250,000.01');
    expect((await priced(one('250000'), client)).statement.charges).toEqual(amountIn('13'));
  });

  test('when nobody listens at the address', async () => {
    const fault = await faultOf(priced(SHEET, clientOf(await deadUrl())));
    expect(fault).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(fault.message).toContain('ECONNREFUSED');
    expect(fault.remedy).toContain('Nothing was sent.');
  });

  test('when the secret is wrong, and the secret is in no message', async () => {
    const { practice } = await practiceClientOf();
    const fault = await faultOf(priced(SHEET, clientOf(practice.sandbox.url, 'a-wrong-secret')));
    expect(fault).toMatchObject({ code: 'credentials', exit: 4 });
    expect(`${fault.message} ${fault.remedy}`).not.toContain('a-wrong-secret');
  });

  test('when every token is refused, also a new one', async () => {
    const { url, arrived } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    });
    expect(await faultOf(priced(SHEET, clientOf(url)))).toMatchObject({ code: 'credentials', exit: 4 });
    expect(arrived.filter(({ path }) => path === '/connect/token')).toHaveLength(2);
  });

  test.each([500, 502, 429, 503, 302])('when the service answers %i', async (status) => {
    const { url } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(status, { location: '/elsewhere' }).end('<html>no</html>');
    });
    const fault = await faultOf(priced(SHEET, clientOf(url)));
    expect(fault).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(fault.message).toContain(String(status));
  });

  test('when the service is down', async () => {
    const { practice, client } = await practiceClientOf();
    await practice.play('down');
    expect(await faultOf(priced(SHEET, client))).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(practice.sandbox.books().orders).toEqual([]);
  });
});

describe('limits', () => {
  test.each([
    ['perRow', '20000.01', undefined],
    ['perRow', '20000', 'Row 4 pays KES 20,000.01, more than the limit of KES 20,000.00 for one row.'],
    ['perBatch', '27701.01', undefined],
    ['perBatch', '27701', 'The sheet pays KES 27,701.01, more than the limit of KES 27,701.00 for one batch.'],
    ['perBatch', '0', 'The sheet pays KES 27,701.01, more than the limit of KES 0.00 for one batch.'],
  ] as const)('%s of %s: %s', async (name, limit, message) => {
    const { client } = await practiceClientOf();
    const limits = { perRow: {}, perBatch: {}, [name]: { KES: limit, UGX: '1' } };
    if (message === undefined) {
      expect((await priced(SHEET, client, { limits })).statement.count).toBe(5);
      return;
    }
    const fault = await faultOf(priced(SHEET, client, { limits }));
    expect(fault).toMatchObject({ code: 'limit-exceeded', exit: 5 });
    expect(fault.message).toBe(message);
    expect(fault.remedy).toBe('Correct the sheet, or raise the limits in the configuration. Nothing was sent.');
  });

  test.each(['1,000', 'many', '', '0.001'])(
    'that are no amounts ("%s") are a fault of the configuration',
    async (limit) => {
      const { client } = await practiceClientOf();
      for (const limits of [
        { perRow: { KES: limit }, perBatch: {} },
        { perRow: {}, perBatch: { KES: limit } },
      ]) {
        expect(await faultOf(priced(SHEET, client, { limits }))).toMatchObject({
          code: 'configuration',
          exit: 2,
          message: `The limit "${limit}" is not an amount.`,
          remedy: 'Correct the limits.',
        });
      }
    },
  );

  test('of other currencies do not matter', async () => {
    const { client } = await practiceClientOf();
    const limits = { perRow: { UGX: '1' }, perBatch: { UGX: '1' } };
    expect((await priced(SHEET, client, { limits })).statement.count).toBe(5);
  });
});
