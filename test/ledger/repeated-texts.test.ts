import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedName } from '../../src/domain/staging.ts';
import { numberOfName, numberOfText, repeatedIn } from '../../src/ledger/repeated-texts.ts';
import { Numbers } from '../../src/ledger/sorted-numbers.ts';
import { inTemporary } from './number-file.ts';

const repeatedAmong = (texts: readonly string[]): ReadonlySet<number> =>
  inTemporary((file) => {
    const list = new Numbers(file);
    for (const text of texts) list.add(numberOfText(text));
    return repeatedIn(list);
  });

test('whatever stands in a column twice is found, also when rows come after it was asked', () => {
  inTemporary((file) => {
    const list = new Numbers(file);
    for (let at = 0; at < 40_000; at++) list.add(numberOfText(`EMP-${at}`));
    for (const text of ['EMP-0', 'EMP-39999']) list.add(numberOfText(text));
    expect(repeatedIn(list)).toEqual(new Set([numberOfText('EMP-0'), numberOfText('EMP-39999')]));
    for (const text of ['EMP-7', 'new', 'new']) list.add(numberOfText(text));
    expect(list.length).toBe(40_005);
    expect(repeatedIn(list)).toEqual(new Set(['EMP-0', 'EMP-39999', 'EMP-7', 'new'].map(numberOfText)));
  });
});

test('texts of payrolls have numbers of their own', () => {
  const texts = Array.from({ length: 60_000 }, (_, at) => [`wallet|+2547${at}`, `P-${at}`, `${at}`]).flat();
  expect(repeatedAmong(texts).size).toBe(0);
});

describe('the number of a name', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'É', 'e\u0301', '1', 'Ж', 'ß', '٣', 'ﬁ'),
    maxLength: 4,
  });
  const name = fc.array(fc.tuple(word, fc.constantFrom(' ', '-', ', ', '\u00a0', "'", '.')), { maxLength: 4 });
  const written = name.map((parts) => parts.flat().join(''));

  test('is the same for names that are compared as the same', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        const isSame = comparedName(one) === comparedName(other);
        expect(numberOfName(one) === numberOfName(other)).toBe(isSame);
        expect(numberOfName(comparedName(one))).toBe(numberOfName(one));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['Jane Wanjiku', 'WANJIKU, jane'],
    ["Ng'ang'a Otieno", 'otieno ng ang a'],
    ['José Ali', 'Ali Jose'],
  ])('of %s is that of %s', (one, other) => {
    expect(numberOfName(one)).toBe(numberOfName(other));
  });
});
