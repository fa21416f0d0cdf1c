/** Counts with their nouns, for people: the one place that knows one from many. */
import type { Language } from './language.ts';

/** In French zero is singular too. */
const isOne = (count: number, language: Language): boolean => (language === 'fr' ? count < 2 : count === 1);

/** The word that agrees with a count: `agreeing(1, 'is', 'are')`. */
export const agreeing = (count: number, one: string, many: string, language: Language = 'en'): string =>
  isOne(count, language) ? one : many;

/** `1 row`, `2 rows`, `12,000 rows`; a noun with another plural gives it: `counted(2, 'reply', 'replies')`. */
export const counted = (count: number, one: string, many = `${one}s`, language: Language = 'en'): string =>
  `${language === 'en' ? count.toLocaleString('en-GB') : count} ${agreeing(count, one, many, language)}`;
