/** Counts with their nouns, for people: the one place that knows one from many. */
import type { Language } from './language.ts';

/** In French zero is singular too. */
const isOne = (count: number, language: Language): boolean => (language === 'fr' ? count < 2 : count === 1);

/** The word that agrees with a count: `agreeing(1, 'is', 'are')`. */
export const agreeing = (count: number, one: string, many: string, language: Language = 'en'): string =>
  isOne(count, language) ? one : many;

/** A whole number for people: `12,000`. Made here, because the engine loads 5 MB of languages to say the same. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 row`, `2 rows`, `12,000 rows`; a noun with another plural gives it: `counted(2, 'reply', 'replies')`. */
export const counted = (count: number, one: string, many = `${one}s`, language: Language = 'en'): string =>
  `${language === 'en' ? grouped(count) : count} ${agreeing(count, one, many, language)}`;
