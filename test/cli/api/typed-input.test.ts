import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseExactJson, typedQuery } from '../../../src/cli/api/typed-input.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { defineOperation } from '../../../src/service/contract/operation.ts';
import { findRoutes } from '../../../src/service/contract/routes.ts';

const operation = defineOperation({
  ...findRoutes,
  query: z.strictObject({
    page: z.int(),
    share: z.number().optional(),
    open: z.boolean().optional(),
    name: z.string().optional(),
    kind: z.literal('wallet'),
    either: z.union([z.string(), z.int()]).optional(),
  }),
});

describe('text of the command line becomes what the operation wants', () => {
  test.each<readonly [readonly string[], object]>([
    [['page=3'], { page: 3 }],
    [['page=-3'], { page: -3 }],
    [['share=0.5'], { share: 0.5 }],
    [['open=true'], { open: true }],
    [['open=false'], { open: false }],
    [['name=404'], { name: '404' }],
    [['name='], { name: '' }],
    [['name=a=b&c d'], { name: 'a=b&c d' }],
    [['either=7'], { either: '7' }],
    // What is none stays text, and the shape says what it should be.
    [['page=three'], { page: 'three' }],
    [['page=0x10'], { page: '0x10' }],
    [['open=yes'], { open: 'yes' }],
    [['unknown=1'], { unknown: '1' }],
    [['kind=till'], { kind: 'till' }],
  ])('%j', (pairs, values) => {
    expect(typedQuery(operation, pairs)).toEqual({ kind: 'wallet', ...values });
  });

  test('and an operation without a query is given none', () => {
    expect(typedQuery(findRoutes, [])).toBeUndefined();
    expect(typedQuery(findRoutes, ['a=b'])).toEqual({ a: 'b' });
  });

  test.each([[['page']], [['=3']], [['page=1', 'page=2']]])('%j is refused', (pairs) => {
    expect(() => typedQuery(operation, pairs)).toThrow(Fault);
  });
});

describe('a number is exact when writing it again gives the same number', () => {
  test.each(['0', '-0', '0.0', '1.50', '100', '1e2', '1E+2', '0.1', '1500.00', '9007199254740991', '1e-7', '12e20'])(
    '%s is',
    (number) =>
      expect(parseExactJson(`{"amount":[${number}]}`)).toEqual({ value: { amount: [Number(number)] }, inexact: [] }),
  );

  test.each(['9007199254740993', '0.1000000000000000055', '1.000000000000000000001', '1e400', '12345678901234567890'])(
    '%s is not',
    (number) => expect(parseExactJson(`{"amount":[${number}, 1]}`).inexact).toEqual([number]),
  );

  test('whatever number this computer has written itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const { value, inexact } = parseExactJson(JSON.stringify(number));
        expect(inexact).toEqual([]);
        expect(JSON.stringify(value)).toBe(JSON.stringify(number));
      }),
    );
  });

  test('every decimal of a currency, however it is padded', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 12), fc.nat(4), (cents, zeros) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}${'0'.repeat(zeros)}`;
        expect(parseExactJson(text).inexact).toEqual([]);
      }),
    );
  });
});

describe('JSON', () => {
  test.each(['', '{', "{'a':1}", '{"a":01}', '[1,]', 'NaN'])('is not %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
