import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Numbers } from '../../src/ledger/sorted-numbers.ts';
import { inTemporary } from './number-file.ts';

const sortedBy = (numbers: Iterable<number>): number[] =>
  inTemporary((file) => {
    // Two lists share a file, and are filled in turns.
    const [list, other] = [new Numbers(file), new Numbers(file)];
    for (const number of numbers) {
      list.add(number);
      other.add(-number);
    }
    expect(Array.from(other.sorted(), (block) => [...block]).flat()).toHaveLength(list.length);
    return Array.from(list.sorted(), (block) => [...block]).flat();
  });

const ascending = (numbers: readonly number[]): number[] => [...Float64Array.from(numbers).sort()];

test.each([
  ['none', 0, () => 0],
  ['one', 1, () => 7],
  ['as many as are sorted together', 32_768, (at: number) => -at],
  ['one more than those', 32_769, (at: number) => -at],
  ['many, all the same', 100_000, () => 5],
  ['many in ascending order', 100_000, (at: number) => at],
  ['many in descending order', 100_000, (at: number) => -at],
  ['many of a few', 150_000, (at: number) => (at * 7919) % 13],
])('numbers come in ascending order: %s', (_, count, numberAt) => {
  const numbers = Array.from({ length: count }, (__, at) => numberAt(at));
  expect(sortedBy(numbers)).toEqual(ascending(numbers));
});

test('whatever the numbers are, all of them come, in ascending order', () => {
  const some = fc.record({ seed: fc.nat(), count: fc.integer({ min: 32_000, max: 110_000 }), most: fc.nat() });
  fc.assert(
    fc.property(some, ({ seed, count, most }) => {
      let state = seed;
      const next = (): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return state % (most + 1);
      };
      const numbers = Array.from({ length: count }, next);
      // Compared as a text: of a list that differs, fast-check would print every number.
      expect(sortedBy(numbers).join() === ascending(numbers).join()).toBe(true);
    }),
    { numRuns: 10 },
  );
});
