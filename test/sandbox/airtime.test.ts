import { describe, expect, test } from 'vitest';
import { practise } from './practice.ts';
import { AIRTIME, airtimeBody, lookUps } from './requests.ts';

describe('buying airtime', () => {
  test('takes amount and charge from the wallet when it completes, and gives a receipt', async () => {
    const practice = await practise({ openingBalances: { KES: '1000.00' } });
    expect((await practice.submit(AIRTIME, airtimeBody('a', [['254712000777', 250]]))).status).toBe(200);
    expect((await practice.get(lookUps.airtime('a'))).body).toMatchObject({ status: 0, receiptNumber: null });
    expect(practice.sandbox.books().balance).toEqual({ KES: '1000.00' });
    practice.clock.pass(10_000);
    const { body } = await practice.get(lookUps.airtime('a'));
    expect(body).toEqual({
      systemConversationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      originatorConversationId: 'a',
      phoneNumber: '254712000777',
      amount: 250,
      currencyCode: 'KES',
      status: 4,
      transactionStatusDescription: 'Completed',
      receiptNumber: expect.stringMatching(/^[0-9A-Z]{10}$/),
      resultCode: '0',
      resultDesc: 'Success',
      feeAmount: 1,
    });
    expect(practice.sandbox.books()).toMatchObject({
      paid: { KES: '250.00' },
      fees: { KES: '1.00' },
      balance: { KES: '749.00' },
    });
  });

  test('for several people ends for each by itself', async () => {
    const practice = await practise();
    const recipients = [
      ['254712000777', 100],
      ['254712000001', 200],
      ['254712000777', 300],
    ] as const;
    await practice.submit(AIRTIME, airtimeBody('a', recipients));
    practice.clock.pass(10_000);
    const { body } = await practice.get(lookUps.airtime('a'));
    expect(body).toMatchObject({ amount: 600, status: 7, phoneNumber: null, receiptNumber: null, feeAmount: 1 });
    expect(body.recipients.map((one: Record<string, unknown>) => `${one['status']} ${one['amount']}`)).toEqual([
      '4 100',
      '7 200',
      '4 300',
    ]);
    expect(practice.sandbox.books().paid['KES']).toBe('400.00');
  });

  test('fails for lack of funds and moves no money', async () => {
    const practice = await practise({ openingBalances: { KES: '100.99' } });
    await practice.submit(AIRTIME, airtimeBody('a', [['254712000777', 101]]));
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.airtime('a'))).body).toMatchObject({
      status: 5,
      resultCode: '1',
      receiptNumber: null,
    });
    expect(practice.sandbox.books().balance).toEqual({ KES: '100.99' });
  });

  test('takes the flat description for one phone, too', async () => {
    const practice = await practise();
    const flat = {
      originatorConversationId: 'flat',
      recipientName: 'Amina Otieno',
      recipientPhoneNumber: '254712000777',
      recipientccy: '404',
      amount: 50,
      callBackUrl: 'https://callbacks.example.test/',
    };
    expect((await practice.submit(AIRTIME, flat)).status).toBe(200);
    practice.clock.pass(10_000);
    expect((await practice.get(lookUps.airtime('flat'))).body).toMatchObject({
      status: 4,
      amount: 50,
      currencyCode: 'KES',
    });
  });

  test.each(['recipientName', 'recipientPhoneNumber', 'recipientccy', 'amount', 'callBackUrl'])(
    'refuses the flat description without %s',
    async (field) => {
      const practice = await practise();
      const flat = {
        originatorConversationId: 'flat',
        recipientName: 'Amina Otieno',
        recipientPhoneNumber: '254712000777',
        recipientccy: 'KES',
        amount: 50,
        callBackUrl: 'https://callbacks.example.test/',
        [field]: undefined,
      };
      const answer = await practice.submit(AIRTIME, flat);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
      expect(practice.sandbox.books().register).toEqual({});
    },
  );

  test.each([
    ['a currency in which none is sold', { currencyCode: 'UGX' }, 'currencyCode'],
    ['a phone number with letters', { phoneNumber: '07I2000777' }, 'phoneNumber'],
    ['more decimals than the currency has', { amount: 10.005 }, 'amount'],
    ['nothing', { amount: 0 }, 'amount'],
    ['more than the scale of its route knows', { amount: 10_000.01 }, 'amount'],
    ['more than anybody has', { amount: 1e300 }, 'amount'],
  ])('refuses %s', async (_, change, field) => {
    const practice = await practise();
    const recipient = { currencyCode: 'KES', phoneNumber: '254712000777', amount: 10, name: 'A', ...change };
    const answer = await practice.submit(AIRTIME, airtimeBody('a', [], { recipients: [recipient] }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [`recipients[0].${field}`]]);
  });

  test('that nobody bought is not found', async () => {
    const practice = await practise();
    const answer = await practice.get(lookUps.airtime('none'));
    expect([answer.status, answer.body]).toEqual([
      404,
      { id: 'none', idType: 'OriginatorConversationId', message: 'The airtime purchase none was not found.' },
    ]);
  });
});
