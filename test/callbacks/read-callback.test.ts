import { describe, expect, test } from 'vitest';
import { type CallbackReading, readCallback } from '../../src/callbacks/read-callback.ts';
import type { CallbackTopic } from '../../src/service/contract/callback-bodies.ts';
import { specCallbacks } from '../support/spec-messages.ts';

const read = (body: unknown, named?: CallbackTopic): CallbackReading =>
  readCallback(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), named);

const ID = '0190a6f0-1C2D-8e3f-9a4b-5c6d7e8f9012';
const id = ID.toLowerCase();
const conversation = { originatorConversationId: ID };
const trace = { systemTraceAuditNumber: ID };

/** One body for each topic, with what only that topic has. */
const bodies = {
  checkout: { ...conversation, checkoutId: 'c', checkoutOutcome: { status: 4, thirdPartyPayload: { reference: 'r' } } },
  bill: { ...conversation, amount: 100, billRequestOutcome: { status: 4, resultCode: '0' } },
  airtime: { ...conversation, recipients: [{ phoneNumber: '254700000000' }] },
  kyc: { ...trace, kycRecordDto: { status: 4 } },
  account: { ...trace, validationType: 1, status: 4 },
  deposit: { OriginatorConversationId: ID, Thirdpartyreceiptnumber: 'R', PaymentAmount: 5 },
  order: { ...conversation, orderLines: [] },
} as const satisfies Record<CallbackTopic, object>;

const topics = Object.entries(bodies) as readonly [CallbackTopic, object][];

describe('a body in the shape that is known', () => {
  test.each(topics)('of %s is told by its address, and by itself', (topic, body) => {
    const message = { kind: 'message', topic, subject: id, body: JSON.stringify(body), fits: true };
    expect(read(body, topic)).toEqual(message);
    expect(read(body)).toEqual(message);
  });

  test.each(topics)('of %s is believed to be about what its address says, whatever it looks like', (_, body) => {
    for (const [named] of topics) expect(read(body, named)).toMatchObject({ kind: 'message', topic: named });
  });
});

describe('a callback as the specification says it', () => {
  test('is there for every topic', () => {
    expect(new Set([...specCallbacks.values()].map(({ topic }) => topic))).toEqual(new Set(Object.keys(bodies)));
  });

  test.each([...specCallbacks])(
    'is understood by its address, and by itself: %s',
    (_, { topic, body, read: isRead }) => {
      const expected =
        isRead === false ? { kind: 'preliminary' } : { kind: 'message', topic, fits: true, body: JSON.stringify(body) };
      expect(read(body, topic as CallbackTopic)).toMatchObject(expected); // the test above holds it to be one
      expect(read(body)).toMatchObject(expected);
    },
  );
});

describe('an identifier', () => {
  test.each<[string, object, CallbackTopic]>([
    ['in capitals', { ORIGINATORCONVERSATIONID: ID }, 'airtime'],
    ['with a capital first', { OriginatorConversationId: ID }, 'order'],
    ['of a trace, with a capital first', { SystemTraceAuditNumber: ID, status: 4 }, 'account'],
    ['of a trace where a conversation is expected', trace, 'bill'],
    ['of a conversation where a trace is expected', conversation, 'kyc'],
    ['that is called stan', { stan: ID }, 'kyc'],
    ['that stands there twice and says the same', { ...conversation, OriginatorConversationId: ID }, 'airtime'],
  ])('%s is found', (_, body, topic) => {
    expect(read(body, topic)).toMatchObject({ kind: 'message', topic, subject: id });
  });

  test('of the kind that the topic uses wins', () => {
    const both = { originatorConversationId: 'a', systemTraceAuditNumber: 'b' };
    expect(read(both, 'airtime')).toMatchObject({ subject: 'a' });
    expect(read(both, 'kyc')).toMatchObject({ subject: 'b' });
  });

  test('may be a number, as some clients send it', () => {
    expect(read({ originatorConversationId: 123456 }, 'airtime')).toMatchObject({ subject: '123456', fits: true });
    expect(read('{"originatorConversationId":12345678901234567890}', 'airtime')).toEqual({ kind: 'unreadable' });
  });

  test.each([
    ['is empty', ''],
    ['is null', null],
    ['is a list', ['a']],
    ['is not whole', 1.5],
    ['has a control character', 'a\u0000b'],
    ['has a line end', 'a\nb'],
    ['has half a character', '\ud800'],
    ['is too long', 'x'.repeat(129)],
  ])('that %s is none', (_, value) => {
    expect(read({ originatorConversationId: value }, 'order')).toEqual({ kind: 'unreadable' });
  });

  test('that stands there twice with different values is none', () => {
    expect(read({ ...conversation, OriginatorConversationId: 'other' }, 'order')).toEqual({ kind: 'unreadable' });
  });
});

describe('a body that does not look as it should', () => {
  test('is kept when its identifier can be told', () => {
    expect(read({ ...conversation, billRequestOutcome: { status: '4' } }, 'bill')).toMatchObject({
      kind: 'message',
      subject: id,
      fits: false,
    });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'originatorConversationId=1'],
    ['JSON that is cut off', '{"originatorConversationId":"a"'],
    ['a list', [conversation]],
    ['a text', '"a"'],
    ['null', 'null'],
    ['no identifier', { status: 4 }],
    ['deeper than anybody nests', `{"originatorConversationId":"a","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('is of no use when it is %s', (_, body) => {
    expect(read(body, 'order')).toEqual({ kind: 'unreadable' });
  });

  test('is of no use when it is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"originatorConversationId":"a'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(readCallback(bytes, 'order')).toEqual({ kind: 'unreadable' });
  });

  test('may begin with a byte order mark', () => {
    expect(read('\ufeff{"originatorConversationId":"a"}', 'order')).toMatchObject({ subject: 'a' });
  });

  test('and bears the marks of two topics cannot be told without its address', () => {
    const body = { ...bodies.bill, ...bodies.checkout };
    expect(read(body)).toEqual({ kind: 'unreadable' });
    expect(read(body, 'checkout')).toMatchObject({ topic: 'checkout' });
  });

  test('and bears the mark of none is about what nobody has shown', () => {
    expect(read({ ...conversation, status: 4 })).toMatchObject({ topic: 'airtime', subject: id });
    expect(read({ ...trace, responseCode: '0' })).toMatchObject({ topic: 'kyc', subject: id });
    expect(read({ ...conversation, ...trace })).toMatchObject({ topic: 'airtime', subject: id });
    expect(read({ status: 4 })).toEqual({ kind: 'unreadable' });
  });

  test('and has names of the language itself is only data', () => {
    const reading = read('{"__proto__":{"originatorConversationId":"a"},"constructor":1}', 'order');
    expect(reading).toEqual({ kind: 'unreadable' });
  });
});

describe('the first callback of a deposit', () => {
  const raw = { Body: { StkCallback: { MerchantRequestID: '1', ResultCode: 0 } } };

  test('is recognised in any case, by its address or alone', () => {
    expect(read(raw, 'deposit')).toEqual({ kind: 'preliminary' });
    expect(read({ body: { stkCallback: {} } })).toEqual({ kind: 'preliminary' });
  });

  test('is none at the address of another topic', () => {
    expect(read(raw, 'bill')).toEqual({ kind: 'unreadable' });
  });
});
