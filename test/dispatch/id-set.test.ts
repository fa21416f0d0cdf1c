import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdSet } from '../../src/dispatch/id-set.ts';
import type { OrderId } from '../../src/domain/ids.ts';

const ids = Array.from({ length: 100 }, (_, index) => `o${index}` as OrderId);
const anyId = fc.constantFrom(...ids);
const seen = (set: IdSet): readonly [number, readonly OrderId[]] => [set.size, ids.filter((id) => set.has(id))];

describe('a set of ids', () => {
  test('holds what a set holds that is told the same', () => {
    const change = fc.oneof(fc.record({ put: fc.array(anyId, { maxLength: 40 }) }), fc.record({ taken: anyId }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const model = new Set<OrderId>();
        let set = new IdSet();
        for (const { put = [], taken } of changes as { put?: OrderId[]; taken?: OrderId }[]) {
          for (const id of put) model.add(id);
          if (taken) model.delete(taken);
          set = taken ? set.without(taken) : set.with(put);
          expect(seen(set)).toEqual([model.size, ids.filter((id) => model.has(id))]);
        }
      }),
    );
  });

  test('stays as it was when another is made of it', () => {
    const set = new IdSet().with(ids.slice(0, 50));
    const before = seen(set);
    set.with(ids);
    set.without(ids[0] as OrderId);
    expect(seen(set)).toEqual(before);
    expect(seen(new IdSet())).toEqual([0, []]);
  });
});
