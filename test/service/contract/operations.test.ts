import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/service/contract/index.ts';
import type { AnyOperation } from '../../../src/service/contract/operation.ts';
import { paymentOrder, statusRecord } from '../../../src/service/contract/payment-order.ts';
import { asWritten, messageNamed, operationOf, specMessages } from '../../support/spec-messages.ts';

const all: readonly (readonly [string, AnyOperation])[] = Object.entries(operations);
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const namesOf = (which: (operation: AnyOperation) => boolean): readonly string[] =>
  all
    .map(([, operation]) => operation)
    .filter(which)
    .map(({ name }) => name);

/** Operations as the specification lists them, counted by hand: what it shows, and what only its menu names. */
const shown = [
  ['request-token', 'POST /connect/token'],
  ['submit-order', 'POST /v1/payment-order/new-order'],
  ['find-order', 'GET /v1/payment-order/check-status'],
  ['reject-order', 'POST /v1/payment-order/reject-order'],
  ['create-checkout', 'POST /v1/checkout-order/new-order'],
  ['buy-airtime', 'POST /v1/airtime-purchase'],
  ['find-bill-services', 'GET /v1/bill-services'],
  ['save-bill-number', 'POST /v1/bill-numbers'],
  ['pay-bill', 'POST /v1/bill-payments'],
  ['fetch-charges', 'GET /v1/charge/fetch-charges'],
  ['get-wallet-balance', 'GET /v1/customer-accounts/get-wallet-balance'],
  ['validate-kyc', 'POST /v1/kyc-request/validate'],
  ['find-kyc', 'GET /v1/kyc-request/check-status'],
  ['find-account-validation', 'GET /v1/account/query'],
  ['update-payment-link', 'PUT /v1/payment-link/update-payment-link'],
] as const;
const observed = [
  ['find-routes', 'GET /v1/transaction-routes/assigned-routes'],
  ['check-health', 'GET /api_health_check'],
  ['create-payment-link', 'POST /v1/payment-link/create-payment-link'],
  ['find-payment-link', 'GET /v1/payment-link/get-payment-link'],
  ['request-deposit', 'POST /v1/express-deposit'],
  ['find-deposit', 'GET /v1/express-deposit/check-status'],
  ['find-bill-payment', 'GET /v1/bill-payments'],
] as const;
/** On the pages of the provider. */
const published = [
  ['validate-account', 'POST /v1/account/validate'],
  ['query-checkout', 'GET /v1/checkout-order/check-status'],
  ['find-bill-number', 'GET /v1/bill-numbers'],
  ['query-bill', 'POST /v1/bill-payments'],
  ['validate-bill', 'POST /v1/bill-payments'],
] as const;
const unknown = [['find-airtime', 'GET']] as const;

describe('the table of operations', () => {
  test.each(all)('%s is named as it is filed, and says where the specification has it', (key, operation) => {
    expect(operation.name).toBe(kebab(key));
    expect(operation.spec).not.toBe('');
    expect(operation.summary).toMatch(/^[A-Z].+\.$/);
    if (operation.shape === 'unknown') expect(operation.path).toBeUndefined();
    else expect(operation.path).toMatch(/^\/[a-z0-9_/-]+$/);
  });

  test.each([
    ['spec', shown],
    ['published', published],
    ['observed', observed],
    ['unknown', unknown],
  ] as const)('holds the operations whose shape is %s, each at its method and path', (shape, places) => {
    const held = all.flatMap(([, { name, method, path, shape: known }]) =>
      known === shape ? [[name, path === undefined ? method : `${method} ${path}`]] : [],
    );
    expect(held.toSorted()).toEqual([...places].map((place) => [...place]).toSorted());
  });

  test('has one entry for each method and path, and for what sets bodies there apart', () => {
    const places = all.flatMap(([, { method, path, apart }]) =>
      path === undefined ? [] : [{ at: `${method} ${path}`, apart }],
    );
    for (const { at, apart } of places) {
      const sharing = places.filter((place) => place.at === at);
      expect(apart !== undefined, at).toBe(sharing.length > 1);
      expect(new Set(sharing.map((place) => JSON.stringify(place.apart))).size).toBe(sharing.length);
    }
  });

  test('lets nothing be repeated that would be carried out twice', () => {
    expect(namesOf(({ repeatable }) => !repeatable).toSorted()).toEqual([
      'buy-airtime',
      'create-checkout',
      'create-payment-link',
      'pay-bill',
      'request-deposit',
      'save-bill-number',
      'submit-order',
      'validate-account',
      'validate-kyc',
    ]);
    const reading = namesOf(({ method, repeatable }) => method === 'GET' && !repeatable);
    expect(reading).toEqual([]);
  });

  test('sends the token with everything but the request for it and the health check', () => {
    expect(namesOf(({ authorised }) => !authorised).toSorted()).toEqual(['check-health', 'request-token']);
    expect(namesOf(({ host }) => host === 'token')).toEqual(['request-token']);
    expect(namesOf(({ encoding }) => encoding === 'form')).toEqual(['request-token']);
    expect(namesOf(({ answers }) => answers === 'text')).toEqual(['check-health']);
  });
});

