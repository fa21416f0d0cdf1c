/** Every status, body and kind of operation against the one question: could the service have acted? */
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/service/client/transport.ts';
import { judge } from '../../../src/service/client/verdict.ts';
import { validateAccount } from '../../../src/service/contract/account-validation.ts';
import { checkHealth } from '../../../src/service/contract/health.ts';
import { findOrder, submitOrder } from '../../../src/service/contract/payment-order.ts';
import { requestToken } from '../../../src/service/contract/token.ts';
import { asWritten, operationOf, specMessages } from '../../support/spec-messages.ts';

const answer = (
  status: number,
  body: unknown,
  more: { retryAfter?: string; date?: string; oversized?: boolean; unread?: string } = {},
): Exchange => ({
  tag: 'answered',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  oversized: false,
  ...more,
});

const validation = { errors: { PhoneNumber: ['The PhoneNumber field is required.'] }, title: 'Bad', status: 400 };
const acceptance = { message: { originatorConversationId: 'a', systemConversationId: 's' } };
const record = { originatorConversationId: 'a', orderLines: [] };

/** Bodies by what they are; `submit` and `find` say what each is worth to a submission and to a look-up at 400. */
const bodies = {
  empty: { body: '', submit: 'ambiguous', find: 'ambiguous' },
  html: { body: '<html><body>Internal Server Error</body></html>', submit: 'ambiguous', find: 'ambiguous' },
  'html that says already': { body: '<p>already signed out</p>', submit: 'ambiguous', find: 'ambiguous' },
  'truncated JSON': { body: '{"message":{"originatorConver', submit: 'ambiguous', find: 'ambiguous' },
  null: { body: 'null', submit: 'ambiguous', find: 'ambiguous' },
  'a number': { body: '17', submit: 'ambiguous', find: 'ambiguous' },
  'a list': { body: '[]', submit: 'ambiguous', find: 'ambiguous' },
  'foreign JSON': { body: { hello: 'world' }, submit: 'ambiguous', find: 'ambiguous' },
  'a validation problem': { body: validation, submit: 'refused', find: 'refused' },
  'a list of field errors': {
    body: { status: 400, errors: [{ field: 'Amount', message: 'The Amount field is required.' }] },
    submit: 'refused',
    find: 'refused',
  },
  'an order that is refused, with an id of the service': {
    body: {
      appDomainName: 'LIVE',
      status: 'BadRequest',
      systemConversationId: '16780000-a97d-4024-98a9-08d9ed471bab',
      originatorConversationId: 'a',
      errors: [{ field: 'RecipientName', message: 'Too long.' }],
    },
    submit: 'refused',
    find: 'refused',
  },
  'a duplicate order as published, without a status': {
    body: {
      systemConversationId: '16780000-a97d-4024-98a9-08d9ed471bab',
      originatorConversationId: 'a',
      errors: [{ field: 'OriginatorConversationId', message: "duplicate originator conversation id 'a'" }],
    },
    submit: 'exists',
    find: 'refused',
  },
  'a reason': { body: { reason: 'The account number is invalid.' }, submit: 'refused', find: 'refused' },
  'an unknown id': { body: { id: 'a', idType: 'X', message: 'a not found' }, submit: 'ambiguous', find: 'refused' },
  'an OAuth error': { body: { error: 'invalid_request' }, submit: 'ambiguous', find: 'refused' },
  'a complaint about the id': {
    body: { errors: { originatorConversationId: ['The field is wrong.'] } },
    submit: 'exists',
    find: 'refused',
  },
  'a complaint about the trace number': {
    body: { errors: { 'PaymentOrderLines[0].Transaction.SystemTraceAuditNumber': ['Wrong.'] } },
    submit: 'exists',
    find: 'refused',
  },
  'a complaint that names the id in its text': {
    body: { errors: { '': ['OriginatorConversationId was used.'] } },
    submit: 'exists',
    find: 'refused',
  },
  'complaints of which one names the id': {
    body: { errors: { Amount: ['Too small.'], originatorConversationId: ['Wrong.'], Name: ['Too long.'] } },
    submit: 'exists',
    find: 'refused',
  },
  'the word duplicate': { body: { reason: 'Duplicate transaction' }, submit: 'exists', find: 'refused' },
  'the word already': { body: { errors: { id: ['was sent already'] } }, submit: 'exists', find: 'refused' },
  'the word exists': { body: { errors: { id: ['order exists'] } }, submit: 'exists', find: 'refused' },
  'the word unique': { body: { errors: { id: ['must be Unique'] } }, submit: 'exists', find: 'refused' },
  'lists within lists, deeper than a program can follow': {
    body: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    submit: 'ambiguous',
    find: 'ambiguous',
  },
  'an error of an account validation': {
    body: { systemTraceAuditNumber: 't', errorMessage: 'Something went wrong' },
    submit: 'ambiguous',
    find: 'ambiguous',
  },
  'a duplicate in a body of another make': {
    body: { requestId: '1', errorCode: '500.002.1001', errorMessage: 'Duplicate OriginatorConversationID.' },
    submit: 'exists',
    find: 'ambiguous',
  },
} as const;

