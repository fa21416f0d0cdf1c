/** Money that comes in: checkouts, deposits, and the payment links that ask for it. */
import { describe, expect, test } from 'vitest';
import { type Practice, practise } from './practice.ts';
import { CHECKOUTS, checkoutBody, DEPOSITS, depositBody, lookUps } from './requests.ts';

const decide = (practice: Practice, id: string, word: string): ReturnType<Practice['send']> =>
  practice.send(`/__sandbox/checkouts/${id}/${word}`, { method: 'POST' });

const item = (price: number): object => ({ sku: 'X', name: 'X', price });

describe('a checkout', () => {
  test('that is paid tops the wallet up', async () => {
    const practice = await practise({ openingBalances: { KES: '10.00' } });
    const { body } = await practice.submit(CHECKOUTS, checkoutBody('c'));
    expect(body.message.checkoutSession).toMatchObject({ status: '000', message: 'Checkout created' });
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.checkout('c'))).body).toMatchObject({
      checkoutTotalAmount: 1300.5,
      checkoutCurrencyCode: '404',
      checkoutCurrencyName: 'KES',
      checkoutOutcome: { Status: 4, StatusDesc: 'Completed', ResultCode: '000' },
      checkoutRequestLines: [{ sku: 'T' }, { sku: 'F' }],
    });
    expect(practice.sandbox.books()).toMatchObject({
      opening: { KES: '10.00' },
      received: { KES: '1300.50' },
      balance: { KES: '1310.50' },
    });
  });

  test.each([
    ['pay', 4, '1300.50'],
    ['cancel', 7, '0.00'],
  ])('that waits for its payer can be ended by hand: %s', async (word, status, received) => {
    const practice = await practise({ scenario: 'checkout-wait=1' });
    await practice.submit(CHECKOUTS, checkoutBody('c'));
    practice.clock.pass(60_000);
    expect(await decide(practice, 'c', word)).toMatchObject({ status: 200, body: { checkoutOutcome: { status } } });
    expect((await practice.get(lookUps.checkout('c'))).body.checkoutOutcome.Status).toBe(status);
    expect(practice.sandbox.books().received['KES']).toBe(received);
    expect((await decide(practice, 'c', word)).status).toBe(409);
  });

  test('that nobody pays in half an hour times out', async () => {
    const practice = await practise({ scenario: 'checkout-wait=1' });
    await practice.submit(CHECKOUTS, checkoutBody('c'));
    practice.clock.pass(1_799_999);
    expect((await practice.get(lookUps.checkout('c'))).body.checkoutOutcome.Status).toBe(0);
    practice.clock.pass(1);
    expect((await practice.get(lookUps.checkout('c'))).body.checkoutOutcome.Status).toBe(8);
  });

  test.each([
    ['another route', { checkoutRouteId: '5a0d0001-0c1e-4e0a-9a51-70726163746f' }, 'checkoutRouteChannelType'],
    ['an unknown route', { checkoutRouteId: 'none' }, 'checkoutRouteId'],
    ['another currency', { checkoutCcy: 834 }, 'checkoutCcy'],
    ['a due date in words', { checkoutDueDate: 'tomorrow' }, 'checkoutDueDate'],
    ['no items', { checkoutOrderLines: [] }, 'checkoutOrderLines'],
    ['a total above the limit', { checkoutOrderLines: [item(1_000_000), item(0.01)] }, 'checkoutOrderLines'],
  ])('with %s is refused by name', async (_, change, field) => {
    const practice = await practise();
    const answer = await practice.submit(CHECKOUTS, checkoutBody('c', change));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    expect(practice.sandbox.books().register).toEqual({});
  });
});

describe('an express deposit', () => {
  test('that completes tops the wallet up', async () => {
    const practice = await practise({ openingBalances: { KES: '0.50' } });
    await practice.submit(DEPOSITS, depositBody('d'));
    expect((await practice.get(lookUps.deposit('d'))).body).toMatchObject({
      status: 'Pending',
      mpesaReceiptNumber: null,
    });
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.deposit('d'))).body).toMatchObject({
      status: 'Completed',
      resultCode: '0',
      mpesaReceiptNumber: expect.stringMatching(/^[0-9A-Z]{10}$/),
    });
    expect(practice.sandbox.books()).toMatchObject({ received: { KES: '1500.50' }, balance: { KES: '1501.00' } });
  });

  test.each([
    ['0001', 'Rejected'],
    ['0002', 'Timed Out'],
    ['0007', 'Rejected'],
    ['0008', 'Failed'],
    ['0009', 'On Hold'],
  ])('by a phone ending %s ends as %s and brings nothing', async (ending, status) => {
    const practice = await practise();
    await practice.submit(DEPOSITS, depositBody('d', { PhoneNumber: `25471200${ending}` }));
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.deposit('d'))).body).toMatchObject({ status, mpesaReceiptNumber: null });
    expect(practice.sandbox.books().received['KES']).toBe('0.00');
  });

  test('goes into the wallet of its currency', async () => {
    const practice = await practise();
    await practice.submit(DEPOSITS, depositBody('d', { Amount: '700', currency: 'UGX' }));
    practice.clock.pass(10_000);
    expect(practice.sandbox.books().received).toEqual({ KES: '0.00', UGX: '700', TZS: '0.00' });
    const refused = await practice.submit(DEPOSITS, depositBody('e', { Amount: '700', currency: 'EUR' }));
    expect(Object.keys(refused.body.errors)).toEqual(['currency']);
  });
});

describe('an express deposit that nobody could make', () => {
  test.each(['0', '0.00', '10000000.01', '999999999999999', '1500.005'])('%s is refused by name', async (Amount) => {
    const practice = await practise();
    const answer = await practice.submit(DEPOSITS, depositBody('d', { Amount }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['Amount']]);
    expect(practice.sandbox.books().register).toEqual({});
  });
});

describe('a payment link', () => {
  const LINKS = '/v1/payment-link';

  test('is made, found and changed; what a change leaves out stays', async () => {
    const practice = await practise();
    const made = await practice.submit(`${LINKS}/create-payment-link`, {
      shortCode: '600111',
      description: 'Invoice <9>',
    });
    const { id } = made.body;
    const changed = await practice.submit(
      `${LINKS}/update-payment-link`,
      { id, amount: 20.5, isAmountSpecified: true },
      'PUT',
    );
    const found = await practice.get(`${LINKS}/get-payment-link?Id=${id}`);
    expect(found.body).toEqual(changed.body);
    expect(found.body).toMatchObject({ id, shortCode: '600111', description: 'Invoice <9>', amount: 20.5 });
  });

  test('that nobody made is not found', async () => {
    const practice = await practise();
    const answers = [
      await practice.get(`${LINKS}/get-payment-link?Id=none`),
      await practice.submit(`${LINKS}/update-payment-link`, { id: 'none' }, 'PUT'),
    ];
    expect(answers.map(({ status, body }) => [status, body.idType])).toEqual([
      [404, 'Id'],
      [404, 'Id'],
    ]);
  });

  test('with a fixed amount says how much', async () => {
    const practice = await practise();
    const answer = await practice.submit(`${LINKS}/create-payment-link`, { shortCode: '1', isAmountSpecified: true });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['amount']]);
  });
});
