import { describe, expect, test } from 'vitest';
import { readBalance, readScale } from '../../src/preflight/read-service.ts';
import { amountIn, currency } from '../support/amounts.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { clientOf, faultOf } from '../support/priced-sheet.ts';

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
    ['it has more decimals than the currency', { status: '00', balance: 12.345 }],
    ['it has more digits than a number holds', { status: '00', balance: 123_456_789_012_345.67 }],
  ])('is not believed when %s', async (_, record) => {
    const fault = await faultOf(balanceOf(record));
    expect(fault).toMatchObject({ code: 'preflight-refused', exit: 5 });
    expect(fault.message).toContain('contradicts itself');
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
    expect(fault.remedy).toContain(
      'set paths.fetch-charges in the profile (known: /v1/charge/fetch-charges), or ask the provider',
    );
  });

  test('of a type that the service does not know are another matter', async () => {
    const unknown = { id: 'type', idType: 'transactionTypeId', message: 'not found' };
    expect(await answeredWith(JSON.stringify(unknown))).toMatchObject({ code: 'preflight-refused', exit: 5 });
  });
});