/** What a status is worth when its body says nothing better. */
const bareTag = (status: number): string =>
  status === 401 || status === 403 ? 'unauthorised' : status === 429 || status === 503 ? 'throttled' : 'ambiguous';

const successes = [200, 201, 202];
const others = [
  100, 203, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409,
].concat([410, 412, 413, 415, 422, 423, 425, 429, 451, 499, 500, 501, 502, 503, 504, 520, 599]);

describe('the answer to a submission', () => {
  test.each(Object.entries(bodies))(
    'with %s is never an acceptance, whatever its status',
    (_name, { body, submit }) => {
      for (const status of successes) expect(judge(submitOrder, answer(status, body)).tag).toBe('ambiguous');
      for (const status of others) {
        const expected = submit === 'exists' || (submit === 'refused' && status === 400) ? submit : bareTag(status);
        expect({ status, tag: judge(submitOrder, answer(status, body)).tag }).toEqual({ status, tag: expected });
      }
    },
  );

  test('is an acceptance at 200, 201 and 202 only, with the body of one', () => {
    for (const status of successes) expect(judge(submitOrder, answer(status, acceptance)).tag).toBe('accepted');
    for (const status of others) expect(judge(submitOrder, answer(status, acceptance)).tag).toBe(bareTag(status));
  });

  test('that is longer than is read is ambiguous even when its beginning looks like an acceptance', () => {
    expect(judge(submitOrder, answer(200, acceptance, { oversized: true })).tag).toBe('ambiguous');
    expect(judge(submitOrder, answer(400, validation, { oversized: true })).tag).toBe('ambiguous');
  });

  test('that cannot be unpacked is ambiguous, whatever is taken for its text, and says why', () => {
    const unread = 'it cannot be unpacked';
    for (const [status, body] of [
      [200, acceptance],
      [400, validation],
      [500, validation],
    ] as const) {
      expect(judge(submitOrder, answer(status, body, { unread }))).toMatchObject({
        tag: 'ambiguous',
        reason: expect.stringContaining(unread),
      });
    }
    expect(judge(findOrder, answer(200, record, { unread })).tag).toBe('ambiguous');
    expect(judge(findOrder, answer(404, validation, { unread })).tag).toBe('ambiguous');
    expect(judge(checkHealth, answer(200, 'Healthy', { unread })).tag).toBe('ambiguous');
    expect(judge(requestToken, answer(200, { access_token: 't' }, { unread })).tag).toBe('ambiguous');
  });

  test('that came as a page, or half, may be another one in a moment; one that speaks a form of its own will go on so', () => {
    for (const body of ['<p>Maintenance</p>', '', '{"orderLi'])
      expect(judge(findOrder, answer(200, body))).toMatchObject({ tag: 'ambiguous', passing: true });
    for (const body of [[{ route: 1 }], { hello: 'world' }, 17, validation])
      expect(judge(findOrder, answer(200, body))).not.toHaveProperty('passing');
  });

  test.each([
    ['message is missing', {}],
    ['message is a text', { message: 'ok' }],
    ['the id is missing', { message: {} }],
    ['the id is null', { message: { originatorConversationId: null } }],
    ['the id is a number', { message: { originatorConversationId: 7 } }],
  ])('is no acceptance when %s', (_name, body) => {
    expect(judge(submitOrder, answer(200, body)).tag).toBe('ambiguous');
  });
});

