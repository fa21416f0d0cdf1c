import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, firstOf, grouped } from '../../src/domain/counted.ts';

test('counts are grouped as the engine groups them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat({ max: 20 }), (count, shift) => {
      const number = Math.floor(count / 2 ** shift);
      expect(grouped(number)).toBe(number.toLocaleString('en-GB'));
    }),
  );
});

test('the first of some is not counted if it is only one', () => {
  expect([firstOf(1, 'row'), firstOf(12, 'row')]).toEqual(['first row', 'first 12 rows']);
});

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [999, '999 rows'],
  [12_000, '12,000 rows'],
  [1_234_567, '1,234,567 rows'],
])('%d: %s', (count, text) => {
  expect(counted(count, 'row')).toBe(text);
});
