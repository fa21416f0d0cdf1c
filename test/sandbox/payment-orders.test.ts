import { describe, expect, test } from 'vitest';
import { type PaymentOrder, paymentOrder } from '../../src/service/contract/payment-order.ts';
import { fieldsIn, orderBody, practise } from './practice.ts';

/** Every field of an order that the specification lists for a mobile-wallet transfer. */
const fullOrder: PaymentOrder = {
  originatorConversationId: 'full',
  paymentNotes: 'Practice',
  paymentOrderLines: [
    {
      remitter: { name: 'Acme Ltd', phoneNumber: '+254700000000', country: 'KE', ccy: 404, sourceOfFunds: 'Business' },
      recipient: {
        name: 'Amina Otieno',
        phoneNumber: '+254712000777',
        primaryAccountNumber: '+254712000777',
        financialInstitution: null,
        institutionIdentifier: null,
        mccmnc: '63902',
        ccy: 404,
        country: 'KE',
        purpose: 'Salary',
      },
      transaction: {
        routeId: '5a0d0001-0c1e-4e0a-9a51-70726163746f',
        channelType: 1,
        amount: 10.25,
        reference: 'E-1',
        systemTraceAuditNumber: 'full-1',
      },
      metaDataList: [{ key: 'ServiceCode', value: 'SALARY' }],
    },
  ],
};

/** Paths of all objects and values inside a JSON value. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])]);
}

/** A copy of the full order in which the value at a path is another one, or missing. */
function changedOrder(path: readonly string[], change: 'remove' | 'mistype'): unknown {
  const copy: unknown = structuredClone(fullOrder);
  const owner = path.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), copy);
  const key = path.at(-1) ?? '';
  if (Array.isArray(owner)) owner.splice(Number(key), 1, ...(change === 'remove' ? [] : [true]));
  else if (change === 'remove') Reflect.deleteProperty(Object(owner), key);
  else Reflect.set(Object(owner), key, true);
  return copy;
}