describe('a refusal of an id', () => {
  const refusing = (...messages: readonly string[]) =>
    judge(submitOrder, answer(400, { errors: { OriginatorConversationId: messages, Amount: ['Too small.'] } }));

  test.each(
    [
      'valid',
      'invalid',
      'format',
      'formats',
      'formatted',
      'length',
      'long',
      'short',
      'character',
      'characters',
      'char',
    ].concat(
      [
        'chars',
        'digit',
        'digits',
        'letter',
        'letters',
        'alphanumeric',
        'numeric',
        'pattern',
        'UUID',
        'GUID',
        'uppercase',
      ],
      ['lowercase', 'hyphen', 'hyphens', 'dash', 'dashes'],
    ),
  )('that is about its form, with the word "%s", is no sign that the id is held', (word) => {
    const { tag, ...rest } = refusing(`The field is not accepted: ${word}.`);
    expect({ tag, ...rest }).toMatchObject({ tag: 'refused', aboutIds: true });
    expect(refusing(`The field is not accepted: un${word}ed.`).tag).toBe('exists');
  });

  test('is told apart from a refusal of anything else', () => {
    expect(judge(submitOrder, answer(400, validation))).not.toHaveProperty('aboutIds');
    expect(judge(submitOrder, answer(400, validation)).tag).toBe('refused');
  });
});

describe('an answer that leaves open what happened', () => {
  const isPassing = (status: number) => judge(submitOrder, answer(status, ''));

  test.each([408, 425, 500, 501, 502, 504, 520, 599])('may be another one in a moment: HTTP %d', (status) => {
    expect(isPassing(status)).toMatchObject({ tag: 'ambiguous', passing: true });
  });

  test.each([300, 400, 404, 405, 407, 409, 410, 422, 424, 426, 451, 499])('will come again: HTTP %d', (status) => {
    expect(isPassing(status)).toMatchObject({ tag: 'ambiguous' });
    expect(isPassing(status)).not.toHaveProperty('passing');
  });
});

describe('the answer to a look-up', () => {
  test('that names a member twice is ambiguous', () => {
    const body = '{"originatorConversationId":"a","orderLines":[{"transactionOutcome":{"s":7,"s":4}}]}';
    expect(judge(findOrder, answer(200, body)).tag).toBe('ambiguous');
  });

  test.each(Object.entries(bodies))('with %s', (_name, { body, find }) => {
    for (const status of successes) expect(judge(findOrder, answer(status, body)).tag).toBe('ambiguous');
    for (const status of others) {
      const expected = find === 'refused' && (status === 400 || status === 404) ? find : bareTag(status);
      expect({ status, tag: judge(findOrder, answer(status, body)).tag }).toEqual({ status, tag: expected });
    }
  });

  test('is a record at 200 with the body of one', () => {
    expect(judge(findOrder, answer(200, record))).toMatchObject({ tag: 'accepted', value: record });
    expect(judge(findOrder, answer(500, record)).tag).toBe('ambiguous');
  });
});

describe('the answer to a request that has an error body of its own', () => {
  const wrong = { systemTraceAuditNumber: 't', errorMessage: 'Something went wrong' };
  const tagOf = (operation: Parameters<typeof judge>[0], status: number, body: unknown): string =>
    judge(operation, answer(status, body)).tag;

  test('is a refusal with that body, also where an acceptance would have come', () => {
    for (const status of [...successes, 400, 404, 422])
      expect({ status, tag: tagOf(validateAccount, status, wrong) }).toEqual({ status, tag: 'refused' });
    expect(judge(validateAccount, answer(200, wrong))).toMatchObject({ reason: 'HTTP 200: Something went wrong' });
    for (const status of [401, 403, 429, 500, 503])
      expect({ status, tag: tagOf(validateAccount, status, wrong) }).toEqual({ status, tag: bareTag(status) });
  });

  test('is an acceptance without it', () => {
    for (const status of successes)
      expect(tagOf(validateAccount, status, { systemTraceAuditNumber: 't', message: 'Taken' })).toBe('accepted');
    expect(tagOf(validateAccount, 200, { message: 'Taken' })).toBe('ambiguous');
  });

  test('means that the number is held when it speaks of a duplicate', () => {
    const held = { ...wrong, errorMessage: 'Duplicate systemTraceAuditNumber' };
    for (const status of [200, 400]) expect(tagOf(validateAccount, status, held)).toBe('exists');
  });

  test('is not understood where it is the error body of another request, and comes as an acceptance', () => {
    expect(judge(validateAccount, answer(200, validation))).toMatchObject({
      tag: 'ambiguous',
      reason: expect.stringContaining('with an answer that cannot be read'),
    });
  });

  test('refuses nothing else: neither a payment nor a look-up', () => {
    for (const operation of [submitOrder, findOrder])
      for (const status of [200, 400, 404]) expect(tagOf(operation, status, wrong)).toBe('ambiguous');
  });
});

