/**
 * Every operation, fed with every wrong input that its part of the specification makes possible: refused in the shape of
 * the specification, and the books are what they were.
 */
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/service/contract/index.ts';
import type { AnyOperation } from '../../src/service/contract/operation.ts';
import { filledIn, messageNamed, operationOf } from '../support/spec-messages.ts';
import { type Answer, type Practice, practise } from './practice.ts';
import { bodies, type Fields, namesInErrors, queries, wrongValues } from './required-fields.ts';
import { sendGiven } from './send-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** A copy with the value at a path replaced; undefined takes the field away. */
function changed(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: a walk through a message of any shape
  const owner = keys.reduce((inner: any, key) => inner?.[key], copy);
  expect(owner, path).toBeInstanceOf(Object);
  if (value === undefined) {
    expect(owner, path).toHaveProperty(last);
    delete owner[last];
  } else owner[last] = value;
  return copy;
}

interface WrongInput {
  readonly says: string;
  /** The last part of the name of the field that must be complained of. */
  readonly field?: string;
  readonly body: string;
  readonly contentType?: string;
}

function* wrongBodies(name: string, good: Json, fields: Fields): Generator<WrongInput> {
  for (const [path, [type, ...marks]] of Object.entries(fields)) {
    // Of its pairs the specification says no more than that they are pairs.
    const named = path.replace(/(?<=metaDataList)\..*/, '').split('.');
    const last = named.findLast((part) => !/^\d+$/.test(part)) ?? path;
    const field = namesInErrors[name]?.[last] ?? last;
    const wrong = (says: string, value: unknown): WrongInput => ({
      says: `${path} ${says}`,
      field,
      body: JSON.stringify(changed(good, path, value)),
    });
    if (marks.includes('required')) {
      yield wrong('missing', undefined);
      yield wrong('null', null);
    }
    if (marks.includes('unique')) yield wrong('empty', '');
    for (const value of wrongValues[type]) {
      const isOptionalAndEmpty = Array.isArray(value) && value.length === 0 && !marks.includes('required');
      if (type !== 'list' || !isOptionalAndEmpty) yield wrong(JSON.stringify(value), value);
    }
  }
}

/** The good body once more with new identifiers, but for one that was used before. */
function* repeatedIdentifiers(good: unknown, fields: Fields): Generator<WrongInput> {
  const unique = Object.entries(fields).flatMap(([path, [, ...marks]]) => (marks.includes('unique') ? [path] : []));
  for (const path of unique) {
    const others = unique.filter((other) => other !== path);
    const body = others.reduce((inner, other) => changed(inner, other, `new ${other} beside ${path}`), good);
    yield { says: `${path} again`, field: path.split('.').at(-1) ?? path, body: JSON.stringify(body) };
  }
}

/** Bodies that are no object at all, whatever the operation. */
const noBodies: readonly WrongInput[] = [
  { says: 'an empty body', body: '' },
  { says: 'no JSON', body: '{"originatorConversationId": "x"' },
  { says: 'a page', body: '<html></html>' },
  { says: 'an array', body: '[]' },
  { says: 'an array of objects', body: '[{"originatorConversationId":"x"}]' },
  { says: 'a text', body: '"x"' },
  { says: 'a number', body: '7' },
  { says: 'null', body: 'null' },
  { says: 'an object without fields', body: '{}' },
  { says: 'an endless nesting', body: '['.repeat(50_000) },
];

const wrongTypes = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data'];

const MORE_THAN_IT_READS = 3_000_000;

/** Like a client that reads the answer even when the service stops reading in the middle of the request. */
function sendHuge(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<Pick<Answer, 'status' | 'body'>> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...headers, 'content-type': 'application/json' } });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    request.on('error', reject);
    request.end(`{"filler":"${'x'.repeat(MORE_THAN_IT_READS)}"}`);
  });
}

/** The books without what only counts requests. */
async function booksOf(practice: Practice): Promise<unknown> {
  const { body } = await practice.get('/__sandbox/books');
  const counters = new Set(['requests', 'tokenRequests', 'faults', 'repeats', 'posts']);
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (counters.has(key) ? undefined : value)));
}

const validationProblem = {
  errors: expect.any(Object),
  type: expect.stringMatching(/^https:\/\/.*rfc7231#section-6\.5\.1$/),
  title: expect.any(String),
  status: 400,
  traceId: expect.any(String),
};

/** How an order that was read is refused: observed, and published with a word for the status. */
const orderProblem = {
  appDomainName: expect.any(String),
  status: 'BadRequest',
  timestamp: expect.any(String),
  systemConversationId: expect.any(String),
  originatorConversationId: expect.any(String),
  errors: expect.any(Array),
};

/** Fields with their messages, whichever of the two shapes the body has. */
function complaintsIn(body: Json, isOrder: boolean): readonly (readonly [string, unknown])[] {
  if (isOrder && Array.isArray(body['errors'])) {
    expect(body).toEqual(orderProblem);
    return body['errors'].map(({ field, message }) => [field, message]);
  }
  expect(body).toEqual(validationProblem);
  return Object.entries(Object(body['errors'])).flatMap(([field, messages]) =>
    (messages as readonly unknown[]).map((message) => [field, message] as const),
  );
}

/** What is wrong with an answer that should be a refusal in a shape of the specification; empty: nothing. */
function faultOf({ status, body }: Pick<Answer, 'status' | 'body'>, field?: string, isOrder = false): string {
  try {
    expect(status).toBe(400);
    const complaints = complaintsIn(body, isOrder);
    expect(complaints.length).toBeGreaterThan(0);
    for (const [, message] of complaints) expect(message).toMatch(/./);
    const fields = complaints.map(([name]) => name.toLowerCase()).join(' ');
    if (field !== undefined) expect(fields).toContain(field.toLowerCase());
    return '';
  } catch {
    return `HTTP ${status} ${JSON.stringify(body)}`;
  }
}

/** Sends each input, and says which were not refused as they should be. */
async function notRefused(
  inputs: Iterable<WrongInput>,
  send: (input: WrongInput) => Promise<Answer>,
  isOrder: boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const input of inputs) {
    const fault = faultOf(await send(input), input.field, isOrder);
    if (fault !== '') found.push(`${input.says}: ${fault}`);
  }
  return found;
}