describe('submitting an order', () => {
  test('what the contract calls incomplete or mistyped is refused, and the rest is taken', async () => {
    const practice = await practise();
    const verdicts: string[] = [];
    for (const path of pathsOf(fullOrder)) {
      for (const change of ['remove', 'mistype'] as const) {
        const body = changedOrder(path, change);
        const unique = JSON.stringify(body)
          .replace('"full"', `"full-${verdicts.length}"`)
          .replace('"full-1"', `"trace-${verdicts.length}"`);
        // The contract is that of all ways of paying; on this route a network is needed.
        const isWallet = path.at(-1) !== 'mccmnc' || change === 'mistype';
        const fits = paymentOrder.safeParse(JSON.parse(unique)).success && isWallet;
        const { status } = await practice.post(unique);
        verdicts.push(`${change} ${path.join('.')}: ${fits ? 200 : 400} ${status}`);
      }
    }
    expect(verdicts.length).toBeGreaterThan(50);
    expect(verdicts.filter((verdict) => !/(\d+) \1$/.test(verdict))).toEqual([]);
  });

  test('a refused order leaves nothing in the books', async () => {
    const practice = await practise();
    const refused = await practice.post(orderBody('bad', { amount: -1 }));
    expect([refused.status, fieldsIn(refused)]).toEqual([400, ['paymentOrderLines[0].transaction.amount']]);
    expect(practice.sandbox.books().orders).toEqual([]);
    expect((await practice.post(orderBody('bad'))).status).toBe(200);
  });

  test.each([
    ['more decimals than the currency has', { amount: 10.005 }, 'transaction.amount'],
    ['an unknown route', { routeId: '00000000-0000-0000-0000-000000000000' }, 'transaction.routeId'],
    ['a channel type of another route', { channelType: 21 }, 'transaction.channelType'],
    ['a currency that the route does not carry', { ccy: 800 }, 'recipient.ccy'],
    [
      'a till without its number',
      { routeId: '5a0d0002-0c1e-4e0a-9a51-70726163746f', channelType: 13 },
      'recipient.institutionIdentifier',
    ],
  ])('%s is refused by name', async (_name, choice, field) => {
    const practice = await practise();
    const answer = await practice.post(orderBody('odd', {}, choice));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, [`paymentOrderLines[1].${field}`]]);
  });

  test.each([
    ['text that is not JSON', '{"originatorConversationId":', 400],
    ['JSON that is no object', '[]', 400],
    ['a body of more than a mebibyte', `"${'x'.repeat(1_048_576)}"`, 400],
  ])('%s is refused', async (_name, body, status) => {
    const practice = await practise();
    expect((await practice.post(body)).status).toBe(status);
  });

  test('a body that does not say it is JSON is refused', async () => {
    const practice = await practise();
    const body = JSON.stringify(orderBody('plain'));
    const answer = await practice.send('/v1/payment-order/new-order', {
      method: 'POST',
      headers: practice.bearer,
      body,
    });
    expect(answer.status).toBe(400);
  });

  test('a path or method that the interface does not have is answered without body', async () => {
    const practice = await practise();
    expect((await practice.get('/v1/nothing')).status).toBe(404);
    expect((await practice.get('/v1/payment-order/new-order')).status).toBe(405);
  });

  test('a body that cannot be read is a validation error, and one that is read and not taken an order error', async () => {
    const practice = await practise();
    const mistyped = await practice.post(orderBody('o', { amount: 'x' as unknown as number, payee: 'hello' }));
    expect(mistyped.body).toMatchObject({ title: expect.any(String), status: 400, traceId: expect.any(String) });
    expect(Object.keys(mistyped.body.errors)).toEqual(['paymentOrderLines[0].transaction.amount']);
    const refused = await practice.post(orderBody('o', { payee: 'hello' }));
    expect(refused.body).toEqual({
      appDomainName: 'SANDBOX',
      status: 'BadRequest',
      timestamp: expect.any(String),
      systemConversationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      originatorConversationId: 'o',
      errors: [
        {
          field: 'paymentOrderLines[0].recipient.primaryAccountNumber',
          message: 'The primaryAccountNumber is not a mobile number.',
        },
      ],
    });
    expect((await practice.find('o')).status).toBe(404);
  });

  test.each([
    ['an account that is no number', { payee: 'hello' }, ['primaryAccountNumber']],
    ['half a number', { payee: '+2547' }, ['primaryAccountNumber']],
    ['a network that is on no list', { network: '99999' }, ['mccmnc']],
    ['a network as a number that is on no list', { network: 99999 }, ['mccmnc']],
    ['no network', { network: '' }, ['mccmnc']],
    ['neither', { network: '99999', payee: 'hello' }, ['mccmnc', 'primaryAccountNumber']],
  ])('to a wallet by %s is refused by name', async (_, choice, fields) => {
    const practice = await practise();
    const answer = await practice.post(orderBody('o', choice));
    expect([answer.status, fieldsIn(answer)]).toEqual([
      400,
      fields.map((field) => `paymentOrderLines[0].recipient.${field}`),
    ]);
    expect(practice.sandbox.books().orders).toEqual([]);
  });

  test('takes a network of the list as a number too, and a wallet without its plus', async () => {
    const practice = await practise();
    expect((await practice.post(orderBody('o', { network: 63902, payee: '254712000777' }))).status).toBe(200);
  });

  test.each([
    ['originatorConversationId', 100],
    ['paymentNotes', 255],
    ['remitter.name', 128],
    ['remitter.address', 128],
    ['remitter.phoneNumber', 13],
    ['remitter.idType', 13],
    ['remitter.idNumber', 13],
    ['remitter.country', 50],
    ['remitter.nationality', 64],
    ['remitter.idIssuePlace', 64],
    ['remitter.financialInstitution', 64],
    ['remitter.sourceOfFunds', 64],
    ['remitter.principalActivity', 64],
    ['recipient.name', 64],
    ['recipient.address', 64],
    ['recipient.emailAddress', 64],
    ['recipient.phoneNumber', 13],
    ['recipient.idType', 13],
    ['recipient.idNumber', 13],
    ['recipient.country', 3],
  ])('takes a %s of %i characters, as published, and not one more', async (field, most) => {
    const practice = await practise();
    const [part, name] = field.includes('.') ? field.split('.') : [undefined, field];
    const bodyWith = (length: number): object => {
      const order = structuredClone(fullOrder);
      const owner = part === undefined ? order : Reflect.get(order.paymentOrderLines[0] ?? {}, part);
      Reflect.set(owner, name ?? '', 'x'.repeat(length));
      return order;
    };
    const long = await practice.post(bodyWith(most + 1));
    expect([long.status, fieldsIn(long)]).toEqual([400, [part ? `paymentOrderLines[0].${field}` : field]]);
    expect((await practice.post(bodyWith(most))).status).toBe(200);
  });

  test('an acceptance can have status 202', async () => {
    const practice = await practise({ scenario: 'accept-status=202' });
    expect((await practice.post(orderBody('o'))).status).toBe(202);
  });
});

