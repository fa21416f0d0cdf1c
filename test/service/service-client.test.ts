/** The library's client against the practice service and servers on loopback. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { operations } from '../../src/service/contract/index.ts';
import { InputFault } from '../../src/service/contract/input.ts';
import type { AnyOperation } from '../../src/service/contract/operation.ts';
import {
  createClient,
  type OperationBody,
  type OperationValue,
  type ServiceClient,
  type ServiceClientSettings,
} from '../../src/service/service-client.ts';
import { systemClock } from '../../src/system.ts';
import { inText } from '../sandbox/send-message.ts';
import { openService } from '../support/desk/account.ts';
import { sendJson, serve } from '../support/loopback.ts';
import { asWritten, messageNamed, operationOf, specMessages } from '../support/spec-messages.ts';

const SOURCE = path.join(import.meta.dirname, '..', '..', 'src', 'service', 'service-client.ts');
const all: readonly (readonly [string, AnyOperation])[] = Object.entries(operations);
const order = messageNamed('new-order-wallet').request.body as OperationBody<'submitOrder'>;

function clientOf(url: string, more: Partial<ServiceClientSettings> = {}): ServiceClient {
  const client = createClient({ baseUrl: url, clientId: 'acme', clientSecret: 'secret', ...more });
  onTestFinished(() => client.close());
  return client;
}

/** A service that gives tokens and answers everything else with an empty object. */
async function countingService() {
  const server = await serve((request, response) =>
    sendJson(response, 200, request.path === '/connect/token' ? { access_token: 'tok', expires_in: 3600 } : {}),
  );
  const requests = () => server.arrived.filter(({ path: at }) => at !== '/connect/token');
  return { ...server, requests };
}

describe('the client has a method for every operation', () => {
  test.each(all)('%s, with a comment that says what it does and where it is specified', (name, { summary, spec }) => {
    const [, comment = ''] =
      new RegExp(
        `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*readonly ${name}: OperationMethod<Operations\\['${name}'\\]>;`,
      ).exec(readFileSync(SOURCE, 'utf8')) ?? [];
    const text = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim();
    expect(text).toBe(`${summary} Spec: "${spec}".`);
  });

  test.each(all)('%s, which sends its method to its path with its query and body', async (name, operation) => {
    const message = [...specMessages.values()].find(
      (one) => operationOf(one) === operation && one.reply.status === 200 && one.written !== false,
    );
    if (!message) throw new Error(`there is no message for ${name}`);
    const { query, body, form } = asWritten(message.request);
    const service = await countingService();
    const client = clientOf(service.url, { paths: { [operation.name]: message.request.path } });
    const methods: Readonly<Record<string, (...args: readonly object[]) => Promise<{ readonly tag: string }>>> = {
      ...(client as object),
    };
    const input = { ...(operation.query && { query }), ...(operation.body && { body: body ?? form }) };
    const args = operation.query || operation.body ? [input] : [];

    const reply = await methods[name]?.(...args);

    expect(['accepted', 'ambiguous']).toContain(reply?.tag);
    const arrived = service.arrived.at(-1);
    expect(arrived).toMatchObject({ method: operation.method, path: message.request.path });
    expect(arrived?.authorization).toBe(operation.authorised ? 'Bearer tok' : undefined);
    expect(Object.fromEntries(arrived?.query ?? [])).toEqual(operation.query ? inText(query ?? {}) : {});
    if (operation.encoding === 'form') expect(arrived?.body).toBe(new URLSearchParams(form).toString());
    else expect(arrived?.body).toBe(operation.body ? JSON.stringify(operation.body.parse(body)) : '');
  });
});

