import { describe, expect, test } from 'vitest';
import { chargeOf, railFor } from '../../src/sandbox/catalogue.ts';
import { practise } from './practice.ts';
import { BILLS, billBody, lookUps } from './requests.ts';

describe('paying a bill', () => {
  test('takes amount and charge from the wallet when it completes, and gives a receipt', async () => {
    const practice = await practise({ openingBalances: { KES: '1000.00' } });
    const accepted = await practice.submit(BILLS, billBody('b', { narration: 'November' }));
    expect(accepted.body.message).toMatchObject({
      originatorConversationId: 'b',
      accountCustomerName: 'HASSAN WANJIKU',
    });
    practice.clock.pass(10_000);
    const { body } = await practice.get(lookUps.billPayment('b'));
    expect(body).toMatchObject({
      systemConversationId: accepted.body.message.systemConversationId,
      originatorConversationId: 'b',
      serviceID: 4101,
      customerName: 'HASSAN WANJIKU',
      customerNames: 'Amina Otieno',
      datePaymentReceived: expect.stringMatching(/^2026-11-27 06:00:\d\d$/),
      accountNumber: '37000777',
      amount: 500,
      feeAmount: 5,
      status: 4,
      transactionStatusDescription: 'Completed',
      statusCode: 0,
      receiptNumber: expect.stringMatching(/^[0-9A-Z]{10}$/),
      narration: 'November',
    });
    expect(practice.sandbox.books()).toMatchObject({
      paid: { KES: '500.00' },
      fees: { KES: '5.00' },
      balance: { KES: '495.00' },
    });
  });

  test('is found by the identifier of the service as well', async () => {
    const practice = await practise();
    const { body } = await practice.submit(BILLS, billBody('b'));
    const found = await practice.get(`${BILLS}?SystemConversationId=${body.message.systemConversationId}`);
    expect(found.body.originatorConversationId).toBe('b');
    expect((await practice.get(`${BILLS}?SystemConversationId=none`)).body.idType).toBe('SystemConversationId');
  });

  test.each([
    ['504.99', 5, '1'],
    ['505.00', 4, '0'],
  ])('with %s in the wallet ends in status %d', async (balance, status, resultCode) => {
    const practice = await practise({ openingBalances: { KES: balance } });
    await practice.submit(BILLS, billBody('b'));
    practice.clock.pass(10_000);
    expect(practice.sandbox.books().register['pay-bill']?.[0]?.parts).toMatchObject([{ status, resultCode }]);
  });

  test.each([
    ['below the least amount', { amount: 49 }, 'amount'],
    ['above the largest amount', { amount: 70_001 }, 'amount'],
    ['with a fraction', { amount: 50.5 }, 'amount'],
    ['to a service that is not enabled', { serviceId: '4202' }, 'serviceId'],
    ['to an unknown service', { serviceId: 9 }, 'serviceId'],
    ['of no known type', { transactionType: 4 }, 'transactionType'],
    ['of a type in text', { transactionType: '3' }, 'transactionType'],
    ['of no type', { transactionType: undefined }, 'transactionType'],
    ['that says in capitals that it pays', { transactionType: undefined, TRANSACTIONTYPE: 2, amount: 49 }, 'amount'],
    ['in another currency', { currencyCode: 'UGX' }, 'currencyCode'],
    ['by another route', { routeId: '5a0d0001-0c1e-4e0a-9a51-70726163746f' }, 'routeId'],
    ['to an account that cannot be', { accountNumber: '37000004' }, 'accountNumber'],
    ['without a web address to call', { callBackUrl: 'ftp://a' }, 'callBackUrl'],
  ])('%s is refused by name', async (_, change, field) => {
    const practice = await practise();
    const answer = await practice.submit(BILLS, billBody('b', change));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    expect(practice.sandbox.books().register).toEqual({});
  });

  test.each([50, 70_000])('of a limit itself, %d, is taken', async (amount) => {
    const practice = await practise();
    expect(
      (await practice.submit(BILLS, billBody('b', { amount, ServiceId: 4101, serviceId: undefined }))).status,
    ).toBe(200);
  });

  test('costs what the charge record of its route says, up to the largest bill of all', () => {
    const scale = railFor('pay-bill', 'KES')?.scale;
    expect(scale && chargeOf(scale, 25_000_000n)).toBe(5_000n);
  });
});

describe('bill numbers', () => {
  test('are saved with the name of the holder, and found again', async () => {
    const practice = await practise();
    const saved = await practice.submit('/v1/bill-numbers', { serviceId: 4201, accountNumber: '12345678' });
    expect(saved.body.message).toMatchObject({
      accountCustomerName: 'JANE WANJIKU',
      verified: true,
      serviceCode: null,
    });
    const found = await practice.get('/v1/bill-numbers?serviceId=4201&accountNumber=12345678');
    expect(found.body).toMatchObject({ serviceID: 4201, accountNumber: '12345678', customerName: 'JANE WANJIKU' });
    expect((await practice.get('/v1/bill-numbers?serviceId=4201&accountNumber=1')).status).toBe(404);
    expect((await practice.get('/v1/bill-numbers?serviceId=4201')).status).toBe(400);
  });

  test('ending 0004 fail in their own shape and are not saved', async () => {
    const practice = await practise();
    const answer = await practice.submit('/v1/bill-numbers', { serviceId: '4101', accountNumber: '37000004' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { appDomainName: 'SANDBOX', timestamp: expect.any(String), reason: 'The account number is invalid.' },
    ]);
    expect(practice.sandbox.books().register).toEqual({});
  });
});

describe('a question about a bill, at the path of the payment', () => {
  test.each([
    ['what it owes', 1],
    ['whether it can be paid', 3],
  ])('%s is answered, and leaves nothing in the books', async (_, transactionType) => {
    const practice = await practise();
    const asked = await practice.submit(BILLS, { serviceId: '4101', accountNumber: '12345678', transactionType });
    expect(asked.body.message).toMatchObject({ accountCustomerName: 'JANE WANJIKU', currency: 'KES', active: 'true' });
    // Everything that a payment needs may come with it: the type alone decides.
    expect((await practice.submit(BILLS, billBody('b', { transactionType }))).status).toBe(200);
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.billPayment('b'))).status).toBe(404);
    expect(practice.sandbox.books()).toMatchObject({ register: {}, paid: {} });
    expect(practice.sandbox.books().requests['pay-bill'] ?? 0).toBe(0);
  });

  test.each([
    ['without an account', { accountNumber: '' }, 'accountNumber'],
    ['of an unknown service', { serviceId: '9' }, 'serviceId'],
  ])('is refused by name %s', async (_, change, field) => {
    const practice = await practise();
    const question = { serviceId: '4101', accountNumber: '12345678', transactionType: 3, ...change };
    const answer = await practice.submit(BILLS, question);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });
});