describe('a bank transfer', () => {
  const remitter = {
    name: 'Acme Ltd',
    phoneNumber: '+254700000000',
    country: 'KE',
    sourceOfFunds: 'Business',
    principalActivity: 'Trading',
  };
  const rails = {
    KES: { routeId: '5a0d0003-0c1e-4e0a-9a51-70726163746f', channelType: 21, ccy: 404 },
    UGX: { routeId: '5a0d0009-0c1e-4e0a-9a51-70726163746f', channelType: 21, ccy: 800 },
  } as const;

  /** An order by a bank rail, in the way of the field lists. */
  const bankOrder = (
    code: keyof typeof rails,
    institutionIdentifier: string | null,
    from: object | undefined,
  ): object => {
    const { routeId, channelType, ccy } = rails[code];
    const recipient = {
      name: 'Amina',
      primaryAccountNumber: '0119988777',
      institutionIdentifier,
      ccy,
      purpose: 'Salary',
    };
    const transaction = { routeId, channelType, amount: 84_000, reference: 'E-1', systemTraceAuditNumber: 'b-1' };
    const line = { remitter: from, recipient, transaction: { ...transaction, customerAccountNo: '000123' } };
    return { originatorConversationId: 'b', paymentNotes: 'Practice', paymentOrderLines: [line] };
  };

  test.each([
    ['KES', '68', '65.00'],
    ['KES', 'KCBLKENX', '65.00'],
    ['UGX', 'KCBLUGKAXXX', '3000'],
  ] as const)('in %s to %s is paid and charged for', async (code, institution, fee) => {
    const practice = await practise();
    expect((await practice.post(bankOrder(code, institution, remitter))).status).toBe(200);
    practice.clock.pass(10_000);
    expect(practice.sandbox.books().orders[0]?.lines[0]).toMatchObject({ status: 4, currency: code, fee, institution });
  });

  test.each(Object.keys(remitter))('without the %s of the remitter is refused by name', async (field) => {
    const practice = await practise();
    const answer = await practice.post(bankOrder('KES', '68', { ...remitter, [field]: undefined }));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, [`paymentOrderLines[0].remitter.${field}`]]);
  });

  test.each([
    ['without remitter', '68', undefined, 'remitter'],
    ['without bank', null, remitter, 'recipient.institutionIdentifier'],
    ['to something that is no bank', 'KCB Bank', remitter, 'recipient.institutionIdentifier'],
  ])('%s is refused by name', async (_, institution, from, field) => {
    const practice = await practise();
    const answer = await practice.post(bankOrder('KES', institution, from));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, [`paymentOrderLines[0].${field}`]]);
  });

  test('cannot go by a rail of other operations', async () => {
    const practice = await practise();
    for (const [routeId, channelType] of [
      ['5a0d0006-0c1e-4e0a-9a51-70726163746f', 30],
      ['5a0d0007-0c1e-4e0a-9a51-70726163746f', 158],
      ['5a0d0008-0c1e-4e0a-9a51-70726163746f', 7],
    ] as const) {
      const answer = await practice.post(orderBody('o', { routeId, channelType }));
      expect(fieldsIn(answer)).toEqual(['paymentOrderLines[0].transaction.channelType']);
    }
  });
});

