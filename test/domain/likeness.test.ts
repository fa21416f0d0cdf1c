import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseAmong, didYouMean, editsBetween, similar } from '../../src/domain/likeness.ts';

const KINDS = ['wallet', 'till', 'paybill', 'bank', 'airtime', 'bill'];

test('the nearest name is meant, and only where one is near', () => {
  expect(didYouMean('walet', KINDS)).toBe('Did you mean wallet?');
  expect(didYouMean('WALLET', KINDS)).toBe('Did you mean wallet?');
  expect(didYouMean('bill ', KINDS)).toBe('Did you mean bill?');
  expect(didYouMean('cash', KINDS)).toBeUndefined();
  expect(didYouMean('x', ['a', 'y'])).toBeUndefined();
  expect(didYouMean('', KINDS)).toBeUndefined();
  expect(chooseAmong('cash', ['a', 'b'])).toBe('Use one of: a, b.');
});

test('names that are as near as each other are all told, three at most', () => {
  expect(similar('abcx', ['abca', 'abcb', 'abcc', 'abcd'])).toEqual(['abca', 'abcb', 'abcc']);
});

test('edits are counted the same both ways, and are none for one text alone', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(editsBetween(one, other, 8)).toBe(editsBetween(other, one, 8));
      expect(editsBetween(one, other, 8) === 0).toBe(one === other);
    }),
  );
});