describe('a client at the practice service', () => {
  test('submits an order, finds it, and reads typed answers', async () => {
    const service = await openService();
    await using client = clientOf(service.url, { clientId: service.clientId, clientSecret: service.clientSecret });
    const submitted = await client.submitOrder({ body: order });
    expect(submitted).toMatchObject({
      tag: 'accepted',
      value: { message: { originatorConversationId: 'fix-wallet-1' } },
    });
    const found = await client.findOrder({
      query: { IdType: 'OriginatorConversationId', Id: order.originatorConversationId },
    });
    if (found.tag !== 'accepted') throw new Error(found.reason);
    const record: OperationValue<'findOrder'> = found.value;
    expect(record.orderLines[0]?.transaction?.amount).toBe(1500.5);
    // As published, a repetition is accepted; nothing is done about it.
    expect((await client.submitOrder({ body: order })).tag).toBe('accepted');
    expect(service.books().orders).toMatchObject([{ posts: 2, lines: [{}] }]);
  });

  test('says that an order is held where the service refuses repetitions', async () => {
    const service = await openService('duplicates=refuse');
    await using client = clientOf(service.url, { clientId: service.clientId, clientSecret: service.clientSecret });
    expect((await client.submitOrder({ body: order })).tag).toBe('accepted');
    expect((await client.submitOrder({ body: order })).tag).toBe('exists');
  });

  test('says what the service refuses without throwing', async () => {
    const service = await openService();
    const client = clientOf(service.url, { clientId: service.clientId, clientSecret: 'wrong' });
    expect(await client.findRoutes()).toMatchObject({ tag: 'unauthorised', unsent: true });
  });
});

describe('bytes at a path that questions share with a payment', () => {
  const asked = { serviceId: '4101', accountNumber: '37000777' };
  const { queryBill, payBill, validateBill } = operations;

  test.each([
    ['a payment as a question', validateBill, { ...asked, transactionType: 2 }],
    ['one question as the other', validateBill, { ...asked, transactionType: 1 }],
    ['a payment as the other question', queryBill, { ...asked, transactionType: 2 }],
    ['a question as a payment', payBill, { ...asked, transactionType: 3 }],
    ['the other question as a payment', payBill, { ...asked, transactionType: 1 }],
    ['no type', payBill, asked],
    ['a type in text', validateBill, { ...asked, transactionType: '3' }],
    ['a second type in another case', validateBill, { transactionType: 3, TransactionType: 2 }],
    ['a second type beside the first', validateBill, '{"transactionType":2,"transactionType":3}'],
    ['a type further inside', validateBill, { inner: { transactionType: 3 } }],
    ['no object', payBill, [2]],
    ['no JSON', payBill, '{"transactionType":2'],
    ['nothing', payBill, ''],
  ])('never leave: %s', async (_, operation, body) => {
    const service = await countingService();
    const client = clientOf(service.url);
    const rendered = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = client.call<AnyOperation>(operation, { rendered }).catch((error: unknown) => error);
    expect(await sent).toBeInstanceOf(InputFault);
    expect(await sent).toMatchObject({ code: 'usage', problems: [{ field: 'body.transactionType' }] });
    expect(service.arrived).toEqual([]);
  });

  test.each([
    [queryBill, 1],
    [payBill, 2],
    [validateBill, 3],
  ] as const)('leave as they are with the type of their operation: $name, %i', async (operation, transactionType) => {
    const service = await countingService();
    const rendered = JSON.stringify({ ...asked, transactionType });
    await clientOf(service.url).call<AnyOperation>(operation, { rendered });
    expect(service.requests().map(({ body }) => body)).toEqual([rendered]);
  });
});

describe('wrong input', () => {
  test('rejects with every field before anything leaves, the token request included', async () => {
    const service = await countingService();
    const client = clientOf(service.url);
    const [line] = order.paymentOrderLines;
    if (!line) throw new Error('the order has a line');
    const { name: _, ...recipient } = line.recipient;
    const wrong = {
      ...order,
      paymentOrderLines: [{ ...line, recipient, transaction: { ...line.transaction, amount: Number.NaN } }],
      extra: 1,
    };
    const refusal = await client
      .submitOrder({ body: wrong as unknown as typeof order })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputFault);
    expect(refusal).toBeInstanceOf(Fault);
    expect(refusal).toMatchObject({
      code: 'usage',
      operation: 'submit-order',
      problems: [
        { field: 'body.paymentOrderLines[0].recipient.name', message: 'is missing' },
        { field: 'body.paymentOrderLines[0].transaction.amount', message: 'must be a number' },
        { field: 'body.extra', message: 'is not a field of this operation' },
      ],
    });
    expect(service.arrived).toEqual([]);
  });

  test('never repeats a value, which may be somebody’s', async () => {
    const client = clientOf('https://pay.example.test');
    const secret = 'canary-77';
    const body = { client_id: 7, client_secret: secret, grant_type: secret, scope: [secret] };
    const refusal = await client
      .requestToken({ body: body as unknown as OperationBody<'requestToken'> })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputFault);
    expect(JSON.stringify([refusal, String(refusal)])).not.toContain(secret);
  });

  test('includes an operation whose path nobody knows, until the settings say it', async () => {
    const service = await countingService();
    const query = { OriginatorConversationId: 'a' };
    await expect(clientOf(service.url).findAirtime({ query })).rejects.toMatchObject({ code: 'configuration' });
    expect(service.arrived).toEqual([]);
    const paths = { 'find-airtime': '/v1/airtime-purchase' };
    expect(await clientOf(service.url, { paths }).findAirtime({ query })).toMatchObject({ tag: 'accepted' });
  });
});

