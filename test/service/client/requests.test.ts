import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../../src/domain/fault.ts';
import { Requests } from '../../../src/service/client/requests.ts';
import { defineOperation } from '../../../src/service/contract/operation.ts';

const baseUrl = 'https://service.example/api';
const secretOrigins = ['https://service.example'];
const addresses = { baseUrl, tokenUrl: `${baseUrl}/connect/token`, secretOrigins };

const ask = defineOperation({
  name: 'ask',
  summary: '',
  method: 'GET',
  path: '/v1/ask',
  host: 'api',
  query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).optional()),
  reply: z.unknown(),
  spec: '',
  shape: 'spec',
  repeatable: true,
  authorised: true,
});

describe('a request', () => {
  test.each(['/v1/ask', '/v1/ask?kept=1&a=2'])('to %s writes any query as addresses write theirs', (path) => {
    const requests = new Requests({ ...addresses, paths: { ask: path } });
    const plain = fc.stringMatching(/^[A-Za-z0-9.*_-]{1,8}$/);
    // No operation has a field of this name, and the shapes of the contract leave it out.
    const name = fc.oneof(plain, fc.string({ minLength: 1 })).filter((text) => text !== '__proto__');
    const value = fc.oneof(plain, fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined));
    fc.assert(
      fc.property(fc.dictionary(name, value), (query) => {
        const url = new URL(`${baseUrl}${path}`);
        for (const [name, said] of Object.entries(query)) {
          if (said !== undefined) url.searchParams.set(name, String(said));
        }
        expect(requests.prepare(ask, { query })).toEqual({ origin: url.origin, path: url.pathname + url.search });
      }),
    );
  });

  test('goes nowhere that nobody allowed, however often it is made', () => {
    const requests = new Requests({ ...addresses, secretOrigins: ['https://elsewhere.example'] });
    for (const _ of [1, 2]) expect(() => requests.prepare(ask, { query: {} })).toThrow(Fault);
  });

  test('has a place where the contract or the profile knows its path', () => {
    const { path: _, ...unplaced } = ask;
    expect(new Requests(addresses).knows(unplaced)).toBe(false);
    expect(() => new Requests(addresses).prepare(unplaced, { query: {} })).toThrow('The path of the operation ask');
    const placed = new Requests({ ...addresses, paths: { ask: '/other' } });
    expect(placed.knows(unplaced)).toBe(true);
    expect(placed.prepare(unplaced, { query: {} }).path).toBe('/api/other');
  });
});