describe('a wrong body', () => {
  test('is tried for every operation that has one', () => {
    const withBody = Object.values<AnyOperation>(operations).filter(({ body, path }) => body && path);
    expect([...Object.keys(bodies), 'request-token'].toSorted()).toEqual(withBody.map(({ name }) => name).toSorted());
  });

  test.each(Object.entries(bodies))(
    'of %s is refused, whatever is wrong, and moves nothing',
    async (name, [good, fields]) => {
      const message = messageNamed(good);
      expect(operationOf(message)?.name).toBe(name);
      const practice = await practise({ scenario: 'duplicates=refuse' });
      const answers = await sendGiven(practice, message);
      const { method, path, body } = filledIn(message.request, (given) => answers.get(given));
      const before = await booksOf(practice);
      const send = (input: WrongInput): Promise<Answer> => {
        const headers = { ...practice.bearer, 'content-type': input.contentType ?? 'application/json' };
        return practice.send(path, { method, headers, body: input.body });
      };
      const text = JSON.stringify(body);
      const isOrder = name === 'submit-order';
      const inputs: readonly WrongInput[] = [
        ...wrongBodies(name, body as Json, fields),
        ...noBodies,
        ...wrongTypes.map((contentType) => ({ says: `sent as ${contentType}`, body: text, contentType })),
      ];
      expect(await notRefused(inputs, send, isOrder)).toEqual([]);
      expect(faultOf(await sendHuge(practice.sandbox.url + path, method, practice.bearer))).toBe('');
      expect(await booksOf(practice)).toEqual(before);

      // The good one is taken still: none of the wrong ones used up its identifiers.
      expect((await send({ says: 'the good one', body: text })).status).toBe(200);
      const taken = await booksOf(practice);
      expect(await notRefused(repeatedIdentifiers(body, fields), send, isOrder)).toEqual([]);
      expect(await booksOf(practice)).toEqual(taken);
    },
  );

  test.each(Object.entries(bodies))('of %s without token is not even read', async (_, [good]) => {
    const { request } = messageNamed(good);
    const practice = await practise();
    const before = await booksOf(practice);
    for (const body of ['', '{}', '{"originatorConversationId":', JSON.stringify(request.body)]) {
      const headers = { 'content-type': 'application/json' };
      expect((await practice.send(request.path, { method: request.method, headers, body })).status).toBe(401);
    }
    expect(await booksOf(practice)).toEqual(before);
  });
});

describe('a wrong token request', () => {
  const good = messageNamed('token').request.form ?? {};
  const without = (field: string): string =>
    String(new URLSearchParams(Object.entries(good).filter(([name]) => name !== field)));

  test.each([
    ...Object.keys(good).map((field) => [`without ${field}`, without(field)] as const),
    ['with an empty body', ''] as const,
  ])('%s is refused in the words of OAuth 2.0', async (_, body) => {
    const practice = await practise();
    const before = await booksOf(practice);
    const answer = await practice.send('/connect/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_request' }]);
    expect(await booksOf(practice)).toEqual(before);
  });
});

test.each(['application/json', 'text/plain', 'multipart/form-data'])(
  'a token request as %s is none',
  async (contentType) => {
    const practice = await practise();
    const body = JSON.stringify(messageNamed('token').request.form);
    const answer = await practice.send('/connect/token', {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_request' }]);
  },
);

describe('a wrong query', () => {
  test('is tried for every operation that has one', () => {
    const withQuery = Object.values<AnyOperation>(operations).filter(({ query, path }) => query && path);
    expect(Object.keys(queries).toSorted()).toEqual(withQuery.map(({ name }) => name).toSorted());
  });

  test.each(Object.entries(queries))('of %s is refused, and moves nothing', async (name, [good, required]) => {
    const message = messageNamed(good);
    expect(operationOf(message)?.name).toBe(name);
    const practice = await practise();
    const answers = await sendGiven(practice, message);
    const { method, path, query = {} } = filledIn(message.request, (given) => answers.get(given));
    const before = await booksOf(practice);
    for (const field of required) {
      const rest = Object.entries(query).filter(([key]) => key !== field);
      const searches = [rest, [...rest, [field, '']], [...rest, [`${field}x`, 'x']]];
      for (const search of searches.map((entries) => new URLSearchParams(entries as [string, string][]))) {
        const answer = await practice.send(`${path}?${search}`, { method, headers: practice.bearer });
        if (name === 'find-order') expectOrderProblem(answer, field);
        else expect(faultOf(answer, field)).toBe('');
      }
    }
    expect(await booksOf(practice)).toEqual(before);
  });
});

/** Spec: "Errors" 3. */
function expectOrderProblem({ status, body }: Answer, field: string): void {
  expect(status).toBe(400);
  expect(body).toEqual({
    appDomainName: expect.any(String),
    status: 400,
    timestamp: expect.any(String),
    systemConversationId: expect.any(String),
    originatorConversationId: expect.toSatisfy((id: unknown) => id === null || typeof id === 'string'),
    errors: [{ field, message: expect.stringMatching(/required/) }],
  });
}