describe('messages written by hand from the specification', () => {
  const good = [...specMessages].filter(([, { reply }]) => reply.status === 200);

  test('are about every operation', () => {
    const named = new Set(good.map(([, message]) => operationOf(message)?.name));
    expect([...named].toSorted()).toEqual(namesOf(() => true).toSorted());
  });

  test.each(good)('the answer of %s is read', (_, message) => {
    const { body, text } = asWritten(message.reply);
    expect(operationOf(message)?.reply.safeParse(text ?? body).error).toBeUndefined();
  });

  test.each(good.filter(([, { written }]) => written !== false))(
    'the request of %s is as we would write it',
    (_, m) => {
      const operation = operationOf(m);
      const { query, body, form } = asWritten(m.request);
      const sent = form ?? body;
      expect(operation?.query === undefined).toBe(query === undefined);
      expect(operation?.body === undefined).toBe(sent === undefined);
      expect(operation?.query?.safeParse(query).error).toBeUndefined();
      expect(operation?.body?.safeParse(sent).error).toBeUndefined();
      // Written strictly means that nothing is added and nothing is left out.
      if (operation?.body && sent !== undefined) expect(operation.body.parse(sent)).toEqual(sent);
    },
  );

  test.each([...specMessages].filter(([name]) => /-invalid$|-missing-/.test(name)))(
    'the request of %s would never be written',
    (_, message) => {
      const operation = operationOf(message);
      const { query = {}, body, form } = asWritten(message.request);
      const wrong = [operation?.query?.safeParse(query).success, operation?.body?.safeParse(form ?? body).success];
      expect(wrong).toContain(false);
    },
  );
});

describe('what a request to the path of bills is', () => {
  const account = { serviceId: '4101', accountNumber: '37000777' };
  const payment = {
    ...account,
    msisdn: '254712000777',
    transactionDesc: 'Electricity',
    originatorConversationId: 'b',
    amount: 500,
    customerNames: 'Amina Otieno',
    countryCode: 'KE',
    currencyCode: 'KES',
    saveBillerNumber: false,
    callBackUrl: 'https://callbacks.example.test/',
  };
  const { queryBill, payBill, validateBill } = operations;
  const types = [0, 1, 2, 3, 4, '1', '2', '3', null, undefined];

  test.each([
    ['query-bill', queryBill, 1, account],
    ['pay-bill', payBill, 2, payment],
    ['validate-bill', validateBill, 3, account],
  ] as const)('stands in its body, and %s takes no other', (_, operation, only, rest) => {
    const taken = types.filter((transactionType) => operation.body?.safeParse({ ...rest, transactionType }).success);
    expect(taken).toEqual([only]);
    expect(operation.apart).toEqual({ field: 'transactionType', value: only });
    // The service takes names in any case: no other one may come along.
    const twice = { ...rest, transactionType: only, TransactionType: 2 };
    expect(operation.body?.safeParse(twice).success).toBe(false);
  });

  test.each<[string, object]>([
    ['an identifier that nobody gave', { message: { originatorConversationId: null, dueAmount: '12.50' } }],
    ['no identifier', { message: { remarks: 'x' } }],
    ['fields that nobody has described', { colour: 'red' }],
  ])('is answered also with %s', (_, value) => {
    for (const { reply } of [queryBill, validateBill]) expect(reply.parse(value)).toEqual(value);
  });

  test.each(Object.keys(payment).filter((name) => !Object.hasOwn(account, name)))(
    'is a question without %s: nothing that a payment needs goes with it',
    (name) => {
      const value = Object(payment)[name];
      for (const [operation, transactionType] of [
        [queryBill, 1],
        [validateBill, 3],
      ] as const) {
        expect(operation.body?.safeParse({ ...account, transactionType }).success).toBe(true);
        expect(operation.body?.safeParse({ ...account, transactionType, [name]: value }).success).toBe(false);
      }
    },
  );
});

