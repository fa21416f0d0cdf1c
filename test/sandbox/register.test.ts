/** What holds for all requests alike: identifiers are taken once, nothing is forgotten, names come in any case. */
import { describe, expect, test } from 'vitest';
import { fieldsIn, lasting, orderBody, type Practice, practise, TestClock, temporaryFolder } from './practice.ts';
import {
  ACCOUNTS,
  AIRTIME,
  accountBody,
  airtimeBody,
  BILLS,
  billBody,
  CHECKOUTS,
  checkoutBody,
  DEPOSITS,
  depositBody,
  lookUps,
  PERSONS,
  personBody,
} from './requests.ts';

const PHONE = '254712000777';
const airtimeOf = (id: string, phone = PHONE): object => airtimeBody(id, [[phone, 100]]);

const moneyOperations = [
  ['buy-airtime', AIRTIME, airtimeOf, lookUps.airtime],
  ['pay-bill', BILLS, billBody, lookUps.billPayment],
  ['request-deposit', DEPOSITS, depositBody, lookUps.deposit],
] as const;

describe.each(moneyOperations)('an identifier of %s that was used before', (kind, path, bodyOf, lookUp) => {
  const partsOf = ({ sandbox }: Practice): readonly unknown[] => sandbox.books().register[kind]?.[0]?.parts ?? [];
  const moved = ({ sandbox }: Practice): string => {
    const { paid, received } = sandbox.books();
    return `${paid['KES']} ${received['KES']}`;
  };

  test('is answered as published where the scenario does not say: a deposit is refused, a payment accepted', async () => {
    const practice = await practise();
    for (const _ of [1, 2, 3]) await practice.submit(path, bodyOf('r'));
    const repeats = { refused: 0, replayed: 0, 'accepted-as-9': 0 };
    const answer = kind === 'request-deposit' ? 'refused' : 'accepted-as-9';
    expect(practice.sandbox.books().repeats).toEqual({ ...repeats, [answer]: 2 });
  });

  test('is refused by name and counted in the mode refuse', async () => {
    const practice = await practise({ scenario: 'duplicates=refuse' });
    await practice.submit(path, bodyOf('r'));
    const answer = await practice.submit(path, bodyOf('r'));
    expect([answer.status, Object.keys(answer.body.errors).join().toLowerCase()]).toEqual([
      400,
      'originatorconversationid',
    ]);
    expect([practice.sandbox.books().repeats.refused, partsOf(practice).length]).toEqual([1, 1]);
  });

  test('gets the first acceptance again in the mode replay', async () => {
    const practice = await practise({ scenario: 'duplicates=replay' });
    const first = await practice.submit(path, bodyOf('r'));
    practice.clock.pass(5_000);
    expect(await practice.submit(path, bodyOf('r'))).toMatchObject({ status: 200, body: first.body });
    expect(partsOf(practice).length).toBe(1);
  });

  test('shows result code 9 for a while in the mode accept-then-9, and moves money once', async () => {
    const practice = await practise({ scenario: 'duplicates=accept-then-9' });
    await practice.submit(path, bodyOf('r'));
    practice.clock.pass(5_000);
    const before = moved(practice);
    expect((await practice.submit(path, bodyOf('r'))).status).toBe(200);
    const shown = JSON.stringify((await practice.get(lookUp('r'))).body);
    expect(shown).toMatch(/"(resultCode":"9"|statusCode":9)/);
    expect(shown).toMatch(/eceiptNumber":null/);
    practice.clock.pass(5_000);
    expect(JSON.stringify((await practice.get(lookUp('r'))).body)).toMatch(/eceiptNumber":"[0-9A-Z]{10}"/);
    expect(moved(practice)).toBe(before);
  });

  test('moves money twice in the mode execute', async () => {
    const practice = await practise({ scenario: 'duplicates=execute' });
    await practice.submit(path, bodyOf('r'));
    practice.clock.pass(5_000);
    const once = moved(practice);
    await practice.submit(path, bodyOf('r'));
    practice.clock.pass(5_000);
    expect(partsOf(practice).length).toBe(2);
    expect(moved(practice)).toBe(once.replace(/\d+\.\d\d/g, (amount) => (2 * Number(amount)).toFixed(2)));
  });
});

describe('an identifier', () => {
  test('of a checkout is taken once, and so is its reference', async () => {
    const practice = await practise({ scenario: 'duplicates=execute' });
    await practice.submit(CHECKOUTS, checkoutBody('c'));
    const again = await practice.submit(CHECKOUTS, checkoutBody('c', { checkoutReference: 'other' }));
    expect(Object.keys(again.body.errors)).toEqual(['originatorConversationId']);
    const same = await practice.submit(CHECKOUTS, checkoutBody('d', { checkoutReference: 'cart-c' }));
    expect(Object.keys(same.body.errors)).toEqual(['checkoutReference']);
    expect(practice.sandbox.books().register['create-checkout']?.map(({ id }) => id)).toEqual(['c']);
  });

  test('may be the same in another operation', async () => {
    const practice = await practise();
    const answers = [
      await practice.post(orderBody('x')),
      ...(await Promise.all(moneyOperations.map(([, path, bodyOf]) => practice.submit(path, bodyOf('x'))))),
      await practice.submit(CHECKOUTS, checkoutBody('x')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('a trace number is taken once over orders and validations', () => {
  const ways = [
    ['an order', (practice: Practice) => practice.post(orderBody('o', { trace: 't' }))],
    ['a person', (practice: Practice) => practice.submit(PERSONS, personBody('t'))],
    ['an account', (practice: Practice) => practice.submit(ACCOUNTS, accountBody('t', '1'))],
  ] as const;
  const pairs = ways.flatMap(([first, take]) => ways.map(([second, again]) => [first, second, take, again] as const));

  test.each(pairs)('by %s, then by %s', async (first, second, take, again) => {
    const practice = await practise({ scenario: 'duplicates=refuse' });
    expect((await take(practice)).status).toBe(200);
    const before = practice.sandbox.books().register;
    const answer = await again(practice);
    const field = first === second && first === 'an order' ? 'OriginatorConversationId' : 'systemTraceAuditNumber';
    expect([answer.status, fieldsIn(answer)]).toEqual([400, [field]]);
    expect(Object.keys(practice.sandbox.books().register)).toEqual(Object.keys(before));
  });
});

describe('magic endings of other payments', () => {
  test('are those of payment orders', async () => {
    const practice = await practise();
    expect((await practice.submit(AIRTIME, airtimeOf('4', '254712000004'))).status).toBe(400);
    await expect(practice.submit(AIRTIME, airtimeOf('5', '254712000005'))).rejects.toThrow();
    await expect(practice.submit(AIRTIME, airtimeOf('6', '254712000006'))).rejects.toThrow();
    expect((await practice.get(lookUps.airtime('5'))).status).toBe(200);
    expect((await practice.get(lookUps.airtime('6'))).status).toBe(404);
    expect((await practice.submit(AIRTIME, airtimeOf('6', '254712000006'))).status).toBe(200);
    const posts = practice.sandbox.books().register['buy-airtime']?.map((one) => `${one.id} ${one.posts}`);
    expect(posts).toEqual(['5 1', '6 2']);
  });
});

describe('faults of the service', () => {
  test('strike a repeated purchase anew, and a restart does not change what strikes', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const scenario = 'seed=3,error-before=0.5,duplicates=refuse';
    const outcomes = async (restart: boolean): Promise<readonly number[]> => {
      const own = restart ? { folder, clock } : {};
      let practice = await practise({ scenario, ...own });
      const statuses: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        statuses.push((await practice.submit(AIRTIME, airtimeOf('a'))).status);
        if (!restart) continue;
        await practice.sandbox.close();
        practice = await practise({ scenario, ...own });
      }
      return statuses;
    };
    const straight = await outcomes(false);
    expect(await outcomes(true)).toEqual(straight);
    expect(new Set(straight)).toEqual(new Set([500, 200, 400]));
  });
});

describe('a restart', () => {
  test('in the middle of settling goes on where the service stopped', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock, scenario: 'settle-min=1000,settle-max=1000' });
    await first.post(orderBody('o'));
    for (const [, path, bodyOf] of moneyOperations) await first.submit(path, bodyOf('x'));
    await first.submit(CHECKOUTS, checkoutBody('x'));
    await first.submit(PERSONS, personBody('p'));
    await first.submit(ACCOUNTS, accountBody('v', '1'));
    await first.submit('/v1/bill-numbers', { serviceId: '4101', accountNumber: '7' });
    const link = await first.submit('/v1/payment-link/create-payment-link', { shortCode: '6' });
    await first.submit('/v1/payment-link/update-payment-link', { id: link.body.id, amount: 5 }, 'PUT');
    clock.pass(500);
    const before = lasting(first.sandbox.books());
    await first.sandbox.close();

    const second = await practise({ folder, clock, scenario: 'settle-min=9,settle-max=9,duplicates=refuse' });
    expect(lasting(second.sandbox.books())).toEqual(before);
    expect((await second.submit(BILLS, billBody('x'))).status).toBe(400);
    expect((await second.submit(PERSONS, personBody('v'))).status).toBe(400);
    expect((await second.submit(CHECKOUTS, checkoutBody('y', { checkoutReference: 'cart-x' }))).status).toBe(400);
    expect((await second.get(`/v1/payment-link/get-payment-link?Id=${link.body.id}`)).body.amount).toBe(5);
    clock.pass(499);
    expect((await second.get(lookUps.billPayment('x'))).body.status).toBe(1);
    clock.pass(1);
    expect((await second.get(lookUps.billPayment('x'))).body.status).toBe(4);
    expect((await second.get(lookUps.account('v'))).body.transactionCreditParty).toBe('1 - BARAKA ABDI');
    const { opening, received, paid, fees, balance } = second.sandbox.books();
    expect({ opening, received, paid, fees, balance }).toMatchObject({
      opening: { KES: '500000000.00' },
      received: { KES: '2801.00' },
      paid: { KES: '1600.00' },
      fees: { KES: '10.00' },
      balance: { KES: '500001191.00' },
    });
  });

  test('keeps what a payer decided', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock, scenario: 'checkout-wait=1' });
    await first.submit(CHECKOUTS, checkoutBody('c'));
    await first.send('/__sandbox/checkouts/c/pay', { method: 'POST' });
    await first.sandbox.close();
    clock.pass(3_600_000);
    const second = await practise({ folder, clock });
    expect(second.sandbox.books().received['KES']).toBe('1300.50');
    expect(second.sandbox.books().register['create-checkout']?.[0]?.parts).toMatchObject([{ status: 4 }]);
  });
});

describe('names of fields', () => {
  test.each([
    ['lower', (name: string) => name.toLowerCase()],
    ['upper', (name: string) => name.toUpperCase()],
    ['Pascal', (name: string) => name.charAt(0).toUpperCase() + name.slice(1)],
  ])('are taken in %s case by every operation', async (_, cased) => {
    const practice = await practise();
    const recased = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(recased);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cased(name), recased(inner)]));
    };
    const sent = [
      ['/v1/payment-order/new-order', orderBody('o')],
      [AIRTIME, airtimeOf('a')],
      [BILLS, billBody('b')],
      [CHECKOUTS, checkoutBody('c')],
      [DEPOSITS, depositBody('d')],
      [PERSONS, personBody('p')],
      [ACCOUNTS, accountBody('v', '1')],
      ['/v1/bill-numbers', { serviceId: '4101', accountNumber: '7' }],
      ['/v1/payment-link/create-payment-link', { shortCode: '6' }],
    ] as const;
    for (const [path, body] of sent) expect((await practice.submit(path, recased(body))).status, path).toBe(200);
    practice.clock.pass(10_000);
    const { orders, register } = practice.sandbox.books();
    expect(orders[0]?.lines[0]).toMatchObject({ trace: 'o-0', amount: '1000.00', status: 4 });
    const ids = Object.values(register).flatMap((requests) => requests.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'p', 'v', '4101|7']));
  });

  test('in the case of the specification win over the same in another case', async () => {
    const practice = await practise();
    await practice.submit(BILLS, { ...billBody('right'), ORIGINATORCONVERSATIONID: 'wrong' });
    await practice.submit(BILLS, { ORIGINATORCONVERSATIONID: 'wrong', ...billBody('right-too') });
    const ids = practice.sandbox.books().register['pay-bill']?.map(({ id }) => id);
    expect(ids).toEqual(['right', 'right-too']);
  });
});
