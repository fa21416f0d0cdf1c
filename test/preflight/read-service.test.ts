import { describe, expect, test } from 'vitest';
import { readBalance } from '../../src/preflight/read-service.ts';
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

  test.each<[string, unknown]>([
    ['no status', { balance: 12 }],
    ['a balance as text', { status: '00', balance: '12' }],
    ['nothing', {}],
    ['a list', []],
  ])('is not read from an answer with %s', async (_, record) => {
    expect(await faultOf(balanceOf(record))).toMatchObject({ code: 'unreachable', exit: 9 });
  });
});