const body = {
  originatorConversationId: 'a',
  paymentNotes: 'b',
  paymentOrderLines: [
    {
      recipient: { name: 'Jane', primaryAccountNumber: '+254712345678', ccy: 404, purpose: 'Salary' },
      transaction: { routeId: 'r', channelType: 1, amount: 10.5, reference: 'EMP-1', systemTraceAuditNumber: 't' },
    },
  ],
};

/** The body with one value of its line replaced. */
function withLine(part: 'recipient' | 'transaction', change: object): object {
  const [line] = body.paymentOrderLines;
  return { ...body, paymentOrderLines: [{ ...line, [part]: { ...line?.[part], ...change } }] };
}

describe('an order is written strictly', () => {
  test('and its fields stand in the order of the specification, whatever order they were given in', () => {
    const [line] = body.paymentOrderLines;
    const turned = {
      paymentOrderLines: [{ transaction: line?.transaction, recipient: line?.recipient }],
      paymentNotes: 'b',
      originatorConversationId: 'a',
    };
    expect(JSON.stringify(paymentOrder.parse(turned))).toBe(JSON.stringify(body));
  });

  test.each<[string, object]>([
    ['no lines', { ...body, paymentOrderLines: [] }],
    ['a field nobody documented', { ...body, priority: 1 }],
    ['a misspelt field in a line', withLine('recipient', { primaryAcountNumber: 'x' })],
    ['an amount of nothing', withLine('transaction', { amount: 0 })],
    ['a negative amount', withLine('transaction', { amount: -1 })],
    ['an amount as text', withLine('transaction', { amount: '10' })],
    ['an endless amount', withLine('transaction', { amount: Number.POSITIVE_INFINITY })],
    ['a channel that is no whole number', withLine('transaction', { channelType: 1.5 })],
    ['a currency as text', withLine('recipient', { ccy: '404' })],
    ['no payee', withLine('recipient', { primaryAccountNumber: undefined })],
    ['no trace number', withLine('transaction', { systemTraceAuditNumber: undefined })],
  ])('so it is refused with %s', (_, wrong) => {
    expect(paymentOrder.safeParse(body).success).toBe(true);
    expect(paymentOrder.safeParse(wrong).success).toBe(false);
  });
});

describe('what the provider writes in two ways is read in both', () => {
  test.each(['routeIntegration', 'routeIntergration'])('a route with its %s', (name) => {
    const routes = { routes: [{ id: 'r', [name]: 'Mpesa' }] };
    expect(operations.findRoutes.reply.parse(routes)).toEqual(routes);
    expect(operations.findRoutes.reply.safeParse({ routes: [{ id: 'r', [name]: 7 }] }).success).toBe(false);
  });

  test.each<[string, object]>([
    ['service and payer of the published page', { serviceID: 1, customerName: 'A N', customerNames: 'A N' }],
    ['service and payer as they were seen', { serviceCode: 'KE-GOTV', customerNames: 'A N' }],
  ])('a bill payment with %s, and its time without a zone', (_, fields) => {
    const record = {
      originatorConversationId: 'b',
      status: 4,
      amount: 1,
      datePaymentReceived: '2021-10-18 07:41:31',
      ...fields,
    };
    expect(operations.findBillPayment.reply.parse(record)).toEqual(record);
  });

  test.each([1, '1', 'CB'])('a deposit of the type %j', (type) => {
    const deposit = messageNamed('deposit').request.body as object;
    expect(operations.requestDeposit.body?.safeParse({ ...deposit, type }).success).toBe(true);
  });
});

describe('a status record is read loosely', () => {
  const outcome = { transactionStatus: 4, paymentAmount: 10.5, feeAmount: '0', resultCode: 0, extra: { kept: true } };
  const record = { originatorConversationId: 'a', orderLines: [{ transactionOutcome: outcome }], newField: 1 };

  test('keeps what it does not know', () => {
    expect(statusRecord.parse(record)).toEqual(record);
  });

  test.each<[string, object]>([
    [
      'nulls where the service has sent nulls',
      { ...outcome, resultCode: null, trackingNumber: null, thirdPartyPayload: null },
    ],
    ['amounts that are missing', { transactionStatus: 0 }],
  ])('takes %s', (_, transactionOutcome) => {
    expect(statusRecord.safeParse({ ...record, orderLines: [{ transactionOutcome }] }).success).toBe(true);
  });

  test.each<[string, object]>([
    ['without its id', { orderLines: [] }],
    ['without lines', { originatorConversationId: 'a' }],
    [
      'with a status as text',
      { originatorConversationId: 'a', orderLines: [{ transactionOutcome: { transactionStatus: '4' } }] },
    ],
  ])('is not taken %s', (_, wrong) => expect(statusRecord.safeParse(wrong).success).toBe(false));
});
