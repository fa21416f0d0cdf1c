import { describe, expect, test } from 'vitest';
import { languageOf, languageOfLocale, languages } from '../../src/domain/language.ts';

describe('a language', () => {
  test('is known by its code, in any case', () => {
    expect(languages.map((language) => languageOf(language.toUpperCase()))).toEqual(languages);
    expect(['de', '', 'swa', 'en_GB', 'constructor'].map(languageOf)).toEqual(Array(5).fill(undefined));
  });

  test.each([
    ['sw_KE.UTF-8', 'sw'],
    ['fr', 'fr'],
    ['fr-CD', 'fr'],
    ['en_GB', 'en'],
    ['de_DE.UTF-8', undefined],
    ['C.UTF-8', undefined],
    ['fra', undefined],
    ['', undefined],
  ])('of the locale "%s" is %s', (locale, language) => expect(languageOfLocale(locale)).toBe(language));
});