describe('settings that cannot be right', () => {
  const good = { baseUrl: 'https://pay.example.test', clientId: 'acme', clientSecret: 'secret' };
  test.each([
    ['no address', { baseUrl: '' }],
    ['no client id', { clientId: '' }],
    ['no secret', { clientSecret: '' }],
    ['an address that is none', { baseUrl: 'pay.example.test' }],
    ['an address without encryption', { baseUrl: 'http://pay.example.test' }],
    ['a token address without encryption', { tokenUrl: 'http://id.example.test/connect/token' }],
    ['an address with credentials', { baseUrl: 'https://acme:secret@pay.example.test' }],
  ])('are refused at once: %s', (_, wrong) => {
    expect(() => createClient({ ...good, ...wrong })).toThrow(Fault);
  });
});

describe('what one call learns holds for all', () => {
  test('one token for calls that begin together', async () => {
    const service = await openService();
    const gate = await serve(async (request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 'tok', expires_in: 60 });
      return sendJson(response, 200, { routes: [] });
    });
    const client = clientOf(gate.url);
    await Promise.all(Array.from({ length: 10 }, () => client.findRoutes()));
    expect(gate.arrived.filter(({ path: at }) => at === '/connect/token')).toHaveLength(1);
    expect(service.books().orders).toEqual([]);
  });

  test('a service that asks to wait is left alone by every operation, and waiting can be stopped', async () => {
    const server = await serve((request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 'tok', expires_in: 3600 });
      return void response.writeHead(429, { 'retry-after': '600' }).end();
    });
    const client = clientOf(server.url);
    expect(await client.findRoutes()).toMatchObject({ tag: 'throttled', retryAfterMs: 600_000 });
    const before = server.arrived.length;
    const stop = new AbortController();
    const waiting = [
      client.submitOrder({ body: order }, { signal: stop.signal }),
      client.findBillServices({ signal: stop.signal }),
      client.checkHealth({ signal: stop.signal }),
    ];
    // Time in which one could leave; all of them wait at once.
    await systemClock.sleep(30);
    stop.abort();
    expect((await Promise.all(waiting)).map(({ tag }) => tag)).toEqual(['not-sent', 'not-sent', 'not-sent']);
    expect(server.arrived).toHaveLength(before);
  });

  test('waiting for a token can be stopped, and the others still get it', async () => {
    const hold = Promise.withResolvers<void>();
    const server = await serve(async (request, response) => {
      if (request.path !== '/connect/token') return sendJson(response, 200, { routes: [] });
      await hold.promise;
      return sendJson(response, 200, { access_token: 'tok', expires_in: 3600 });
    });
    const client = clientOf(server.url);
    const stop = new AbortController();
    const stopped = client.findRoutes({ signal: stop.signal });
    const patient = client.findRoutes();
    while (server.arrived.length === 0) await systemClock.sleep(2);
    stop.abort();
    expect(await stopped).toMatchObject({ tag: 'not-sent' });
    hold.resolve();
    expect(await patient).toMatchObject({ tag: 'accepted' });
    expect(server.arrived.map(({ path: at }) => at)).toEqual([
      '/connect/token',
      '/v1/transaction-routes/assigned-routes',
    ]);
  });

  test('closing ends those who wait for a pause', async () => {
    const server = await serve((_request, response) => void response.writeHead(429, { 'retry-after': '600' }).end());
    const client = clientOf(server.url);
    await client.checkHealth();
    const waiting = [client.checkHealth(), client.findRoutes()];
    // Time in which one could leave; both wait at once.
    await systemClock.sleep(20);
    await client.close();
    for (const reply of await Promise.all(waiting)) expect(reply.tag).toBe('not-sent');
  });
});
