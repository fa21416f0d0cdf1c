import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/service/contract/index.ts';
import type { AnyOperation } from '../../../src/service/contract/operation.ts';
import { type ProblemShape, readProblem } from '../../../src/service/contract/problem.ts';
import { specMessages, specProblems } from '../../support/spec-messages.ts';

/** Error bodies written by hand from the section "Errors" of the specification, and from what has been observed. */
const documented: readonly [string, unknown, ProblemShape, readonly (readonly [string, string])[]][] = [
  [
    'a validation error',
    {
      errors: { PaymentNotes: ['The PaymentNotes field is required.'], Id: ['one', 'two'] },
      type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
      title: 'One or more validation errors occurred.',
      status: 400,
      traceId: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    },
    'validation',
    [
      ['PaymentNotes', 'The PaymentNotes field is required.'],
      ['Id', 'one'],
      ['Id', 'two'],
    ],
  ],
  ['a validation error of nothing but its errors', { errors: { Id: ['x'] } }, 'validation', [['Id', 'x']]],
  [
    'an order error',
    {
      appDomainName: 'payments',
      status: 400,
      timestamp: '2026-11-20T06:00:00Z',
      systemConversationId: '84310000-0e89-0ee0-208b-000000000001',
      originatorConversationId: '9d01af18-8ef4-87ee-b842-32c2b97ce940',
      errors: [{ field: 'Id', message: 'The Id field is required.' }],
    },
    'order',
    [['Id', 'The Id field is required.']],
  ],
  [
    'an order error with nulls and a status as text',
    {
      appDomainName: null,
      status: '400',
      timestamp: null,
      systemConversationId: null,
      originatorConversationId: null,
      errors: [{ field: null, message: null }, { message: 'only this' }],
    },
    'order',
    [
      ['', ''],
      ['', 'only this'],
    ],
  ],
  [
    'a failure with one reason',
    { appDomainName: 'bills', timestamp: '2026-11-20T06:00:00Z', reason: 'The account number is invalid.' },
    'reason',
    [['', 'The account number is invalid.']],
  ],
  [
    'an order failure with its ids',
    {
      appDomainName: 'payments',
      timestamp: '2026-11-20T06:00:00Z',
      systemConversationId: 'a',
      originatorConversationId: 'b',
      reason: 'Insufficient balance',
    },
    'reason',
    [['', 'Insufficient balance']],
  ],
  [
    'an order that was not found',
    { id: '9d01', idType: 'OriginatorConversationId', message: 'Order not found' },
    'not-found',
    [['OriginatorConversationId', 'Order not found']],
  ],
  [
    'a validation that went wrong',
    { systemTraceAuditNumber: '325ac159', errorMessage: 'Something went wrong' },
    'traced',
    [['', 'Something went wrong']],
  ],
  [
    'a duplicate deposit, without a status',
    {
      appDomainName: 'LIVE',
      timestamp: '2022-02-11T10:13:11.2483928Z',
      systemConversationId: '16780000-a97d-3024-98a9-08d9ed471bab',
      originatorConversationId: 'W9332',
      errors: [{ field: 'OriginatorConversationId', message: "duplicate originator conversation id 'W9332'" }],
    },
    'order',
    [['OriginatorConversationId', "duplicate originator conversation id 'W9332'"]],
  ],
  [
    'an order error whose status is a word',
    { appDomainName: 'LIVE', status: 'BadRequest', errors: [{ field: 'Amount', message: 'Too large.' }] },
    'order',
    [['Amount', 'Too large.']],
  ],
  ['a refused client', { error: 'invalid_client' }, 'oauth', [['', 'invalid_client']]],
];

describe('a documented error body', () => {
  test.each(documented)('is %s', (_, body, shape, complaints) => {
    expect(readProblem(body)).toEqual({
      shape,
      complaints: complaints.map(([field, message]) => ({ field, message })),
    });
  });

  test.each(documented)('is %s also when it holds fields that nobody documented', (_, body, shape) => {
    expect(readProblem({ ...(body as object), colour: 'red', nested: { a: [1] } })?.shape).toBe(shape);
  });
});

describe('the error shapes of the specification', () => {
  test('are all there: five that it numbers, those of its token operation and of observed look-ups, and a published one', () => {
    const numbered = [...specProblems.keys()].map((name) => name.slice(0, 1));
    for (const number of ['1', '2', '3', '4', '5']) expect(numbered).toContain(number);
    expect(new Set(Array.from(specProblems.values(), ({ shape }) => shape))).toEqual(
      new Set(['validation', 'reason', 'order', 'traced', 'not-found', 'oauth', null]),
    );
  });

  test.each([...specProblems].filter(([, { shape }]) => shape !== null))(
    '%s is read with every complaint',
    (_, { shape, complaints, body }) => {
      expect(readProblem(body)).toEqual({ shape, complaints });
    },
  );

  test.each([...specProblems].filter(([, { shape }]) => shape === null))(
    '%s is an answer of its operation and no error body',
    (_, { operation, body }) => {
      const answering = Object.values<AnyOperation>(operations).find(({ name }) => name === operation);
      expect(readProblem(body)).toBeUndefined();
      expect(answering?.reply.parse(body)).toEqual(body);
    },
  );

  test.each([...specMessages].filter(([, { reply }]) => [400, 404].includes(reply.status)))(
    'the refusal of %s is read, with something to complain about',
    (_, { reply }) => {
      expect(readProblem(reply.body)?.complaints.length).toBeGreaterThan(0);
    },
  );
});

describe('no documented error body', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a page', '<html><body>502 Bad Gateway</body></html>'],
    ['a number', 400],
    ['a list', [{ field: 'Id', message: 'x' }]],
    ['an empty object', {}],
    ['an acceptance', { message: { originatorConversationId: 'x', remarks: 'accepted' } }],
    ['errors as a text', { errors: 'Id is required' }],
    ['errors with a text instead of messages', { errors: { Id: 'required' } }],
    ['errors as a list of texts', { errors: ['Id is required'] }],
    ['errors that are null', { errors: null }],
    ['a reason that is no text', { reason: { code: 5 } }],
    ['a message of a gateway', { message: 'no Route matched with those values' }],
    ['a fault of a gateway', { fault: { faultstring: 'Spike arrest' } }],
    ['an error message without the number of a request', { errorCode: '500', errorMessage: 'Spike arrest' }],
    ['a status without a reason', { status: 400, title: 'Bad Request' }],
  ])('is %s', (_, body) => expect(readProblem(body)).toBeUndefined());
});
