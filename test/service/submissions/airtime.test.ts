/** Records of airtime purchases, which nobody has documented: what fits is read, what does not tells nothing. */
import { describe, expect, test } from 'vitest';
import type { TraceNumber } from '../../../src/domain/ids.ts';
import type { LineState, OrderState } from '../../../src/domain/order.ts';
import { factsOfAirtime } from '../../../src/service/submissions/airtime.ts';
import { claimedOrder } from '../../dispatch/claimed-order.ts';
import type { Json } from '../../dispatch/send-once-batch.ts';
import { kes } from '../../support/amounts.ts';

const ID = '0b5c3ba0-0000-8000-8000-0000000000aa';
const line = (row: number): LineState => ({
  trace: `t${row}` as TraceNumber,
  row,
  amount: kes(10_000n),
  phase: 'open',
});
const orderOf = (...rows: readonly number[]): OrderState =>
  claimedOrder(ID, { submission: 'airtime', lines: rows.map(line) });
const bodyOf = (count: number): string =>
  JSON.stringify({
    originatorConversationId: ID,
    callbackURL: 'https://callbacks.example.test/airtime',
    recipients: Array.from({ length: count }, () => ({
      currencyCode: 'KES',
      phoneNumber: '254712000777',
      amount: 100,
      name: 'Amina Otieno',
    })),
  });

const paid: Json = { originatorConversationId: ID, phoneNumber: '254712000777', amount: 100, status: 4 };
const factsOf = (record: Json, state = orderOf(2)) => factsOfAirtime(state, bodyOf(state.lines.length), record, 9);
const kindsOf = (record: Json) => factsOf(record).map(({ type }) => type);

describe('a record', () => {
  test('is read with its names in any case, and numbers as text', () => {
    const record = {
      OriginatorConversationId: ID.toUpperCase(),
      SystemConversationId: 's-1',
      PhoneNumber: '+254 712 000 777',
      Amount: '100.00',
      Status: '4',
      StatusDesc: 'Completed',
      ResultCode: 0,
      ReceiptNumber: 'SK71HX02QP',
      FeeAmount: 2.5,
    };
    const report = {
      trace: 't2',
      status: 4,
      statusText: 'Completed',
      paidAmount: '100.00',
      feeAmount: '2.5',
      resultCode: '0',
      receipt: 'SK71HX02QP',
    };
    expect(factsOf(record)).toEqual([
      { type: 'order-observed', order: ID, at: 9, processed: true, serviceId: 's-1', lines: [report] },
    ]);
  });

  test.each<[string, Json]>([
    ['the phone in national form', { phoneNumber: '0712000777' }],
    ['the phone masked', { phoneNumber: '2547*****777' }],
    ['no phone', { phoneNumber: null }],
    ['a currency that nobody knows', { currencyCode: 'KSh' }],
  ])('with %s contradicts nothing', (_, over) => expect(kindsOf({ ...paid, ...over })).toEqual(['order-observed']));

  // Whoever learnt the address of the callbacks could have sent it.
  test.each<[string, Json]>([
    ['no phone', { phoneNumber: null }],
    ['a phone that is masked', { phoneNumber: '2547*****777' }],
    ['no amount', { amount: null }],
    ['an amount in words', { amount: 'all' }],
  ])('that came by callback tells nothing with %s, whatever it says', (_, over) => {
    const place = { seq: 1, receivedAt: 5 };
    for (const status of [4, 7]) {
      const told = factsOfAirtime(orderOf(2), bodyOf(1), { ...paid, status, ...over }, 9, place);
      expect(told).toEqual([]);
    }
    expect(factsOfAirtime(orderOf(2), bodyOf(1), { ...paid, status: 7 }, 9, place)).toHaveLength(1);
  });

  // Nobody knows what `statusCode` means: it may keep a payment open, and concludes nothing.
  test.each<[Json, string | undefined]>([
    [{ status: 7, statusCode: 22 }, '22'],
    [{ status: 7, statusCode: '-1' }, '-1'],
    [{ status: 5, statusCode: 9 }, '9'],
    [{ status: 7, statusCode: 22, resultCode: '18' }, '18'],
    [{ status: 5, statusCode: 6 }, undefined],
    [{ status: 7, statusCode: 7 }, undefined],
    [{ status: 7, statusCode: null }, undefined],
    [{ status: 4, statusCode: 4 }, undefined],
    [{ status: 4, statusCode: 14 }, undefined],
  ])('with %j gives the result code %s', (over, code) => {
    const [observed] = factsOf({ ...paid, ...over });
    expect(observed).toMatchObject({ type: 'order-observed' });
    expect(observed?.type === 'order-observed' && observed.lines[0]?.resultCode).toBe(code);
  });

  test.each<[string, Json]>([
    ['another phone', { phoneNumber: '0712000778' }],
    ['another amount', { amount: '100.01' }],
    ['another currency', { currencyCode: 'TZS' }],
  ])('with %s is an alarm, and reports nothing', (_, over) => {
    const [observed, alarmed, ...more] = factsOf({ ...paid, ...over });
    expect(observed).toMatchObject({ type: 'order-observed', lines: [] });
    expect(alarmed).toMatchObject({
      type: 'order-alarmed',
      reason: expect.stringMatching(/^row 2: the service holds/),
    });
    expect(more).toEqual([]);
  });

  test('with an alarm that is known already does not repeat it', () => {
    const record = { ...paid, amount: 1 };
    const [, alarmed] = factsOf(record);
    const reason = alarmed?.type === 'order-alarmed' ? alarmed.reason : '';
    expect(factsOf(record, { ...orderOf(2), alarms: [reason] }).map(({ type }) => type)).toEqual(['order-observed']);
  });

  test.each<[string, Json]>([
    ['no status', { status: null }],
    ['a status in words', { status: 'Completed' }],
    ['a status with a fraction', { status: 4.5 }],
    ['two statuses', { Status: 7 }],
    ['two result codes', { status: 7, resultCode: '18', ResultCode: '22' }],
    ['no id', { originatorConversationId: undefined }],
    ['an empty id', { originatorConversationId: ' ' }],
  ])('with %s tells nothing', (_, over) => expect(factsOf({ ...paid, ...over })).toEqual([]));

  test('that says the same twice is read', () =>
    expect(kindsOf({ ...paid, Status: 4, AMOUNT: 100 })).toEqual(['order-observed']));

  test('of an order with several lines tells nothing: nobody knows which one it means', () =>
    expect(factsOf({ ...paid, amount: 200 }, orderOf(2, 3))).toEqual([]));
});