describe('HTTP 403', () => {
  test('says that the token is good and the permission is missing, where a token went along', () => {
    for (const operation of [submitOrder, findOrder])
      expect(judge(operation, answer(403, ''))).toEqual({
        tag: 'unauthorised',
        status: 403,
        reason: 'HTTP 403: no body',
        forbidden: true,
      });
    expect(judge(submitOrder, answer(401, ''))).not.toHaveProperty('forbidden');
    for (const operation of [requestToken, checkHealth])
      expect(judge(operation, answer(403, ''))).not.toHaveProperty('forbidden');
  });
});

describe('a connection error', () => {
  const calls = ['', 'connect', 'getaddrinfo', 'read', 'write'];
  const connecting = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'];
  const anyTime = [
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_CONNECT_TIMEOUT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ];
  const cutOff = ['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'EPIPE', 'TimeoutError'];
  const others = [
    'AbortError',
    'HPE_INVALID_CONSTANT',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'UND_ERR_ABORTED',
    'Error',
    '',
  ];
  const replyTo = (code: string, syscall: string): unknown => judge(submitOrder, { tag: 'failed', code, syscall });

  test('tells in words which host it was, where that is known', () => {
    const failed = { tag: 'failed', code: 'ECONNREFUSED', syscall: 'connect', at: 'localhost:9' } as const;
    expect(judge(submitOrder, failed)).toMatchObject({
      tag: 'not-sent',
      reason: expect.stringContaining('nothing answers at localhost:9'),
    });
  });

  test.each(connecting)('%s means not sent only while connecting', (code) => {
    for (const syscall of calls) {
      const tag = syscall === 'connect' || syscall === 'getaddrinfo' ? 'not-sent' : 'ambiguous';
      expect(replyTo(code, syscall)).toMatchObject({ tag, reason: syscall === '' ? code : `${code} (${syscall})` });
    }
  });

  test.each(anyTime)('%s means not sent, in whatever system call', (code) => {
    for (const syscall of calls) expect(replyTo(code, syscall)).toMatchObject({ tag: 'not-sent' });
  });

  test.each(cutOff)('"%s" is ambiguous, in whatever system call, and may not come again', (code) => {
    for (const syscall of calls) expect(replyTo(code, syscall)).toMatchObject({ tag: 'ambiguous', passing: true });
    expect(replyTo('ECONNRESET', 'read')).toMatchObject({ tag: 'ambiguous', passing: true });
  });

  test.each(others)('"%s" is ambiguous, in whatever system call, and will come again', (code) => {
    for (const syscall of calls) {
      expect(replyTo(code, syscall)).toMatchObject({ tag: 'ambiguous' });
      expect(replyTo(code, syscall)).not.toHaveProperty('passing');
    }
  });
});

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    ['120', 120_000],
    ['999999', 999_999_000],
    [' 7 ', 7_000],
    ['0', undefined],
    ['000', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999', undefined],
    ['Fri, 27 Nov 2026 06:00:00 GMT', undefined],
    ['', undefined],
  ])('"%s" asks for %s ms', (retryAfter, retryAfterMs) => {
    for (const status of [429, 503]) {
      const reply = judge(findOrder, answer(status, '', { retryAfter }));
      expect(reply.tag === 'throttled' && reply.retryAfterMs).toBe(retryAfterMs);
    }
  });

  test.each([
    ['Fri, 27 Nov 2026 06:00:30 GMT', 30_000],
    ['Fri, 27 Nov 2026 06:00:01 GMT', 1_000],
    ['Fri, 27 Nov 2026 06:00:00 GMT', undefined],
    ['Fri, 27 Nov 2026 05:59:00 GMT', undefined],
    [' Fri, 27 Nov 2026 06:00:30 GMT ', 30_000],
    ['2026-11-27T06:00:30Z', undefined],
    ['Fri, 27 Nov 2026 06:00:30 GMT-0100', undefined],
    ['until Fri, 27 Nov 2026 06:00:30 GMT', undefined],
    ['27', 27_000],
  ])('at six o\'clock of the service, "%s" asks for %s ms', (retryAfter, retryAfterMs) => {
    const reply = judge(findOrder, answer(429, '', { retryAfter, date: 'Fri, 27 Nov 2026 06:00:00 GMT' }));
    expect(reply.tag === 'throttled' && reply.retryAfterMs).toBe(retryAfterMs);
  });

  test('that is missing asks for no time', () => {
    expect(judge(findOrder, answer(429, ''))).toStrictEqual({
      tag: 'throttled',
      status: 429,
      reason: 'HTTP 429: no body',
    });
  });
});

