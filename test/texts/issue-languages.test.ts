import { describe, expect, test } from 'vitest';
import { type IssueCode, issue } from '../../src/domain/issue.ts';
import { languages } from '../../src/domain/language.ts';
import { issueFix, issueMessage, issueTexts } from '../../src/texts/issue-message.ts';

const codes = Object.keys(issueTexts.en) as readonly IssueCode[]; // the keys of a record of codes
const translations = languages.filter((language) => language !== 'en');

/** Their names, sorted: the order of words is a language's own, and so is whether a count has a noun of its own. */
const placeholdersOf = (text: string): readonly string[] => (text.match(/\{\w+(?=[|}])/g) ?? []).sort();

/** Commands, flags and examples: a translated one would not work. */
const typedByHandOf = (text: string): readonly string[] =>
  (text.match(/--[a-z][a-z-]*|paybatch map|\b\d+\.\d+\b/g) ?? []).sort();

describe.each(translations)('the sentences of issues in %s', (language) => {
  test('are there for every issue, and for nothing else', () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(Object.keys(issueTexts[language]).sort()).toEqual([...codes].sort());
  });

  test.each(codes)('%s tells what the English one tells', (code) => {
    for (const part of ['says', 'fix'] as const) {
      const [own, english] = [issueTexts[language][code][part], issueTexts.en[code][part]];
      expect(placeholdersOf(own)).toEqual(placeholdersOf(english));
      expect(typedByHandOf(own)).toEqual(typedByHandOf(english));
      expect(own).not.toBe(english);
      expect(own).toMatch(/[.)?]$/);
      expect(own).not.toMatch(/ {2}|^\s|\s$|\{(?!\w+(?:\|[^|}]+\|[^|}]+)?\})/);
    }
  });
});

describe('an issue in another language', () => {
  const found = issue('PB-PHONE-LENGTH', { value: '071234' }, { digits: 6, example: '0712 345 678' });

  test('is English unless another language is asked for', () => {
    expect(issueMessage(found)).toBe(issueMessage(found, 'en'));
    expect(issueFix(found)).toBe('Type the whole number, for example 0712 345 678.');
  });

  test('says the value seen and its parameters', () => {
    expect(issueMessage(found, 'sw')).toBe('Namba ya simu "071234" haijakamilika au ni ndefu mno: tarakimu 6.');
    expect(issueFix(found, 'sw')).toBe('Andika namba nzima, mfano 0712 345 678.');
    expect(issueMessage(found, 'fr')).toBe('Numéro de téléphone "071234" incomplet ou trop long : 6 chiffres.');
    expect(issueFix(found, 'fr')).toBe('Saisissez le numéro entier, par exemple 0712 345 678.');
  });

  test('leaves a heading as its user wrote it', () => {
    const error = issue('PB-CELL-ERROR', { value: '#N/A' }, { heading: 'Net pay' });
    for (const language of languages) expect(issueMessage(error, language)).toMatch(/^Net pay .*#N\/A/);
  });
});

test('a count in a sentence agrees with its noun in every language', () => {
  const many = issue('PB-IDENTICAL-COUNT', {}, { stated: 1, count: 2 });
  const one = issue('PB-IDENTICAL-COUNT', {}, { stated: 2, count: 1 });
  const none = issue('PB-IDENTICAL-COUNT', {}, { stated: 2, count: 0 });
  expect(issueMessage(many)).toContain('2 identical rows');
  expect(issueMessage(one)).toContain('1 identical row,');
  expect(issueMessage(none)).toContain('0 identical rows');
  expect(issueMessage(many, 'fr')).toContain('2 lignes identiques');
  expect(issueMessage(one, 'fr')).toContain('1 ligne identique,');
  expect(issueMessage(none, 'fr')).toContain('0 ligne identique,');
});
