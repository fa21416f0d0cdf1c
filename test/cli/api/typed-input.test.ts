import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { typedQuery } from '../../../src/cli/api/typed-input.ts';
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
