import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSheetLimits, type SheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { TextStore } from '../../../src/sheet/xlsx/text-store.ts';

function stored(texts: readonly string[], limits: Partial<SheetLimits> = {}): TextStore {
  const store = new TextStore({ ...defaultSheetLimits, ...limits });
  for (const text of texts) store.add(text);
  store.end();
  return store;
}

const allOf = (store: TextStore): readonly (string | undefined)[] =>
  Array.from({ length: store.count }, (_, index) => store.get(index));

const longest = defaultSheetLimits.cellCharacters;

test.each<[string, readonly string[]]>([
  ['none', []],
  ['empty ones', ['', 'a', '', '']],
  ['more than fit into one block', Array.from({ length: 20_000 }, (_, at) => `Person ${at}`)],
  ['the longest that a cell holds', ['a', 'x'.repeat(longest), 'ũ'.repeat(longest), 'b', 'y'.repeat(longest), 'c']],
  ['two that fill a block', ['a'.repeat(32_768), 'b'.repeat(32_768), 'c']],
  ['letters of any script', ['Wanjirũ', 'ኢትዮጵያ', '𝒜𝓂𝒾𝓃𝒶', 'Ünal']],
])('texts come back as they were: %s', (_, texts) => {
  expect(allOf(stored(texts))).toEqual(texts);
});

test('whatever the texts are, each comes back by its index', () => {
  const some = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.nat({ max: longest }).map((length) => 'z'.repeat(length)),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(some, (texts) => {
      const plain = texts.map((text) => text.replaceAll('_x', ''));
      expect(allOf(stored(plain))).toEqual(plain);
    }),
  );
});

test('an index that no text has gives none', () => {
  const store = stored(['a', 'b']);
  expect([-1, 2, 1.5, 5000, Number.NaN].map((index) => store.get(index))).toEqual(new Array(5).fill(undefined));
});

test('an escaped sign is read as what it stands for', () => {
  expect(stored(['a_x000A_b']).get(0)).toBe('a\nb');
});

test('bytes are counted in UTF-8', () => {
  const texts = new Array<string>(40).fill('ũ'.repeat(30_000));
  expect(() => stored(texts, { sharedStringBytes: 40 * 60_000 - 1 })).toThrow(/more than 2 MiB/);
  expect(stored(texts, { sharedStringBytes: 40 * 65_536 }).count).toBe(40);
});
