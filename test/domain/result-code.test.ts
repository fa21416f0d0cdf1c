import { expect, test } from 'vitest';
import { resultCodeTable, resultMeaning } from '../../src/domain/result-code.ts';

test('only these result codes are a definite failure', () => {
  const failed = Object.entries(resultCodeTable).filter(([, { meaning }]) => meaning === 'failed');
  expect(failed.map(([code]) => Number(code)).sort((a, b) => a - b)).toEqual([1, 2, 5, 6, 7, 8, 15, 17, 18, 19]);
});

test.each([
  undefined,
  null,
  '',
  ' ',
  '00',
  '01',
  '6 ',
  '1e0',
  '23',
  '-2',
  '1000',
  'constructor',
  '__proto__',
  'toString',
])('result code %o concludes nothing', (code) => expect(resultMeaning(code)).toBe('open'));

test.each([
  ['0', 'success'],
  ['-1', 'timed-out'],
  ['9', 'open'],
  ['6', 'failed'],
])('result code %s is %s', (code, meaning) => expect(resultMeaning(code)).toBe(meaning));
