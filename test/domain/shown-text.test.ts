import { describe, expect, test } from 'vitest';
import { hiddenIn, shown, shownJson, withHidden } from '../../src/domain/shown-text.ts';

/** By what Unicode calls them, and not by our own list: categories, and the blocks of marks that nobody sees. */
const RAW =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]|\p{Variation_Selector}|\u034f/u;

/** Every character that text could be hidden or turned round with. */
const hidden: readonly string[] = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff || code % 97 === 0)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => RAW.test(character));

describe('text that others wrote', () => {
  test('shows every character of Unicode that nobody sees as its number, and says nothing else', () => {
    expect(hidden.length).toBeGreaterThan(4200);
    const raw = hidden.filter((character) => RAW.test(shown(`A${character}B`)));
    expect(raw).toEqual([]);
    expect(shown('Jane\u202etoidI\u200b')).toBe('Jane<U+202E>toidI<U+200B>');
    expect(shown('a\u{e0041}b\ud83d')).toBe('a<U+E0041>b<U+D83D>');
    expect(shown('a\nb\u001b[2K')).toBe('a<U+000A>b<U+001B>[2K');
  });

  test.each(['Jane Wanjiku', 'Éloïse N’Diaye', 'العربية', '東京', '👩', 'e\u0301', 'a\u00a0b', '<U+202E>'])(
    'leaves %s as it is',
    (text) => {
      expect(shown(text)).toBe(text);
      expect(hiddenIn(text)).toEqual([]);
    },
  );

  test('is safe once and for all', () => {
    const all = hidden.join('x');
    expect(shown(shown(all))).toBe(shown(all));
    expect(hiddenIn('\u202ea\u202eb\u200b')).toEqual(['\u202e', '\u200b']);
    expect(withHidden('a\u200bb', () => '')).toBe('ab');
  });

  test('is JSON that means the same and holds nothing raw, in one line or in many', () => {
    const value = { name: `J${hidden.join('ane')}`, list: ['\u{e0041}', 1, '\n'] };
    for (const indent of [undefined, 2]) {
      const json = shownJson(JSON.stringify(value, undefined, indent));
      expect(RAW.test(json.replaceAll('\n', ''))).toBe(false);
      expect(JSON.parse(json)).toEqual(value);
      expect(json.split('\n')).toHaveLength(indent ? 8 : 1);
    }
  });
});