describe('a reason', () => {
  const reasonOf = (exchange: Exchange, operation = submitOrder): string => {
    const reply = judge(operation, exchange);
    return reply.tag === 'accepted' ? '' : reply.reason;
  };

  test('is bounded and holds no control characters', () => {
    const reason = reasonOf(answer(500, `\u001b[31m\r\n\u0000${'x'.repeat(5_000)}`));
    expect(reason).toBe(`HTTP 500: [31m ${'x'.repeat(192)}`);
  });

  test.each<[string, number, unknown, string]>([
    ['what came', 500, '  <p>\t\r\n  Bad  gateway </p>\n', 'HTTP 500: <p> Bad gateway </p>'],
    ['that nothing came', 502, ' \n', 'HTTP 502: no body'],
    ['what came instead of an acceptance', 200, '<p>ok</p>', 'HTTP 200 with an answer that cannot be read: <p>ok</p>'],
    ['the reason', 400, { reason: 'Wrong account.' }, 'HTTP 400: Wrong account.'],
    [
      'every complaint with its field',
      400,
      { errors: { Amount: ['Too small.', 'Not whole.'], Name: ['Too long.'] } },
      'HTTP 400: Amount: Too small.; Amount: Not whole.; Name: Too long.',
    ],
  ])('tells %s', (_, status, body, reason) => expect(reasonOf(answer(status, body))).toBe(reason));

  test.each([
    ['a truncated token', 200, '{"access_token":"SECRET-TOKEN","expires'],
    ['a token of another shape', 200, { access_token: 'SECRET-TOKEN', expires_in: {} }],
    ['a page that repeats the request', 500, '<p>client_secret=SECRET-TOKEN</p>'],
  ])('of the token operation never shows what came: %s', (_name, status, body) => {
    const reply = judge(requestToken, answer(status, body));
    const reason = status === 200 ? 'HTTP 200 with an answer that cannot be read' : 'HTTP 500';
    expect(reply).toMatchObject({ tag: 'ambiguous', status, reason });
  });
});

describe('the token operation', () => {
  test.each([
    [400, 'refused'],
    [401, 'unauthorised'],
  ])('answers a wrong client with an OAuth error: HTTP %d is %s', (status, tag) => {
    expect(judge(requestToken, answer(status, { error: 'invalid_client' })).tag).toBe(tag);
  });
});

describe('a reply written by hand from the specification', () => {
  const byStatus: Readonly<Record<number, string>> = {
    200: 'accepted',
    400: 'refused',
    401: 'unauthorised',
    404: 'refused',
  };
  // An id that was used before may be our own; a trace number that two lines share reads the same.
  const isAboutAnId = (name: string): boolean => /-duplicate|-one-trace-twice/.test(name);

  test.each([...specMessages])('%s is judged as it should be', (name, message) => {
    const operation = operationOf(message);
    expect(operation).toBeDefined();
    if (!operation) return;
    const { status, text, body = text ?? '' } = asWritten(message.reply);
    const judged = judge<typeof operation>(operation, answer(status, body));
    expect(judged.tag).toBe(isAboutAnId(name) ? 'exists' : byStatus[status]);
  });

  test('is there for every operation', () => {
    expect(specMessages.size).toBeGreaterThan(90);
  });
});
