import { describe, expect, test } from 'vitest';
import { type BillTerms, findService, type OfferedService } from '../../src/preflight/bill-services.ts';
import type { BillService } from '../../src/service/contract/bills.ts';
import { currency } from '../support/amounts.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { clientOf, faultOf, priced } from '../support/priced-sheet.ts';

const terms: BillTerms = { currency: currency('KES').code, country: 'KE' };
const offer = (id: string, type: string, over: Partial<BillService> = {}, routeId = 'r-1'): OfferedService => ({
  routeId,
  service: {
    id,
    countryId: 'KE',
    currencyId: 'KES',
    serviceTypeDescription: type,
    serviceCategoryDescription: 'Power',
    minAmount: 50,
    maxAmount: 70_000,
    enabled: true,
    ...over,
  },
});

const meant = (named: string, offers: readonly OfferedService[], over: Partial<BillTerms> = {}): string => {
  const found = findService(named, offers, { ...terms, ...over });
  return found.ok ? `${found.offered.service.id} by ${found.offered.routeId}` : found.why;
};

describe('the bill service that a row means', () => {
  const offers = [
    offer('4101', 'Prepaid'),
    offer('4102', 'Postpaid', {}, 'r-2'),
    offer('4201', 'Prepaid', { serviceCategoryDescription: 'Water' }),
    offer('4202', 'Sewage', { enabled: false }),
    offer('4101x', 'City 4101'),
  ];

  test.each([
    ['4101', '4101 by r-1'],
    [' 4102 ', '4102 by r-2'],
    ['postpaid', '4102 by r-2'],
    ['POWER  Prepaid', '4101 by r-1'],
    ['water prepaid', '4201 by r-1'],
    ['City 4101', '4101x by r-1'],
    ['  Postpaid ', '4102 by r-2'],
    ['Power\u00a0\tPostpaid', '4102 by r-2'],
    ['\uff30ostpaid', '4102 by r-2'],
  ])('"%s" is %s', (named, service) => expect(meant(named, offers)).toBe(service));

  test.each([
    ['Prepaid', '"Prepaid" could be any of 2 services: Prepaid (4101), Prepaid (4201)'],
    ['Pre-paid', 'the provider lists no bill service "Pre-paid"'],
    ['410', 'the provider lists no bill service "410"'],
    ['Power', 'the provider lists no bill service "Power"'],
    ['sewage', '"sewage" is switched off at the provider'],
    ['4202', '"4202" is switched off at the provider'],
  ])('"%s" is none, with the reason', (named, why) => expect(meant(named, offers)).toBe(why));

  test('is never one of another country or currency, so that one name in two countries is no doubt', () => {
    const two = [offer('1', 'Prepaid', { countryId: 'UG', currencyId: 'UGX' }), offer('2', 'Prepaid')];
    expect(meant('Prepaid', two)).toBe('2 by r-1');
    expect(meant('Prepaid', two, { country: 'UG', currency: currency('UGX').code })).toBe('1 by r-1');
    expect(meant('1', two)).toBe('"1" is paid in UGX, not KES');
    expect(meant('1', [offer('1', 'Prepaid', { countryId: 'ug' })])).toBe('"1" is a service of UG, not KE');
  });

  test('may say its currency as a number, and in forms that nobody can compare', () => {
    expect(meant('1', [offer('1', 'P', { currencyId: '404' })])).toBe('1 by r-1');
    expect(meant('1', [offer('1', 'P', { currencyId: '800' })])).toBe('"1" is paid in UGX, not KES');
    for (const unknown of ['8', '6b2f', '', null, '8000', 'x800', '800x', 'UGA', '1UG', 'UG1']) {
      expect(meant('1', [offer('1', 'P', { currencyId: unknown, countryId: unknown })])).toBe('1 by r-1');
    }
  });

  test('is refused when one identifier stands in two groups: its route would be a guess', () => {
    expect(meant('1', [offer('1', 'P'), offer('1', 'P', {}, 'r-2')])).toContain('could be any of 2 services');
  });
});