describe('a trace number is taken once', () => {
  test('within an order', async () => {
    const practice = await practise();
    const answer = await practice.post(orderBody('o', { trace: 't' }, { trace: 't' }));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, ['systemTraceAuditNumber']]);
  });

  test('over all orders', async () => {
    const practice = await practise();
    await practice.post(orderBody('first', { trace: 't' }));
    const answer = await practice.post(orderBody('second', { trace: 't' }));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, ['systemTraceAuditNumber']]);
    expect(practice.sandbox.books().orders.map(({ id }) => id)).toEqual(['first']);
  });
});

describe('an order id that was used before', () => {
  test('is refused by name and counted in the mode refuse', async () => {
    const practice = await practise({ scenario: 'duplicates=refuse' });
    await practice.post(orderBody('o'));
    const answer = await practice.post(orderBody('o'));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, ['OriginatorConversationId']]);
    const { orders, repeats } = practice.sandbox.books();
    expect([orders.length, orders[0]?.posts, repeats.refused]).toEqual([1, 2, 1]);
  });

  test('gets the first acceptance again in the mode replay', async () => {
    const practice = await practise({ scenario: 'duplicates=replay' });
    const first = await practice.post(orderBody('o'));
    practice.clock.pass(5_000);
    expect(await practice.post(orderBody('o'))).toMatchObject({ status: 200, body: first.body });
    expect(practice.sandbox.books().orders[0]?.lines.length).toBe(1);
  });

  test('is accepted as published, under a service id of its own, shows result code 9 for a while, and is paid once', async () => {
    for (const scenario of ['', 'duplicates=accept-then-9']) {
      const practice = await practise({ scenario });
      const first = await practice.post(orderBody('o'));
      practice.clock.pass(5_000);
      const again = await practice.post(orderBody('o'));
      expect([again.status, again.body.message.originatorConversationId]).toEqual([200, 'o']);
      expect(again.body.message.systemConversationId).not.toBe(first.body.message.systemConversationId);
      const codeNow = async (): Promise<unknown> =>
        (await practice.find('o')).body.orderLines[0].transactionOutcome.resultCode;
      expect(await codeNow()).toBe('9');
      practice.clock.pass(5_000);
      expect(await codeNow()).toBe('0');
      const { paid, repeats } = practice.sandbox.books();
      expect([paid['KES'], repeats]).toEqual(['1000.00', { refused: 0, replayed: 0, 'accepted-as-9': 1 }]);
    }
  });

  test('is shown as a duplicate with one status or with another, of which one reads rejected', async () => {
    const practice = await practise();
    const statuses = new Set<number>();
    for (let index = 0; index < 20; index += 1) {
      await practice.post(orderBody(`o${index}`));
      await practice.post(orderBody(`o${index}`));
      statuses.add((await practice.find(`o${index}`)).body.orderLines[0].transactionOutcome.transactionStatus);
    }
    expect([...statuses].toSorted()).toEqual([5, 7]);
  });

  test.each([
    ['execute', 'shows both payments', 2],
    ['hide', 'goes on showing the first alone', 1],
  ])('is paid twice in the mode %s, each under a service id of its own, and the record %s', async (mode, _, shown) => {
    const practice = await practise({ scenario: `duplicates=${mode}` });
    const first = (await practice.post(orderBody('o'))).body.message.systemConversationId;
    const again = (await practice.post(orderBody('o'))).body.message.systemConversationId;
    practice.clock.pass(5_000);
    const record = (await practice.find('o')).body;
    expect([record.orderLines.length, record.conversationId === first, again === first]).toEqual([shown, true, false]);
    expect(practice.sandbox.books().paid['KES']).toBe('2000.00');
  });
});
