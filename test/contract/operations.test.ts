import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { paymentOrder, statusRecord } from '../../src/contract/payment-order.ts';

const all: readonly (readonly [string, AnyOperation])[] = Object.entries(operations);
const FIXTURES = join(import.meta.dirname, '../fixtures/spec');

interface Fixture {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly reply: { readonly status: number; readonly body?: unknown };
}

const fixtures = readdirSync(FIXTURES).map(
  (file) => [file, JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Fixture] as const,
);

const operationOf = ({ request }: Fixture): AnyOperation | undefined =>
  all.map(([, operation]) => operation).find(({ method, path }) => method === request.method && path === request.path);

describe('the table of operations', () => {
  test.each(all)('%s is named as it is filed, and says where the specification has it', (name, operation) => {
    expect(operation.name).toBe(name);
    expect(operation.path).toMatch(/^\/[a-z0-9/-]+$/);
    expect(operation.spec).not.toBe('');
  });

  test('has one entry for each method and path', () => {
    const places = all.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test('only the submission of an order may not be repeated, and only the token is asked for without one', () => {
    expect(all.filter(([, { repeatable }]) => !repeatable).map(([name]) => name)).toEqual(['submit-order']);
    expect(all.filter(([, { authorised }]) => !authorised).map(([name]) => name)).toEqual(['request-token']);
    expect(all.filter(([, { host }]) => host === 'token').map(([name]) => name)).toEqual(['request-token']);
  });
});

describe('messages written by hand from the specification', () => {
  test('are about every operation', () => {
    const named = new Set(fixtures.map(([, fixture]) => operationOf(fixture)?.name));
    expect([...named].filter(Boolean).sort()).toEqual(all.map(([name]) => name).sort());
  });

  test.each(fixtures.filter(([, { reply }]) => reply.status === 200))('%s is read', (_, fixture) => {
    const operation = operationOf(fixture);
    expect(operation?.reply.safeParse(fixture.reply.body)).toMatchObject({ success: true });
  });

  // One sample of the specification spells a field `ChannelType`; it is read by the practice service, never written.
  const written = fixtures.filter(
    ([file, { request }]) => file.startsWith('new-order-') && !/invalid/.test(file) && !misspelt(request.body),
  );

  test.each(written)('%s is an order as we would write it', (_, { request }) =>
    expect(paymentOrder.safeParse(request.body)).toMatchObject({ success: true }),
  );
});

const misspelt = (text: unknown): boolean => JSON.stringify(text).includes('ChannelType');

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