/** A service with these bill services, a full wallet and free charges. */
async function provider(offers: readonly OfferedService[]) {
  const { url, arrived } = await serve(({ path }, response) => {
    if (path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
    if (path === '/v1/bill-services') {
      const groups = [...new Set(offers.map(({ routeId }) => routeId))];
      return sendJson(response, 200, {
        billServiceGroup: groups.map((route) => ({
          route,
          billServices: offers.filter(({ routeId }) => routeId === route).map(({ service }) => service),
        })),
      });
    }
    if (path.endsWith('/fetch-charges')) {
      const free = { value: 0, rangeLowerLimit: 1, rangeUpperLimit: 1_000_000 };
      return sendJson(response, 200, { name: 'free', currencyName: 'KES', graduatedScaleList: [free] });
    }
    return sendJson(response, 200, { status: '00', balance: 1_000_000 });
  });
  return { client: clientOf(url), asked: (path: string) => arrived.filter((one) => one.path === path).length };
}

const HEADINGS = ['Name', 'Biller', 'Account', 'Amount'];
const bill = (service: string, amount: string, account = '0012') => ['Office', service, account, amount];

describe('preflight of a sheet with bills', () => {
  test('asks for the services once, and settles the service and the route of each row', async () => {
    const { client, asked } = await provider([offer('4101', 'Prepaid'), offer('4102', 'Postpaid', {}, 'r-2')]);
    const sheet = [HEADINGS, bill('Prepaid', '50'), bill('4102', '70000'), bill('prepaid', '51', '7')];
    const { billServiceOf, callbackUrl, statement } = await priced(sheet, client);
    expect(billServiceOf?.('Prepaid')).toEqual({ serviceId: '4101', routeId: 'r-1' });
    expect(billServiceOf?.('prepaid')).toEqual({ serviceId: '4101', routeId: 'r-1' });
    expect(billServiceOf?.('4102')).toEqual({ serviceId: '4102', routeId: 'r-2' });
    expect(callbackUrl).toBe('https://callbacks.invalid/paybatch');
    expect(asked('/v1/bill-services')).toBe(1);
    expect(statement.count).toBe(3);
  });

  test('leaves alone what is paid in another way, and what has errors', async () => {
    const { client } = await provider([offer('4101', 'Prepaid')]);
    const sheet = [
      [...HEADINGS, 'Phone', 'Type'],
      [...bill('Prepaid', '50'), '', 'bill'],
      ['Jane', '', '', '5', '0712345678', 'wallet'],
      [...bill('Gas', '50.50'), '', 'bill'],
    ];
    const { billServiceOf, statement } = await priced(sheet, client);
    expect(billServiceOf?.('Prepaid')).toEqual({ serviceId: '4101', routeId: 'r-1' });
    expect(() => billServiceOf?.('Gas')).toThrow('the bill service of every staged row was settled');
    expect(statement.count).toBe(2);
  });

  test('asks for no services and needs no callback address when there is no bill', async () => {
    const { client, asked } = await provider([]);
    const sheet = [
      ['Name', 'Phone', 'Amount'],
      ['Jane', '0712345678', '5'],
    ];
    const preflight = await priced(sheet, client, { callbackUrl: undefined as never });
    expect(preflight).not.toHaveProperty('billServiceOf');
    expect(asked('/v1/bill-services')).toBe(0);
  });

  test('names every row that cannot be paid in one fault, and reads no further', async () => {
    const { client, asked } = await provider([offer('4101', 'Prepaid'), offer('4202', 'Sewage', { enabled: false })]);
    const sheet = [
      HEADINGS,
      bill('Prepaid', '49'),
      bill('Prepaid', '70001', '7'),
      bill('Prepaid', '500', '8'),
      bill('Sewage', '500'),
      bill('Gas', '500'),
    ];
    const fault = await faultOf(priced(sheet, client));
    expect(fault).toMatchObject({ code: 'bill-refused', exit: 5 });
    expect(fault.message).toBe(
      '4 bills cannot be paid: row 2: "Prepaid" takes KES 50.00 and more, not KES 49.00; ' +
        'row 3: "Prepaid" takes at most KES 70,000.00, not KES 70,001.00; ' +
        'row 5: "Sewage" is switched off at the provider; row 6: the provider lists no bill service "Gas".',
    );
    expect(fault.remedy).toBe(
      'Correct the service or the amount of these rows, or pay them elsewhere; `paybatch api find-bill-services` lists what the provider offers. Nothing was sent.',
    );
    expect(asked('/v1/charge/fetch-charges')).toBe(0);
  });

  test('names ten of many, and says how many more there are', async () => {
    const { client } = await provider([]);
    const rows = Array.from({ length: 25 }, (_, at) => bill('Gas', '5', String(1000 + at)));
    const { message } = await faultOf(priced([HEADINGS, ...rows], client));
    expect(message.match(/row \d+:/g)).toHaveLength(10);
    expect(message).toMatch(/^25 bills cannot be paid: .*; and 15 more\.$/);
  });

  test('says of a single one in the singular why it is not paid', async () => {
    const { client } = await provider([offer('4101', 'Prepaid'), offer('4102', '', { maxAmount: 10 })]);
    expect((await faultOf(priced([HEADINGS, bill('Gas', '5'), bill('Prepaid', '50')], client))).message).toBe(
      '1 bill cannot be paid: row 2: the provider lists no bill service "Gas".',
    );
    // Without a type of its own, a service is called by its category.
    expect((await faultOf(priced([HEADINGS, bill('4102', '11')], client))).message).toBe(
      '1 bill cannot be paid: row 2: "Power" takes KES 50.00 and more, not KES 11.00.',
    );
  });

  test('names ten of ten without more', async () => {
    const { client } = await provider([]);
    const rows = Array.from({ length: 10 }, (_, at) => bill('Gas', '5', String(1000 + at)));
    const { message } = await faultOf(priced([HEADINGS, ...rows], client));
    expect(message).toMatch(/^10 bills cannot be paid: .*row 11: the provider lists no bill service "Gas"\.$/);
  });

  test('takes a highest amount of zero for none', async () => {
    const { client } = await provider([offer('4101', 'Prepaid', { minAmount: null, maxAmount: 0 })]);
    expect((await priced([HEADINGS, bill('Prepaid', '500000')], client)).statement.count).toBe(1);
  });

  test('refuses to send when the services cannot be read', async () => {
    const { url } = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(503).end();
    });
    const fault = await faultOf(priced([HEADINGS, bill('Prepaid', '50')], clientOf(url)));
    expect(fault).toMatchObject({ code: 'unreachable', exit: 9 });
    expect(fault.message).toContain('the bill services');
  });
});

describe('without a callback address, nothing is sent', () => {
  const airtime = [
    ['Name', 'Type', 'Phone', 'Amount'],
    ['Jane', 'airtime', '0712345678', '50'],
  ];
  test.each([
    ['airtime', airtime],
    ['a bill', [HEADINGS, bill('Prepaid', '50')]],
  ])('for %s', async (_, sheet) => {
    const { client, asked } = await provider([offer('4101', 'Prepaid')]);
    const fault = await faultOf(priced(sheet, client, { callbackUrl: undefined as never }));
    expect(fault).toMatchObject({
      code: 'configuration',
      exit: 2,
      message:
        'Airtime and bills need an address to which the service reports, and none is configured for the profile "test".',
      remedy:
        'Set callbacks.url of the profile to an https address that the service can reach, and take its reports there with `paybatch listen`. Nothing was sent.',
    });
    expect(asked('/v1/bill-services')).toBe(0);
  });
});
